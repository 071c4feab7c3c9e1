package directory

import (
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

// Ages are the limits of the classes that the last looks at publishers are counted in; what
// is older is in one more class.
var Ages = []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// Stats counts what the directory has.
type Stats struct {
	// Publishers counts those known by their state, and InEffect those that answers rest on.
	Publishers map[wire.PublisherState]int
	InEffect   int
	// Agents are those that may sell something, and Authorizations the pairs of an agent and
	// a publisher.
	Agents, Authorizations int
	Properties             int
	Types                  map[string]int
	// Looks counts publishers by the age of the last look, by the classes of Ages.
	Looks []int
	// Missing is as in View.
	Missing int
}

// Of more publishers than fewCounted, which takes a millisecond, numbers are given again for
// statsLife.
const (
	fewCounted = 1000
	statsLife  = 10 * time.Second
)

// A tally has the numbers that were counted last.
type tally struct {
	mu    sync.Mutex
	at    time.Time
	stats *Stats
}

// Stats returns the numbers of the present or, where there is much to count, of a moment ago. They
// are not to be changed.
func (v *View) Stats() *Stats {
	v.d.mu.RLock()
	few := v.d.names.count <= fewCounted
	v.d.mu.RUnlock()
	if few {
		return v.count()
	}
	t, now := &v.d.tally, v.At.Early
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stats == nil || now.Sub(t.at).Abs() >= statsLife {
		t.stats, t.at = v.count(), now
	}
	out := *t.stats
	out.Missing = v.Missing
	return &out
}

// count counts. It looks at everything.
func (v *View) count() *Stats {
	out := &Stats{Publishers: map[wire.PublisherState]int{}, Types: map[string]int{}, Looks: make([]int, len(Ages)+1), Missing: v.Missing}
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	agents := map[string]bool{}
	for name := range v.d.names.after("") {
		e := v.entry(hostname.Domain(name))
		out.Publishers[e.Standing.State]++
		if !e.Standing.LastLook.IsZero() {
			out.Looks[ageClass(v.At.Early.Sub(e.Standing.LastLook))]++
		}
		if !e.Standing.InEffect {
			continue
		}
		out.InEffect++
		out.Properties += e.Properties
		for _, c := range e.Types {
			out.Types[c.Type] += c.Count
		}
		for _, g := range e.Grants {
			if g.Live {
				out.Authorizations++
				agents[g.Agent] = true
			}
		}
	}
	out.Agents = len(agents)
	return out
}

func ageClass(age time.Duration) int {
	for i, limit := range Ages {
		if age < limit {
			return i
		}
	}
	return len(Ages)
}

// Search returns publishers whose domain, or one of whose identifiers, contains a text in
// lower case, those that begin with it first, limit at most.
func (v *View) Search(text string, limit int) []Entry {
	contains := func(e *Entry) bool {
		if strings.Contains(string(e.Domain), text) {
			return true
		}
		if e.Publisher == nil {
			return false
		}
		for _, id := range e.Identifiers {
			if strings.Contains(strings.ToLower(id.Value), text) {
				return true
			}
		}
		return false
	}
	first, _ := v.Publishers(before(text), limit, func(e *Entry) bool { return strings.HasPrefix(string(e.Domain), text) })
	if len(first) == limit {
		return first
	}
	rest, _ := v.Publishers("", limit, func(e *Entry) bool { return !strings.HasPrefix(string(e.Domain), text) && contains(e) })
	return append(first, rest[:min(len(rest), limit-len(first))]...)
}

// before returns a name that is before all that begin with a text, and after all others that
// are before them.
func before(text string) string {
	if text == "" {
		return ""
	}
	return text[:len(text)-1] + string([]byte{text[len(text)-1] - 1}) + "\xff"
}
