package adagents

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// agents writes the agent entries, each with its scope where that
// can be inferred.
func (b *builder) agents(dst []byte, list Value) []byte {
	dst = append(dst, '[')
	for i, v := range list.Elems() {
		dst = appendValue(appendComma(dst, i), v)
		kind, ids := impliedType(v), []string(nil)
		if unscoped(v) && len(b.propertyIDs()) > 0 {
			kind, ids = ByPropertyIDs, b.propertyIDs()
			b.opt.Check.inferred = append(b.opt.Check.inferred, i)
		}
		if kind == "" {
			continue
		}
		// The entry has at least a selector or a URL, so a comma is right.
		dst = append(dst[:len(dst)-1], `,"authorization_type":"`+string(kind)+`"`...)
		at := jsontree.Pointer("/authorized_agents", strconv.Itoa(i))
		b.infer(at, "authorization_type", string(kind))
		if ids != nil {
			dst = appendStrings(append(dst, `,"property_ids":`...), ids)
			b.infer(at, "property_ids", strings.Join(ids, ", "))
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendStrings writes a list of strings.
func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		dst = AppendString(appendComma(dst, i), s)
	}
	return append(dst, ']')
}

// unscoped reports whether an entry says nothing about what the agent may sell. An entry
// with a member that agents do not have is another matter: it may be a selector with a
// mistake in its name, and the agent would be given more than was meant.
func unscoped(agent Value) bool {
	if !agent.Is(Object) || agent.Len() == 0 || agent.Has("authorization_type") {
		return false
	}
	for m := range agent.Members() {
		if model.Agent.Field(m.Name()) == nil {
			return false
		}
	}
	return !slices.ContainsFunc(companions[:], func(s companion) bool { return agent.Has(s.name) })
}

// propertyIDs returns the ids of the request's properties, or nothing unless all of them
// can be named.
func (b *builder) propertyIDs() []string {
	if b.idsKnown {
		return b.ids
	}
	b.idsKnown = true
	var ids []string
	for _, p := range b.root.Get("properties").Elems() {
		id, ok := p.Get("property_id").AsString()
		if !ok || id == "" {
			return nil
		}
		ids = append(ids, id)
	}
	b.ids = ids
	return ids
}

// impliedType returns the type of an entry that states none but has exactly
// one selector. With two selectors the author must say which one counts.
func impliedType(agent Value) AuthorizationType {
	if !agent.Is(Object) || agent.Has("authorization_type") {
		return ""
	}
	found := AuthorizationType("")
	for i := range companions {
		if !agent.Has(companions[i].name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = companions[i].typ
	}
	return found
}
