package registry

import (
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits of what is kept in memory.
const (
	// keptWeight is the memory that answers may take, as estimated by weigh.
	keptWeight = 24_000_000
	// baseWeight is that of an answer without any document.
	baseWeight = 8_000
	// bodyFactor is how much more memory a small document takes than its bytes: they are
	// kept, and so is what they were parsed into and the answer about it.
	bodyFactor = 5
)

// A checked is what is known about a domain at one time. It is shared.
type checked struct {
	discovery *discover.Discovery
	// freshUntil is how long it counts.
	freshUntil time.Time
	complete   bool
	// spent: the call that asked had no requests left.
	spent bool
	// at is when the answer was given.
	at time.Time
	// share is the memory that it takes; nil for little. What is kept holds it, and so do
	// the requests that are given it, until they are answered.
	share *budget.Share
	memo  memo

	mu sync.Mutex
	// probe is the check of its agents, once requested.
	probe *probe
}

// worthKeeping reports whether others may use the answer.
func (c *checked) worthKeeping() bool { return !c.spent }

// size is that of its documents.
func (c *checked) size() int { return len(c.discovery.Body) + len(c.discovery.PointerBody) }

// weigh estimates the memory an answer takes.
func (c *checked) weigh() int {
	if c.size() <= weighedFrom {
		return baseWeight + bodyFactor*c.size()
	}
	weight := baseWeight + c.size()
	for _, r := range []*adagents.Report{c.discovery.Report, c.discovery.Pointer} {
		if r != nil && r.Tree() != nil {
			weight += valueBytes * r.Tree().Len()
		}
	}
	return weight
}

// checks are the looks at domains, under way and recent.
type checks struct {
	now   func() time.Time
	calls flight.Group[hostname.Domain, *checked]
	kept  *flight.Cache[hostname.Domain, *checked] // by domain

	mu     sync.Mutex
	closed bool
}

func newChecks(now func() time.Time) *checks {
	return &checks{now: now, kept: flight.NewCache(flight.Limits[hostname.Domain, *checked]{
		Name: "checks", Weight: keptWeight, Life: reuseTime, Now: now, Dropped: func(_ hostname.Domain, c *checked) {
			if c.share != nil {
				c.share.Leave("")
			}
		},
	})}
}

// last returns an answer that is not older than within.
func (k *checks) last(domain hostname.Domain, within time.Duration) *checked {
	c, ok := k.kept.Get(domain)
	if !ok {
		return nil
	}
	age := k.now().Sub(c.at)
	if age < 0 || age >= within {
		return nil
	}
	return c
}

// keep remembers an answer. The newest one always stays, so that no document is so
// large that it has to be fetched for every call. What is made of it later, such as an encoding,
// counts as well: otherwise it would stay in the way of all that needs memory.
func (k *checks) keep(c *checked) {
	if c.share != nil {
		c.share.Join("")
	}
	domain := hostname.Domain(c.discovery.Domain)
	weight := c.memo.keep(func(n int) {
		k.kept.Weigh(domain, func(now *checked, before int) int {
			if now != c {
				return before
			}
			return before + n
		})
	})
	k.kept.Put(domain, c, c.weigh()+weight)
}

// shed forgets an answer that takes more than all others may, and was only kept because
// the memory was not needed.
func (k *checks) shed() {
	k.kept.DeleteFunc(func(_ *checked, weight int) bool { return weight > keptWeight })
}

// close keeps looks from beginning.
func (k *checks) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
}

// roleOf returns what a document of a step is checked as.
func roleOf(step discover.Step) adagents.Role {
	switch step {
	case discover.Authoritative, discover.ManagerAuthoritative:
		return adagents.Authoritative
	case discover.Manager:
		return adagents.Manager
	}
	return adagents.Direct
}
