package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/langtag"
)

// collectionRules look at one content program.
var collectionRules = [][]rule[*Collection]{collectionCoreRules, collectionWordRules, collectionDetailRules,
	collectionRelatedRules}

const goodCollection = `{"collection_id": "weekend", "name": "The Weekend"}`

var collectionCoreRules = []rule[*Collection]{
	{Rule: Rule{
		Code: "collection.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a collection is not an object",
		Why:   "Each entry of collections describes one program; a bare value describes nothing.",
		Hint:  "write an object with collection_id and name",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollection, Bad: `"weekend"`, Good: goodCollection,
		fix: objectFromText(idAndName("collection_id")),
	}, shapes: shapes{{notObject, 0, "the collection must be an object, not %s"}}},
	{Rule: Rule{
		Code: "collection.id_missing", Severity: Error, Effect: SkipEntry,
		Title: "a collection has no collection_id",
		Why:   "Placements and agents refer to a collection by its id; without one it cannot be used.",
		Hint:  "add a stable collection_id, for example evening_news",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollection, Bad: `{"name": "The Weekend"}`, Good: goodCollection,
		fix: idFromName("collection_id"),
	}, shapes: shapes{{noText, atCollectionID, "the collection has no collection_id"}}},
	{Rule: Rule{
		Code: "collection.name_missing", Severity: Error, Effect: SkipEntry,
		Title: "a collection has no name",
		Why:   "The name is what a buyer reads when choosing a program.",
		Hint:  "add the name of the program",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollection, Bad: `{"collection_id": "weekend"}`, Good: goodCollection,
		fix: nameFromID(Likely, "collection_id"),
	}, shapes: shapes{{noText, atCollectionName, "the collection%s has no name"}}},
	{Rule: Rule{
		Code: "collection.id_duplicate", Severity: Error,
		Title: "a collection_id is used twice",
		Why:   "Placements and agents refer to collections by id. Of two with the same id only the first is found.",
		Hint:  "give the second collection an id of its own, or merge the two",
		Spec:  "AdCP adagents.json Tech Spec, collections",
		In:    InCollection, Bad: `{"collection_id": "daily", "name": "The Weekend"}`, Good: goodCollection,
		fix: anotherID(),
	}, check: func(r reporter, x *Collection) {
		if i := r.index.collections[x.ID]; &r.file.Collections[i] != x && !blank(x.ID) {
			r.say(x.member(atCollectionID), "collection_id %s is already used by entry %d of collections", quote(x.ID), i)
		}
	}},
}

// Words that authors use for the listed ones.
var (
	kindAliases = map[string]string{
		"show": "series", "podcast": "series", "program": "series", "stream": "series",
		"magazine": "publication", "newspaper": "publication", "newsletter": "publication", "blog": "publication",
		"event": "event_series", "playlist": "rotation",
	}
	cadenceAliases = map[string]string{"yearly": "seasonal", "annual": "seasonal", "one_off": "event", "none": "irregular"}
	statusAliases  = map[string]string{"running": "active", "live": "active", "paused": "hiatus", "cancelled": "ended",
		"canceled": "ended", "finished": "ended", "planned": "upcoming"}
	qualityAliases = map[string]string{"user_generated": "ugc", "premium": "professional", "pro": "professional"}
)

