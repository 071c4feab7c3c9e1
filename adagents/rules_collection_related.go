package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// related is an example collection that names another one.
func related(members string) string {
	return collected(`"related_collections": [{` + members + `}]`)
}

var goodRelated = related(`"collection_id": "daily", "relationship": "companion"`)

// collectionRelatedRules look at the links between collections.
var collectionRelatedRules = []rule[*Collection]{
	{
		Rule: Rule{
			Code: "collection.related_invalid", Severity: Warning, Strict: Error,
			Title: "a related collection is incomplete or wrong",
			Why:   "A link between collections needs the id of the other one and one of the published relationships.",
			Hint:  "give collection_id and relationship: spinoff, companion, sequel, prequel or crossover",
			Spec:  "AdCP adagents.json schema, collections",
			In:    InCollection,
			Bad:   related(`"collection_id": "daily", "relationship": "sister"`),
			Good:  goodRelated,
		},
		check: func(r reporter, x *Collection) {
			sayRelated(r, x, func(f conform.Fault) bool { return f != conform.Surplus })
		},
	},
	{
		Rule: Rule{
			Code: "collection.related_extra_field", Severity: Warning, Strict: Error,
			Title: "a related collection has an unknown member",
			Why:   "The published schema allows collection_id and relationship here and nothing else.",
			Hint:  "remove the member",
			Spec:  "AdCP adagents.json schema, collections",
			In:    InCollection,
			Bad:   related(`"collection_id": "daily", "relationship": "companion", "priority": 1`),
			Good:  goodRelated,
		},
		check: func(r reporter, x *Collection) {
			sayRelated(r, x, func(f conform.Fault) bool { return f == conform.Surplus })
		},
	},
	{
		Rule: Rule{
			Code: "collection.related_undefined", Severity: Warning,
			Title: "a related collection is not declared",
			Why:   "Related collections are looked up in the same file. An id that is not there leads nowhere.",
			Hint:  "declare the collection, or correct the id",
			Spec:  "AdCP adagents.json schema, collections",
			In:    InCollection,
			Bad:   related(`"collection_id": "dayly", "relationship": "companion"`),
			Good:  goodRelated,
		},
		check: func(r reporter, x *Collection) {
			for i := range x.RelatedCollections {
				related := &x.RelatedCollections[i]
				v := related.member(atRelatedCollectionCollectionID)
				if _, ok := r.index.collections[related.CollectionID]; !ok && v.Is(String) {
					r.say(v, "no collection of this file has the id %s", quote(related.CollectionID)).
						withHint("%s", r.didYouMean(collectionIDs, related.CollectionID))
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "collection.related_self", Severity: Warning,
			Title: "a collection is related to itself",
			Why:   "The list is about other collections; an entry with the collection's own id is a slip.",
			Hint:  "correct the id, or remove the entry",
			Spec:  "AdCP adagents.json schema, collections",
			In:    InCollection,
			Bad:   related(`"collection_id": "weekend", "relationship": "companion"`),
			Good:  goodRelated,
		},
		check: func(r reporter, x *Collection) {
			for i := range x.RelatedCollections {
				related := &x.RelatedCollections[i]
				if related.CollectionID == x.ID && !blank(x.ID) {
					r.say(related.member(atRelatedCollectionCollectionID), "collection %s names itself", quote(x.ID))
				}
			}
		},
	},
}

// sayRelated reports the current rule for the faults of related_collections
// that it is about.
func sayRelated(r reporter, x *Collection, about func(conform.Fault) bool) {
	v := x.member(atCollectionRelatedCollections)
	if !v.Is(Array) {
		return
	}
	conform.Check(v, &model.Collection.Field("related_collections").Type, func(p conform.Problem) {
		if about(p.Fault) {
			r.sayProblem("related_collections", p)
		}
	})
}
