package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// brokenList reports whether a top-level section is present without being a
// list. References into it cannot be judged then, and the section itself is
// reported.
func (c *content) brokenList(at int) bool {
	v := c.file.member(at)
	return v.Exists() && !v.Is(Array)
}

var placementLinkRules = []rule[*Placement]{
	{Rule: Rule{
		Code: "placement.no_property_link", Severity: Error, Effect: SkipEntry,
		Title: "a placement is linked to no property",
		Why:   "A placement runs on properties. Without property_ids or property_tags its location is unknown.",
		Hint:  "add property_ids with ids of this file's properties, or property_tags",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad: `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "format_options": [{"format_option_id": "mpu"}]
}`,
		Good: goodPlacement,
		fix:  linkToProperties,
	}, check: checkPropertyLink},
	{Rule: Rule{
		Code: "placement.list_invalid", Severity: Warning, Strict: Error,
		Title: "a list of ids or tags is empty or holds something other than text",
		Why: "Ids and tags are strings. Consumers pass over other items, and an empty list says nothing that leaving it " +
			"out would not say.",
		Hint:   "remove the item or the empty list, or put ids in quotation marks",
		Spec:   "AdCP adagents.json schema, placements",
		Varies: "in the strict profile also for ids and tags of properties in another form than theirs",
		In:     InPlacement,
		Bad:    examplePlacement(`"collection_ids": ["daily", 7]`),
		Good:   examplePlacement(`"collection_ids": ["daily"]`),
	}, check: func(r reporter, x *Placement) {
		if len(x.PropertyIDs)+len(x.PropertyTags) > 0 {
			stringList(r, x.member(atPlacementPropertyIDs), "property_ids", true)
			stringList(r, x.member(atPlacementPropertyTags), "property_tags", true)
			idForms(r, x.member(atPlacementPropertyIDs), "property_ids")
			idForms(r, x.member(atPlacementPropertyTags), "property_tags")
		}
		stringList(r, x.member(atPlacementCollectionIDs), "collection_ids", true)
		stringList(r, x.member(atPlacementTags), "tags", false)
	}},
	{Rule: Rule{
		Code: "placement.property_id_undefined", Severity: Warning, Effect: DropRef,
		Title: "a placement names a property that the file does not declare",
		Why:   "Property ids are resolved in the same file. An id that is not there links the placement to nothing.",
		Hint:  "declare the property in properties, or correct the id",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad:   placedOn(`"property_ids": ["site", "shop"]`),
		Good:  placedOn(`"property_ids": ["site"]`),
	}, check: func(r reporter, x *Placement) {
		if r.brokenList(atFileProperties) {
			return
		}
		for _, v := range x.member(atPlacementPropertyIDs).Elems() {
			if _, ok := r.index.properties.get(v.Str()); !ok && v.Is(String) {
				r.say(v, "no property of this file has the id %s", quote(v.Str())).
					withHint("%s", r.didYouMean(propertyIDs, v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "placement.property_tag_unmatched", Severity: Warning, Effect: DropRef,
		Title: "a placement names a property tag that no property carries",
		Why: "A tag links the placement to the properties that carry it in the same file. If none does, it links to " +
			"nothing.",
		Hint: "add the tag to a property, or correct it",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  placedOn(`"property_tags": ["sports"]`),
		Good: placedOn(`"property_tags": ["news"]`),
	}, check: func(r reporter, x *Placement) {
		if r.brokenList(atFileProperties) {
			return
		}
		for _, v := range x.member(atPlacementPropertyTags).Elems() {
			if v.Is(String) && r.index.propertyTag[v.Str()] == 0 && r.carrying(v.Str()) == nil {
				r.say(v, "no property of this file carries the tag %s", quote(v.Str())).
					withHint("%s", r.didYouMean(propertyTags, v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "placement.collection_undefined", Severity: Warning, Effect: DropRef,
		Title: "a placement names a collection that the file does not declare",
		Why:   "Collection ids are resolved in the same file. An id that is not there is left out.",
		Hint:  "declare the collection in collections, or correct the id",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad:   examplePlacement(`"collection_ids": ["daly"]`),
		Good:  examplePlacement(`"collection_ids": ["daily"]`),
	}, check: func(r reporter, x *Placement) {
		if r.brokenList(atFileCollections) {
			return
		}
		for _, v := range x.member(atPlacementCollectionIDs).Elems() {
			if _, ok := r.index.collections[v.Str()]; !ok && v.Is(String) {
				r.say(v, "no collection of this file has the id %s", quote(v.Str())).
					withHint("%s", r.didYouMean(collectionIDs, v.Str()))
			}
		}
	}},
}

// checkPropertyLink ignores a link that is not a list, because another rule reports it.
func checkPropertyLink(r reporter, x *Placement) {
	if !x.Raw.Is(Object) || len(x.PropertyIDs)+len(x.PropertyTags) > 0 {
		return
	}
	ids, tags := x.member(atPlacementPropertyIDs), x.member(atPlacementPropertyTags)
	if ids.Exists() && !ids.Is(Array) || tags.Exists() && !tags.Is(Array) {
		r.lose(SkipEntry)
		return
	}
	r.say(x.Raw, "the placement%s has neither property_ids nor property_tags", called(x.ID))
}

// stringList reports the rule for items that are not strings, and for
// an empty list unless that may be empty or is reported as missing.
func stringList(r reporter, v Value, name string, filled bool) {
	if filled && v.Is(Array) && v.Len() == 0 {
		r.say(v, "%s is empty", name)
	}
	for _, e := range v.Elems() {
		if !e.Is(String) {
			r.say(e, "an item of %s must be a string, not %s", name, e.Kind())
		}
	}
}

// idForms reports the items of a list that cannot be ids or tags of properties. Without
// the strict profile it is enough to be told that no property has them.
func idForms(r reporter, v Value, name string) {
	if r.opt.Profile != Strict {
		return
	}
	for _, e := range v.Elems() {
		if e.Is(String) && !isID(e.Str()) {
			r.say(e, "%s in %s is not made of lower-case letters, digits and underscores", quote(e.Str()), name)
		}
	}
}

var placementTagRules = []rule[*Placement]{
	{Rule: Rule{
		Code: "placement.tag_duplicate", Severity: Warning, Strict: Error,
		Title: "a placement lists a tag twice",
		Why:   "Tags are a set; the second mention adds nothing and the published schema refuses it.",
		Hint:  "remove the second mention",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad:   examplePlacement(`"tags": ["premium", "premium"]`),
		Good:  examplePlacement(`"tags": ["premium"]`),
	}, shapes: shapes{{repeatedItem, atPlacementTags, "the tag %s is listed twice"}}},
	{Rule: Rule{
		Code: "placement.tag_undefined", Severity: Warning,
		Title: "a placement tag is not explained in placement_tags",
		Why: "Placement tags are the publisher's own words and agents can be limited to them. placement_tags says what " +
			"each one means. A tag is reported where it is first used.",
		Hint: "add the tag to placement_tags with a name and a description",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"tags": ["premium", "sticky"]`),
		Good: examplePlacement(`"tags": ["premium"]`),
	}, check: func(r reporter, x *Placement) {
		if defs := r.file.member(atFilePlacementTags); defs.Exists() && !defs.Is(Object) {
			return
		}
		for _, v := range x.member(atPlacementTags).Elems() {
			if v.Is(String) && !r.explained(v.Str()) {
				r.say(v, "tag %s is not explained in placement_tags", quote(v.Str()))
			}
		}
	}},
}

// enumFaults compares a list with the values it may have, each once, and calls
// yield for each fault. It is conform for the lists that every placement has,
// without its allocations.
func enumFaults(list Value, known []string, yield func(at Value, f conform.Fault)) {
	if list.Is(Array) && list.Len() == 0 {
		yield(list, conform.OutOfRange)
	}
	var seen uint64
	for _, v := range list.Elems() {
		k := slices.Index(known, v.Str())
		switch {
		case !v.Is(String):
			yield(v, conform.WrongKind)
		case k < 0:
			yield(v, conform.NotAllowed)
		case seen&(1<<k) != 0:
			yield(v, conform.Repeated)
		default:
			seen |= 1 << k
		}
	}
}

var placementChannelRules = []rule[*Placement]{
	{Rule: Rule{
		Code: "placement.channel_unknown", Severity: Warning, Strict: Error,
		Title: "a placement names an unknown channel",
		Why: "Buyers search by channel. A name outside the published list is not found, unless a newer version of the " +
			"protocol has added it.",
		Hint: "use a channel of the published list, for example display, olv or ctv",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"channels": ["display", "video"]`),
		Good: examplePlacement(`"channels": ["display"]`),
	}, check: func(r reporter, x *Placement) {
		enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
			switch f {
			case conform.WrongKind:
				r.say(v, "a channel must be a string, not %s", v.Kind())
			case conform.NotAllowed:
				r.say(v, "%s is not a known channel", quote(v.Str())).withHint("%s",
					suggestWith(channelAliases, v.Str(), model.Channels))
			}
		})
	}},
	{Rule: Rule{
		Code: "placement.channel_duplicate", Severity: Warning, Strict: Error,
		Title: "a placement lists a channel twice",
		Why:   "Channels are a set; the second mention adds nothing and the published schema refuses it.",
		Hint:  "remove the second mention",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad:   examplePlacement(`"channels": ["display", "display"]`),
		Good:  examplePlacement(`"channels": ["display"]`),
	}, check: func(r reporter, x *Placement) {
		enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
			if f == conform.Repeated {
				r.say(v, "channel %s is listed twice", quote(v.Str()))
			}
		})
	}},
	{Rule: Rule{
		Code: "placement.channel_empty", Severity: Warning, Strict: Error,
		Title: "a placement has an empty list of channels",
		Why:   "An empty list could mean every channel or none. Leaving channels out is the way to say nothing about them.",
		Hint:  "remove channels or add one",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad:   examplePlacement(`"channels": []`),
		Good:  examplePlacement(`"channels": ["display"]`),
	}, check: func(r reporter, x *Placement) {
		enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
			if f == conform.OutOfRange {
				r.say(v, "channels is empty")
			}
		})
	}},
	{Rule: Rule{
		Code: "placement.channel_unsupported", Severity: Info,
		Title: "no property of a placement supports its channel",
		Why: "Every property the placement runs on lists its channels, and none of them lists this one. Either list may " +
			"be incomplete.",
		Hint: "add the channel to supported_channels of a property, or remove it here",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"channels": ["display", "olv"]`),
		Good: examplePlacement(`"channels": ["display"]`),
	}, check: func(r reporter, x *Placement) {
		if len(x.Channels) == 0 {
			return
		}
		offered := r.offered(x)
		if offered == 0 || offered&anyChannel != 0 {
			return
		}
		for _, v := range x.member(atPlacementChannels).Elems() {
			if bit := channelBit(v.Str()); bit&^offered != 0 {
				r.say(v, "none of the placement's properties lists %s in supported_channels", quote(v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "placement.type_array_invalid", Severity: Warning, Strict: Error,
		Title: "a list of placement types has a wrong item",
		Why: "The lists of video, audio, sponsored and social types take values of published sets, each once. Others are " +
			"not found by buyers.",
		Hint: "use the published values, each once, or remove the list",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"video_placement_types": ["in_stream"]`),
		Good: examplePlacement(`"video_placement_types": ["instream"]`),
	}, check: func(r reporter, x *Placement) {
		for _, l := range typeLists {
			v := x.member(l.at)
			if !v.Exists() {
				continue
			}
			enumFaults(v, l.known, func(v Value, f conform.Fault) { sayTypeFault(r, l.name, l.known, v, f) })
		}
	}},
}

