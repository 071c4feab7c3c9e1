package projection

import (
	"bytes"
	"cmp"
	"slices"
)

// An item is something that holds: what an event about it says.
type item struct {
	// begin, change and end are the types of events about it.
	begin, change, end string
	agent, entity      string
	payload            []byte
	// core is the digest of what followers take as the identity of an authorization, and whole
	// that of everything that is told.
	core, whole [8]byte
	// parts has more that is compared, and is kept to be read again.
	parts []byte
}

func (i *item) digest() []byte { return slices.Concat(i.core[:], i.whole[:], i.parts) }

// event is an event about the item that holds.
func (i *item) event(kind, publisher string) Event {
	return Event{Type: kind, Publisher: publisher, Agent: i.agent, Entity: i.entity, Live: true, Digest: i.digest(),
		Payload: i.payload}
}

// reported is what was told about an entity and still holds: the event with which it began, and
// the last change of it.
type reported struct {
	begin, change *Event
}

func (t *reported) last() *Event {
	if t.change != nil {
		return t.change
	}
	return t.begin
}

func (t *reported) numbers() []int64 {
	var out []int64
	for _, e := range []*Event{t.begin, t.change} {
		if e != nil {
			out = append(out, e.Number)
		}
	}
	return out
}

// A comparison finds the events that lead from what was told to what holds.
type comparison struct {
	publisher string
	reported  map[string]*reported // by kind and entity
	add       *Change
	// ended and begun are the authorizations, which come after everything else.
	ended, begun []Event
	repeat       map[string]bool // agents of which every authorization is told again
}

func entityKey(kind, entity string) string { return kind + " " + entity }

// compare fills in the events of an addition. ending makes the payload of an event about the
// end of what another one has told.
func compare(add *Change, live []Event, want []item, ending func(e *Event) []byte) {
	c := comparison{publisher: string(add.Domain), reported: map[string]*reported{}, add: add, repeat: map[string]bool{}}
	for i := range live {
		c.note(&live[i])
	}
	wanted := make(map[string]bool, len(want))
	for i := range want {
		w := &want[i]
		key := entityKey(kindOf(w.begin), w.entity)
		wanted[key] = true
		before := c.reported[key]
		if before != nil && before.begin != nil && !bytes.Equal(before.begin.Digest[:8], w.core[:]) && w.agent != "" {
			c.repeat[w.agent] = true
		}
	}
	for key, before := range c.reported {
		if !wanted[key] {
			c.repeat[before.last().Agent] = true // some followers forget all of its rows
		}
	}
	delete(c.repeat, "")
	for i := range want {
		c.put(&want[i], ending)
	}
	for key, before := range c.reported {
		if !wanted[key] {
			c.end(before, ending)
		}
	}
	byEntity := func(a, b Event) int { return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Entity, b.Entity)) }
	slices.SortFunc(c.ended, byEntity)
	c.join()
}

func kindOf(kind string) string { return (&Event{Type: kind}).Kind() }

// note takes down an event that was told.
func (c *comparison) note(e *Event) {
	key := entityKey(e.Kind(), e.Entity)
	t := c.reported[key]
	if t == nil {
		t = &reported{}
		c.reported[key] = t
	}
	switch e.Type {
	case Granted, Created, Discovered:
		t.begin = e
	default:
		t.change = e
	}
}

// put tells what holds, as far as it was not told.
func (c *comparison) put(w *item, ending func(e *Event) []byte) {
	before := c.reported[entityKey(kindOf(w.begin), w.entity)]
	switch {
	case before == nil || before.begin == nil:
		c.begin(w)
	case c.repeat[w.agent]:
		c.add.Retire = append(c.add.Retire, before.numbers()...)
		if !bytes.Equal(before.begin.Digest[:8], w.core[:]) {
			c.ended = append(c.ended, ended(before.begin, w.end, ending))
		}
		c.begin(w)
	case !bytes.Equal(before.last().Digest, w.digest()):
		c.change(before, w)
	}
}

func (c *comparison) begin(w *item) {
	e := w.event(w.begin, c.publisher)
	if w.agent == "" {
		c.add.Events = append(c.add.Events, e)
		return
	}
	c.begun = append(c.begun, e)
}

// change tells that something says something else.
func (c *comparison) change(before *reported, w *item) {
	if before.change != nil {
		c.add.Retire = append(c.add.Retire, before.change.Number)
	}
	c.add.Events = append(c.add.Events, w.event(w.change, c.publisher))
}

// end tells that something does not hold any more.
func (c *comparison) end(before *reported, ending func(e *Event) []byte) {
	c.add.Retire = append(c.add.Retire, before.numbers()...)
	last := before.last()
	switch last.Kind() {
	case "authorization":
		c.ended = append(c.ended, ended(last, Revoked, ending))
	case "property":
		c.add.Events = append(c.add.Events, ended(last, Stale, ending))
	default:
		c.add.Events = append(c.add.Events, ended(last, Changed, ending))
	}
}

func ended(last *Event, kind string, ending func(e *Event) []byte) Event {
	return Event{Type: kind, Publisher: last.Publisher, Agent: last.Agent, Entity: last.Entity, Digest: []byte{},
		Payload: ending(last)}
}

// join puts the ends of authorizations before the beginnings, agent by agent: who reads one
// after the other has what holds in between only for a moment.
func (c *comparison) join() {
	slices.SortStableFunc(c.begun, func(a, b Event) int { return cmp.Compare(a.Agent, b.Agent) })
	for len(c.ended) > 0 || len(c.begun) > 0 {
		var agent string
		switch {
		case len(c.ended) == 0:
			agent = c.begun[0].Agent
		case len(c.begun) == 0 || c.ended[0].Agent < c.begun[0].Agent:
			agent = c.ended[0].Agent
		default:
			agent = c.begun[0].Agent
		}
		for _, list := range []*[]Event{&c.ended, &c.begun} {
			n := 0
			for n < len(*list) && (*list)[n].Agent == agent {
				n++
			}
			c.add.Events, *list = append(c.add.Events, (*list)[:n]...), (*list)[n:]
		}
	}
}
