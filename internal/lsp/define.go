package lsp

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// from returns the nodes that a source of values has: names for a map, strings for members of
// the objects in a list.
func (o *outline) from(source string) []int32 {
	list, member, nested := strings.Cut(source, ".")
	if len(o.nodes) == 0 {
		return nil
	}
	var out []int32
	for _, top := range o.members(0) {
		at := o.valueOf(top)
		if at < 0 || o.value(top) != list {
			continue
		}
		if !nested {
			out = append(out, o.members(at)...)
			continue
		}
		for i := at + 1; int(i) < len(o.nodes) && o.nodes[i].start < o.nodes[at].end; i++ {
			if o.isMember(i, at, member) {
				out = append(out, i)
			}
		}
	}
	return out
}

// isMember reports whether a string is the value of a member of an object in a list, or in the
// list that the member is.
func (o *outline) isMember(i, list int32, member string) bool {
	n := &o.nodes[i]
	if n.kind != kindString {
		return false
	}
	if n.name < 0 && n.parent >= 0 {
		n = &o.nodes[n.parent]
	}
	return n.name >= 0 && n.parent >= 0 && o.nodes[n.parent].parent == list && o.value(n.name) == member
}

// defines reports whether a source has what a value names, and not others that are named the same.
func defines(source string) bool { return !strings.HasSuffix(source, ".tags") }

// definition returns where that is which an id or a tag names. For a tag without a
// description, it is what carries the tag.
func (d *document) definition(p Position) []location {
	o := d.outline()
	at := o.token(d.offset(p))
	if at < 0 || o.nodes[at].kind != kindString {
		return nil
	}
	m := o.means(at)
	if m.field == nil {
		return nil
	}
	var defined, carried []location
	for _, source := range model.SourcesOf(m.owner, m.field.Name) {
		for _, target := range o.from(source) {
			if target == at || o.value(target) != o.value(at) {
				continue
			}
			if defines(source) {
				defined = append(defined, d.locate(target))
			} else {
				carried = append(carried, d.locate(target))
			}
		}
	}
	if len(defined) > 0 {
		return defined
	}
	return carried
}

func (d *document) locate(at int32) location {
	n := &d.outline().nodes[at]
	return location{d.URI, d.rangeOf(n.start, n.end)}
}

// references returns what refers to the same thing as a place does, or to the thing there.
func (d *document) references(p Position, declaration bool) []location {
	o := d.outline()
	at := o.token(d.offset(p))
	if at < 0 {
		return nil
	}
	wanted := o.definingSource(at)
	if wanted == "" {
		return nil
	}
	var out []location
	for _, use := range o.uses(wanted, o.value(at), declaration) {
		out = append(out, d.locate(use))
	}
	return out
}

// definingSource returns the source of what a node names or refers to; "" for neither.
func (o *outline) definingSource(at int32) string {
	wanted := o.sourceOf(at)
	if wanted != "" {
		return wanted
	}
	m := o.means(at)
	if m.field == nil || o.nodes[at].kind != kindString {
		return ""
	}
	for _, source := range model.SourcesOf(m.owner, m.field.Name) {
		if defines(source) {
			wanted = source
		}
	}
	return wanted
}

// uses returns the nodes that refer to what a source has under a name and, with declaration, those
// that define it.
func (o *outline) uses(source, text string, declaration bool) []int32 {
	var out []int32
	for i := range o.nodes {
		one := int32(i) //nolint:gosec // a text has at most 24 MB
		n := &o.nodes[i]
		if n.kind != kindString && n.kind != kindKey || n.end-n.start < len(text) || o.value(one) != text {
			continue
		}
		if o.sourceOf(one) == source {
			if declaration {
				out = append(out, one)
			}
			continue
		}
		m := o.means(one)
		if n.kind == kindString && m.field != nil && slices.Contains(model.SourcesOf(m.owner, m.field.Name), source) {
			out = append(out, one)
		}
	}
	return out
}

// definers are the sources whose values are named elsewhere.
var definers = []string{"properties.property_id", "placements.placement_id", "collections.collection_id", "signals.id",
	"formats.format_option_id", "tags", "placement_tags", "signal_tags"}

// sourceOf returns the source that a node belongs to, if it is one that others refer to.
func (o *outline) sourceOf(at int32) string {
	n := &o.nodes[at]
	for _, source := range definers {
		list, member, nested := strings.Cut(source, ".")
		holder := n.parent
		if nested {
			if n.kind != kindString || n.name < 0 || o.value(n.name) != member || holder < 0 {
				continue
			}
			holder = o.nodes[holder].parent
		} else if n.kind != kindKey {
			continue
		}
		if holder > 0 && o.nodes[holder].parent == 0 && o.nodes[holder].name >= 0 && o.value(o.nodes[holder].name) == list {
			return source
		}
	}
	return ""
}
