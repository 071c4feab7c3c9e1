package adagents

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
)

// SchemaURL is the value of $schema that Build writes.
const SchemaURL = "https://adcontextprotocol.org/schemas/v3/adagents.json"

// maxSuccessor is how long the URL of a successor may be: no longer one is ever asked for,
// and it is in every record of the file.
const maxSuccessor = 8_000

// Successor returns the URL of the file that this one names in its place in superseded_by,
// in canonical form. A value that is not an https URL, has a user name, or is too long to
// request is reported by the check and not followed.
func (x *File) Successor() (string, bool) {
	if x == nil || x.SupersededBy == "" || successorFault(x.SupersededBy) != "" {
		return "", false
	}
	url, _, err := hostname.CanonicalURL(x.SupersededBy)
	return url, err == nil
}

// successorFault says why a URL cannot be that of a successor; empty when it can.
func successorFault(written string) string {
	fault := conform.URLFault(written, true)
	if fault != "" {
		return fault
	}
	url, _, _ := hostname.CanonicalURL(written)
	if max(len(url), len(written)) > maxSuccessor {
		return fmt.Sprintf("is a URL of %d bytes, and longer ones than %d are not asked for",
			max(len(url), len(written)), maxSuccessor)
	}
	return ""
}

// Domains returns the domains that an entry of revoked_publisher_domains names, as they are
// written. A list of what is forbidden is read generously: the entry may be a bare string or a
// list of them, publisher_domain may be a list, and the domain may stand under another name. A
// URL stands for its host.
func (r *Revocation) Domains() []string {
	if !blank(r.PublisherDomain) {
		return []string{r.PublisherDomain}
	}
	if !r.Raw.Is(Object) {
		return textsIn(r.Raw)
	}
	domains := textsIn(r.Raw.Get("publisher_domain"))
	if len(domains) > 0 {
		return domains
	}
	for _, v := range domainMembers(r.Raw) {
		domains = append(domains, textsIn(v)...)
	}
	return domains
}

// domainMembers returns the unknown members of a revocation that name its domain: by what they
// are called or, if none is called like it, by what they say.
func domainMembers(revocation Value) []Value {
	var named, telling []Value
	for m := range revocation.Members() {
		switch {
		case model.Revocation.Field(m.Name()) != nil:
		case namesPublisher(m.Name()):
			named = append(named, m.Value())
		case !announcesExtension(m.Name()) && slices.ContainsFunc(textsIn(m.Value()), readsAsDomain):
			telling = append(telling, m.Value())
		}
	}
	if len(named) > 0 {
		return named
	}
	return telling
}

// readsAsDomain reports whether a text is the name of a host, and not one that a word could be.
func readsAsDomain(s string) bool {
	name, _, err := hostname.Canonical(s)
	return err == nil && strings.Contains(name, ".") && !hostname.IsPublicSuffix(name)
}

// namesPublisher reports whether an unknown member of a revocation was probably meant to
// be publisher_domain.
func namesPublisher(name string) bool {
	folded := snakeCase(name)
	switch folded {
	case "domain", "domains", "publisher", "publishers", "publisher_domains", "publisher_url", "host", "hostname", "site",
		"website", "url":
		return true
	}
	near, ok := nearName(model.Revocation, folded)
	return ok && near == "publisher_domain"
}

// textsIn returns a text, or those of a list, without blank ones.
func textsIn(v Value) []string {
	var texts []string
	if v.Is(String) && !blank(v.Str()) {
		texts = append(texts, v.Str())
	}
	for _, e := range v.Elems() {
		if e.Is(String) && !blank(e.Str()) {
			texts = append(texts, e.Str())
		}
	}
	return texts
}

// An IgnoredRestriction is a member of an agent entry that readers do not know and that
// looks as if it narrowed the entry. It does not: the entry is wider than its author
// probably thinks.
type IgnoredRestriction struct {
	// Name is the member as written.
	Name string
	// Advice says what to write instead.
	Advice string
}

// IgnoredRestrictions returns the members of the entry that look like restrictions and are
// none, in the order of the file.
func (a *Agent) IgnoredRestrictions() []IgnoredRestriction {
	var found []IgnoredRestriction
	for m := range a.Raw.Members() {
		name := m.Name()
		if model.Agent.Field(name) != nil {
			continue
		}
		if advice, ok := ignoredRestriction(name, m.Value()); ok {
			found = append(found, IgnoredRestriction{name, advice})
		}
	}
	return found
}

