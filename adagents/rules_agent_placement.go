package adagents

import "slices"

// agentPlacementRules look at how an entry is narrowed to placements. They do
// not apply to entries about signals.
var agentPlacementRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.placement_id_undefined", Severity: Warning, Effect: DropRef,
		Title: "an agent is narrowed to a placement that is not there",
		Why:   "placement_ids selects from the file's own placements. An id that none of them has covers nothing.",
		Hint:  "correct the id, or add the placement to the file's placements",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		Bad:   sellerOfSite + ",\n" + `  "placement_ids": ["home_top", "sidebar"]` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "placement_ids": ["home_top"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		if !a.sells() {
			return
		}
		for _, v := range a.member(atAgentPlacementIDs).Elems() {
			if !v.Is(String) {
				continue
			}
			i, ok := r.index.placements[v.Str()]
			switch {
			case !ok:
				r.say(v, "no placement has the id %s", quote(v.Str())).withHint("%s", r.didYouMean(placementIDs, v.Str()))
			case r.file.Placements[i].effect.gone():
				r.say(v, "the placement %s (/placements/%d) is left out as non-conforming", quote(v.Str()), i).
					withHint("correct the placement")
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.placement_tag_unmatched", Severity: Warning, Effect: DropRef,
		Title: "an agent is narrowed to a tag that no placement carries",
		Why: "placement_tags selects the placements that carry the tag. An explanation at the top level does not make it " +
			"match.",
		Hint: "add the tag to the placements that are meant, or correct it",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		Bad:  sellerOfSite + ",\n" + `  "placement_tags": ["premium", "video"]` + "\n}",
		Good: sellerOfSite + ",\n" + `  "placement_tags": ["premium"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		if !a.sells() {
			return
		}
		for _, v := range a.member(atAgentPlacementTags).Elems() {
			if v.Is(String) && r.index.placementTag[v.Str()] == 0 {
				r.say(v, "no usable placement carries the tag %s", quote(v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.placement_tag_undocumented", Severity: Warning,
		Title: "a placement tag of an agent is not explained",
		Why: "Placement tags are the publisher's own words. Buyers learn what they stand for from placement_tags at the " +
			"top level.",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InFile,
		Along: []string{"placement.tag_undefined"},
		Bad: goodFile + placementFile + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Premium placements",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "placement_tags": ["premium"],` + exampleKeys,
		Good: goodFile + placementFile + `  "placement_tags": {
    "premium": {"name": "Premium", "description": "Above the fold"}
  },
  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Premium placements",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "placement_tags": ["premium"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		if !a.sells() {
			return
		}
		for _, v := range a.member(atAgentPlacementTags).Elems() {
			if tag := v.Str(); r.index.placementTag[tag] > 0 && !r.explainedPlacementTag(tag) {
				r.say(v, "the tag %s is not explained in placement_tags", whole(tag)).
					withHint("add %s with name and description to placement_tags", quote(tag))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.placement_conflict", Severity: Warning, Effect: EmptyEntry,
		Title: "placement_ids and placement_tags exclude each other",
		Why: "When both are given, only placements that satisfy both are covered. None does, so the entry authorizes " +
			"nothing.",
		Hint:  "keep one of the two lists, or tag the placements that are meant",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InFile,
		Along: []string{"file.authorizes_nobody"},
		Bad: goodFile + twoPlacements + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Premium placements",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "placement_ids": ["footer"],
    "placement_tags": ["premium"],` + exampleKeys,
		Good: goodFile + twoPlacements + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Premium placements",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "placement_ids": ["home_top"],
    "placement_tags": ["premium"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		if a.sells() && r.placementsConflict(a) {
			r.say(a.member(atAgentPlacementIDs), "none of the placements in placement_ids carries a tag of placement_tags")
		}
	}},
	{Rule: Rule{
		Code: "agent.placement_outside_scope", Severity: Warning, Effect: DropRef,
		Title: "an agent is narrowed to a placement outside its properties",
		Why: "A placement is covered only where it runs on a property of the entry. This one runs on others only, so it " +
			"covers nothing.",
		Hint: "add the property the placement runs on, or remove the placement",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InFile,
		Bad: goodFile + sportsPlacement + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "The news site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "placement_ids": ["home_top", "scores"],` + exampleKeys,
		Good: goodFile + sportsPlacement + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Both sites",
    "authorization_type": "property_ids",
    "property_ids": ["site", "sports"],
    "placement_ids": ["home_top", "scores"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		list := a.member(atAgentPlacementIDs)
		if list.Len() == 0 || !a.sells() {
			return
		}
		reach, known := r.reachOf(a)
		if !known {
			return
		}
		covered := false
		for _, v := range list.Elems() {
			p := r.usablePlacement(v)
			switch {
			case p == nil:
			case r.reaches(reach, p):
				covered = true
			default:
				r.say(v, "the placement %s runs on none of the entry's properties", quote(p.ID))
			}
		}
		if !covered {
			r.out.lose(&a.effect, EmptyEntry)
		}
	}},
}

// placementsConflict reports whether an entry has placements by id and by tag,
// and no placement is in both.
func (c *content) placementsConflict(a *Agent) bool {
	tags := textsOf(a.PlacementTags)
	if !slices.ContainsFunc(a.PlacementTags, func(t string) bool { return c.index.placementTag[t] > 0 }) {
		return false
	}
	any := false
	for _, v := range a.member(atAgentPlacementIDs).Elems() {
		p := c.usablePlacement(v)
		if p == nil {
			continue
		}
		any = true
		if !c.spend(len(p.Tags)) || tags.meets(p.Tags) {
			return false
		}
	}
	return any
}

// agentReach is what an entry's selector covers of the file's properties: by id, by
// tag, and the tags of the ones it names by id.
type agentReach struct {
	ids, tags, carried textSet
}

// reachOf returns the reach of an entry. It is not known for selectors over
// other publishers' files, and not for entries that cover nothing anyway.
func (c *content) reachOf(a *Agent) (*agentReach, bool) {
	s := a.Scope()
	switch {
	case len(s.PropertyIDs) > 0:
		return c.reachByID(s.PropertyIDs)
	case len(s.PropertyTags) > 0:
		known := slices.ContainsFunc(s.PropertyTags, func(t string) bool { return c.index.propertyTag[t] > 0 })
		return &agentReach{tags: textsOf(s.PropertyTags)}, known
	}
	var ids, carried []string
	for i := range s.Properties {
		if p := &s.Properties[i]; !p.effect.gone() {
			ids = append(ids, p.ID)
			carried = append(carried, p.Tags...)
		}
	}
	return &agentReach{ids: textsOf(ids), carried: textsOf(carried)}, len(ids) > 0
}

func (c *content) reachByID(ids []string) (*agentReach, bool) {
	var carried []string
	seen := make(map[int]struct{}, len(ids))
	for _, id := range ids {
		i := c.propertyByID(id)
		if _, again := seen[i]; again || i < 0 {
			continue
		}
		seen[i] = struct{}{}
		tags := c.file.Properties[i].Tags
		if !c.spend(len(tags)) {
			return nil, false
		}
		carried = append(carried, tags...)
	}
	return &agentReach{ids: textsOf(ids), carried: textsOf(carried)}, len(seen) > 0
}

// reaches reports whether a placement runs on a property within reach. It
// answers yes when that takes too long to find out.
func (c *content) reaches(r *agentReach, p *Placement) bool {
	if !c.spend(len(p.PropertyIDs) + len(p.PropertyTags)) {
		return true
	}
	if r.ids.meets(p.PropertyIDs) || r.carried.meets(p.PropertyTags) {
		return true
	}
	if c.index.properties.repeat {
		// Several publishers use one id. What follows looks at the first property of
		// an id alone, and must not empty an entry because of that.
		return true
	}
	if len(r.tags.list) == 0 {
		return false
	}
	if r.tags.meets(p.PropertyTags) {
		return true
	}
	for _, id := range p.PropertyIDs {
		if i := c.propertyByID(id); i >= 0 && c.tagsReach(r, i) {
			return true
		}
	}
	return c.sharedTag(r, p)
}

// sharedTag reports whether some property carries both a tag of the placement
// and one within reach.
func (c *content) sharedTag(r *agentReach, p *Placement) bool {
	for _, tag := range p.PropertyTags {
		for _, i := range c.taggedProperties()[tag] {
			if c.tagsReach(r, int(i)) {
				return true
			}
		}
	}
	return false
}

// tagsReach reports whether a property carries a tag within reach.
func (c *content) tagsReach(r *agentReach, property int) bool {
	tags := c.file.Properties[property].Tags
	return !c.spend(1+len(tags)) || r.tags.meets(tags)
}

const (
	mpuFormat = `  "formats": [{
    "format_option_id": "mpu",
    "format_kind": "image",
    "display_name": "MPU",
    "params": {"width": 300, "height": 250}
  }],
`
	oneProperty = `  "properties": [{
    "property_id": "site",
    "property_type": "website",
    "name": "Example News",
    "identifiers": [{"type": "domain", "value": "example.com"}],
    "publisher_domain": "example.com"
  }],
`
	homeTop = `    {
      "placement_id": "home_top",
      "name": "Home top",
      "description": "Top of the home page",
      "property_ids": ["site"],
      "tags": ["premium"],
      "format_options": [{"format_option_id": "mpu"}]
    }`
	placementFile = oneProperty + mpuFormat + "  \"placements\": [\n" + homeTop + "\n  ],\n"
	twoPlacements = oneProperty + mpuFormat + "  \"placements\": [\n" + homeTop + `,
    {
      "placement_id": "footer",
      "name": "Footer",
      "description": "Foot of every page",
      "property_ids": ["site"],
      "format_options": [{"format_option_id": "mpu"}]
    }
  ],
` + premiumTag
	sportsPlacement = twoProperties + mpuFormat + "  \"placements\": [\n" + homeTop + `,
    {
      "placement_id": "scores",
      "name": "Scores",
      "description": "Beside the scores",
      "property_ids": ["sports"],
      "format_options": [{"format_option_id": "mpu"}]
    }
  ],
` + premiumTag
	premiumTag = `  "placement_tags": {
    "premium": {"name": "Premium", "description": "Above the fold"}
  },
`
)
