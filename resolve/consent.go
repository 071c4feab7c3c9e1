package resolve

import (
	"github.com/avow-project/avow/adagents"
)

// An assent is an entry of the agent in the file that speaks for another publisher,
// which holds at the instant and in the country asked about. An entry that holds in
// some countries counts when none is asked about.
type assent struct {
	agent *adagents.Agent
	// top picks among the properties at the top level of the file; nil when the
	// entry does not, or depends on the publisher.
	top func(*adagents.Property) bool
	// selectors has what the entry picks of each publisher's properties, inline
	// those that it declares itself.
	selectors map[string][]func(*adagents.Property) bool
	inline    []*adagents.Property
}

// assents returns the entries of a book that count, which is found out once however
// many publishers share the file.
func (l *lister) assents(b *book) []assent {
	if b.read {
		return b.assents
	}
	b.read = true
	judge := inquiry{q: l.q, doc: b.view.doc, v: b.view, mute: true, budget: l.budget}
	for _, a := range b.view.entriesOf(l.q.Agent) {
		if sells(a.Type) && judge.counts(a, new(holding)) {
			b.assents = append(b.assents, newAssent(a, b.view))
		}
	}
	l.budget = judge.budget
	return b.assents
}

func newAssent(a *adagents.Agent, v *view) assent {
	e := assent{agent: a}
	switch a.Type {
	case "property_ids":
		e.top = hasID(a.PropertyIDs)
	case "property_tags":
		e.top = hasTag(a.PropertyTags)
	case "inline_properties":
		e.inline = pointersTo(a.Properties)
	case "publisher_properties":
		e.selectors = make(map[string][]func(*adagents.Property) bool)
		for i := range a.Selectors {
			s := &a.Selectors[i]
			picks := predicate(s)
			for _, domain := range selectorDomains(s, &v.hosts) {
				e.selectors[domain] = append(e.selectors[domain], picks)
			}
		}
	}
	return e
}

// picks reports whether an entry covers a property that its publisher has at the top
// level of the file.
func (e *assent) picks(publisher string, p *adagents.Property) bool {
	if e.top != nil {
		return e.top(p)
	}
	for _, picks := range e.selectors[publisher] {
		if picks(p) {
			return true
		}
	}
	return false
}

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
	own := l.ownOf(doc)
	judge := inquiry{q: l.q, doc: doc, v: b.view, mute: true}
	judge.q.Publisher = doc.Publisher
	entries := l.assents(b)
	for i := range entries {
		judge.budget = l.budget
		h := holding{agent: entries[i].agent, properties: judge.agreed(&entries[i], b, own)}
		if len(h.properties) > 0 && judge.inCollection(h.agent, &h) {
			set.add(judge.placed(&h))
		}
		l.budget = judge.budget
	}
	return set
}

// agreed returns what an entry of the publisher's document covers.
func (c *inquiry) agreed(e *assent, b *book, own []*adagents.Property) []Covered {
	if !c.spend(1 + len(own) + len(e.inline) + costLookup*max(1, len(e.selectors[c.q.Publisher]))*tagsOf(own)) {
		return nil
	}
	var list []*adagents.Property
	for _, p := range own {
		if e.picks(c.q.Publisher, p) {
			list = append(list, p)
		}
	}
	w := whose{}
	if len(e.inline) > 0 {
		w = b.naming.whose(c.doc, &b.view.hosts)
	}
	for _, p := range e.inline {
		if owner := w.owner(p, &b.view.hosts); owner == c.q.Publisher && !b.view.revokes(p, owner) {
			list = append(list, p)
		}
	}
	return c.own(list)
}

// placed returns those of a holding's properties on which the placements run that the
// entry is limited to.
func (c *inquiry) placed(h *holding) []Covered {
	if !scoped(h.agent) {
		return h.properties
	}
	var out []Covered
	for i := range h.properties {
		one := holding{agent: h.agent, properties: h.properties[i : i+1], collections: h.collections}
		if c.judgePlacements(h.agent, &one) {
			out = append(out, h.properties[i])
		}
	}
	return out
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

// byID returns the properties of a publisher in its own document by id. Of several
// with the same id the first counts.
func (l *lister) byID(doc *Document) map[string]*adagents.Property {
	if ids, ok := l.ids[doc.Publisher]; ok {
		return ids
	}
	if l.ids == nil {
		l.ids = make(map[string]map[string]*adagents.Property)
	}
	own := l.ownOf(doc)
	l.spend(costStored * len(own))
	ids := make(map[string]*adagents.Property, len(own))
	for _, p := range own {
		if ids[p.ID] == nil {
			ids[p.ID] = p
		}
	}
	l.ids[doc.Publisher] = ids
	return ids
}
