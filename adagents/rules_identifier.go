package adagents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/spell"
)

// identifierRules look at one identifier of a property. The property survives
// as long as one of its identifiers does.
var identifierRules = [][]rule[identifierCheck]{identifierShapeRules, identifierHostRules, identifierAppRules}

var identifierShapeRules = []rule[identifierCheck]{
	{Rule: Rule{
		Code: "identifier.not_object", Severity: Error, Effect: DropRef,
		Title: "an identifier is not an object",
		Why:   "An identifier needs a type as well as a value: the text example.com could be a site, an app or a feed.",
		Hint:  `write {"type": "domain", "value": "example.com"}`,
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InIdentifier,
		Bad:   `"shop.example.com"`,
		Good:  `{"type": "domain", "value": "shop.example.com"}`,
		fix:   identifierFromText,
	}, check: func(r reporter, x identifierCheck) {
		if x.Raw.Is(Object) {
			return
		}
		f := r.say(x.Raw, "an identifier must be an object with type and value, not %s", x.Raw.Kind())
		if s := x.Raw.Str(); !blank(s) {
			f.withHint(`write {"type": "domain", "value": %s} with the type that fits`, whole(s))
		}
	}},
	{Rule: Rule{
		Code: "identifier.type_missing", Severity: Error, Effect: DropRef,
		Title: "an identifier has no type",
		Why:   "Consumers compare identifiers within one type only, so one without a type matches nothing.",
		Hint:  `add "type", for example "domain" or "ios_bundle"`,
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InIdentifier,
		Bad:   `{"value": "shop.example.com"}`,
		Good:  `{"type": "domain", "value": "shop.example.com"}`,
		fix:   addMember(Likely, identifierType),
	}, shapes: shapes{{noText, atIdentifierType, "the identifier%s has no type"}}},
	{Rule: Rule{
		Code: "identifier.value_missing", Severity: Error, Effect: DropRef,
		Title: "an identifier has no value",
		Why:   "Without a value the identifier recognises nothing.",
		Hint:  `add "value", a string that is not empty`,
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InIdentifier,
		Bad:   `{"type": "domain", "value": ""}`,
		Good:  `{"type": "domain", "value": "shop.example.com"}`,
		fix:   oneOf(Safe, numberAsText(Likely), removeOwner(Safe, "remove the identifier without a value")),
	}, check: func(r reporter, x identifierCheck) {
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
	}},
	{Rule: Rule{
		Code: "identifier.type_unknown", Severity: Warning, Strict: Error,
		Title: "the type of an identifier is not a known one",
		Why:   "Consumers that do not know the type cannot use the identifier. A newer protocol version may have added it.",
		Hint:  "use a type of the published list, for example domain, ios_bundle or android_package",
		Spec:  "AdCP adagents.json schema, properties",
		In:    InIdentifier,
		Bad:   `{"type": "roku_channel_id", "value": "41468"}`,
		Good:  `{"type": "roku_store_id", "value": "41468"}`,
		fix:   nearestWord(identifierAliases, model.IdentifierTypes),
	}, check: func(r reporter, x identifierCheck) {
		if x.id.kind != nil || blank(x.Type) {
			return
		}
		if store, ok := storeWithoutType(x.Type); ok {
			r.say(x.member(atIdentifierType), "the format has no type for ids of %s, so buyers cannot use %s", store,
				quote(x.Type)).
				withHint("use bundle_id if the app has a bundle id, or leave the identifier out")
			return
		}
		r.say(x.member(atIdentifierType), "%s is not a known identifier type", quote(x.Type)).
			withHint("%s", suggestWith(identifierAliases, x.Type, model.IdentifierTypes))
	}},
}

// storesWithoutType are stores of apps whose ids have no type in the format, by the word that
// people begin the type with.
var storesWithoutType = map[string]string{
	"hisense": "Hisense", "huawei": "Huawei", "lg": "LG", "microsoft": "Microsoft", "panasonic": "Panasonic",
	"philips":     "Philips",
	"playstation": "PlayStation", "ps4": "PlayStation", "ps5": "PlayStation", "smartcast": "Vizio", "vidaa": "VIDAA",
	"vizio": "Vizio",
	"webos": "LG", "windows": "Microsoft", "xbox": "Xbox", "xiaomi": "Xiaomi", "xumo": "Xumo",
}