// narrowing are the members that do narrow an entry.
var narrowing = []string{"countries", "effective_from", "effective_until", "placement_ids", "placement_tags",
	"collections"}

// What to do about a restriction that the format cannot express.
const (
	noExclusion = "an entry cannot exclude anything; list what it covers instead"
	noSwitch    = "an entry that is listed is in effect; remove it to withdraw the authorization"
	noDimension = "an entry cannot be limited by this; choose the properties, placements or collections it covers"
	noPublisher = "write publisher_properties with a selector for the publisher"
)

// meantNames are what people write for a member that narrows, by that member.
var meantNames = map[string][]string{
	"countries": {
		"country", "country_code", "country_codes", "country_list", "allowed_countries", "included_countries",
		"include_countries", "target_countries", "geo", "geos", "geography", "geographies", "geo_scope", "geo_targeting",
		"geo_countries", "region", "regions", "territory", "territories", "market", "markets", "location", "locations",
		"allowed_regions", "allowed_geos", "jurisdiction", "jurisdictions",
	},
	"effective_from": {
		"valid_from", "valid_after", "active_from", "effective", "effective_date", "effective_since", "effective_start",
		"start", "starts", "start_at", "starts_at", "starts_on", "start_date", "start_time", "from", "since", "not_before",
		"nbf", "begin", "begins", "begins_at", "begin_date",
	},
	"effective_until": {
		"effective_till", "effective_to", "effective_end", "effective_through", "effective_thru", "valid_until", "valid_till",
		"valid_to", "valid_thru", "valid_through", "valid_before", "active_until", "active_to", "until", "till", "to", "end",
		"ends", "end_at", "ends_at", "ends_on", "end_date", "end_time", "expire", "expires", "expires_at", "expires_on",
		"expires_after", "expiry", "expiry_date", "expiration", "expiration_date", "expiration_time", "exp", "not_after",
		"terminates", "terminates_at", "termination_date", "valid_for", "ttl",
	},
	"placement_ids": {"placement", "placements", "placement_id", "allowed_placements", "included_placements", "slots",
		"slot_ids", "ad_slots"},
	"placement_tags": {"placement_tag", "placement_group", "placement_groups"},
	"collections": {"collection", "collection_id", "collection_ids", "allowed_collections", "shows", "show_ids",
		"programs", "programmes", "series"},
}

// unsupported are what people write for restrictions that the format does not have, by
// what to do instead.
var unsupported = map[string][]string{
	noExclusion: {"exclude", "excludes", "excluded", "exclusion", "exclusions", "except", "exceptions", "blocklist",
		"blacklist", "denylist", "deny", "denied"},
	noSwitch: {"active", "is_active", "enabled", "is_enabled", "disabled", "is_disabled", "status", "state", "revoked",
		"is_revoked", "revoked_at", "suspended", "paused", "inactive"},
	noDimension: {
		"channel", "channels", "supported_channels", "allowed_channels", "format", "formats", "format_ids", "format_kinds",
		"allowed_formats", "device", "devices", "device_types", "platforms", "language", "languages", "audience", "audiences",
		"inventory_type", "inventory_types", "property_type", "property_types", "scope", "scopes", "tasks", "allowed_tasks",
		"operations", "allowed_operations", "restriction", "restrictions", "restricted_to", "limit", "limits", "limited_to",
		"only", "target", "targets", "targeting", "cap", "caps", "cpm", "floor", "budget", "condition", "conditions",
		"allowlist", "whitelist", "allowed_properties", "included_properties", "sites", "domains", "apps", "time_window",
		"window", "valid", "validity", "dayparts", "categories",
	},
	noPublisher: {"publisher", "publishers", "publisher_domain", "publisher_domains"},
}

// excludingPrefixes begin the names of members that are meant to exclude something.
var excludingPrefixes = []string{"exclude_", "excluded_", "excluding_", "except_", "block_", "blocked_", "deny_",
	"denied_", "disallow_", "disallowed_", "forbidden_", "not_in_"}

