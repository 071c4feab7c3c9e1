package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

const goodPresentation = `"presentation_ref": {
    "uri": "https://example.com/article.json",
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "media_type": "application/vnd.adcp.placement-presentation+json",
    "schema_version": "1.0"
  }`

// previewed is an example placement whose preview agent has the given routes.
func previewed(routes string) string {
	return examplePlacement(`"preview_provider": {
    "agent_url": "https://preview.example/mcp", "authority": "publisher_designated",
    "routes": [` + routes + `]
  }`)
}

// placementMember is a rule about the form of a member that describes a placement.
func placementMember(name string, at int, r Rule) rule[*Placement] {
	r.Severity, r.Strict = Warning, Error
	r.Spec, r.In = "AdCP adagents.json schema, placements", InPlacement
	return rule[*Placement]{Rule: r, check: func(r reporter, x *Placement) {
		r.sayFaults(model.Placement, name, x.member(at))
	}}
}

// placementPreviewRules look at what a placement says about its appearance.
// What they find faulty they take out of the model, since consumers must not
// act on it; the rule about the provider as a whole comes after its routes.
var placementPreviewRules = []rule[*Placement]{
	placementMember("identifiers", atPlacementIdentifiers, Rule{
		Code:  "placement.identifiers_invalid",
		Title: "the identifiers of a placement are incomplete or wrong",
		Why: "Identifiers tie the placement to what buyers know under other names, such as a screen. They need a " +
			"published type and a value.",
		Hint: "give each identifier type and value, for example screen_id and geopath:123",
		Bad:  examplePlacement(`"identifiers": [{"type": "screen", "value": "geopath:123"}]`),
		Good: examplePlacement(`"identifiers": [{"type": "screen_id", "value": "geopath:123"}]`),
	}),
	placementMember("dooh_placement_attributes", atPlacementDOOH, Rule{
		Code:  "placement.location_invalid",
		Title: "the place of a screen is incomplete or wrong",
		Why: "Buyers look for screens by coordinates or address. Coordinates come in pairs, in degrees, and the second " +
			"is called lon.",
		Hint: "give location with lat and lon, with address, or with both",
		Bad:  examplePlacement(`"dooh_placement_attributes": {"location": {"lat": 52.52}}`),
		Good: examplePlacement(`"dooh_placement_attributes": {"location": {"lat": 52.52, "lon": 13.4}}`),
	}),
	{Rule: Rule{
		Code: "presentation.invalid", Severity: Error, Effect: DropRef,
		Title: "a presentation_ref is incomplete or wrong",
		Why: "The reference pins a document by address and digest. All four members are needed to fetch it and to trust " +
			"it; consumers ignore any other form.",
		Hint: "give uri (https), digest (sha256: and 64 hex digits), media_type and schema_version, and nothing else",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement,
		Bad: examplePlacement(`"presentation_ref": {
    "uri": "https://example.com/article.json",
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  }`),
		Good: examplePlacement(goodPresentation),
		fix:  toForm(Likely),
	}, check: func(r reporter, x *Placement) {
		if r.sayFaults(model.Placement, "presentation_ref", x.member(atPlacementPresentationRef)) {
			x.PresentationRef = nil
		}
	}},
	{Rule: Rule{
		Code: "preview.route_unlisted", Severity: Error, Effect: DropRef,
		Title: "a preview route names a format the placement does not list",
		Why:   "A route says how to preview a format of its own placement. One for any other format is never used.",
		Hint:  "list the format in format_options of the placement, or correct the route",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad:   previewed(`{"format_option_id": "billboard", "capability_id": "render"}`),
		Good:  previewed(`{"format_option_id": "mpu", "capability_id": "render"}`),
		fix:   unlistedRoute,
	}, check: checkRoutesListed},
	{Rule: Rule{
		Code: "preview.route_duplicate", Severity: Error, Effect: DropRef,
		Title: "two preview routes name the same format",
		Why:   "Each format has one route; with two a buyer cannot tell which capability renders it.",
		Hint:  "keep one route for each format option",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad: previewed(`
      {"format_option_id": "mpu", "capability_id": "render"},
      {"format_option_id": "mpu", "capability_id": "render_large"}
    `),
		Good: previewed(`{"format_option_id": "mpu", "capability_id": "render"}`),
		fix:  removeOwner(Likely, "remove the second route"),
	}, check: checkRoutesDiffer},
	{Rule: Rule{
		Code: "preview.invalid", Severity: Error, Effect: DropRef,
		Title: "a preview_provider is incomplete or wrong",
		Why:   "Buyers send creatives to the preview agent. They ignore a provider that does not have the published form.",
		Hint:  "give agent_url (https), authority publisher_designated and at least one route",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InPlacement,
		Bad: examplePlacement(`"preview_provider": {
    "agent_url": "https://preview.example/mcp", "authority": "publisher_designated", "routes": []
  }`),
		Good: previewed(`{"format_option_id": "mpu", "capability_id": "render"}`),
		fix:  toForm(Likely),
	}, check: func(r reporter, x *Placement) {
		if r.sayFaults(model.Placement, "preview_provider", x.member(atPlacementPreviewProvider)) {
			x.PreviewProvider = nil
		}
	}},
	{Rule: Rule{
		Code: "mirror.presentation_ref", Severity: Error, Effect: DropRef,
		Title: "a mirror states how a placement looks",
		Why: "A community mirror describes a platform that has not published a file. How its placements look is for the " +
			"platform to say.",
		Hint:   "remove presentation_ref from the mirror",
		Spec:   "avow docs/rules.md",
		Varies: "reported only when the file is checked as a community mirror",
		In:     InMirror,
		Bad:    examplePlacement(goodPresentation),
		Good:   goodPlacement,
		given:  func(o *Options) { o.Role = Mirror },
		fix:    removeIt(Safe, "remove presentation_ref"),
	}, check: func(r reporter, x *Placement) {
		if v := x.member(atPlacementPresentationRef); v.Exists() && r.opt.Role == Mirror {
			r.say(v, "a community mirror must not set presentation_ref")
			x.PresentationRef = nil
		}
	}},
	{Rule: Rule{
		Code: "mirror.preview_provider", Severity: Error, Effect: DropRef,
		Title: "a mirror designates a preview agent",
		Why: "Only the publisher can designate an agent for previews. A community mirror speaks for a platform that has " +
			"not.",
		Hint:   "remove preview_provider from the mirror",
		Spec:   "avow docs/rules.md",
		Varies: "reported only when the file is checked as a community mirror",
		In:     InMirror,
		Bad:    previewed(`{"format_option_id": "mpu", "capability_id": "render"}`),
		Good:   goodPlacement,
		given:  func(o *Options) { o.Role = Mirror },
		fix:    removeIt(Safe, "remove preview_provider"),
	}, check: func(r reporter, x *Placement) {
		if v := x.member(atPlacementPreviewProvider); v.Exists() && r.opt.Role == Mirror {
			r.say(v, "a community mirror must not set preview_provider")
			x.PreviewProvider = nil
		}
	}},
}

