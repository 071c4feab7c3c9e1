package resolve

import (
	"github.com/avow-project/avow/adagents"
)

// A consent is what the file that speaks for another publisher says about the agent: what each
// property that it may sell needs. Those with an id are known by it, since each entry may have
// its own copy.
type consent struct {
	ids  map[string]Needs
	self map[*adagents.Property]Needs
}

// about returns what a question about a property needs. What its publisher has not confirmed, or
// has not been asked about, is a claim.
func (c *consent) about(p *adagents.Property) Needs {
	if c == nil {
		return NeedsConfirmation
	}
	needs, ok := c.ids[p.ID]
	if !ok || p.ID == "" {
		needs, ok = c.self[p]
	}
	if !ok {
		return NeedsConfirmation
	}
	return needs
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
	if _, gone := b.revoked[doc.Publisher]; gone || doc.Replaced {
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
			if b == l.parent || len(l.v.revoked) == 0 || c.f.properties[p].inline != none ||
				!l.v.revokes(property, doc.Publisher) {
				out.add(property, needs)
			}
		}
	}
	l.budget = c.budget
	return out
}

// standing says what the publisher of a property that the file at hand declares has to say
// about it: what a question needs, and whether there is such a property. A usable file that does
// not have it says no.
func (l *lister) standing(p *adagents.Property, owner string) (Needs, bool) {
	doc := l.found[owner]
	if doc == nil || doc.State != Usable {
		return NeedsConfirmation, true
	}
	needs := l.consent(doc).about(p)
	if l.leadsBack(doc) {
		return needs, true
	}
	l.compare(owner, []*adagents.Property{p}, doc)
	own := l.counterpart(p, doc)
	if needs&NeedsConfirmation != 0 && own != nil {
		return l.consent(doc).about(own), true
	}
	return needs, needs&NeedsConfirmation == 0
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
