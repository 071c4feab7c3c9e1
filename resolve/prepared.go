package resolve

import (
	"reflect"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
)

// Prepare returns the prepared form of a file, for Document.Prepared.
func Prepare(f *adagents.File) *Prepared { return &Prepared{file: f} }

// facts returns what the file says.
func (p *Prepared) facts() *facts {
	p.once.Do(func() { p.said, p.file = newFacts(p.file), nil })
	return p.said
}

// Size is about how many octets it takes, with what is made when it is needed.
func (p *Prepared) Size() int {
	f := p.facts()
	m := f.also()
	const absent = 4 + 8 // of a property and an identifier in an absentTable
	return sizeOf([]facts{*f}) + absent*max(len(f.properties), len(f.identifiers)) + len(f.text) + sizeOf(f.nums) +
		sizeOf(f.entries) + sizeOf(f.agents) + sizeOf(f.publishers) +
		sizeOf(f.properties) + sizeOf(f.identifiers) + sizeOf(f.placements) + sizeOf(f.selectors) + sizeOf(f.tables) +
		sizeOf(m.collections) + sizeOf(m.programs) + sizeOf(m.signals) + sizeOf(m.signalNames) + sizeOf(m.definitions) +
		sizeOf(m.leftSignals) + sizeOf(m.revoked)
}

func sizeOf[T any](list []T) int { return cap(list) * int(reflect.TypeFor[T]().Size()) }

// Steady returns the nearest times before and after an instant at which an entry of the file
// begins or ceases to hold; a zero time is none. Questions that differ in the instant alone, both
// between these times, have the same answer from the file. An instant at which an entry begins or
// ceases is returned as both: it is like no other.
func (p *Prepared) Steady(at time.Time) (time.Time, time.Time) {
	var after, before time.Time
	f := p.facts()
	if !f.has(timed) {
		return after, before
	}
	for i := range f.entries {
		from, until := f.bounds(&f.entries[i])
		for _, bound := range [...]time.Time{from, until} {
			if bound.IsZero() {
				continue
			}
			if !bound.After(at) && (after.IsZero() || bound.After(after)) {
				after = bound
			}
			if !bound.Before(at) && (before.IsZero() || bound.Before(before)) {
				before = bound
			}
		}
	}
	return after, before
}

// heldSet returns a list of held revocations as a set. Documents that share a file share
// the list, so the last set is the one that is asked for again.
func (p *Prepared) heldSet(list []string) *heldSet {
	if len(list) == 0 {
		return nil
	}
	s := p.held.Load()
	if s == nil || len(s.list) != len(list) || &s.list[0] != &list[0] {
		s = newHeldSet(list)
		p.held.Store(s)
	}
	return s
}

// newFacts reads a file.
func newFacts(f *adagents.File) *facts {
	p := &preparer{file: f, keys: keysIn(f), placementIDs: numbering{}, placementTags: numbering{}, programs: numbering{},
		signalTagNumbers: numbering{}}
	p.revoked = revocations(f, &p.hosts)
	if len(f.Agents) == 0 && f.Raw.Get("authorized_agents").Len() == 0 {
		p.flags |= assertsNothing
	}
	p.prepareRevoked()
	p.prepareIgnored()
	p.preparePlacements()
	p.prepareSignals()
	p.prepareCollections()
	p.preparePrograms()
	p.prepareEntries()
	p.findProperties()
	p.preparePublishers()
	p.prepareNames()
	p.facts.text = string(p.text)
	p.nums = slices.Clip(p.nums)
	if len(p.rare.collections)+len(p.rare.signals)+len(p.rare.leftSignals)+len(p.rare.signalNames)+len(p.rare.revoked)+
		len(p.rare.ignored) > 0 {
		p.more = &p.rare
	}
	made := p.facts
	return &made
}

// evaluation begins to evaluate a question from a usable document.
func (p *Prepared) evaluation(d *Document, q *Question, b budget) evaluation {
	c := evaluation{budget: b, q: q, f: p.facts(), held: p.heldSet(d.Revoked)}
	c.whose = c.f.whose(d)
	c.own = c.f.publisher(q.Publisher)
	c.begin()
	return c
}

// prepared returns the prepared form of the file, which is made for the occasion if none
// is kept.
func (d *Document) prepared() *Prepared {
	if d.Prepared != nil {
		return d.Prepared
	}
	return Prepare(d.File)
}

// absent returns the table of the file, which is the one that was prepared.
func (p *Prepared) absent(f *adagents.File) *absentTable {
	p.lost.Do(func() { p.table = newAbsentTable(f) })
	return p.table
}