// sayFaults reports the rule for everything in which a member differs
// from its declared type, and returns whether it does. An absent member has no
// faults.
func (r reporter) sayFaults(in *model.ObjectType, name string, v Value) bool {
	if !v.Exists() {
		return false
	}
	return r.sayConform(name, v, &in.Field(name).Type)
}

func checkRoutesListed(r reporter, x *Placement) {
	if x.PreviewProvider == nil || len(x.PreviewProvider.Routes) == 0 {
		return
	}
	listed := make(map[string]struct{}, len(x.FormatOptions))
	for i := range x.FormatOptions {
		listed[x.FormatOptions[i].OptionID] = struct{}{}
	}
	dropRoutes(x.PreviewProvider, func(route *PreviewRoute) bool {
		_, ok := listed[route.FormatOptionID]
		if !ok {
			r.say(route.member(atPreviewRouteFormatOptionID), "the placement does not list the format option %s",
				quote(route.FormatOptionID))
		}
		return !ok
	})
}

func checkRoutesDiffer(r reporter, x *Placement) {
	if x.PreviewProvider == nil || len(x.PreviewProvider.Routes) < 2 {
		return
	}
	seen := make(map[string]struct{}, len(x.PreviewProvider.Routes))
	dropRoutes(x.PreviewProvider, func(route *PreviewRoute) bool {
		_, dup := seen[route.FormatOptionID]
		if dup {
			r.say(route.member(atPreviewRouteFormatOptionID), "format option %s has a route already",
				quote(route.FormatOptionID))
		}
		seen[route.FormatOptionID] = struct{}{}
		return dup
	})
}

