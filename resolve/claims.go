package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// top returns the properties at the top level of the file at hand.
func (l *lister) top() []*adagents.Property {
	if l.tops == nil {
		l.tops = pointersTo(l.v.file.Properties)
	}
	return l.tops
}

func inlineProperties(a *adagents.Agent) []*adagents.Property { return pointersTo(a.Properties) }

func pointersTo(list []adagents.Property) []*adagents.Property {
	out := make([]*adagents.Property, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// claims returns what an entry comes to, whoever the properties belong to.
func (l *lister) claims(a *adagents.Agent) []Covered {
	if !l.spend(len(l.v.file.Properties)) {
		return nil
	}
	switch a.Type {
	case "property_ids":
		return l.declared(where(l.top(), hasID(a.PropertyIDs)))
	case "property_tags":
		return l.declared(where(l.top(), hasTag(a.PropertyTags)))
	case "inline_properties":
		return l.declared(inlineProperties(a))
	}
	room := publishersOf(a) // most publishers have one property
	c := claim{l: l, seen: make(map[*adagents.Property]struct{}, room), out: make([]Covered, 0, room)}
	for i := range a.Selectors {
		c.selector(&a.Selectors[i])
	}
	return c.out
}

// declared returns properties that the file at hand declares. Those of another
// publisher are that publisher's to confirm, and those of nobody are left out.
func (l *lister) declared(list []*adagents.Property) []Covered {
	if !l.spend(costListed * len(list)) {
		return nil
	}
	var out []Covered
	for _, p := range list {
		owner := l.v.owner(p)
		switch {
		case l.v.revokes(p, owner):
			l.say("property.owner_revoked", p.Raw, "the file revokes the publisher of the property "+quote(p.ID))
		case owner == "":
			l.say("property.no_publisher", p.Raw, "the property "+quote(p.ID)+" names no publisher, and in a file that several publishers may share it is nobody's")
		case owner == l.q.Publisher:
			out = append(out, Covered{PublisherDomain: owner, PropertyID: p.ID, Property: p, Path: Own, URL: l.doc.URL, Confirmed: true})
		default:
			s := l.states[owner]
			if s.Code == "selector.revoked_by_publisher" {
				continue
			}
			s.Properties++
			out = append(out, Covered{PublisherDomain: owner, PropertyID: p.ID, Property: p, Path: FromParent, URL: l.doc.URL, Confirmed: s.Confirmed})
		}
	}
	return out
}

// A claim gathers the properties of an entry's selectors. Ids are those of a
// publisher, so the same id of two publishers is two properties.
type claim struct {
	l    *lister
	seen map[*adagents.Property]struct{}
	out  []Covered
}

func (c *claim) add(list []*adagents.Property, pattern Covered) int {
	added := 0
	for _, p := range list {
		if _, ok := c.seen[p]; ok {
			continue
		}
		c.seen[p] = struct{}{}
		pattern.PropertyID, pattern.Property = p.ID, p
		c.out = append(c.out, pattern)
		added++
	}
	return added
}

// selector resolves one selector, publisher by publisher.
func (c *claim) selector(s *adagents.Selector) {
	picks := predicate(s)
	for _, domain := range c.l.domainsOf(s) {
		if c.l.v.isRevoked(domain) {
			continue // also no second way to it
		}
		if domain == c.l.q.Publisher {
			c.add(c.l.pick(c.l.ownOf(c.l.doc), picks), Covered{PublisherDomain: domain, Path: Own, URL: c.l.doc.URL, Confirmed: true})
			continue
		}
		c.other(domain, picks)
	}
}

// pick applies a predicate and pays for it.
func (l *lister) pick(list []*adagents.Property, picks func(*adagents.Property) bool) []*adagents.Property {
	if !l.spend(len(list)) {
		return nil
	}
	if !slices.ContainsFunc(list, func(p *adagents.Property) bool { return !picks(p) }) {
		l.spend(costListed * len(list))
		return list
	}
	out := where(list, picks)
	l.spend(costListed * len(out))
	return out
}

// other resolves a selector for another publisher: from the file at hand where
// that is allowed and possible, else from the publisher's own.
func (c *claim) other(domain string, picks func(*adagents.Property) bool) {
	l := c.l
	state := l.states[domain]
	if state.Code == "selector.revoked_by_publisher" {
		return
	}
	here := l.pick(l.parent.named[domain], picks)
	if l.o.Inline && len(here) > 0 {
		state.Properties += c.add(here, Covered{PublisherDomain: domain, Path: FromParent, URL: l.doc.URL, Confirmed: state.Confirmed})
		return
	}
	doc := l.found[domain]
	if doc == nil || doc.State != Usable {
		return
	}
	own := l.ownOf(doc)
	if !l.leadsBack(doc) && len(here) > 0 && l.spend(costListed*(len(here)+len(own))) {
		l.compare(domain, here, own, doc.URL)
	}
	state.Properties += c.add(l.pick(own, picks), Covered{PublisherDomain: domain, Path: Federated, URL: doc.URL, Confirmed: state.Confirmed})
}