// typeLists are the members of a placement that refine its channels.
var typeLists = []struct {
	at    int
	name  string
	known []string
}{
	{atPlacementVideoPlacementTypes, "video_placement_types", model.VideoPlacementTypes},
	{atPlacementAudioDistributionTypes, "audio_distribution_types", model.AudioDistributionTypes},
	{atPlacementSponsoredPlacementTypes, "sponsored_placement_types", model.SponsoredPlacementTypes},
	{atPlacementSocialPlacementSurfaces, "social_placement_surfaces", model.SocialPlacementSurfaces},
}

func sayTypeFault(r reporter, name string, known []string, v Value, f conform.Fault) {
	switch f {
	case conform.OutOfRange:
		r.say(v, "%s is empty", name)
	case conform.WrongKind:
		r.say(v, "an item of %s must be a string, not %s", name, v.Kind())
	case conform.Repeated:
		r.say(v, "%s is listed twice in %s", quote(v.Str()), name)
	default:
		r.say(v, "%s is not a known value of %s", quote(v.Str()), name).withHint("%s", suggest(v.Str(), known))
	}
}

// offered returns the channels of all properties of a placement together, 0
// when it has none.
func (c *content) offered(x *Placement) channelMask {
	var set channelMask
	c.linked(x, func(i int) bool {
		set |= c.channelsOf(i)
		return true
	}, func(_ string, k *carriers) bool {
		set |= k.channels
		return true
	})
	return set
}
