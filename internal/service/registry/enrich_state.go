package registry

import (
	"sync"
	"time"

	sharing "github.com/avow-project/avow/internal/flight"
)

// enriching is what enrichment remembers while the process runs. The zero value is
// ready.
type enriching struct {
	flights sharing.Group[string, any]
	absent  absences
	shares  shares
}

// maxAbsences bounds the domains that are remembered to have no brand.json. Beyond it
// the oldest goes.
const maxAbsences = 50_000

// absences remembers what was not there, each for some time. The zero value is ready.
type absences struct {
	mu    sync.Mutex
	until map[string]time.Time
	order []string // the same keys, in the order they came
}

func (a *absences) has(domain string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return now.Before(a.until[domain])
}

func (a *absences) add(domain string, now time.Time, d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.until == nil {
		a.until = map[string]time.Time{}
	}
	_, known := a.until[domain]
	if !known {
		a.order = append(a.order, domain)
	}
	a.until[domain] = now.Add(d)
	for len(a.order) > 0 && (len(a.order) > maxAbsences || !now.Before(a.until[a.order[0]])) {
		delete(a.until, a.order[0])
		a.order = a.order[1:]
	}
}

// maxShares bounds the callers that are told apart in a day. Those beyond it have the
// quota of the day alone to keep to.
const maxShares = 100_000

// shares counts what each caller took on one day. The zero value is ready.
type shares struct {
	mu    sync.Mutex
	day   string
	taken map[string]int
}

// A callerShare is what a caller, or a network that callers are counted in, may take.
type callerShare struct {
	name string
	most int
}

// take takes one unit of all shares, or of none, and reports false when one of them is
// spent.
func (s *shares) take(day string, all []callerShare) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.day != day {
		s.day, s.taken = day, map[string]int{}
	}
	for _, c := range all {
		if s.taken[c.name] >= c.most {
			return false
		}
	}
	for _, c := range all {
		_, known := s.taken[c.name]
		if known || len(s.taken) < maxShares {
			s.taken[c.name]++
		}
	}
	return true
}
