package adagents

import (
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// collectionSelectorRules look at one item of an agent's collections. The list
// narrows the entry, so an unusable item makes the whole entry authorize
// nothing rather than more.
var collectionSelectorRules = [][]rule[*CollectionSelector]{collectionShapeRules, collectionReferenceRules}

const goodCollections = `{"publisher_domain": "example.com", "collection_ids": ["daily"]}`

var collectionObjectRules = []rule[*CollectionSelector]{
	{Rule: Rule{
		Code: "collection_selector.not_object", Severity: Error, Effect: EmptyEntry,
		Title: "an item of collections is not an object",
		Why: "An item names a publisher and its collections. Ignoring an unreadable one would widen the entry, so the " +
			"entry authorizes nothing.",
		Hint: `write an object, for example {"publisher_domain": "example.com", "collection_ids": ["daily"]}`,
		Spec: "AdCP adagents.json Tech Spec, collections",
		In:   InCollectionSelector,
		fix:  fixBareCollection,
		Bad:  `"daily"`,
		Good: goodCollections,
	}, shapes: shapes{{notObject, 0, "the item is %s, not an object"}}},
}

var collectionShapeRules = []rule[*CollectionSelector]{
	{Rule: Rule{
		Code: "collection_selector.domain_missing", Severity: Error, Effect: EmptyEntry,
		Title: "an item of collections names no publisher",
		Why:   "Collection ids belong to a publisher. Without publisher_domain it is open which collections are meant.",
		Hint:  "add publisher_domain",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollectionSelector,
		fix:   fixCollectionDomain,
		Bad:   `{"collection_ids": ["daily"]}`,
		Good:  goodCollections,
	}, shapes: shapes{{absent, atCollectionSelectorPublisherDomain, "the item has no publisher_domain"}}},
	{Rule: Rule{
		Code: "collection_selector.domain_invalid", Severity: Error, Effect: EmptyEntry,
		Title: "the publisher of collections is not a domain",
		Why: "The publisher's file is looked for at this domain. An unreadable one leaves open which collections are " +
			"meant.",
		Hint:   "write the bare domain in lower case, for example example.com",
		Spec:   "AdCP adagents.json Tech Spec, collections",
		Varies: "a warning without effect, an error in the strict profile, when the domain meant is clear",
		In:     InCollectionSelector,
		fix:    fixCollectionDomain,
		Bad:    `{"publisher_domain": "localhost", "collection_ids": ["daily"]}`,
		Good:   goodCollections,
	}, check: func(r reporter, s *CollectionSelector) {
		v := s.member(atCollectionSelectorPublisherDomain)
		if !v.Exists() {
			return
		}
		d, bad := examineDomain(v, &r.index.hosts)
		switch {
		case !bad:
		case !v.Is(String):
			r.say(v, "publisher_domain must be a text, not %s", v.Kind())
		case d.suffix:
			r.say(v, "%s is a public suffix, not the domain of a publisher", quote(v.Str()))
		case d.canonical == "":
			r.say(v, "%s is not the domain of a publisher: it %s", quote(v.Str()), d.kind)
		default:
			r.sayWith(r.lenient(), NoEffect, v, "%s is read as %s (%s)", quote(v.Str()), quote(d.canonical), d.change).
				withHint("write %s", d.canonical)
		}
	}},
	{Rule: Rule{
		Code: "collection_selector.ids_missing", Severity: Error, Effect: EmptyEntry,
		Title: "the ids of an item of collections cannot be read",
		Why: "collection_ids lists the content programs the entry is narrowed to, and an item without the member means all " +
			"of that publisher. " +
			"A member that is there and cannot be read leaves open which are meant, and never means all; neither does one " +
			"under another name.",
		Hint: "list the collection ids as texts",
		Spec: "AdCP adagents.json Tech Spec, collections",
		In:   InCollectionSelector,
		fix:  fixNoCollections,
		Bad:  `{"publisher_domain": "example.com", "collection_ids": null}`,
		Good: goodCollections,
	}, check: func(r reporter, s *CollectionSelector) {
		v := s.member(atCollectionSelectorCollectionIDs)
		switch {
		case !v.Exists() && s.hasOtherIDs():
			r.missing(s.Raw, "collection_ids", "the item has its ids under another name than collection_ids")
		case v.Exists() && !v.Is(Array):
			r.say(v, "collection_ids must be an array, not %s", v.Kind())
		}
		for _, e := range v.Elems() {
			if blank(e.Str()) {
				r.say(e, "an item of collection_ids must be a text that is not blank")
			}
		}
	}},
	{Rule: Rule{
		Code: "collection_selector.ids_empty", Severity: Error, Effect: EmptyEntry,
		Title: "an item of collections lists no ids",
		Why:   "An empty list allows no content program, so the entry authorizes nothing.",
		Hint:  "list the collection ids, or remove the item",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollectionSelector,
		fix:   fixNoCollections,
		Bad:   `{"publisher_domain": "example.com", "collection_ids": []}`,
		Good:  goodCollections,
	},
		shapes: shapes{{empty, atCollectionSelectorCollectionIDs,
			"collection_ids is empty, so the entry authorizes nothing"}}},
}

var collectionReferenceRules = []rule[*CollectionSelector]{
	{Rule: Rule{
		Code: "collection_selector.id_undefined", Severity: Warning, Effect: DropRef,
		Title: "an agent is narrowed to a collection that is not there",
		Why:   "The publisher is the one this file speaks for, and the file has no collection of that id.",
		Hint:  "correct the id, or add the collection to the file's collections",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollectionSelector,
		fix:   nearOrRemove(collectionIDs),
		Bad:   `{"publisher_domain": "example.com", "collection_ids": ["daily", "weekly"]}`,
		Good:  goodCollections,
	}, check: func(r reporter, s *CollectionSelector) {
		domain, ok := s.domain(&r.index.hosts)
		if !ok || domain != r.scope().self {
			return
		}
		for _, v := range s.member(atCollectionSelectorCollectionIDs).Elems() {
			if blank(v.Str()) {
				continue
			}
			i, ok := r.index.collections[v.Str()]
			switch {
			case !ok:
				r.say(v, "no collection has the id %s", quote(v.Str()))
			case r.file.Collections[i].effect.gone():
				r.say(v, "the collection %s (/collections/%d) is left out as non-conforming", quote(v.Str()), i).
					withHint("correct the collection")
			}
		}
	}},
	{Rule: Rule{
		Code: "collection_selector.foreign", Severity: Info,
		Title: "an agent is narrowed to another publisher's collections",
		Why:   "The collections are declared in that publisher's own file, so their ids cannot be checked here.",
		Hint:  "nothing to do if the other publisher declares them",
		Spec:  "avow docs/rules.md",
		In:    InCollectionSelector,
		Bad:   `{"publisher_domain": "example.net", "collection_ids": ["weekly"]}`,
		Good:  goodCollections,
	}, check: func(r reporter, s *CollectionSelector) {
		domain, ok := s.domain(&r.index.hosts)
		if self := r.scope().self; ok && self != "" && domain != self && !r.revoked(domain) {
			r.say(s.member(atCollectionSelectorPublisherDomain),
				"the collections are declared in the file of %s, not in this one", quote(domain))
		}
	}},
}

// All reports whether the selector names all collections of its publisher: it does so without the
// member collection_ids. One that is there and says nothing names none.
func (s *CollectionSelector) All() bool {
	return len(s.CollectionIDs) == 0 && !s.Raw.Has("collection_ids")
}

// hasOtherIDs reports whether a member was probably meant to be collection_ids.
func (s *CollectionSelector) hasOtherIDs() bool {
	for m := range s.Raw.Members() {
		folded := snakeCase(m.Name())
		near, _ := nearName(model.CollectionSelector, folded)
		if otherNames[model.CollectionSelector][folded] == "collection_ids" || near == "collection_ids" {
			return true
		}
	}
	return false
}

// domain returns the publisher in canonical form.
func (s *CollectionSelector) domain(known *hostname.Memo) (string, bool) {
	domain := canonicalDomain(known, s.PublisherDomain)
	return domain, domain != "" && !hostname.IsPublicSuffix(domain)
}
