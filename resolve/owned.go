package resolve

import (
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
func Owned(doc *Document) []*adagents.Property {
	if doc == nil || doc.State != Usable || doc.File == nil {
		return nil
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
