package adagents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/spell"
)

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
