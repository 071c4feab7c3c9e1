package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// agentsListRules ask for the one member every file has.
var agentsListRules = []rule[*File]{
	{
		Rule: Rule{
			Code: "authoritative.no_payload", Severity: Error, Effect: AbortFile,
			Title: "the authoritative file declares nothing",
			Why:   "A file reached through a pointer must have properties, signals or authorized_agents. Without any of them the pointer leads nowhere.",
			Hint:  "publish the declaration at the authoritative location, with authorized_agents",
			Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
			In:    InFile,
			Bad:   "{\n  " + exampleHeading + "\n}",
			Good:  exampleNetworkFile,
			given: func(o *Options) { o.Role = Authoritative },
		},
		check: func(r reporter, x *File) {
			if noPayload(r.content, x) {
				r.say(x.Raw, "the authoritative file has none of properties, signals and authorized_agents")
			}
		},
	},
	{
		Rule: Rule{
			Code: "file.agents_missing", Severity: Error, Effect: AbortFile,
			Title: "authorized_agents is missing",
			Why:   "Every declaration has this member. Consumers stop processing a domain whose file lacks it.",
			Hint:  `add "authorized_agents"; an empty array makes the file a catalog without sales authorization`,
			Spec:  "AdCP adagents.json Tech Spec, top level",
			In:    InFile,
			Bad:   "{\n  " + exampleHeading + "\n}",
			Good:  exampleNetworkFile,
		},
		check: checkAgentsMissing,
	},
	{
		Rule: Rule{
			Code: "file.agents_type", Severity: Error, Effect: AbortFile,
			Title: "authorized_agents is not an array",
			Why:   "Nobody can tell who is authorized, so the file is unusable.",
			Hint:  "write a list: [ ... ], even for one agent",
			Spec:  "AdCP adagents.json Tech Spec, top level",
			In:    InFile,
			fix:   fixAgentsList,
			Bad: "{\n  " + exampleHeading + `,
  "authorized_agents": {"url": "https://agent.example/mcp"}
}`,
			Good: exampleNetworkFile,
		},
		check: func(r reporter, x *File) {
			if v := x.member(atFileAgents); v.Exists() && !v.Is(Array) && !v.Is(Null) {
				r.say(v, "authorized_agents must be an array, not %s", v.Kind())
			}
		},
	},
	{
		Rule: Rule{
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
		},
		check: func(r reporter, x *File) {
			if emptyArray(x.member(atFileAgents)) && !hasCatalog(x) && !catalogUnreadable(x) {
				r.say(x.Raw, "the file has no agents and no catalog content")
			}
		},
	},
	{
		Rule: Rule{
			Code: "file.empty_agents", Severity: Info,
			Title: "authorized_agents is empty",
			Why:   "An empty list asserts no sales authorization. It neither denies nor revokes anything, and the catalog is used.",
			Hint:  "leave it if the file is a catalog, such as a community mirror",
			Spec:  "AdCP adagents.json Tech Spec, top level",
			In:    InFile,
			Bad: "{\n  " + exampleHeading + `,
  "catalog_etag": "v1",
  "collections": [{"collection_id": "daily", "name": "The Daily"}],
  "authorized_agents": []
}`,
			Good: exampleNetworkFile,
		},
		check: func(r reporter, x *File) {
			if v := x.member(atFileAgents); emptyArray(v) && hasCatalog(x) && r.opt.Role != Mirror {
				r.say(v, "the list of agents is empty: the file is a catalog and authorizes nobody")
			}
		},
	},
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

	exampleInline = `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,"authorized_agents":[` + exampleAgent + `]}`
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
	{
		Rule: Rule{
			Code: "file.array_empty", Severity: Warning, Strict: Error,
			Title: "a catalog array is empty",
			Why:   "The published schema wants at least one entry in properties, placements, formats and signals.",
			Hint:  "remove the member or add an entry",
			Spec:  "AdCP adagents.json schema, top level",
			In:    InTopLevel,
			Bad:   `{"placements": []}`,
			Good:  `{"collections": []}`,
			fix:   removeIt(Safe, "remove the empty list"),
		},
		check: func(r reporter, x *File) {
			for _, at := range [...]int{atFileProperties, atFilePlacements, atFileFormats, atFileSignals} {
				if v := x.member(at); emptyArray(v) {
					r.say(v, "%s is empty", model.File.Fields[at].Name)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.type", Severity: Error,
			Title: "contact is not an object",
			Why:   "Buyers look for the managing entity's name and address in members of an object.",
			Hint:  `write {"name": "...", "email": "..."}`,
			Spec:  "AdCP adagents.json Tech Spec, contact",
			In:    InTopLevel,
			Bad:   `{"contact": "adops@example.com"}`,
			Good:  `{"contact": {"name": "Example News", "email": "adops@example.com"}}`,
			fix:   contactFromText,
		},
		check: func(r reporter, x *File) {
			if v := x.member(atFileContact); v.Exists() && !v.Is(Object) {
				r.say(v, "contact must be an object, not %s", v.Kind())
			}
		},
	},
	{
		Rule: Rule{
			Code: "tag.map_type", Severity: Error,
			Title: "a tag map is not an object",
			Why:   "Tag maps explain each tag under its name; a list has no place for the explanation.",
			Hint:  `write {"tag": {"name": "...", "description": "..."}}`,
			Spec:  "AdCP adagents.json Tech Spec, tags",
			In:    InTopLevel,
			Bad:   `{"placement_tags": ["premium"]}`,
			Good:  `{"placement_tags": {}}`,
			fix:   tagsFromList,
		},
		check: func(r reporter, x *File) {
			for _, at := range [...]int{atFileTags, atFilePlacementTags, atFileSignalTags} {
				if v := x.member(at); v.Exists() && !v.Is(Object) {
					r.say(v, "%s must be an object, not %s", model.File.Fields[at].Name, v.Kind())
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "revocation.type", Severity: Error, Effect: AbortFile,
			Title: "revoked_publisher_domains is not an array",
			Why:   "A list of revocations that cannot be read must not count as empty. Consumers keep the file they had.",
			Hint:  "write a list: [ ... ], or remove the member when nothing is revoked",
			Spec:  "avow docs/rules.md",
			In:    InTopLevel,
			Bad:   `{"revoked_publisher_domains": {"publisher_domain": "example.org"}}`,
			Good:  `{"revoked_publisher_domains": []}`,
			fix:   asList(Likely),
		},
		check: func(r reporter, x *File) {
			if v := x.member(atFileRevocations); v.Exists() && !v.Is(Array) {
				r.say(v, "revoked_publisher_domains must be an array, not %s", v.Kind())
			}
		},
	},
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
