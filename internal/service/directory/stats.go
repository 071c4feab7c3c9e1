package directory

import (
	"time"

	"github.com/avow-project/avow/internal/wire"
)

// Ages are the limits of the classes that the last looks at publishers are counted in; what
// is older is in one more class.
var Ages = []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// Of more publishers than fewCounted numbers are given again for statsLife: the index of their
// states is gone through for them.
const (
	fewCounted = 1000
	statsLife  = 10 * time.Second
)

// Stats returns the numbers of the present or, where there is much to count, of a moment ago. They
// are not to be changed.
func (v *View) Stats() *Stats {
	t, now := &v.d.tally, v.At.Early
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.many && now.Sub(t.at).Abs() < statsLife {
		return t.stats
	}
	out := &Stats{Publishers: map[wire.PublisherState]int{}, Types: map[string]int{}, Looks: make([]int, len(Ages)+1)}
	counts, err := v.d.config.Store.Counts(v.ctx)
	if v.fail(err) {
		return out
	}
	total := 0
	for _, g := range counts.Groups {
		total += g.Publishers
		out.Publishers[g.State] += g.Publishers
		if g.InEffect {
			out.InEffect += g.Publishers
		}
		if g.State != wire.NeverLooked && g.State != wire.OptedOut {
			out.Looks[ageClass(now.Truncate(time.Hour).Sub(g.Looked))] += g.Publishers
		}
	}
	out.Publishers[wire.NeverLooked] += counts.Named
	out.Agents, out.Authorizations, out.Types = counts.Agents, counts.Authorizations, counts.Types
	for _, n := range counts.Types {
		out.Properties += n
	}
	t.stats, t.at, t.many = out, now, total > fewCounted
	return out
}

// Known is how many publishers were looked at.
func (s *Stats) Known() int {
	n := 0
	for state, count := range s.Publishers {
		if state != wire.NeverLooked {
			n += count
		}
	}
	return n
}

func ageClass(age time.Duration) int {
	for i, limit := range Ages {
		if age < limit {
			return i
		}
	}
	return len(Ages)
}
