package adagents

import (
	"errors"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// owner is the publisher a property belongs to, read once for all the rules
// about the property and its identifiers.
type owner struct {
	host   string // canonical; empty when absent or unusable
	change hostname.Change
	err    error
	// branch is that of host; filled when first asked for.
	branch
}

// readOwner reads the publisher a property names. The memory for domains may be
// absent.
func readOwner(p *Property, known *hostname.Memo) owner {
	var o owner
	if p.PublisherDomain != "" || p.member(atPropertyPublisherDomain).Is(String) {
		o.host, o.change, o.err = known.Canonical(p.PublisherDomain)
	}
	return o
}

// level is the position of a name in the tree of domains.
type level uint8

const (
	unknownLevel     level = iota
	publicSuffix           // shared by many owners, such as co.uk
	registrableLevel       // a publisher's base domain
	belowLevel             // a name below one
)

// A branch is where a name stands in the tree of domains.
type branch struct {
	level level
	whole bool   // all names below it belong to base
	base  string // the registrable domain; empty for a public suffix
}

func branchOf(host string) branch {
	suffix, whole := hostname.PublicSuffix(host)
	rest := len(host) - len(suffix) - 1
	if rest < 0 {
		return branch{level: publicSuffix}
	}
	start := strings.LastIndexByte(host[:rest], '.') + 1
	if start == 0 {
		return branch{registrableLevel, whole, host}
	}
	return branch{belowLevel, whole, host[start:]}
}

// located fills in the branch of the publisher, if there is one.
func (o *owner) located() branch {
	if o.level == unknownLevel && o.host != "" {
		o.branch = branchOf(o.host)
	}
	return o.branch
}

// has reports whether host is a name below the publisher's of which no more needs to be looked
// up: it belongs to the same registrable domain.
func (o *owner) has(host string) bool {
	rest := len(host) - len(o.host) - 1
	return rest > 0 && o.host != "" && host[rest] == '.' && host[rest+1:] == o.host && o.located().whole
}

// identity is what one identifier says, read once for all the rules about it.
type identity struct {
	kind *identifierKind // nil when the type is not known
	fine bool            // no rule about identifiers has anything to say

	// The rest is about identifiers that name a host.
	host      string // canonical, without "*."; empty when there is none
	change    hostname.Change
	err       error
	branch         // without level for a wildcard
	wildcard  bool // "*." stands in front
	misplaced bool // an asterisk stands anywhere else
	broad     bool // the wildcard reaches names of unrelated owners
}

// propertyCheck is a property that is being checked, with what its rules share.
type propertyCheck struct {
	*Property
	number int        // index in its list
	inline bool       // it stands in an agent entry
	owner  owner      // its publisher
	idents []identity // what its identifiers say, in their order
}

// identifierCheck is an identifier that is being checked.
type identifierCheck struct {
	*Identifier
	id *identity
}

// identify reads the publisher and the identifiers of the property.
func (p *propertyCheck) identify(known *hostname.Memo) {
	p.owner = readOwner(p.Property, known)
	p.idents = slices.Grow(p.idents[:0], len(p.Identifiers))[:len(p.Identifiers)]
	for i := range p.Identifiers {
		p.idents[i] = readIdentity(&p.Identifiers[i], &p.owner, known)
	}
}

func readIdentity(x *Identifier, o *owner, known *hostname.Memo) identity {
	id := identity{kind: kindOf(x.Type)}
	switch {
	case id.kind == nil || blank(x.Value):
	case id.kind.hosts:
		id.readHost(x.Value, o, known)
		id.fine = id.fineHost(x.Type)
	default:
		id.fine = id.kind.form == nil || id.kind.form(x.Value) && !id.kind.closer
	}
	return id
}

// fineHost sums up the rules about domains. It is not needed for their result:
// nearly all identifiers are in order, and asking one question about each of
// those instead of ten is a fifth of the time of checking a large file.
func (id *identity) fineHost(typ string) bool {
	if id.err != nil || id.change != 0 || id.misplaced || id.broad || id.level == publicSuffix {
		return false
	}
	return typ == "domain" || id.level == belowLevel
}

// readHost reads the value of a domain. Most are the property's publisher or a
// name below it, and what is known of that one is not worked out again.
func (id *identity) readHost(value string, o *owner, known *hostname.Memo) {
	if value == o.host {
		id.host, id.branch = value, o.located()
		return
	}
	if strings.IndexByte(value, '*') >= 0 {
		id.readWildcard(value, o, known)
		return
	}
	id.host, id.change, id.err = known.Canonical(value)
	switch {
	case id.err != nil:
	case o.has(id.host):
		id.branch = branch{belowLevel, true, o.base}
	default:
		id.branch = branchOf(id.host)
	}
}

func (id *identity) readWildcard(value string, o *owner, known *hostname.Memo) {
	base, ok := strings.CutPrefix(value, "*.")
	if !ok || base == "" || strings.IndexByte(base, '*') >= 0 {
		id.misplaced = true
		return
	}
	id.wildcard = true
	if base == o.host && o.located().whole {
		id.host, id.base = base, o.base
		return
	}
	id.host, id.change, id.err = known.Canonical(base)
	if faultOf(id.err) == hostname.SingleLabel {
		// A top-level domain is not a host name, but the author's mistake is the reach
		// of the wildcard, not the spelling.
		id.host, id.change, id.err = "", 0, nil
		id.broad = true
		return
	}
	if id.err == nil {
		id.base = branchOf(id.host).base
		id.broad = hostname.WildcardTooBroad(id.host)
	}
}

// faultOf returns what is wrong with a host name, zero for nothing.
func faultOf(err error) hostname.Kind {
	e, ok := errors.AsType[*hostname.Error](err)
	if !ok {
		return 0
	}
	return e.Kind
}

// canonical returns the value in the form in which it may be compared with
// others of its type.
func (id *identity) canonical(value string) string {
	switch {
	case id.host == "" || id.change == 0:
		return value
	case id.wildcard:
		return "*." + id.host
	}
	return id.host
}

// usable reports whether consumers may use the identifier.
func (x *Identifier) usable() bool { return x.effect.worst < DropRef }

// homeOf returns the registrable domain the file is served for, or "" when it
// is not known or the file speaks for several publishers.
func homeOf(opt *Options) string {
	if opt.Domain == "" || opt.Role != Direct {
		return ""
	}
	domain, _, err := hostname.Canonical(opt.Domain)
	if err != nil {
		return ""
	}
	home, _ := hostname.Registrable(domain)
	return home
}

// An identifierKind is what is known of one type of identifier.
type identifierKind struct {
	hosts  bool              // the value is a host name or wildcard
	common bool              // unrelated properties may share a value
	form   func(string) bool // what values look like; nil when anything goes
	shape  string            // the same in words
	closer bool              // a value of that form needs a closer look
	no     uint64            // distinguishes the kinds in the hashes of identifiers
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

// kindOf returns what is known of a type. Nearly all identifiers are of two types, which are
// not looked up.
func kindOf(typ string) *identifierKind {
	switch typ {
	case "domain":
		return domainKind
	case "subdomain":
		return subdomainKind
	}
	return identifierKinds[typ]
}

var domainKind, subdomainKind = identifierKinds["domain"], identifierKinds["subdomain"]

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

func isBundle(s string) bool { return dotted(s, &bundleChars, &bundleChars) }

func isAnyBundle(s string) bool { return dotted(s, &anyBundle, &anyBundle) && !isIPv4Like(s) }

func isPackage(s string) bool { return dotted(s, &letters, &packageChars) }

// isIPv4Like reports whether s is digits and dots only, which is not a bundle id.
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

// A propertyKind is what is known of one property type.
type propertyKind struct {
	// suits lists the identifier types that recognise such a property. It is
	// nil when there is no telling.
	suits []string
}

var propertyKinds = map[string]*propertyKind{
	"website":    {suits: []string{"domain", "subdomain"}},
	"mobile_app": {suits: []string{"ios_bundle", "android_package", "apple_app_store_id", "google_play_id", "bundle_id"}},
	"ctv_app": {suits: []string{
		"roku_store_id", "fire_tv_asin", "samsung_app_id", "apple_tv_bundle", "bundle_id",
		"ios_bundle", "apple_app_store_id", "android_package", "google_play_id",
	}},
	"desktop_app":     {},
	"dooh":            {suits: []string{"venue_id", "screen_id", "network_id", "openooh_venue_type"}},
	"podcast":         {suits: []string{"rss_url", "apple_podcast_id", "spotify_collection_id", "podcast_guid"}},
	"radio":           {suits: []string{"station_id", "facility_id", "network_id"}},
	"linear_tv":       {suits: []string{"station_id", "facility_id", "network_id"}},
	"streaming_audio": {},
	"ai_assistant":    {},
}

// canonicalDomain returns the canonical form of a domain, or "".
func canonicalDomain(known *hostname.Memo, text string) string {
	domain, _, err := known.Canonical(text)
	if err != nil {
		return ""
	}
	return domain
}
