package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// consent returns the properties of another publisher that its own usable document
// lets the agent sell.
func (l *lister) consent(doc *Document) *propertySet {
	if set, ok := l.consents[doc.Publisher]; ok {
		return set
	}
	if l.consents == nil {
		l.consents = make(map[string]*propertySet)
	}
	set := newPropertySet()
	l.consents[doc.Publisher] = set
	if doc.Replaced {
		return set
	}
	b := l.bookFor(doc)
	if _, gone := b.revoked[doc.Publisher]; gone {
		return set
	}
	with := *doc
	with.File, with.Revoked = b.file, b.view.doc.Revoked
	q := l.question
	q.Publisher = doc.Publisher
	c := b.said.evaluation(&with, &q, l.budget)
	c.full, c.whose = true, b.whose(doc, &l.v.hosts)
	for _, n := range c.f.entriesOf(q.Agent) {
		l.agreed(&c, n, &with, set, b != l.parent)
	}
	l.budget = c.budget
	return set
}

// agreed adds what an entry of the publisher's document covers, without what the file at
// hand revokes.
func (l *lister) agreed(c *evaluation, n uint32, doc *Document, set *propertySet, elsewhere bool) {
	e := &c.f.entries[n]
	if _, ok := c.counts(n); !ok || !e.scope.sells() || !c.cover(n) || !c.spend(costListed*c.covered.n) {
		return
	}
	covered := slices.Clone(c.covered.all())
	if _, ok := c.inCollection(n, 0); !ok {
		return
	}
	for i, p := range covered {
		property := propertyIn(doc.File, &c.f.properties[p])
		if elsewhere && len(l.v.revoked) > 0 && c.f.properties[p].inline == none && l.v.revokes(property, doc.Publisher) {
			continue
		}
		// A placement has to run on each of them.
		c.covered.set(covered[i : i+1])
		c.fits.cut(0)
		c.reached = false
		if _, ok := c.inPlacement(n, 0); ok {
			set.add(property)
		}
	}
}

// standing says what the publisher of a property that the file at hand declares has to
// say about it. A usable file that does not have the property is a no, unless it is
// the file at hand itself.
func (l *lister) standing(p *adagents.Property, owner string) (bool, bool) {
	doc := l.found[owner]
	if doc == nil || doc.State != Usable {
		return false, true
	}
	if l.consent(doc).has(p) {
		l.compare(owner, []*adagents.Property{p}, doc)
		return true, true
	}
	if l.leadsBack(doc) {
		return false, true
	}
	l.compare(owner, []*adagents.Property{p}, doc)
	return false, l.counterpart(p, doc) != nil
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
