package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// examplePlacement is an example placement with some members added.
func examplePlacement(members string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}],
  ` + members + `
}`
}

// placedOn is an example placement with the given links to properties.
func placedOn(links string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  ` + links + `,
  "format_options": [{"format_option_id": "mpu"}]
}`
}

// placedWith is an example placement with the given format options.
func placedWith(options string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"],
  "format_options": [` + options + `]
}`
}

const goodPlacement = `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`

var placementCoreRules = []rule[*Placement]{
	{Rule: Rule{
		Code: "placement.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a placement is not an object",
		Why:   "Each entry of placements describes one placement; a bare value describes nothing.",
		Hint:  "write an object with placement_id, name, description, property_ids and format_options",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement, Bad: `"article"`, Good: goodPlacement,
		fix: objectFromText(onlyPlacement),
	}, shapes: shapes{{notObject, 0, "the placement must be an object, not %s"}}},
	{Rule: Rule{
		Code: "placement.id_missing", Severity: Error, Effect: SkipEntry,
		Title: "a placement has no placement_id",
		Why:   "Agents, products and creatives refer to a placement by its id; without one it cannot be used.",
		Hint:  "add a stable placement_id, for example home_top",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad: `{
  "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
		Good: goodPlacement,
		fix:  idFromName("placement_id"),
	}, shapes: shapes{{noText, atPlacementID, "the placement has no placement_id"}}},
	{Rule: Rule{
		Code: "placement.name_missing", Severity: Error, Effect: SkipEntry,
		Title: "a placement has no name",
		Why:   "The name is what a buyer reads when choosing a placement.",
		Hint:  "add a name that a person recognises",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad: `{
  "placement_id": "article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
		Good: goodPlacement,
		fix:  nameFromID(Likely, "placement_id"),
	}, shapes: shapes{{noText, atPlacementName, "the placement%s has no name"}}},
	{Rule: Rule{
		Code: "placement.id_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "a placement_id is used twice",
		Why:   "An id stands for one placement. Consumers keep the first entry and leave out the others.",
		Hint:  "give the second placement an id of its own, or merge the two",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad: `{
  "placement_id": "home_top", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
		Good: goodPlacement,
		fix:  anotherID(),
	}, check: func(r reporter, x *Placement) {
		if blank(x.ID) {
			return
		}
		if i := r.index.placements[x.ID]; &r.file.Placements[i] != x {
			r.say(x.member(atPlacementID), "placement_id %s is already used by entry %d of placements", quote(x.ID), i)
		}
	}},
	{Rule: Rule{
		Code: "placement.description_missing", Severity: Warning,
		Title: "a placement has no description",
		Why:   "A public placement describes itself in a sentence, so that a buyer knows what the name means.",
		Hint:  "add a description of one sentence",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement,
		Bad: `{
  "placement_id": "article", "name": "Article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
		Good: goodPlacement,
	}, shapes: shapes{{unstated, atPlacementDescription, "the placement%s has no description"}}},
	{Rule: Rule{
		Code: "placement.format_options_missing", Severity: Warning,
		Title:  "a placement lists no formats",
		Varies: "an error in the strict profile for an empty list",
		Why:    "A public placement says which formats it takes; without them a buyer cannot prepare a creative.",
		Hint:   "list references to the file's formats, or declare a format in place with format_kind and params",
		Spec:   "AdCP adagents.json Tech Spec, placements",
		In:     InPlacement,
		Bad: `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"]
}`,
		Good: goodPlacement,
	}, check: func(r reporter, x *Placement) {
		v := x.member(atPlacementFormatOptions)
		if x.Raw.Is(Object) && (!v.Exists() || v.Is(Array) && v.Len() == 0) {
			f := r.sayOf(x.Raw, v, "format_options", "the placement%s lists no format_options", called(x.ID))
			if v.Exists() {
				f.withSeverity(r.lenient())
			}
		}
	}},
}

func (x *Placement) who() string  { return called(x.ID) }
func (x *Collection) who() string { return called(x.ID) }

// called names an entry in a message, if it can be named.
func called(id string) string {
	if blank(id) {
		return ""
	}
	return " " + quote(id)
}

// explainedPlacementTag reports whether placement_tags has the tag.
func (c *content) explainedPlacementTag(tag string) bool {
	x := &c.index.placement
	if x.tags.list == nil {
		keys := make([]string, len(c.file.PlacementTags))
		for i := range keys {
			keys[i] = c.file.PlacementTags[i].Key
		}
		x.tags = textsOf(keys)
	}
	return x.tags.has(tag)
}

// explained reports the same, and true for every further question about a tag
// that placement_tags lacks: one finding for each is enough.
func (c *content) explained(tag string) bool {
	if c.explainedPlacementTag(tag) {
		return true
	}
	x := &c.index.placement
	known := x.reported.has(tag)
	x.reported.add(tag)
	return known
}

// carrying returns the properties that carry the tag, nil when there are none.
func (c *content) carrying(tag string) *carriers {
	x := &c.index.placement
	if x.carriers != nil {
		return x.carriers[tag]
	}
	x.carriers = make(map[string]*carriers)
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		for _, t := range p.Tags {
			k := x.carriers[t]
			if k == nil {
				k = &carriers{usable: make([]int32, 0, c.index.propertyTag[t])}
				x.carriers[t] = k
			}
			if p.effect.gone() {
				k.skipped = true
				continue
			}
			k.usable = append(k.usable, int32(i))
			k.channels |= c.channelsOf(i)
		}
	}
	return x.carriers[tag]
}

func channelBit(name string) channelMask {
	i := slices.Index(model.Channels, name)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// channelsOf returns the channels a property supports. They are kept: a
// property may be linked by every placement.
func (c *content) channelsOf(property int) channelMask {
	x := &c.index.placement
	if x.channels == nil {
		x.channels = make([]channelMask, len(c.file.Properties))
	}
	if x.channels[property] == 0 {
		x.channels[property] = supported(c.file.Properties[property].Channels)
	}
	return x.channels[property]
}

func supported(list []string) channelMask {
	var set channelMask
	for _, name := range list {
		set |= channelBit(name)
	}
	if set == 0 {
		return anyChannel
	}
	return set
}

// linked calls yield for each usable property a placement names by id, and
// for each tag it names that a usable property carries, until yield is false.
func (c *content) linked(p *Placement, byID func(property int) bool, byTag func(tag string, k *carriers) bool) {
	for _, id := range p.PropertyIDs {
		i, ok := c.index.properties.get(id)
		if ok && !c.file.Properties[i].effect.gone() && !byID(i) {
			return
		}
	}
	for _, tag := range p.PropertyTags {
		k := c.carrying(tag)
		if k != nil && len(k.usable) > 0 && !byTag(tag, k) {
			return
		}
	}
}

// maxScopeSteps bounds the comparisons between the properties of placements
// and those of formats. Honest files need few; a file made to need more is
// treated as if all its formats applied, since the rule only advises.
const maxScopeSteps = 10_000_000

// applies reports whether a format applies to any property of a placement. A
// placement without known properties has other troubles: then it is true.
func (c *content) applies(format int, p *Placement) bool {
	known, found := false, false
	c.linked(p, func(i int) bool {
		known = true
		found = c.accepts(format, i)
		return !found
	}, func(tag string, k *carriers) bool {
		known = true
		found = c.acceptsAny(scopeKey{format, tag}, k)
		return !found
	})
	return found || !known
}

// accepts reports whether a format applies to a property, by id or by tag.
func (c *content) accepts(format, property int) bool {
	f, p := &c.file.Formats[format], &c.file.Properties[property]
	x := &c.index.placement
	x.steps += 1 + len(f.AppliesToPropertyIDs) + len(f.AppliesToPropertyTags)*len(p.Tags)
	if x.steps > maxScopeSteps {
		return true
	}
	return slices.Contains(f.AppliesToPropertyIDs, p.ID) ||
		slices.ContainsFunc(f.AppliesToPropertyTags, func(tag string) bool { return slices.Contains(p.Tags, tag) })
}

func (c *content) acceptsAny(key scopeKey, k *carriers) bool {
	x := &c.index.placement
	found, ok := x.inScope[key]
	if ok {
		return found
	}
	for _, i := range k.usable {
		if c.accepts(key.format, int(i)) {
			found = true
			break
		}
	}
	if x.inScope == nil {
		x.inScope = make(map[scopeKey]bool)
	}
	x.inScope[key] = found
	return found
}