// dropRoutes removes the routes that drop is true for. It does not ask about
// routes without an id, which are faulty for that.
func dropRoutes(p *PreviewProvider, drop func(*PreviewRoute) bool) {
	p.Routes = slices.DeleteFunc(p.Routes, func(r PreviewRoute) bool {
		return r.FormatOptionID != "" && drop(&r)
	})
}

// The rules in this file name members and never show their values: what they
// report should not have been published once, let alone twice.
var placementPrivateRules = []rule[*Placement]{
	{Rule: Rule{
		Code: "placement.private_field", Severity: Error, Effect: SkipEntry,
		Title: "a placement carries a private member",
		Why: "The file is public. visibility, source, origin and delivery_mappings belong to the seller's own inventory " +
			"registry, even when they are null. Consumers leave the placement out.",
		Hint: "remove the member from the public file",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"delivery_mappings": null`),
		Good: goodPlacement,
		fix:  removeIt(Likely, "remove the private member"),
	}, check: func(r reporter, x *Placement) {
		for m := range x.Raw.Members() {
			if isPrivate(m.Name()) {
				r.say(m.Value(), "%s must not appear in a public placement", m.Name())
			}
		}
	}},
	{Rule: Rule{
		Code: "placement.legacy_format_ids", Severity: Error, Effect: SkipEntry,
		Title: "a placement carries format_ids",
		Why: "The public catalog uses format options only. format_ids belongs to products of a sales agent, and the " +
			"published schema refuses it here.",
		Hint: "declare the formats in formats and list them in format_options",
		Spec: "AdCP adagents.json Tech Spec, versions",
		In:   InPlacement,
		Bad:  examplePlacement(`"format_ids": ["display_300x250"]`),
		Good: goodPlacement,
		fix:  legacyFormats,
	}, check: func(r reporter, x *Placement) {
		if v := x.Raw.Get("format_ids"); v.Exists() {
			r.say(v, "format_ids must not appear in a public placement")
		}
	}},
	{Rule: Rule{
		Code: "placement.private_field_suspected", Severity: Warning,
		Title: "a placement seems to carry ad-server data",
		Why: "Identifiers of the ad server and mappings to it stay in the seller's own registry. The name of this " +
			"member, or the form of its value, is that of such data.",
		Hint: "remove it if it identifies something in an ad server",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  examplePlacement(`"ext": {"ad_unit_path": "/1234567/news/article"}`),
		Good: examplePlacement(`"ext": {"page_section": "news"}`),
		fix:  removeIt(Choice, "remove the member, if it identifies something in an ad server"),
	}, check: checkSuspected},
	{Rule: Rule{
		Code: "placement.publisher_domain_foreign", Severity: Warning,
		Title: "a placement names another publisher",
		Why: "A placement belongs to the publisher whose file declares it. Consumers of this publisher's file pass over " +
			"placements of others.",
		Hint: "remove publisher_domain, or move the placement to that publisher's file",
		Spec: "avow docs/rules.md",
		Varies: "reported only when the publisher is known and the file is its own, " +
			"not one that several publishers share",
		In:    InPlacement,
		Bad:   examplePlacement(`"publisher_domain": "other.example"`),
		Good:  examplePlacement(`"publisher_domain": "example.com"`),
		given: func(o *Options) { o.Domain = "example.com" },
	}, check: func(r reporter, x *Placement) {
		if r.opt.Domain == "" || r.opt.Role != Direct {
			return
		}
		v := x.Raw.Get("publisher_domain")
		if !v.Is(String) {
			return
		}
		domain, _, err := hostname.Canonical(v.Str())
		if err != nil || domain != r.opt.Domain {
			r.say(v, "the placement names the publisher %s, the file is served for %s", quote(v.Str()), quote(r.opt.Domain))
		}
	}},
}

// checkSuspected looks into the members the format leaves open: unknown ones
// and ext. Of the others only those that could hold a path are looked at.
func checkSuspected(r reporter, x *Placement) {
	for m := range x.Raw.Members() {
		switch name := m.Name(); {
		case name == "placement_id", name == "name", name == "description", name == "ext":
			privateParts(m.Value(), name, r.suspect)
		case isPrivate(name), name == "format_ids":
		case model.Placement.Field(name) == nil:
			privateMember(m, r.suspect)
		}
	}
}
