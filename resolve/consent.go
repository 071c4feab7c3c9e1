package resolve

import (
	"github.com/avow-project/avow/adagents"
)

// A consent is what the file that speaks for another publisher says about the agent: what each
// property that it may sell needs. Those with an id are known by it, since each entry may have
// its own copy.
type consent struct {
	// silent: the file authorizes nobody, which denies nothing.
	silent bool
	ids    map[string]Needs
	self   map[*adagents.Property]Needs
}

// about returns what a question about a property needs, and false when the answer is no. A
// publisher that was not heard, or says nothing about anybody, may yet confirm it.
func (c *consent) about(p *adagents.Property) (Needs, bool) {
	if c == nil || c.silent {
		return NeedsConfirmation, true
	}
	if needs, ok := c.ids[p.ID]; ok && p.ID != "" {
		return needs, true
	}
	needs, ok := c.self[p]
	return needs, ok
}

// add notes that an entry covers a property. One that needs nothing is enough.
func (c *consent) add(p *adagents.Property, needs Needs) {
	unite := func(before Needs, known bool) Needs {
		if known && (before == 0 || needs == 0) {
			return 0
		}
		return before | needs
	}
	before, known := c.ids[p.ID]
	c.ids[p.ID] = unite(before, known)
	before, known = c.self[p]
	c.self[p] = unite(before, known)
}

// consent returns what another publisher's own usable document lets the agent sell. It is what
// questions about that publisher are answered.
func (l *lister) consent(doc *Document) *consent {
	if known, ok := l.consents[doc.Publisher]; ok {
		return known
	}
	if l.consents == nil {
		l.consents = make(map[string]*consent)
	}
	out := &consent{ids: make(map[string]Needs), self: make(map[*adagents.Property]Needs)}
	l.consents[doc.Publisher] = out
	b := l.bookFor(doc)
	out.silent = doc.Replaced || b.said.facts().has(assertsNothing)
	if _, gone := b.revoked[doc.Publisher]; gone || out.silent {
		return out
	}
	with := *doc
	with.File, with.Revoked = b.file, b.view.doc.Revoked
	q := l.question
	q.Publisher = doc.Publisher
	c := b.said.evaluation(&with, &q, l.budget)
	c.full, c.whose = true, b.whose(doc, &l.v.hosts)
	for _, n := range c.f.entriesOf(q.Agent) {
		needs, ok := c.judge(n)
		if !ok || !c.spend(costListed*c.covered.n) {
			continue
		}
		for _, p := range c.covered.all() {
			property := propertyIn(with.File, &c.f.properties[p])
			// What the file at hand revokes is out, also where another file has it.
			if b == l.parent || len(l.v.revoked) == 0 || c.f.properties[p].inline != none || !l.v.revokes(property, doc.Publisher) {
				out.add(property, needs)
			}
		}
	}
	l.budget = c.budget
	return out
}

// standing says what the publisher of a property that the file at hand declares has to say
// about it: what a question needs, and whether the answer may be yes. A usable file that does not
// have the property says no.
func (l *lister) standing(p *adagents.Property, owner string) (Needs, bool) {
	doc := l.found[owner]
	if doc == nil || doc.State != Usable {
		return NeedsConfirmation, true
	}
	needs, ok := l.consent(doc).about(p)
	if l.leadsBack(doc) {
		return needs, ok
	}
	l.compare(owner, []*adagents.Property{p}, doc)
	own := l.counterpart(p, doc)
	switch {
	case own == nil:
		return needs, ok && needs&NeedsConfirmation == 0
	case !ok:
		needs, ok = l.consent(doc).about(own)
	}
	if !ok {
		l.deny(owner)
	}
	return needs, ok
}

// deny notes that a publisher's own file does not let the agent sell properties that an entry
// selects.
func (l *lister) deny(publisher string) {
	if l.denied == nil {
		l.denied = make(map[string]bool)
	}
	l.denied[publisher] = true
}

// counterpart finds a property in the own document of its publisher: by its id or,
// when it has none, by its identifiers.
func (l *lister) counterpart(p *adagents.Property, doc *Document) *adagents.Property {
	own := l.ownOf(doc)
	if p.ID != "" {
		return l.byID(doc)[p.ID]
	}
	set := identifierSet(p)
	for _, other := range own {
		if !l.spend(costStored * (1 + len(other.Identifiers))) {
			break
		}
		if sameSet(set, identifierSet(other)) {
			return other
		}
	}
	return nil
}
