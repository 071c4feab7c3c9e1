package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// limitOf returns the texts of a member that limits something: nil when it is absent. One
// that is there and cannot be read leaves nothing.
func limitOf(owner adagents.Value, member string) []string {
	if !owner.Has(member) {
		return nil
	}
	return append([]string{}, textsOf(owner.Get(member))...)
}

// narrowed returns what two limits leave, nil for everything.
func narrowed(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// appliesTo reports whether a format, declared at a place with the given ids and tags,
// fits one of the properties. Without any scope it fits all; with one, an id or a tag
// is enough. A scope that is written and empty is still one.
func (c *catalog) appliesTo(declaration adagents.Value, ids, tags []string) bool {
	if len(ids)+len(tags) == 0 && !declaration.Has("applies_to_property_ids") &&
		!declaration.Has("applies_to_property_tags") {
		return true
	}
	byID, byTag := hasID(ids), hasTag(tags)
	return slices.ContainsFunc(c.on, func(p *adagents.Property) bool { return byID(p) || byTag(p) })
}

// textsOf returns the strings of a list.
func textsOf(list adagents.Value) []string {
	var out []string
	for _, v := range list.Elems() {
		if v.Is(adagents.String) {
			out = append(out, v.Str())
		}
	}
	return out
}

// A catalog gathers the formats of one placement.
type catalog struct {
	explanation
	// own is the publisher's own document, doc the one that is read: it, or its mirror.
	own       *Document
	placement *adagents.Placement
	// on are the properties the formats must fit, at least one of them.
	on []*adagents.Property
	// limited is set when the file says which formats the placement accepts.
	limited bool
	found   []format
	// byID has the index of each format of the file.
	byID map[string]int
}

// A format is a FormatChoice whose places are not yet turned into text.
type format struct {
	choice              FormatChoice
	option, declaration adagents.Value
}
