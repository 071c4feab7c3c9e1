package supplypath

import (
	"slices"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// Members whose meaning is evaluated. Any other may narrow a grant.
var (
	understood = []string{"url", "authorized_for", "authorization_type", "property_ids", "property_tags",
		"properties", "publisher_properties", "collections", "delegation_type", "exclusive", "signing_keys",
		"encryption_keys", "last_updated"}
	understoodInSelector = map[string][]string{
		"collections":          {"publisher_domain", "collection_ids"},
		"publisher_properties": {"publisher_domain", "publisher_domains", "selection_type", "property_ids", "property_tags"},
	}
)

// isSupported reports whether everything in an entry is understood.
func isSupported(entry jsontree.Value) bool {
	for member, known := range understoodInSelector {
		for _, selector := range records(entry.Get(member)) {
			if !hasOnly(selector, known) {
				return false
			}
		}
	}
	return hasOnly(entry, understood)
}

func hasOnly(object jsontree.Value, known []string) bool {
	for m := range object.Members() {
		if !slices.Contains(known, m.Name()) {
			return false
		}
	}
	return true
}

// covers reports whether an entry is about a collection of an owner. An entry without collections is about
// all; one malformed selector spoils the entry.
func covers(entry jsontree.Value, owner, id string) bool {
	list := entry.Get("collections")
	if !list.Exists() {
		return true
	}
	found := false
	for _, selector := range list.Elems() {
		d, ok := Domain(selector.Get("publisher_domain").Str())
		if !ok {
			return false
		}
		named := selector.Get("collection_ids")
		ids, ok := texts(named, isText)
		if named.Exists() && !ok {
			return false
		}
		found = found || d == owner && (!named.Exists() || slices.Contains(ids, id))
	}
	return found
}

// isGrant reports whether an entry grants properties at all.
func isGrant(entry jsontree.Value) bool {
	switch entry.Get("authorization_type").Str() {
	case "property_ids":
		return areTokens(entry.Get("property_ids"))
	case "property_tags":
		return areTokens(entry.Get("property_tags"))
	case "inline_properties":
		return areAll(entry.Get("properties"), isProperty)
	case "publisher_properties":
		return areAll(entry.Get("publisher_properties"), isSelector)
	}
	return false
}

func areTokens(v jsontree.Value) bool {
	_, ok := texts(v, isToken)
	return ok
}

func areAll(list jsontree.Value, good func(jsontree.Value) bool) bool {
	for _, item := range list.Elems() {
		if !good(item) {
			return false
		}
	}
	return list.Is(jsontree.Array) && list.Len() > 0
}

// isSelector reports whether a selector of properties is well formed. Ids belong to one publisher, tags may
// be those of several.
func isSelector(v jsontree.Value) bool {
	one, several := v.Get("publisher_domain"), v.Get("publisher_domains")
	_, areSeveral := texts(several, isName)
	if one.Exists() == several.Exists() || !isName(one.Str()) && !areSeveral {
		return false
	}
	ids, tags := v.Get("property_ids"), v.Get("property_tags")
	switch v.Get("selection_type").Str() {
	case "all":
		return !ids.Exists() && !tags.Exists()
	case "by_id":
		return one.Exists() && areTokens(ids) && !tags.Exists()
	case "by_tag":
		return areTokens(tags) && !ids.Exists()
	}
	return false
}

// selects reports whether a selector of properties is about a publisher.
func selects(selector jsontree.Value, publisher string) bool {
	if isDomain(selector.Get("publisher_domain"), publisher) {
		return true
	}
	for _, v := range selector.Get("publisher_domains").Elems() {
		if isDomain(v, publisher) {
			return true
		}
	}
	return false
}

// scope returns the ids of the host's properties that a good grant reaches.
func (e *evaluation) scope(entry jsontree.Value) map[string]bool {
	reached := map[string]bool{}
	add := func(list []jsontree.Value, picks func(jsontree.Value) bool) {
		for _, p := range list {
			if id := p.Get("property_id").Str(); id != "" && picks(p) {
				reached[id] = true
			}
		}
	}
	everything := func(jsontree.Value) bool { return true }
	switch entry.Get("authorization_type").Str() {
	case "inline_properties":
		add(slices.DeleteFunc(records(entry.Get("properties")), func(p jsontree.Value) bool {
			return !e.host.owns(p)
		}), everything)
	case "publisher_properties":
		for _, s := range records(entry.Get("publisher_properties")) {
			switch {
			case !selects(s, e.host.domain):
			case s.Get("selection_type").Str() == "all":
				add(e.properties, everything)
			default:
				add(e.properties, picker(s))
			}
		}
	default:
		if !e.oddProperties {
			add(e.properties, picker(entry))
		}
	}
	return reached
}

// picker returns which properties the ids or else the tags of an entry or selector choose.
func picker(v jsontree.Value) func(jsontree.Value) bool {
	kind := v.Get("authorization_type").Str() + v.Get("selection_type").Str()
	if kind == "property_ids" || kind == "by_id" {
		ids, _ := texts(v.Get("property_ids"), isToken)
		return func(p jsontree.Value) bool { return slices.Contains(ids, p.Get("property_id").Str()) }
	}
	tags, _ := texts(v.Get("property_tags"), isToken)
	return func(p jsontree.Value) bool {
		for _, t := range p.Get("tags").Elems() {
			if slices.Contains(tags, t.Str()) {
				return true
			}
		}
		return false
	}
}

// entryOf returns what an answer shows of an entry.
func entryOf(v jsontree.Value) *Entry {
	entry := &Entry{
		URL: v.Get("url").Str(), AuthorizationType: v.Get("authorization_type").Str(),
		DelegationType: v.Get("delegation_type").Str(),
	}
	for _, s := range records(v.Get("collections")) {
		ids, _ := texts(s.Get("collection_ids"), isText)
		entry.Collections = append(entry.Collections, Selector{Publisher: s.Get("publisher_domain").Str(), IDs: ids})
	}
	return entry
}
