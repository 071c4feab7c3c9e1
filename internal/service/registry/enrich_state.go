package registry

import (
	"sync"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

// enriching is what enrichment remembers while the process runs.
type enriching struct {
	flights flight.Group[string, any]
	// absent has until when domains are not asked for a brand.json, as there was none.
	absent *flight.Cache[hostname.Domain, time.Time]
	shares shares
}

// maxAbsent bounds the domains that are remembered to have no brand.json. Beyond it
// the oldest goes.
const maxAbsent = 50_000

func newEnriching(now func() time.Time) enriching {
	return enriching{absent: flight.NewCache(flight.Limits[hostname.Domain, time.Time]{Name: "no-brand", Count: maxAbsent,
		Life: ownAbsent, Now: now})}
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