var collectionWordRules = []rule[*Collection]{
	{Rule: Rule{
		Code: "collection.kind_unknown", Severity: Warning, Strict: Error,
		Title: "a collection has an unknown kind",
		Why: "Buyers search by kind. A word outside the published list is not found, unless a newer version of the " +
			"protocol has added it.",
		Hint: "use series, publication, event_series or rotation",
		Spec: "AdCP adagents.json Tech Spec, collections",
		In:   InCollection, Bad: collected(`"kind": "podcast"`), Good: collected(`"kind": "series"`),
	}, shapes: shapes{{unknownWord, atCollectionKind, "%s is not a known kind"}}, words: kindAliases},
	{Rule: Rule{
		Code: "collection.cadence_unknown", Severity: Warning, Strict: Error,
		Title: "a collection has an unknown cadence",
		Why:   "The cadence tells a buyer how often there is something new to buy. Only the published words are understood.",
		Hint:  "use daily, weekly, monthly, seasonal, event or irregular",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection, Bad: collected(`"cadence": "weekly_"`), Good: collected(`"cadence": "weekly"`),
	}, shapes: shapes{{unknownWord, atCollectionCadence, "%s is not a known cadence"}}, words: cadenceAliases},
	{Rule: Rule{
		Code: "collection.status_unknown", Severity: Warning, Strict: Error,
		Title: "a collection has an unknown status",
		Why:   "The status tells a buyer whether the program is running. Only the published words are understood.",
		Hint:  "use active, hiatus, ended or upcoming",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection, Bad: collected(`"status": "paused"`), Good: collected(`"status": "hiatus"`),
	}, shapes: shapes{{unknownWord, atCollectionStatus, "%s is not a known status"}}, words: statusAliases},
	{Rule: Rule{
		Code: "collection.production_quality_unknown", Severity: Warning, Strict: Error,
		Title: "a collection has an unknown production_quality",
		Why:   "Buyers filter by production level. Only the published words are understood.",
		Hint:  "use professional, prosumer or ugc",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad:   collected(`"production_quality": "user_generated"`), Good: collected(`"production_quality": "ugc"`),
	}, shapes: shapes{{unknownWord, atCollectionProductionQuality, "%s is not a known production_quality"}},
		words: qualityAliases},
	{Rule: Rule{
		Code: "collection.language_invalid", Severity: Info,
		Title: "a collection's language is not a language tag",
		Why:   "The language is meant as a BCP 47 tag, so that software can compare it. Names of languages are not compared.",
		Hint:  "write a tag, for example en, de or pt-BR",
		Spec:  "BCP 47",
		In:    InCollection, Bad: collected(`"language": "English"`), Good: collected(`"language": "en"`),
	}, check: func(r reporter, x *Collection) {
		if v := x.member(atCollectionLanguage); v.Is(String) && !langtag.LooksLikeBCP47(x.Language) {
			r.say(v, "%s is not a language tag", quote(x.Language))
		}
	}},
}

// related is an example collection that names another one.
func related(members string) string {
	return collected(`"related_collections": [{` + members + `}]`)
}

var goodRelated = related(`"collection_id": "daily", "relationship": "companion"`)

// collectionRelatedRules look at the links between collections.
var collectionRelatedRules = []rule[*Collection]{
	{Rule: Rule{
		Code: "collection.related_invalid", Severity: Warning, Strict: Error,
		Title: "a related collection is incomplete or wrong",
		Why:   "A link between collections needs the id of the other one and one of the published relationships.",
		Hint:  "give collection_id and relationship: spinoff, companion, sequel, prequel or crossover",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad:   related(`"collection_id": "daily", "relationship": "sister"`),
		Good:  goodRelated,
	}, check: func(r reporter, x *Collection) {
		sayRelated(r, x, func(f conform.Fault) bool { return f != conform.Surplus })
	}},
	{Rule: Rule{
		Code: "collection.related_extra_field", Severity: Warning, Strict: Error,
		Title: "a related collection has an unknown member",
		Why:   "The published schema allows collection_id and relationship here and nothing else.",
		Hint:  "remove the member",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad:   related(`"collection_id": "daily", "relationship": "companion", "priority": 1`),
		Good:  goodRelated,
	}, check: func(r reporter, x *Collection) {
		sayRelated(r, x, func(f conform.Fault) bool { return f == conform.Surplus })
	}},
	{Rule: Rule{
		Code: "collection.related_undefined", Severity: Warning,
		Title: "a related collection is not declared",
		Why:   "Related collections are looked up in the same file. An id that is not there leads nowhere.",
		Hint:  "declare the collection, or correct the id",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad:   related(`"collection_id": "dayly", "relationship": "companion"`),
		Good:  goodRelated,
	}, check: func(r reporter, x *Collection) {
		for i := range x.RelatedCollections {
			related := &x.RelatedCollections[i]
			v := related.member(atRelatedCollectionCollectionID)
			if _, ok := r.index.collections[related.CollectionID]; !ok && v.Is(String) {
				r.say(v, "no collection of this file has the id %s", quote(related.CollectionID)).
					withHint("%s", r.didYouMean(collectionIDs, related.CollectionID))
			}
		}
	}},
	{Rule: Rule{
		Code: "collection.related_self", Severity: Warning,
		Title: "a collection is related to itself",
		Why:   "The list is about other collections; an entry with the collection's own id is a slip.",
		Hint:  "correct the id, or remove the entry",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad:   related(`"collection_id": "weekend", "relationship": "companion"`),
		Good:  goodRelated,
	}, check: func(r reporter, x *Collection) {
		for i := range x.RelatedCollections {
			related := &x.RelatedCollections[i]
			if related.CollectionID == x.ID && !blank(x.ID) {
				r.say(related.member(atRelatedCollectionCollectionID), "collection %s names itself", quote(x.ID))
			}
		}
	}},
}

// sayRelated reports the rule for the faults of related_collections
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
