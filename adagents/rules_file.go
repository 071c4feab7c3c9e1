package adagents

import (
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/hostname"
)

// agentsListRules ask for the one member every file has.
var agentsListRules = []rule[*File]{
	{Rule: Rule{
		Code: "authoritative.no_payload", Severity: Error, Effect: AbortFile,
		Title: "the authoritative file declares nothing",
		Why: "A file reached through a pointer must have properties, signals or authorized_agents. Without any of them " +
			"the pointer leads nowhere.",
		Hint:  "publish the declaration at the authoritative location, with authorized_agents",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad:   "{\n  " + exampleHeading + "\n}",
		Good:  exampleNetworkFile,
		given: func(o *Options) { o.Role = Authoritative },
	}, check: func(r reporter, x *File) {
		if noPayload(r.content, x) {
			r.say(x.Raw, "the authoritative file has none of properties, signals and authorized_agents")
		}
	}},
	{Rule: Rule{
		Code: "file.agents_missing", Severity: Error, Effect: AbortFile,
		Title: "authorized_agents is missing",
		Why:   "Every declaration has this member. Consumers stop processing a domain whose file lacks it.",
		Hint:  `add "authorized_agents"; an empty array makes the file a catalog without sales authorization`,
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		Bad:   "{\n  " + exampleHeading + "\n}",
		Good:  exampleNetworkFile,
	}, check: checkAgentsMissing},
	{Rule: Rule{
		Code: "file.agents_type", Severity: Error, Effect: AbortFile,
		Title: "authorized_agents is not an array",
		Why:   "It does not say who is authorized, so the file is unusable.",
		Hint:  "write a list: [ ... ], even for one agent",
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		fix:   fixAgentsList,
		Bad: "{\n  " + exampleHeading + `,
  "authorized_agents": {"url": "https://agent.example/mcp"}
}`,
		Good: exampleNetworkFile,
	}, check: func(r reporter, x *File) {
		if v := x.member(atFileAgents); v.Exists() && !v.Is(Array) && !v.Is(Null) {
			r.say(v, "authorized_agents must be an array, not %s", v.Kind())
		}
	}},
	{Rule: Rule{
		Code: "file.no_content", Severity: Error,
		Title: "the file declares nothing",
		Why:   "A file with neither agents nor catalog content is invalid. Consumers find nothing in it.",
		Hint:  "name an agent, or describe properties, collections, placements, formats or signals",
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		Bad: "{\n  " + exampleHeading + `,
  "authorized_agents": []
}`,
		Good: exampleNetworkFile,
	}, check: func(r reporter, x *File) {
		if emptyArray(x.member(atFileAgents)) && !hasCatalog(x) && !catalogUnreadable(x) {
			r.say(x.Raw, "the file has no agents and no catalog content")
		}
	}},
	{Rule: Rule{
		Code: "file.empty_agents", Severity: Info,
		Title: "authorized_agents is empty",
		Why: "An empty list asserts no sales authorization. It neither denies nor revokes anything, and the catalog is " +
			"used.",
		Hint: "leave it if the file is a catalog, such as a community mirror",
		Spec: "AdCP adagents.json Tech Spec, top level",
		In:   InFile,
		Bad: "{\n  " + exampleHeading + `,
  "catalog_etag": "v1",
  "collections": [{"collection_id": "daily", "name": "The Daily"}],
  "authorized_agents": []
}`,
		Good: exampleNetworkFile,
	}, check: func(r reporter, x *File) {
		if v := x.member(atFileAgents); emptyArray(v) && hasCatalog(x) && r.opt.Role != Mirror {
			r.say(v, "the list of agents is empty: the file is a catalog and authorizes no agent")
		}
	}},
}

