package custodian

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits of what is remembered.
const (
	// maxRecent is how many records of publishers, and as many of files.
	maxRecent = 10_000
	// recentTime is how long a record is remembered that nobody asks for.
	recentTime = time.Minute
)

// recent has the records that questions were answered from a moment ago: a publisher that is
// asked about a thousand times a second is read from the store once in Config.Remember. What
// this Keeper commits is forgotten at once, so only others who write to the same store are
// noticed that late. One that is read again and has not changed stays the same in memory, with
// all that was made from it. Changes are never made from these records.
type recent struct {
	life       time.Duration
	publishers *flight.Cache[hostname.Domain, memory[*custody.Publisher]]
	files      *flight.Cache[string, memory[*custody.File]]

	mu      sync.Mutex
	changes int // by this Keeper
}

// A memory is a record that was read, a file's without its revocations.
type memory[V any] struct {
	value    V
	revision int64
	at       time.Time // before it was read
}

func newRecent(life time.Duration) *recent {
	if life <= 0 {
		return nil
	}
	kept := max(life, recentTime)
	return &recent{
		life:       life,
		publishers: flight.NewCache(flight.Limits[hostname.Domain, memory[*custody.Publisher]]{Count: maxRecent, Life: kept, Now: time.Now}),
		files:      flight.NewCache(flight.Limits[string, memory[*custody.File]]{Count: maxRecent, Life: kept, Now: time.Now}),
	}
}

// forget drops the records of a change, and has those forgotten that are being read.
func (r *recent) forget(c *Change) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	if c.Publisher != nil {
		r.publishers.Delete(c.Publisher.Domain)
	}
	for _, f := range c.Files {
		r.files.Delete(f.URL)
	}
}

// remembered returns what is kept under a key, or reads it and keeps it unless something was
// committed meanwhile.
func remembered[K comparable, V any](r *recent, kept *flight.Cache[K, memory[V]], key K, read func() (V, int64, error)) (V, int64, error) {
	old, ok := kept.Get(key)
	now := time.Now()
	if ok && now.Sub(old.at) < r.life {
		return old.value, old.revision, nil
	}
	r.mu.Lock()
	before := r.changes
	r.mu.Unlock()
	v, revision, err := read()
	if err != nil {
		return v, 0, err
	}
	// A record that was removed and made again may have a revision that it had before.
	if ok && revision == old.revision && reflect.DeepEqual(v, old.value) {
		v = old.value
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == before {
		kept.Put(key, memory[V]{v, revision, now}, 0)
	}
	return v, revision, nil
}

// recentPublisher is publisher for answers.
func (k *Keeper) recentPublisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	if k.recent == nil {
		return k.publisher(ctx, domain)
	}
	p, _, err := remembered(k.recent, k.recent.publishers, domain, func() (*custody.Publisher, int64, error) {
		p, err := k.publisher(ctx, domain)
		if err != nil {
			return nil, 0, err
		}
		return p, p.Revision, nil
	})
	return p, err
}

// recentFile is brief for answers.
func (k *Keeper) recentFile(ctx context.Context, url string) (*custody.File, int64, error) {
	if k.recent == nil {
		return k.brief(ctx, url)
	}
	return remembered(k.recent, k.recent.files, url, func() (*custody.File, int64, error) { return k.brief(ctx, url) })
}
