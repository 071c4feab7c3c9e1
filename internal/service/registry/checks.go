package registry

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/budget"
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
	// probe is the check of its agents, once somebody asked for it.
	probe *probe
	// shown are the validations made of it, so that the same answer is the same value.
	shown map[bool]*Validation // by whether agents were asked for
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

// A flight is a look at a domain that is under way. It belongs to the lock of checks
// until it is done.
type flight struct {
	waiting int
	// given is set when everybody who waited has given up.
	given  bool
	cancel context.CancelFunc
	done   chan struct{}
	result *checked
	err    error
}

// checks are the looks at domains, under way and recent.
type checks struct {
	now func() time.Time

	mu      sync.Mutex
	closed  bool
	flights map[string]*flight
	kept    map[string]*list.Element // of *checked, by domain
	order   *list.List               // the one put in last is in front
	weight  int
	// sweeping is set while sweep is going to come.
	sweeping bool
}

func newChecks(now func() time.Time) *checks {
	return &checks{now: now, flights: map[string]*flight{}, kept: map[string]*list.Element{}, order: list.New()}
}

// recent returns an answer that is not older than within. The caller holds mu.
func (k *checks) recent(domain string, within time.Duration) *checked {
	e := k.kept[domain]
	if e == nil {
		return nil
	}
	c := e.Value.(*checked)
	age := k.now().Sub(c.at)
	if age < 0 || age >= within {
		return nil
	}
	return c
}

// last returns an answer that is not older than within.
func (k *checks) last(domain string, within time.Duration) *checked {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.recent(domain, within)
}

// leave counts one less who waits. The last one ends the look.
func (k *checks) leave(domain string, f *flight) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f.waiting--
	if f.waiting > 0 {
		return
	}
	f.given = true
	f.cancel()
	k.drop(domain, f)
}

// drop takes a flight off the list. The caller holds mu.
func (k *checks) drop(domain string, f *flight) {
	if k.flights[domain] == f {
		delete(k.flights, domain)
	}
}

// land ends a flight, and reports whether nobody waits for it any more: what it found
// out is then that it was given up.
func (k *checks) land(domain string, f *flight) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(domain, f)
	if f.err == nil && !f.given && f.result.worthKeeping() {
		f.result.at = k.now()
		k.keep(domain, f.result)
	}
	close(f.done)
	return f.given
}

// put remembers an answer that nobody waits for here.
func (k *checks) put(c *checked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keep(c.discovery.Domain, c)
}

// keep remembers an answer. The newest one always stays, so that no document is so
// large that it has to be fetched for every call. The caller holds mu.
func (k *checks) keep(domain string, c *checked) {
	k.forget(k.kept[domain])
	k.expire()
	if c.share != nil {
		c.share.Join("")
	}
	k.kept[domain] = k.order.PushFront(c)
	if !k.sweeping {
		k.sweeping = true
		time.AfterFunc(reuseTime, k.sweep)
	}
	k.weight += c.weigh()
	for k.weight > keptWeight && k.order.Len() > 1 {
		k.forget(k.order.Back())
	}
}

// sweep forgets what nobody will be given any more, and comes again as long as there is
// something: a service that nobody asks has to give its memory back.
func (k *checks) sweep() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire()
	k.sweeping = k.order.Len() > 0 && !k.closed
	if k.sweeping {
		time.AfterFunc(reuseTime, k.sweep)
	}
}

// expire forgets what nobody will be given any more. The caller holds mu.
func (k *checks) expire() {
	for e := k.order.Back(); e != nil; e = k.order.Back() {
		age := k.now().Sub(e.Value.(*checked).at)
		if age >= 0 && age < reuseTime {
			return
		}
		k.forget(e)
	}
}

func (k *checks) forget(e *list.Element) {
	if e == nil {
		return
	}
	c := k.order.Remove(e).(*checked)
	delete(k.kept, c.discovery.Domain)
	k.weight -= c.weigh()
	if c.share != nil {
		c.share.Leave("")
	}
}

// shed forgets an answer that takes more than all others may, and was only kept because
// nobody needed the memory.
func (k *checks) shed() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for e := k.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*checked).weigh() > keptWeight {
			k.forget(e)
		}
		e = next
	}
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
