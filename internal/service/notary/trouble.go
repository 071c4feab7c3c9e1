package notary

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// lateAfter is after how long something that fails is worth a word to the operator.
const lateAfter = 15 * time.Minute

// A Trouble is something of the log that an operator has to see to.
type Trouble struct {
	// Witness is who does not cosign; empty when the log as a whole stands still, and no new head is
	// shown.
	Witness string
	Since   time.Time
}

// troubles remember since when something fails; the name of the log itself is empty.
type troubles struct {
	mu    sync.Mutex
	since map[string]time.Time
}

// note remembers whether something fails now.
func (t *troubles) note(name string, fails bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, before := t.since[name]
	switch {
	case !fails:
		delete(t.since, name)
	case !before:
		if t.since == nil {
			t.since = map[string]time.Time{}
		}
		t.since[name] = now
	}
}

// Troubles returns what has failed for a quarter of an hour or longer, the log itself first and then
// witnesses by their names. It may be called while the notary runs.
func (n *Notary) Troubles() []Trouble {
	now := n.config.Now()
	n.troubles.mu.Lock()
	defer n.troubles.mu.Unlock()
	var all []Trouble
	for _, name := range slices.Sorted(maps.Keys(n.troubles.since)) {
		if since := n.troubles.since[name]; now.Sub(since) >= lateAfter {
			all = append(all, Trouble{name, since})
		}
	}
	return all
}
