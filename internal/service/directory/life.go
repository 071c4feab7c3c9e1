package directory

import (
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// A Life says for how long an answer that was made from a view is the one that would be made
// again. It ends when something changes that the answer may rest on, and when a publisher that
// was looked at for it may stand otherwise by the time alone.
type Life struct {
	agent   string
	version uint64
	doubts  uint64
	made    custody.Moment
	// Nobody stands otherwise between these times; a zero until is no end.
	from, until time.Time
}

// Follow returns the life of an answer that is made from the view after this call, and by
// nothing else: about one agent and its publishers or, with an empty name, about anything. The
// view is for one goroutine from then on.
func (v *View) Follow(agent string) *Life {
	v.life = &Life{agent: agent, version: v.d.versionOf(agent), doubts: v.d.config.Keeper.Doubts(), made: v.At}
	return v.life
}

// Holds reports whether an answer from the view would be the same.
func (l *Life) Holds(v *View) bool {
	return !v.At.Early.Before(l.from) && !v.At.Late.Before(l.from) &&
		(l.until.IsZero() || v.At.Early.Before(l.until) && v.At.Late.Before(l.until)) &&
		l.doubts == v.d.config.Keeper.Doubts() && l.version == v.d.versionOf(l.agent)
}

// look notes between which times the standing of a publisher is what it is.
func (l *Life) look(p *Publisher) {
	if l == nil {
		return
	}
	l.narrow(p.record.Steady(l.made))
	if p.file != nil {
		l.narrow(p.file.Steady(l.made))
	}
}

func (l *Life) narrow(from, until time.Time) {
	l.from = later(l.from, from)
	if !until.IsZero() && (l.until.IsZero() || until.Before(l.until)) {
		l.until = until
	}
}

// versionOf returns a number that grows whenever something about an agent or one of its
// publishers changes, or about anything for an empty name. It is zero for an agent that is not
// known.
func (d *Directory) versionOf(agent string) uint64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if agent == "" {
		return d.version
	}
	a := d.agents[agent]
	if a == nil {
		return 0
	}
	return a.version
}
