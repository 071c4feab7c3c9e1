package resolve

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Owns reports whether Owned returns anything. It looks no further than it must.
func Owns(doc *Document) bool {
	if doc == nil || doc.State != Usable || doc.File == nil {
		return false
	}
	v := newView(doc)
	owned := func(p adagents.Property) bool {
		return v.owner(&p) == doc.Publisher && !v.revokes(&p, doc.Publisher)
	}
	return !v.isRevoked(doc.Publisher) && (slices.ContainsFunc(doc.File.Properties, owned) ||
		slices.ContainsFunc(doc.File.Agents, func(a adagents.Agent) bool {
			return slices.ContainsFunc(a.Scope().Properties, owned)
		}))
}

// Owned returns the properties of a document that belong to its publisher and that it
// does not revoke: those at the top level in their order, and then those that agent
// entries declare themselves, unless one with the same id came before. It is nil for
// a document that is not usable.
//
// With Document.Prepared it skips the properties of other publishers, however many publishers
// share the file.
func Owned(doc *Document) []*adagents.Property {
	if doc == nil || doc.State != Usable || doc.File == nil {
		return nil
	}
	if doc.Prepared != nil {
		return doc.Prepared.owned(doc)
	}
	v := newView(doc)
	if v.isRevoked(doc.Publisher) {
		return nil
	}
	out := v.ownedBy(doc.Publisher)
	seen := make(map[string]bool, len(out))
	for _, p := range out {
		seen[p.ID] = true
	}
	for i := range doc.File.Agents {
		for _, p := range v.inlineOf(doc.File.Agents[i].Scope().Properties, doc.Publisher) {
			if p.ID == "" || !seen[p.ID] {
				out = append(out, p)
			}
			seen[p.ID] = true
		}
	}
	return out
}

// owned is Owned for a document with the prepared form of its file.
func (p *Prepared) owned(doc *Document) []*adagents.Property {
	c := p.evaluation(doc, &Question{Publisher: doc.Publisher}, unlimited())
	if c.isRevoked(doc.Publisher) {
		return nil
	}
	var out []*adagents.Property
	seen := make(map[string]bool)
	for _, n := range c.ours() {
		fact := &c.f.properties[n]
		if fact.inline == none {
			out = append(out, &doc.File.Properties[fact.index])
			seen[out[len(out)-1].ID] = true
			continue
		}
		one := &doc.File.Agents[fact.inline].Scope().Properties[fact.index]
		if one.ID == "" || !seen[one.ID] {
			out = append(out, one)
		}
		seen[one.ID] = true
	}
	return out
}

// ours returns all properties of the publisher, those at the top level first, in the order of the
// file.
func (c *evaluation) ours() []uint32 {
	c.findAsked(true)
	for _, group := range [...]uint32{c.own, c.unnamed} {
		if group == none {
			continue
		}
		for n := c.f.publishers[group].inline; n < c.f.publishers[group].to; n++ {
			c.take(&c.asked, group, n)
		}
	}
	all := c.asked.all()
	slices.SortFunc(all, func(a, b uint32) int {
		x, y := &c.f.properties[a], &c.f.properties[b]
		return cmp.Or(cmp.Compare(x.inline+1, y.inline+1), cmp.Compare(x.index, y.index))
	})
	return all
}
