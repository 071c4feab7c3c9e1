package resolve_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/avow-project/avow/resolve"
)

// This part of the naive implementation is about placements and signals, of which the
// file may have some that are left out because of a fault.

// items returns the entries of a section as they are written. What is no object has no
// member.
func items(section json.RawMessage) []naiveEntry {
	var list []json.RawMessage
	_ = json.Unmarshal(section, &list) // no list is an empty one
	out := make([]naiveEntry, len(list))
	for i := range list {
		_ = json.Unmarshal(list[i], &out[i]) // no object is an empty one
	}
	return out
}

// unheardOf reports whether a section says nothing at all about an id: neither an
// entry that counts nor one that does not has it, and there is none whose id cannot be
// read, which might be the one.
func (n *naive) unheardOf(section json.RawMessage, member, id string) bool {
	var list []json.RawMessage
	if section != nil && json.Unmarshal(section, &list) != nil {
		return false
	}
	return !slices.ContainsFunc(items(section), func(e naiveEntry) bool {
		written := e.text(member)
		return written == id || strings.TrimSpace(written) == "" && !e.has("catalog_url")
	})
}

// usable returns the entries of a section that count: without a fault, and the first
// with their id.
func usable(section json.RawMessage, member string, conforms func(naiveEntry) bool) []naiveEntry {
	var out []naiveEntry
	seen := map[string]bool{}
	for _, e := range items(section) {
		id := e.text(member)
		if id != "" && !seen[id] && conforms(e) {
			out = append(out, e)
		}
		seen[id] = true
	}
	return out
}

func placementConforms(e naiveEntry) bool {
	for _, private := range []string{"source", "visibility", "origin", "delivery_mappings", "format_ids"} {
		if e.has(private) {
			return false
		}
	}
	return e.text("name") != "" && len(e.texts("property_ids"))+len(e.texts("property_tags")) > 0
}

func signalConforms(e naiveEntry) bool {
	return e.text("name") != "" && e.text("value_type") == "binary" && !e.has("catalog_url")
}

func (n *naive) coversSignal(e naiveEntry) (bool, []string) {
	listed := e.text("authorization_type") == "signal_ids" && slices.Contains(e.texts("signal_ids"), n.q.Signal)
	for _, s := range usable(n.Signals, "id", signalConforms) {
		if s.text("id") != n.q.Signal {
			continue
		}
		tagged := e.text("authorization_type") == "signal_tags" && naiveMeet(e.texts("signal_tags"), s.texts("tags"))
		own := s.texts("countries")
		switch {
		case !listed && !tagged, e.has("countries") && s.has("countries") && !naiveMeet(e.texts("countries"), own):
			return false, nil
		case !s.has("countries"):
			return true, nil
		case n.q.Country == "" && len(own) > 0:
			return true, []string{"country"}
		}
		return slices.Contains(own, n.q.Country), nil
	}
	catalog := slices.ContainsFunc(items(n.Signals), func(s naiveEntry) bool { return s.has("catalog_url") && !s.has("id") })
	if (listed || e.text("authorization_type") == "signal_tags" && len(e.texts("signal_tags")) > 0) && catalog && n.unheardOf(n.Signals, "id", n.q.Signal) {
		return true, []string{"signal_catalog"}
	}
	return false, nil
}

// fitting returns the placements of the file that an entry allows, that run on one
// of the properties, and that belong to a collection which counts.
func (n *naive) fitting(e naiveEntry, properties []naiveProperty) []string {
	var out []string
	for _, p := range usable(n.Placements, "placement_id", placementConforms) {
		id := p.text("placement_id")
		runs := slices.ContainsFunc(properties, func(r naiveProperty) bool {
			return r.ID != "" && !n.shadowed(e, r) && slices.Contains(p.texts("property_ids"), r.ID) || naiveMeet(p.texts("property_tags"), r.Tags)
		})
		if !runs || e.has("placement_ids") && !slices.Contains(e.texts("placement_ids"), id) ||
			e.has("placement_tags") && !naiveMeet(e.texts("placement_tags"), p.texts("tags")) {
			continue
		}
		if e.has("collections") && p.has("collection_ids") && !n.inProgram(e, p) {
			continue
		}
		out = append(out, id)
	}
	return out
}

// shadowed reports a property of the entry itself whose id is that of one at the top
// level, usable or not, which a placement means by it.
func (n *naive) shadowed(e naiveEntry, p naiveProperty) bool {
	return e.text("authorization_type") == "inline_properties" &&
		slices.ContainsFunc(n.Properties, func(top naiveProperty) bool { return top.ID == p.ID })
}

// inProgram looks for a collection of the placement that the entry lists and, when
// the question names some, the question names as well.
func (n *naive) inProgram(e, p naiveEntry) bool {
	return slices.ContainsFunc(p.texts("collection_ids"), func(id string) bool {
		c := resolve.CollectionRef{PublisherDomain: n.publisher, ID: id}
		asked := len(n.q.Collections) == 0 ||
			slices.ContainsFunc(n.q.Collections, func(a resolve.CollectionRef) bool { return n.plain(a) == c })
		return asked && naiveListed(n.collections(e), c)
	})
}
