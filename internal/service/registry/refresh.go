package registry

import (
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
)

// mostRefreshes is the number of wishes for a new answer that are remembered. When there
// are more within half a minute, the oldest are forgotten: how often a site is asked is
// limited besides.
const mostRefreshes = 4096

// A refreshKey is a caller that wants a new answer about a domain.
type refreshKey struct {
	client string
	domain hostname.Domain
}

// refreshes remembers who was given a new answer about a domain of late. The zero value
// is ready for use.
type refreshes struct {
	mu    sync.Mutex
	given map[refreshKey]time.Time
	order []refreshKey
}

// wait returns how long a caller has to wait for a new answer; zero for not at all.
func (k *refreshes) wait(key refreshKey, now time.Time) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.left(key, now)
}

// left is wait for those who hold the lock.
func (k *refreshes) left(key refreshKey, now time.Time) time.Duration {
	at, ok := k.given[key]
	age := now.Sub(at)
	if !ok || age < 0 || age >= refreshTime {
		return 0
	}
	return refreshTime - age
}

// take reports whether a caller may have a new answer now, and remembers it.
func (k *refreshes) take(key refreshKey, now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left(key, now) > 0 {
		return false
	}
	if k.given == nil {
		k.given = map[refreshKey]time.Time{}
	}
	_, known := k.given[key]
	if !known {
		k.order = append(k.order, key)
	}
	k.given[key] = now
	if len(k.order) > mostRefreshes {
		delete(k.given, k.order[0])
		k.order = k.order[1:]
	}
	return true
}

// RefreshWait returns how long a client has to wait until it is given a new answer about a
// domain in canonical form; zero for not at all.
func (s *Service) RefreshWait(domain hostname.Domain, client string) time.Duration {
	return s.refreshes.wait(refreshKey{client, domain}, s.config.Now())
}
