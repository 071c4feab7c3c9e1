package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// A claimed is a property of another publisher than the one asked about, with what a question
// about it needs by that publisher's own file.
type claimed struct {
	Covered
	needs Needs
}

// claims returns what an entry comes to of other publishers.
func (l *lister) claims(a *adagents.Agent) []claimed {
	s := a.Scope()
	if len(s.Selectors) == 0 {
		return l.declared(l.here(&s))
	}
	most := publishersOf(s.Selectors) // most publishers have one property
	c := claim{l: l, seen: make(map[*adagents.Property]struct{}, most), out: make([]claimed, 0, most)}
	for i := range s.Selectors {
		c.selector(&s.Selectors[i])
	}
	return c.out
}

// declared returns properties that the file at hand declares for other publishers, which are
// theirs to confirm. Those without an owner are left out.
func (l *lister) declared(list []*adagents.Property) []claimed {
	if !l.spend(costListed * len(list)) {
		return nil
	}
	var out []claimed
	for _, p := range list {
		owner := l.v.owner(p)
		switch {
		case l.v.revokes(p, owner):
			l.say("property.owner_revoked", p.Raw, l.v.revoking("the publisher of the property "+quote(p.ID), owner))
		case owner == "":
			l.say("property.no_publisher", p.Raw,
				"the property "+quote(p.ID)+" has no publisher_domain; in a shared file it belongs to no publisher")
		case owner != l.q.Publisher:
			s := l.states[owner]
			if s.Code == "selector.revoked_by_publisher" {
				continue
			}
			needs, ok := l.standing(p, owner)
			if !ok {
				continue
			}
			s.Properties++
			out = append(out, claimed{Covered{
				PublisherDomain: owner, PropertyID: p.ID, Property: p, Path: FromParent, URL: l.doc.URL,
				Confirmed: needs&NeedsConfirmation == 0,
			}, needs})
		}
	}
	return out
}

// A claim gathers the properties of an entry's selectors. Ids are those of a
// publisher, so the same id of two publishers is two properties.
type claim struct {
	l    *lister
	seen map[*adagents.Property]struct{}
	out  []claimed
}

// add lists properties. set has what their publisher says about them; nil when it was not heard.
func (c *claim) add(list []*adagents.Property, pattern Covered, set *consent) int {
	added := 0
	for _, p := range list {
		if _, ok := c.seen[p]; ok {
			continue
		}
		c.seen[p] = struct{}{}
		needs := set.about(p)
		pattern.PropertyID, pattern.Property = p.ID, p
		pattern.Confirmed = needs&NeedsConfirmation == 0
		c.out = append(c.out, claimed{pattern, needs})
		added++
	}
	return added
}

// selector resolves one selector, publisher by publisher. The one of the publisher asked about
// was judged like a question.
func (c *claim) selector(s *adagents.Selector) {
	picks := predicate(s)
	for _, domain := range c.l.domainsOf(s) {
		if !c.l.v.isRevoked(domain) && domain != c.l.q.Publisher { // also no second way to it
			c.other(domain, picks)
		}
	}
}

// pick applies a predicate and pays for it.
func (l *lister) pick(list []*adagents.Property, picks func(*adagents.Property) bool) []*adagents.Property {
	if !l.spend(costOf(list)) {
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

// other resolves a selector for another publisher: from the publisher's own file or,
// where that was not asked for or is of no use, from the file at hand if that is
// allowed.
func (c *claim) other(domain string, picks func(*adagents.Property) bool) {
	l := c.l
	state := l.states[domain]
	if state.Code == "selector.revoked_by_publisher" {
		return
	}
	here := l.pick(l.parent.named[domain], picks)
	doc := l.found[domain]
	if doc == nil || doc.State != Usable {
		if l.o.Inline {
			state.Properties += c.add(here, Covered{PublisherDomain: domain, Path: FromParent, URL: l.doc.URL}, nil)
		}
		return
	}
	if len(here) > 0 {
		l.compare(domain, here, doc)
	}
	state.Properties += c.add(l.pick(l.ownOf(doc), picks), Covered{PublisherDomain: domain, Path: Federated, URL: doc.URL},
		l.consent(doc))
}
