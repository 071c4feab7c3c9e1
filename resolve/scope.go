package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// ownedBy returns the properties at the top level of the file that belong to a
// publisher and are not revoked.
func (v *view) ownedBy(publisher string) []*adagents.Property {
	var out []*adagents.Property
	for i := range v.file.Properties {
		p := &v.file.Properties[i]
		if v.owner(p) == publisher && !v.revokes(p, publisher) {
			out = append(out, p)
		}
	}
	return out
}

// tagsOf counts the tags of properties, which is what a search by tag costs.
func tagsOf(list []*adagents.Property) int {
	n := 0
	for _, p := range list {
		n += len(p.Tags)
	}
	return n
}

// inlineOf returns those of the properties of an entry that belong to a publisher.
func (v *view) inlineOf(list []adagents.Property, publisher string) []*adagents.Property {
	var out []*adagents.Property
	for i := range list {
		p := &list[i]
		if v.owner(p) == publisher && !v.revokes(p, publisher) {
			out = append(out, p)
		}
	}
	return out
}

// predicate returns the test of a selector. One of an unknown kind picks nothing.
func predicate(s *adagents.Selector) func(*adagents.Property) bool {
	switch s.SelectionType {
	case "all":
		return func(*adagents.Property) bool { return true }
	case "by_id":
		return hasID(s.PropertyIDs)
	case "by_tag":
		return hasTag(s.PropertyTags)
	}
	return func(*adagents.Property) bool { return false }
}

func hasID(ids []string) func(*adagents.Property) bool {
	has := finder(ids)
	return func(p *adagents.Property) bool { return has(p.ID) }
}

func hasTag(tags []string) func(*adagents.Property) bool {
	has := finder(tags)
	return func(p *adagents.Property) bool { return slices.ContainsFunc(p.Tags, has) }
}

func where(list []*adagents.Property, keep func(*adagents.Property) bool) []*adagents.Property {
	var out []*adagents.Property
	for _, p := range list {
		if keep(p) {
			out = append(out, p)
		}
	}
	return out
}

// few is the length up to which searching a list is quicker than indexing it.
const few = 8

// finder returns a test for the non-empty members of a list. An empty text names
// nothing, even when a list has one.
func finder(list []string) func(string) bool {
	if len(list) <= few {
		return func(s string) bool { return s != "" && slices.Contains(list, s) }
	}
	set := make(map[string]struct{}, len(list))
	for _, s := range list {
		set[s] = struct{}{}
	}
	return func(s string) bool {
		_, ok := set[s]
		return ok && s != ""
	}
}

// isAbout reports whether a question is about a property, of any owner.
func (q *Question) isAbout(p *adagents.Property) bool {
	return (q.Property == "" || q.Property == p.ID) &&
		(q.PropertyType == "" || q.PropertyType == p.Type) &&
		(q.Identifier == Identifier{} || identifies(p, q.Identifier))
}
