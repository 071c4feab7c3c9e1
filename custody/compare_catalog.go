package custody

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/words"
)

// properties compares the properties at the top level.
func (c *comparer) properties() {
	old, next := c.byKey(c.old), c.byKey(c.next)
	added, removed := 0, 0
	for key, p := range next {
		was, ok := old[key]
		if !ok {
			added++
			c.add("property.added", p.raw, p.name, "", "", "the property "+quote(p.name)+" is new")
			continue
		}
		c.sameProperty(was, p)
	}
	for key, p := range old {
		if _, ok := next[key]; !ok {
			removed++
			c.add("property.removed", p.raw, p.name, "", "", "the property "+quote(p.name)+" is gone")
		}
	}
	c.swing(len(old), len(next), added, removed)
}

// swing looks at how much of the inventory came or went.
func (c *comparer) swing(before, after, added, removed int) {
	list := c.next.Raw.Get("properties")
	if removed > 0 && many(removed, before) {
		c.add("properties.dropped", list, "", number(before), number(after),
			words.Plural(removed, "property", "properties")+" of "+words.Thousands(before)+" are gone")
	}
	if before > 0 && added > 0 && many(added, before) {
		c.add("properties.grown", list, "", number(before), number(after),
			words.Plural(added, "property", "properties")+" came to "+words.Thousands(before))
	}
}

// A known is a property of one version.
type known struct {
	name, content string
	raw           adagents.Value
	p             *adagents.Property
}

// byKey returns the properties of a file by what tells them apart. Of several with the
// same key the last counts, as a reader of the list would find it.
func (c *comparer) byKey(f *adagents.File) map[string]known {
	out := make(map[string]known, len(f.Properties))
	for i := range f.Properties {
		p := &f.Properties[i]
		key, content := c.property(p)
		name := p.ID
		if name == "" {
			name = p.Name
		}
		out[key] = known{name, content, p.Raw, p}
	}
	return out
}

// property returns what tells a property from others and what else it says. One without
// an id is told by its identifiers.
func (c *comparer) property(p *adagents.Property) (string, string) {
	identifiers := identifiersOf(p)
	owner := ""
	if p.PublisherDomain != "" {
		owner = c.domain(p.PublisherDomain)
	}
	key := owner + "\x00" + p.ID
	if p.ID == "" {
		key += "\x00" + p.Type + "\x00" + identifiers
	}
	return key, identifiers
}

func identifiersOf(p *adagents.Property) string {
	if len(p.Identifiers) == 1 {
		return p.Identifiers[0].Type + ":" + p.Identifiers[0].Value
	}
	list := make([]string, len(p.Identifiers))
	for i, id := range p.Identifiers {
		list[i] = id.Type + ":" + id.Value
	}
	return strings.Join(setOf(list), " ")
}

// sameProperty compares two versions of one property.
func (c *comparer) sameProperty(old, next known) {
	if old.content != next.content {
		c.add("property.identified", next.raw.Get("identifiers"), next.name, old.content, next.content, "the property "+quote(next.name)+" is recognised by other identifiers")
	}
	a, b := old.p, next.p
	if a.Type != b.Type || a.Name != b.Name || !sameSet(a.Tags, b.Tags) || !sameSet(a.Channels, b.Channels) {
		c.add("property.changed", next.raw, next.name, "", "", "the property "+quote(next.name)+" is described otherwise")
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(a, b) || slices.Equal(setOf(a), setOf(b))
}

// catalog compares what else the file offers, by number.
func (c *comparer) catalog() {
	lists := []struct {
		member string
		ids    func(*adagents.File) []string
	}{
		{"collections", collectionIDs}, {"placements", placementIDs}, {"formats", formatIDs}, {"signals", signalIDs},
	}
	for _, l := range lists {
		before, after := setOf(l.ids(c.old)), setOf(l.ids(c.next))
		added, removed := difference(before, after), difference(after, before)
		code := l.member + ".changed"
		if removed > 0 && many(removed, len(before)) {
			code = l.member + ".dropped"
		}
		if added+removed > 0 {
			c.add(code, c.next.Raw.Get(l.member), l.member, number(len(before)), number(len(after)), l.member+": "+counted(added, removed))
		}
	}
}

func collectionIDs(f *adagents.File) []string {
	return idsOf(f.Collections, func(e *adagents.Collection) string { return e.ID })
}

func placementIDs(f *adagents.File) []string {
	return idsOf(f.Placements, func(e *adagents.Placement) string { return e.ID })
}

func formatIDs(f *adagents.File) []string {
	return idsOf(f.Formats, func(e *adagents.FormatDeclaration) string { return e.Kind + " " + e.PublisherDomain + " " + e.OptionID })
}

func signalIDs(f *adagents.File) []string {
	return idsOf(f.Signals, func(e *adagents.Signal) string { return e.CatalogURL + " " + e.ID })
}

func idsOf[T any](list []T, id func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = id(&list[i])
	}
	return out
}