// storeWithoutType returns the store that a type is named after, if the format has none for it.
func storeWithoutType(kind string) (string, bool) {
	word, _, _ := strings.Cut(snakeCase(strings.TrimSpace(kind)), "_")
	store, ok := storesWithoutType[word]
	return store, ok
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
	"samsung_id":          "samsung_app_id",
	"samsung_store_id":    "samsung_app_id",
	"tizen_app_id":        "samsung_app_id",
	"samsung_tv_app_id":   "samsung_app_id",
	"site":                "domain",
	"spotify_show_id":     "spotify_collection_id",
	"tvos_bundle":         "apple_tv_bundle",
	"url":                 "domain",
	"website":             "domain",
}

// identifierHostRules look at identifiers of the types domain and subdomain.
var identifierHostRules = []rule[identifierCheck]{
	{Rule: Rule{
		Code: "identifier.domain_syntax", Severity: Warning,
		Title: "a domain is not written as a plain lower-case name",
		Why: "Consumers compare domains letter by letter. One that can be brought to the plain form still matches " +
			"where the consumer does that; any other matches nothing.",
		Hint: "write the bare host name in lower case, for example shop.example.com",
		Spec: "AdCP adagents.json Tech Spec, properties",
		In:   InIdentifier,
		Bad:  `{"type": "domain", "value": "https://Shop.example.com/"}`,
		Good: `{"type": "domain", "value": "shop.example.com"}`,
		fix:  plainDomain(Likely),
	}, check: checkDomainSyntax},
	{Rule: Rule{
		Code: "identifier.wildcard_position", Severity: Error, Effect: DropRef,
		Title: "an asterisk stands in the wrong place",
		Why: "A wildcard covers every name below a domain and can only be the whole first label. Anything else would be " +
			"guesswork.",
		Hint: "write *.example.com, or list the host names one by one",
		Spec: "AdCP adagents.json Tech Spec, properties",
		In:   InIdentifier,
		Bad:  `{"type": "domain", "value": "shop-*.example.com"}`,
		Good: `{"type": "domain", "value": "*.shop.example.com"}`,
		fix:  rewriteText(Choice, wildcardBelow),
	}, check: func(r reporter, x identifierCheck) {
		if x.id.misplaced {
			r.say(x.member(atIdentifierValue), "%s: an asterisk may only be the whole first label, once", quote(x.Value))
		}
	}},
	{Rule: Rule{
		Code: "identifier.wildcard_public_suffix", Severity: Error, Effect: DropRef,
		Title: "a wildcard covers domains of unrelated owners",
		Why: "Anybody can register names below a public suffix such as com, co.uk or github.io. " +
			"No publisher can speak for all of them.",
		Hint: "put the asterisk in front of a domain of your own",
		Spec: "Public Suffix List",
		In:   InIdentifier,
		Bad:  `{"type": "domain", "value": "*.co.uk"}`,
		Good: `{"type": "domain", "value": "*.example.co.uk"}`,
		fix:  removeOwner(Choice, "remove the identifier, which covers domains of others"),
	}, check: func(r reporter, x identifierCheck) {
		if x.id.broad {
			r.say(x.member(atIdentifierValue), "%s covers domains of unrelated owners", quote(x.Value))
		}
	}},
	{Rule: Rule{
		Code: "identifier.public_suffix", Severity: Warning,
		Title: "a domain is a public suffix",
		Why: "Below a public suffix such as co.uk or github.io everybody may have names, so it is rarely what is meant. " +
			"It matches that exact host only, without its www and m forms.",
		Hint: "write the domain below it that is yours",
		Spec: "Public Suffix List",
		In:   InIdentifier,
		Bad:  `{"type": "domain", "value": "github.io"}`,
		Good: `{"type": "domain", "value": "example.github.io"}`,
	}, check: func(r reporter, x identifierCheck) {
		if x.id.level == publicSuffix {
			r.say(x.member(atIdentifierValue), "%s is a public suffix, below which anybody may have names", quote(x.Value))
		}
	}},
	{Rule: Rule{
		Code: "identifier.subdomain_not_subdomain", Severity: Warning,
		Title: "a subdomain is not a single name below a base domain",
		Why: "The type subdomain stands for exactly one host. A base domain needs the type domain to include its www and m " +
			"forms, " +
			"and a wildcard needs it to match at all.",
		Hint: "use the type domain",
		Spec: "AdCP adagents.json schema, properties",
		In:   InIdentifier,
		Bad:  `{"type": "subdomain", "value": "example.org"}`,
		Good: `{"type": "subdomain", "value": "shop.example.org"}`,
		fix:  otherType(Likely, func(string, string) string { return "domain" }),
	}, check: checkSubdomain},
}

