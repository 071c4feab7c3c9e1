package adagents

import "github.com/avow-project/avow/internal/model"

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
		check: func(c *run, x *Collection) {
			c.sayRelated(x, func(f fault) bool { return f != surplus })
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
		check: func(c *run, x *Collection) {
			c.sayRelated(x, func(f fault) bool { return f == surplus })
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
		check: func(c *run, x *Collection) {
			for i := range x.RelatedCollections {
				r := &x.RelatedCollections[i]
				v := r.member(atRelatedCollectionCollectionID)
				if _, ok := c.index.collections[r.CollectionID]; !ok && v.Is(String) {
					c.say(v, "no collection of this file has the id %s", quote(r.CollectionID)).
						withHint("%s", c.didYouMean(collectionIDs, r.CollectionID))
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
		check: func(c *run, x *Collection) {
			for i := range x.RelatedCollections {
				r := &x.RelatedCollections[i]
				if r.CollectionID == x.ID && !blank(x.ID) {
					c.say(r.member(atRelatedCollectionCollectionID), "collection %s names itself", quote(x.ID))
				}
			}
		},
	},
}

// sayRelated reports the current rule for the faults of related_collections
// that it is about.
func (c *run) sayRelated(x *Collection, about func(fault) bool) {
	v := x.member(atCollectionRelatedCollections)
	if !v.Is(Array) {
		return
	}
	conform(v, &model.Collection.Field("related_collections").Type, func(p problem) {
		if about(p.fault) {
			c.sayProblem("related_collections", p)
		}
	})
}