// Beginnings and ends of the names of members that are meant to limit an entry to places, or to
// something that the format has no member for.
var (
	geoPrefixes      = []string{"geo_", "country_", "countries_", "territory_"}
	geoSuffixes      = []string{"_geo", "_geos", "_country", "_countries", "_territories"}
	limitingPrefixes = []string{"only_", "max_", "min_", "allowed_", "allow_", "limit_", "limited_", "restrict_",
		"restricted_", "target_", "targeting_", "permitted_"}
	limitingSuffixes = []string{"_only", "_limit", "_limits", "_cap", "_caps", "_target", "_targets", "_targeting",
		"_restriction", "_restrictions", "_allowed", "_whitelist", "_allowlist"}
)

func hasAffix(name string, prefixes, suffixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(suffixes, func(p string) bool { return strings.HasSuffix(name, p) })
}

// advices has what to do instead by the name that people write, in snake case.
var advices = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for member, names := range meantNames {
		all[member] = renameTo(member)
		for _, name := range names {
			all[name] = renameTo(member)
		}
	}
	for advice, names := range unsupported {
		for _, name := range names {
			all[name] = advice
		}
	}
	return all
})

func renameTo(member string) string { return "write " + quote(member) }

// ignoredRestriction reports whether an unknown member of an agent entry looks like one
// that narrows it, in whatever way its words are joined, and what to do instead.
func ignoredRestriction(name string, v Value) (string, bool) {
	if announcesExtension(name) {
		return "", false
	}
	folded := snakeCase(name)
	if advice, ok := advices()[folded]; ok {
		return advice, advice != noSwitch || !saysOn(folded, v)
	}
	if hasAffix(folded, excludingPrefixes, nil) {
		return noExclusion, true
	}
	if hasAffix(folded, geoPrefixes, geoSuffixes) {
		return renameTo("countries"), true
	}
	if hasAffix(folded, limitingPrefixes, limitingSuffixes) {
		return noDimension, true
	}
	if near, ok := nearName(model.Agent, folded); ok && slices.Contains(narrowing, near) {
		return renameTo(near), true
	}
	return "", false
}

// saysOn reports whether a switch that the format does not have says what holds anyway:
// the entry is in effect.
func saysOn(name string, v Value) bool {
	switch name {
	case "disabled", "is_disabled", "revoked", "is_revoked", "suspended", "paused", "inactive":
		return v.Is(jsontree.False)
	case "revoked_at":
		return v.Is(Null)
	}
	return v.Bool() || v.Is(String) &&
		slices.Contains([]string{"active", "enabled", "live", "on", "ok"}, strings.ToLower(v.Str()))
}

// announcesExtension reports whether a name says that it is not one of the format's.
func announcesExtension(name string) bool {
	return name == "ext" || strings.HasPrefix(name, "$") || strings.HasPrefix(name, "_") ||
		strings.HasPrefix(name, "x_") || strings.HasPrefix(name, "x-")
}

var nameIndexes sync.Map // *model.ObjectType to *spell.Index

// nearName returns the member of an object type that a name was probably meant
// to be. Names that announce an extension are taken at their word.
func nearName(in *model.ObjectType, name string) (string, bool) {
	if announcesExtension(name) {
		return "", false
	}
	index, ok := nameIndexes.Load(in)
	if !ok {
		index, _ = nameIndexes.LoadOrStore(in, spell.New(in.Names()))
	}
	return index.(*spell.Index).Nearest(oneBytePerRune(name), spell.MaxDistance)
}

// oneBytePerRune makes a letter of another script count as one wrong letter,
// so that a name that only looks like a known one is recognised.
func oneBytePerRune(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return '?'
	}, name)
}

// unroutable reports whether no remote reader can reach a URL's host.
func unroutable(info *hostname.URLInfo) bool {
	if info.IPLiteral.IsValid() {
		return hostname.ReservedAddr(info.IPLiteral)
	}
	return hostname.IsSpecialUse(info.Host) || !strings.Contains(info.Host, ".")
}

// inlineMember reports whether a member is content that belongs into an inline
// file.
func inlineMember(name string) bool {
	switch name {
	case "authorized_agents", "properties", "collections", "placements", "formats", "signals",
		"tags", "placement_tags", "signal_tags", "revoked_publisher_domains", "property_features", "contact":
		return true
	}
	return false
}