// Whole files without findings, for examples about the top level.
const (
	exampleSchema = `"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json"`

	exampleHeading = exampleSchema + `,
  "last_updated": "2026-01-02T00:00:00Z"`

	exampleNetwork = `"authorized_agents": [
    {
      "url": "https://agent.example/mcp",
      "authorized_for": "A network of publishers",
      "authorization_type": "publisher_properties",
      "publisher_properties": [{"publisher_domain": "example.org", "selection_type": "all"}],
      "signing_keys": [` + exampleKey + `]
    }
  ]`

	exampleNetworkFile = "{\n  " + exampleHeading + ",\n  " + exampleNetwork + "\n}"

	exampleInline = `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent + `]}`
)

// noPayload reports whether a file reached through a pointer lacks everything
// such a file must have.
func noPayload(c *content, x *File) bool {
	return c.opt.Role == Authoritative && !x.member(atFileAgents).Exists() &&
		!x.member(atFileProperties).Exists() && !x.member(atFileSignals).Exists()
}

func checkAgentsMissing(r reporter, x *File) {
	v := x.member(atFileAgents)
	if v.Exists() && !v.Is(Null) || noPayload(r.content, x) {
		return
	}
	msg := "the file has no authorized_agents"
	if v.Is(Null) {
		msg = "authorized_agents is null"
	}
	r.sayOf(x.Raw, v, "authorized_agents", "%s", msg)
}

func emptyArray(v Value) bool { return v.Is(Array) && v.Len() == 0 }

// catalogSections are the members that make a file a catalog.
var catalogSections = [...]int{atFileProperties, atFileCollections, atFilePlacements, atFileFormats, atFileSignals}

func hasCatalog(x *File) bool {
	for _, at := range catalogSections {
		if v := x.member(at); v.Is(Array) && v.Len() > 0 {
			return true
		}
	}
	return false
}

// catalogUnreadable reports whether some catalog section has the wrong type,
// which is then the thing to fix.
func catalogUnreadable(x *File) bool {
	for _, at := range catalogSections {
		if v := x.member(at); v.Exists() && !v.Is(Array) {
			return true
		}
	}
	return false
}

// sectionRules look at sections as a whole; the entries have their own rules.
var sectionRules = []rule[*File]{
	{Rule: Rule{
		Code: "file.array_empty", Severity: Warning, Strict: Error,
		Title: "a catalog array is empty",
		Why:   "The published schema wants at least one entry in properties, placements, formats and signals.",
		Hint:  "remove the member or add an entry",
		Spec:  "AdCP adagents.json schema, top level",
		In:    InTopLevel,
		Bad:   `{"placements": []}`,
		Good:  `{"collections": []}`,
		fix:   removeIt(Safe, "remove the empty list"),
	}, shapes: shapes{
		{empty, atFileProperties, "properties is empty"},
		{empty, atFilePlacements, "placements is empty"},
		{empty, atFileFormats, "formats is empty"},
		{empty, atFileSignals, "signals is empty"},
	}},
	{Rule: Rule{
		Code: "contact.type", Severity: Error,
		Title: "contact is not an object",
		Why:   "Buyers look for the managing entity's name and address in members of an object.",
		Hint:  `write {"name": "...", "email": "..."}`,
		Spec:  "AdCP adagents.json Tech Spec, contact",
		In:    InTopLevel,
		Bad:   `{"contact": "adops@example.com"}`,
		Good:  `{"contact": {"name": "Example News", "email": "adops@example.com"}}`,
		fix:   contactFromText,
	}, shapes: shapes{{wrongKind, atFileContact, "contact must be an object, not %s"}}},
	{Rule: Rule{
		Code: "tag.map_type", Severity: Error,
		Title: "a tag map is not an object",
		Why:   "Tag maps explain each tag under its name; a list has no place for the explanation.",
		Hint:  `write {"tag": {"name": "...", "description": "..."}}`,
		Spec:  "AdCP adagents.json Tech Spec, tags",
		In:    InTopLevel,
		Bad:   `{"placement_tags": ["premium"]}`,
		Good:  `{"placement_tags": {}}`,
		fix:   tagsFromList,
	}, shapes: shapes{
		{wrongKind, atFileTags, "tags must be an object, not %s"},
		{wrongKind, atFilePlacementTags, "placement_tags must be an object, not %s"},
		{wrongKind, atFileSignalTags, "signal_tags must be an object, not %s"},
	}},
	{Rule: Rule{
		Code: "revocation.type", Severity: Error, Effect: AbortFile,
		Title: "revoked_publisher_domains is not an array",
		Why:   "A list of revocations that cannot be read must not count as empty. Consumers keep the file they had.",
		Hint:  "write a list: [ ... ], or remove the member when nothing is revoked",
		Spec:  "avow docs/rules.md",
		In:    InTopLevel,
		Bad:   `{"revoked_publisher_domains": {"publisher_domain": "example.org"}}`,
		Good:  `{"revoked_publisher_domains": []}`,
		fix:   asList(Likely),
	}, shapes: shapes{{wrongKind, atFileRevocations, "revoked_publisher_domains must be an array, not %s"}}},
}

// schemaMajor returns the major version a schema URL names, if it names one.
func schemaMajor(url string) (string, bool) {
	_, rest, ok := strings.Cut(url, "/schemas/")
	if !ok || !strings.HasSuffix(rest, "adagents.json") {
		return "", false
	}
	segment, _, _ := strings.Cut(rest, "/")
	major, _, _ := strings.Cut(strings.TrimPrefix(segment, "v"), ".")
	return major, isDigits(major)
}

// contactRules look at the managing entity. A contact never decides who may
// sell, so none of them has an effect on consumers.
var contactRules = []rule[*Contact]{
	{Rule: Rule{
		Code: "contact.name_missing", Severity: Error,
		Title: "a contact needs a name",
		Why:   "The contact tells buyers who manages the file; without a name it tells them nothing.",
		Hint:  "name the publisher or the company that manages the file",
		Spec:  "AdCP adagents.json Tech Spec, contact",
		In:    InContact,
		Bad:   `{"email": "adops@example.com"}`,
		Good:  `{"name": "Example News", "email": "adops@example.com"}`,
		fix:   contactName,
	}, shapes: shapes{{unstated, atContactName, "the contact has no name"}}},
	{Rule: Rule{
		Code: "contact.name_length", Severity: Error,
		Title: "the contact's name is too long",
		Why:   "A name has at most 255 characters; longer ones do not fit where buyers store them.",
		Hint:  "shorten the name",
		Spec:  "AdCP adagents.json schema, contact",
		In:    InContact,
		Bad: `{"name": "Example News and Weather and Sports and Culture and Business and Science and Travel and Food and Style and ` +
			`Health and Opinion and Podcasts and Video and Games and Crosswords and Recipes and Obituaries and Classifieds and Archives ` +
			`of the Greater Example Metropolitan Area"}`,
		Good: `{"name": "Example News"}`,
	}, shapes: shapes{{tooLong, atContactName, "name has %d characters, at most %d are allowed"}}},
	{Rule: Rule{
		Code: "contact.email_invalid", Severity: Warning, Strict: Error,
		Title: "the contact's email is not an address",
		Why:   "Buyers write to this address when something in the file is unclear.",
		Hint:  "write one plain address, for example adops@example.com",
		Spec:  "AdCP adagents.json Tech Spec, contact",
		In:    InContact,
		Bad:   `{"name": "Example News", "email": "adops at example.com"}`,
		Good:  `{"name": "Example News", "email": "adops@example.com"}`,
		fix: oneOf(Safe, rewriteText(Safe, func(_ fixing, text string) (string, bool) {
			return emailOf(text)
		}), removeBlank()),
	}, check: func(r reporter, x *Contact) {
		if v := x.member(atContactEmail); v.Is(String) &&
			(!conform.IsEmail(x.Email) || utf8.RuneCountInString(x.Email) > 255) {
			r.say(v, "%s is not an email address", quote(x.Email))
		}
	}},
	{Rule: Rule{
		Code: "contact.domain_invalid", Severity: Warning, Strict: Error,
		Title: "the contact's domain is not a domain name",
		Why:   "The domain identifies the managing entity and is compared with other files.",
		Hint:  "write the bare domain in lower case, for example example.com",
		Spec:  "AdCP adagents.json schema, contact",
		In:    InContact,
		Bad:   `{"name": "Example News", "domain": "https://Example.com/"}`,
		Good:  `{"name": "Example News", "domain": "example.com"}`,
		fix:   plainDomain(Safe),
	}, check: func(r reporter, x *Contact) {
		v := x.member(atContactDomain)
		if !v.Is(String) || hostname.IsCanonical(x.Domain) {
			return
		}
		f := r.say(v, "%s is not a domain name", quote(x.Domain))
		name, _, err := hostname.Canonical(x.Domain)
		if err == nil {
			f.withHint("write %q", name)
		}
	}},
	{Rule: Rule{
		Code: "contact.seller_id_length", Severity: Error,
		Title: "the contact's seller_id has a wrong length",
		Why:   "The identifier from the seller list has 1 to 255 characters.",
		Hint:  "write the identifier, or remove the member",
		Spec:  "AdCP adagents.json schema, contact",
		In:    InContact,
		Bad:   `{"name": "Example News", "seller_id": ""}`,
		Good:  `{"name": "Example News", "seller_id": "pub-1234"}`,
		fix:   removeBlank(),
	}, shapes: shapes{
		{empty, atContactSellerID, "seller_id is empty"},
		{tooLong, atContactSellerID, "seller_id has %d characters, at most %d are allowed"},
	}},
	{Rule: Rule{
		Code: "contact.tag_id_length", Severity: Error,
		Title: "the contact's tag_id has a wrong length",
		Why:   "The identifier of the fraud-certification program has 1 to 100 characters.",
		Hint:  "write the identifier, or remove the member",
		Spec:  "AdCP adagents.json schema, contact",
		In:    InContact,
		Bad:   `{"name": "Example News", "tag_id": ""}`,
		Good:  `{"name": "Example News", "tag_id": "67890"}`,
		fix:   removeBlank(),
	}, shapes: shapes{
		{empty, atContactTagID, "tag_id is empty"},
		{tooLong, atContactTagID, "tag_id has %d characters, at most %d are allowed"},
	}},
	{Rule: Rule{
		Code: "contact.privacy_policy_url_invalid", Severity: Warning, Strict: Error,
		Title: "privacy_policy_url is not a URL",
		Why:   "Consent flows show this link to consumers.",
		Hint:  "write the whole URL, for example https://example.com/privacy",
		Spec:  "AdCP adagents.json Tech Spec, contact",
		In:    InContact,
		Bad:   `{"name": "Example News", "privacy_policy_url": "example.com/privacy"}`,
		Good:  `{"name": "Example News", "privacy_policy_url": "https://example.com/privacy"}`,
		fix:   secureURL(Safe),
	}, check: func(r reporter, x *Contact) {
		v := x.member(atContactPrivacyPolicyURL)
		if !v.Is(String) {
			return
		}
		if fault := conform.URLFault(x.PrivacyPolicyURL, false); fault != "" {
			r.say(v, "privacy_policy_url %s", fault)
		}
	}},
	{Rule: Rule{
		Code: "contact.privacy_policy_not_https", Severity: Warning,
		Title: "privacy_policy_url is not https",
		Why:   "Consumers should not read a privacy policy over a connection that can be altered.",
		Hint:  "link to the https page",
		Spec:  "avow docs/rules.md",
		In:    InContact,
		Bad:   `{"name": "Example News", "privacy_policy_url": "http://example.com/privacy"}`,
		Good:  `{"name": "Example News", "privacy_policy_url": "https://example.com/privacy"}`,
		fix:   secureURL(Safe),
	}, check: func(r reporter, x *Contact) {
		if x.PrivacyPolicyURL == "" {
			return
		}
		_, info, err := hostname.CanonicalURL(x.PrivacyPolicyURL)
		if err == nil && info.Scheme != "https" {
			r.say(x.member(atContactPrivacyPolicyURL), "privacy_policy_url %s is not an https URL", quote(x.PrivacyPolicyURL))
		}
	}},
}
