package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// identifierRules look at one identifier of a property. The property survives
// as long as one of its identifiers does.
var identifierRules = slices.Concat(identifierShapeRules, identifierHostRules, identifierAppRules)

var identifierShapeRules = []rule[*identifierCheck]{
	{
		Rule: Rule{
			Code: "identifier.not_object", Severity: Error, Effect: DropRef,
			Title: "an identifier is not an object",
			Why:   "An identifier needs a type as well as a value: the text example.com could be a site, an app or a feed.",
			Hint:  `write {"type": "domain", "value": "example.com"}`,
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InIdentifier,
			Bad:   `"shop.example.com"`,
			Good:  `{"type": "domain", "value": "shop.example.com"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.Raw.Is(Object) {
				return
			}
			f := r.say(x.Raw, "an identifier must be an object with type and value, not %s", x.Raw.Kind())
			if s := x.Raw.Str(); !blank(s) {
				f.withHint(`write {"type": "domain", "value": %s} with the type that fits`, quote(s))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.type_missing", Severity: Error, Effect: DropRef,
			Title: "an identifier has no type",
			Why:   "Consumers compare identifiers within one type only, so one without a type matches nothing.",
			Hint:  `add "type", for example "domain" or "ios_bundle"`,
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InIdentifier,
			Bad:   `{"value": "shop.example.com"}`,
			Good:  `{"type": "domain", "value": "shop.example.com"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if blank(x.Type) && x.Raw.Is(Object) {
				r.sayOf(x.Raw, x.member(atIdentifierType), "type", "the identifier %shas no type", named(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.value_missing", Severity: Error, Effect: DropRef,
			Title: "an identifier has no value",
			Why:   "Without a value the identifier recognises nothing.",
			Hint:  `add "value", a string that is not empty`,
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InIdentifier,
			Bad:   `{"type": "domain", "value": ""}`,
			Good:  `{"type": "domain", "value": "shop.example.com"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if !blank(x.Value) || !x.Raw.Is(Object) {
				return
			}
			v := x.member(atIdentifierValue)
			who := "the identifier"
			if x.Type != "" {
				who += " of type " + quote(x.Type)
			}
			f := r.sayOf(x.Raw, v, "value", "%s has no value", who)
			if v.Is(NumberKind) {
				f.withHint("write the number as a string: %s", quote(v.Text()))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.type_unknown", Severity: Warning, Strict: Error,
			Title: "the type of an identifier is not a known one",
			Why:   "Consumers that do not know the type cannot use the identifier. A newer protocol version may have added it.",
			Hint:  "use a type of the published list, for example domain, ios_bundle or android_package",
			Spec:  "AdCP adagents.json schema, properties",
			In:    InIdentifier,
			Bad:   `{"type": "roku_channel_id", "value": "41468"}`,
			Good:  `{"type": "roku_store_id", "value": "41468"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.kind != nil || blank(x.Type) {
				return
			}
			r.say(x.member(atIdentifierType), "%s is not a known identifier type", quote(x.Type)).
				withHint("%s", suggestWith(identifierAliases, x.Type, model.IdentifierTypes))
		},
	},
}

// identifierAliases are names that other tools and older lists use.
var identifierAliases = map[string]string{
	"amazon_app_store_id": "fire_tv_asin",
	"android_bundle":      "android_package",
	"apple_bundle":        "ios_bundle",
	"apple_id":            "apple_app_store_id",
	"app_store_id":        "apple_app_store_id",
	"asin":                "fire_tv_asin",
	"bundle":              "bundle_id",
	"dooh_venue_id":       "venue_id",
	"feed_url":            "rss_url",
	"fire_tv_app_id":      "fire_tv_asin",
	"google_play":         "google_play_id",
	"host":                "domain",
	"hostname":            "domain",
	"itunes_id":           "apple_podcast_id",
	"package_name":        "android_package",
	"play_store_id":       "google_play_id",
	"podcast_rss_feed":    "rss_url",
	"roku_channel_id":     "roku_store_id",
	"roku_id":             "roku_store_id",
	"rss":                 "rss_url",
	"rss_feed":            "rss_url",
	"site":                "domain",
	"spotify_show_id":     "spotify_collection_id",
	"tvos_bundle":         "apple_tv_bundle",
	"url":                 "domain",
	"website":             "domain",
}
