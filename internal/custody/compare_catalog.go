package custody

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/words"
)

// properties compares the properties at the top level.
func (c *comparer) properties() {
	if len(c.old.Properties) == len(c.next.Properties) && equal(c.old.Raw.Get("properties"), c.next.Raw.Get("properties")) {
		return // the same list, of which the same entries count
	}
	old, next := c.byKey(c.old), c.byKey(c.next)
	added, removed := 0, 0
	for key, p := range next {
		was, ok := old[key]
		if !ok {
			added++
			c.reach.property(key)
			c.add("property.added", p.Raw, nameOf(p), "", "", "the property "+quote(nameOf(p))+" is new")
			continue
		}
		n := len(c.changes)
		c.sameProperty(was, p)
		if len(c.changes) > n {
			c.reach.property(key)
		}
	}
	for key, p := range old {
		if _, ok := next[key]; !ok {
			removed++
			c.reach.property(key)
			c.add("property.removed", p.Raw, nameOf(p), "", "", "the property "+quote(nameOf(p))+" is gone")
		}
	}
	c.swing(len(old), len(next), added, removed)
}

// swing looks at how much of the inventory came or went.
func (c *comparer) swing(before, after, added, removed int) {
	list := c.next.Raw.Get("properties")
	if removed > 0 && many(removed, before) {
		c.add("properties.dropped", list, "", number(before), number(after),
			words.Plural(removed, "property of "+words.Thousands(before)+" is gone", "properties of "+words.Thousands(before)+" are gone"))
	}
	if before > 0 && added > 0 && many(added, before) {
		c.add("properties.grown", list, "", number(before), number(after),
			words.Plural(added, "property", "properties")+" came to "+words.Thousands(before))
	}
}

// A propertyKey tells properties apart: by owner and id, or by owner and identifiers where
// there is no id. Owners are in canonical form.
type propertyKey struct{ owner, id, rest string }

// byKey returns the properties of a file. Of several with the same key the last is used,
// as a reader of the list would find it.
func (c *comparer) byKey(f *adagents.File) map[propertyKey]*adagents.Property {
	out := make(map[propertyKey]*adagents.Property, len(f.Properties))
	for i := range f.Properties {
		p := &f.Properties[i]
		out[c.keyOf(p)] = p
	}
	return out
}

func (c *comparer) keyOf(p *adagents.Property) propertyKey {
	key := propertyKey{id: p.ID}
	if p.PublisherDomain != "" {
		key.owner = c.domain(p.PublisherDomain)
	}
	if p.ID == "" {
		key.rest = p.Type + " " + identifiersOf(p)
	}
	return key
}

func nameOf(p *adagents.Property) string { return cmp.Or(p.ID, p.Name) }

func identifiersOf(p *adagents.Property) string {
	list := make([]string, len(p.Identifiers))
	for i, id := range p.Identifiers {
		list[i] = id.Type + ":" + id.Value
	}
	return strings.Join(setOf(list), " ")
}

// sameProperty compares two versions of one property.
func (c *comparer) sameProperty(old, next *adagents.Property) {
	name := nameOf(next)
	if !sameIdentifiers(old.Identifiers, next.Identifiers) {
		before, after := identifiersOf(old), identifiersOf(next)
		if before != after {
			c.add("property.identified", next.Raw.Get("identifiers"), name, before, after, "the property "+quote(name)+" is recognised by other identifiers")
		}
	}
	if old.Type != next.Type || old.Name != next.Name || !sameSet(old.Tags, next.Tags) || !sameSet(old.Channels, next.Channels) {
		before, after := differing(propertyMembers, described(old), described(next))
		c.add("property.changed", next.Raw, name, before, after, "the property "+quote(name)+" is described differently")
	}
}

// propertyMembers are the names of what described returns.
var propertyMembers = []string{"name", "property_type", "tags", "supported_channels"}

func described(p *adagents.Property) []string {
	return []string{p.Name, p.Type, strings.Join(setOf(p.Tags), " "), strings.Join(setOf(p.Channels), " ")}
}

func sameIdentifiers(a, b []adagents.Identifier) bool {
	return slices.EqualFunc(a, b, func(x, y adagents.Identifier) bool { return x.Type == y.Type && x.Value == y.Value })
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
