package adagents

import (
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// The rules in this file name members and never show their values: what they
// report should not have been published once, let alone twice.
var placementPrivateRules = []rule[*Placement]{
	{
		Rule: Rule{
			Code: "placement.private_field", Severity: Error, Effect: SkipEntry,
			Title: "a placement carries a private member",
			Why:   "The file is public. visibility, source, origin and delivery_mappings belong to the seller's own inventory registry, even when they are null. Consumers leave the placement out.",
			Hint:  "remove the member from the public file",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad:   placed(`"delivery_mappings": null`),
			Good:  goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			for m := range x.Raw.Members() {
				if isPrivate(m.Name()) {
					r.say(m.Value(), "%s must not appear in a public placement", m.Name())
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.legacy_format_ids", Severity: Error, Effect: SkipEntry,
			Title: "a placement carries format_ids",
			Why:   "The public catalog uses format options only. format_ids belongs to products of a sales agent, and the published schema refuses it here.",
			Hint:  "declare the formats in formats and list them in format_options",
			Spec:  "AdCP adagents.json Tech Spec, versions",
			In:    InPlacement,
			Bad:   placed(`"format_ids": ["display_300x250"]`),
			Good:  goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			if v := x.Raw.Get("format_ids"); v.Exists() {
				r.say(v, "format_ids must not appear in a public placement")
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.private_field_suspected", Severity: Warning,
			Title: "a placement seems to carry ad-server data",
			Why:   "Identifiers of the ad server and mappings to it stay in the seller's own registry. The name of this member, or the form of its value, is that of such data.",
			Hint:  "remove it if it identifies something in an ad server",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad:   placed(`"ext": {"ad_unit_path": "/1234567/news/article"}`),
			Good:  placed(`"ext": {"page_section": "news"}`),
		},
		check: checkSuspected,
	},
	{
		Rule: Rule{
			Code: "placement.publisher_domain_foreign", Severity: Warning,
			Title: "a placement names another publisher",
			Why:   "A placement belongs to the publisher whose file declares it. Consumers of this publisher's file pass over placements of others.",
			Hint:  "remove publisher_domain, or move the placement to that publisher's file",
			Spec:  "avow docs/rules.md",
			Varies: "reported only when the publisher is known and the file is its own, " +
				"not one that several publishers share",
			In:    InPlacement,
			Bad:   placed(`"publisher_domain": "other.example"`),
			Good:  placed(`"publisher_domain": "example.com"`),
			given: func(o *Options) { o.Domain = "example.com" },
		},
		check: func(r reporter, x *Placement) {
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
		},
	},
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
