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

// identifierHostRules look at identifiers of the types domain and subdomain.
var identifierHostRules = []rule[*identifierCheck]{
	{
		Rule: Rule{
			Code: "identifier.domain_syntax", Severity: Warning,
			Title: "a domain is not written as a plain lower-case name",
			Why: "Consumers compare domains letter by letter. One that can be brought to the plain form still matches " +
				"where the consumer does that; any other matches nothing.",
			Hint: "write the bare host name in lower case, for example shop.example.com",
			Spec: "AdCP adagents.json Tech Spec, properties",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "https://Shop.example.com/"}`,
			Good: `{"type": "domain", "value": "shop.example.com"}`,
		},
		check: checkDomainSyntax,
	},
	{
		Rule: Rule{
			Code: "identifier.wildcard_position", Severity: Error, Effect: DropRef,
			Title: "an asterisk stands in the wrong place",
			Why:   "A wildcard covers every name below a domain and can only be the whole first label. Anything else would be guesswork.",
			Hint:  "write *.example.com, or list the host names one by one",
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InIdentifier,
			Bad:   `{"type": "domain", "value": "shop-*.example.com"}`,
			Good:  `{"type": "domain", "value": "*.shop.example.com"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.misplaced {
				r.say(x.member(atIdentifierValue), "%s: an asterisk may only be the whole first label, once", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.wildcard_public_suffix", Severity: Error, Effect: DropRef,
			Title: "a wildcard covers domains of unrelated owners",
			Why: "Anybody can register names below a public suffix such as com, co.uk or github.io. " +
				"No publisher can speak for all of them.",
			Hint: "put the asterisk in front of a domain of your own",
			Spec: "Public Suffix List",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "*.co.uk"}`,
			Good: `{"type": "domain", "value": "*.example.co.uk"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.broad {
				r.say(x.member(atIdentifierValue), "%s covers domains of unrelated owners", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.public_suffix", Severity: Warning,
			Title: "a domain is a public suffix",
			Why: "Below a public suffix such as co.uk or github.io everybody may have names, so it is rarely what is meant. " +
				"It matches that exact host only, without its www and m forms.",
			Hint: "write the domain below it that is yours",
			Spec: "Public Suffix List",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "github.io"}`,
			Good: `{"type": "domain", "value": "example.github.io"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.level == publicSuffix {
				r.say(x.member(atIdentifierValue), "%s is a public suffix, below which anybody may have names", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.subdomain_not_subdomain", Severity: Warning,
			Title: "a subdomain is not a single name below a base domain",
			Why: "The type subdomain stands for exactly one host. A base domain needs the type domain to include its www and m forms, " +
				"and a wildcard needs it to match at all.",
			Hint: "use the type domain",
			Spec: "AdCP adagents.json schema, properties",
			In:   InIdentifier,
			Bad:  `{"type": "subdomain", "value": "example.org"}`,
			Good: `{"type": "subdomain", "value": "shop.example.org"}`,
		},
		check: checkSubdomain,
	},
}

func checkDomainSyntax(r reporter, x *identifierCheck) {
	id := x.id
	if id.err == nil && id.change == 0 {
		return
	}
	v := x.member(atIdentifierValue)
	if id.err == nil {
		plain := id.canonical(x.Value)
		r.say(v, "%s is not a plain domain name (%s)", quote(x.Value), id.change).withHint("write %s", quote(plain))
		return
	}
	f := r.say(v, "%s is not a domain name: it %v", quote(x.Value), id.err)
	if faultOf(id.err) == hostname.Port {
		f.withHint("leave out the port: a property is a host, whatever its ports")
	}
}

func checkSubdomain(r reporter, x *identifierCheck) {
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

// An identifierKind is what is known of one type of identifier.
type identifierKind struct {
	hosts  bool              // the value is a host name or wildcard
	common bool              // unrelated properties may share a value
	form   func(string) bool // what values look like; nil when anything goes
	shape  string            // the same in words
	closer bool              // a value of that form needs a closer look
	no     uint64            // distinguishes the kinds in identifierTable
}

var identifierKinds = numberKinds(map[string]*identifierKind{
	"domain":                {hosts: true},
	"subdomain":             {hosts: true},
	"network_id":            {common: true},
	"ios_bundle":            {form: isBundle, shape: bundleShape},
	"android_package":       {form: isPackage, shape: packageShape},
	"apple_app_store_id":    {form: isDigits, shape: "digits only, such as 284882215"},
	"google_play_id":        {form: isPackage, shape: packageShape},
	"roku_store_id":         {form: isDigits, shape: "digits only, such as 41468"},
	"fire_tv_asin":          {form: isASIN, shape: "ten letters and digits, such as B00KDSGIPK"},
	"samsung_app_id":        {},
	"apple_tv_bundle":       {form: isBundle, shape: bundleShape},
	"bundle_id":             {form: isAnyBundle, shape: bundleShape},
	"venue_id":              {},
	"screen_id":             {},
	"openooh_venue_type":    {common: true},
	"rss_url":               {form: isWebURL, shape: "an absolute http or https URL"},
	"apple_podcast_id":      {form: isDigits, shape: "digits only, such as 1200361736"},
	"spotify_collection_id": {},
	"podcast_guid":          {form: isUUID, shape: "a UUID, such as 9b024349-ccf0-5f69-a609-6b82873eab3c"},
	"station_id":            {},
	"facility_id":           {form: isFacility, closer: true, shape: "authority:number, such as fcc:73953"},
})

const (
	bundleShape  = "a reversed domain name, such as com.example.news"
	packageShape = "a package name, such as com.example.news"
)

// numberKinds gives the kinds their numbers. Which kind gets which does not
// matter, as long as no two are equal.
func numberKinds(m map[string]*identifierKind) map[string]*identifierKind {
	n := uint64(0)
	for _, k := range m {
		n++
		k.no = n
	}
	return m
}

// facilityAuthorities are the regulators whose facility numbers are in use.
var facilityAuthorities = []string{"fcc", "crtc", "ift", "ofcom", "arcom", "bnetza", "medienanstalt", "acma", "mic", "kcc", "anatel", "enacom", "trai"}

var identifierAppRules = []rule[*identifierCheck]{{
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
	},
	check: checkAppSyntax,
}}

func checkAppSyntax(r reporter, x *identifierCheck) {
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

func checkFacility(r reporter, x *identifierCheck) {
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

var (
	alphanumerics = charsOf(lowerLetters + upperLetters + decimals)
	letters       = charsOf(lowerLetters + upperLetters)
	bundleChars   = charsOf(lowerLetters + upperLetters + decimals + "-")
	anyBundle     = charsOf(lowerLetters + upperLetters + decimals + "-_")
	packageChars  = charsOf(lowerLetters + upperLetters + decimals + "_")
	hexChars      = charsOf(decimals + "abcdefABCDEF")
	// plainURL are the characters that need no second look in a URL's path.
	plainURL = charsOf(lowerLetters + upperLetters + decimals + "-._~/?=&+,;@:!$'()")
)

// dotted reports whether s is at least two words joined by dots, each of which
// starts with a character of head and goes on with characters of tail.
func dotted(s string, head, tail *charSet) bool {
	words, start := 1, true
	for i := range len(s) {
		switch b := s[i]; {
		case start && !head.has(b):
			return false
		case b == '.':
			words++
			start = true
		case !tail.has(b):
			return false
		default:
			start = false
		}
	}
	return !start && words > 1
}

func isBundle(s string) bool    { return dotted(s, &bundleChars, &bundleChars) }
func isAnyBundle(s string) bool { return dotted(s, &anyBundle, &anyBundle) && !isIPv4Like(s) }
func isPackage(s string) bool   { return dotted(s, &letters, &packageChars) }

// isIPv4Like reports whether s is digits and dots only, which is no bundle.
func isIPv4Like(s string) bool { return strings.Trim(s, decimals+".") == "" }

func isASIN(s string) bool { return len(s) == 10 && alphanumerics.spell(s) }

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen && s[i] != '-' || !hyphen && !hexChars.has(s[i]) {
			return false
		}
	}
	return true
}

func isFacility(s string) bool {
	authority, number, ok := strings.Cut(s, ":")
	return ok && alphanumerics.spell(authority) && number != "" && strings.TrimSpace(number) == number
}

// isWebURL reports whether s is an absolute http or https URL. The plain ones
// are recognised without taking them apart.
func isWebURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if host, path, _ := strings.Cut(rest, "/"); ok && hostname.IsCanonical(host) && (path == "" || plainURL.spell(path)) {
		return true
	}
	_, info, err := hostname.CanonicalURL(s)
	return err == nil && (info.Scheme == "https" || info.Scheme == "http")
}