func checkDomainSyntax(r reporter, x identifierCheck) {
	id := x.id
	if id.err == nil && id.change == 0 {
		return
	}
	v := x.member(atIdentifierValue)
	if id.err == nil {
		plain := id.canonical(x.Value)
		r.say(v, "%s is not a plain domain name (%s)", quote(x.Value), id.change).withHint("write %s", whole(plain))
		return
	}
	f := r.say(v, "%s is not a domain name: it %v", quote(x.Value), id.err)
	if faultOf(id.err) == hostname.Port {
		f.withHint("leave out the port: a property is a host, whatever its ports")
	}
}

func checkSubdomain(r reporter, x identifierCheck) {
	id := x.id
	if x.Type != "subdomain" {
		return
	}
	switch {
	case id.wildcard && !id.broad && id.err == nil:
		r.say(x.member(atIdentifierValue), "%s is a wildcard, and a subdomain is one exact host", quote(x.Value))
	case id.level == registrableLevel:
		r.say(x.member(atIdentifierValue), "%s is a base domain, not a subdomain", quote(x.Value))
	}
}

// facilityAuthorities are the regulators whose facility numbers are in use.
var facilityAuthorities = []string{"fcc", "crtc", "ift", "ofcom", "arcom", "bnetza", "medienanstalt", "acma", "mic",
	"kcc", "anatel", "enacom", "trai"}

var identifierAppRules = []rule[identifierCheck]{{
	Rule: Rule{
		Code: "identifier.app_syntax", Severity: Warning,
		Title: "the value does not look like one of its type",
		Why: "Store ids, bundle names and feed addresses have fixed forms and are compared letter by letter. " +
			"A value in another form is usually a mix-up of types and matches nothing.",
		Hint:   "copy the value from the store or the feed, or correct the type",
		Spec:   "AdCP adagents.json schema, properties",
		Varies: "info when only the authority in front of a facility_id is not a known one",
		In:     InIdentifier,
		Bad:    `{"type": "ios_bundle", "value": "284882215"}`,
		Good:   `{"type": "apple_app_store_id", "value": "284882215"}`,
		fix:    oneOf(Likely, rewriteText(Likely, storeValue), otherType(Likely, storeType)),
	},
	check: checkAppSyntax,
}}

func checkAppSyntax(r reporter, x identifierCheck) {
	kind := x.id.kind
	if kind == nil || kind.form == nil || blank(x.Value) {
		return
	}
	if !kind.form(x.Value) {
		r.say(x.member(atIdentifierValue), "%s does not look like a value of type %s", quote(x.Value), x.Type).
			withHint("%s", appHint(x.Type, x.Value))
		return
	}
	if kind.closer {
		checkFacility(r, x)
	}
}

func checkFacility(r reporter, x identifierCheck) {
	authority, _, _ := strings.Cut(x.Value, ":")
	if slices.Contains(facilityAuthorities, authority) {
		return
	}
	f := r.sayAs(Info, x.member(atIdentifierValue), "%s is not a known authority for facility ids", quote(authority))
	f.withHint("known ones: %s", strings.Join(facilityAuthorities, ", "))
	if near, ok := spell.Nearest(authority, facilityAuthorities, 1); ok {
		f.withHint("did you mean %q?", near)
	}
}

// appHint recognises the usual mix-ups.
func appHint(typ, value string) string {
	trimmed := strings.TrimSpace(value)
	number, hasID := strings.CutPrefix(strings.ToLower(trimmed), "id")
	switch form := identifierKinds[typ].form; {
	case trimmed != value && form(trimmed):
		return "remove the white space: " + quote(trimmed)
	case hasID && isDigits(number) && form(number):
		return fmt.Sprintf("leave out the letters: %q", number)
	case strings.Contains(typ, "bundle") && isDigits(trimmed):
		return "a number is a store id: use the type apple_app_store_id or write the bundle name"
	case typ == "apple_app_store_id" && isAnyBundle(trimmed):
		return "a bundle name has the type ios_bundle"
	case typ == "facility_id" && isDigits(trimmed):
		return `put the authority in front, for example "fcc:` + trimmed + `"`
	case strings.Contains(trimmed, "://") && typ != "rss_url":
		return "write the id that the address contains, not the address"
	}
	return "write " + identifierKinds[typ].shape
}
