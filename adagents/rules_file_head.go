package adagents

import (
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/hostname"
)

// fileHeadRules look at what the file says about itself.
var fileHeadRules = []rule[*File]{
	{Rule: Rule{
		Code: "file.schema_missing", Severity: Info,
		Title: "$schema is missing",
		Why:   "With it, editors check the file while it is typed.",
		Hint:  `add "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json"`,
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		Bad: `{
  "last_updated": "2026-01-02T00:00:00Z",
  ` + exampleNetwork + "\n}",
		Good: exampleNetworkFile,
		fix:  addMember(Likely, func(x fixing) (string, bool) { return jsonedit.String(SchemaURL), x.isDeclaration() }),
	}, shapes: shapes{{absent, atFileSchema, "the file has no $schema"}}},
	{Rule: Rule{
		Code: "file.schema_type", Severity: Error,
		Title: "$schema is not a string",
		Why:   "The member names a schema by its URL.",
		Hint:  `write "https://adcontextprotocol.org/schemas/v3/adagents.json"`,
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		Bad: `{
  "$schema": 3,
  "last_updated": "2026-01-02T00:00:00Z",
  ` + exampleNetwork + "\n}",
		Good: exampleNetworkFile,
		fix: remedy{Safe, func(x fixing) []Fix {
			return x.one("name the published schema", x.Replace(x.at, jsonedit.String(SchemaURL)))
		}},
	}, shapes: shapes{{wrongKind, atFileSchema, "$schema must be a string, not %s"}}},
	{Rule: Rule{
		Code: "file.schema_major", Severity: Warning,
		Title: "$schema names another major version",
		Why:   "The format described here is major version 3; editors would check the file against another one.",
		Hint:  `write "https://adcontextprotocol.org/schemas/v3/adagents.json"`,
		Spec:  "AdCP adagents.json Tech Spec, versions",
		In:    InFile,
		Bad: `{
  "$schema": "https://adcontextprotocol.org/schemas/v2/adagents.json",
  "last_updated": "2026-01-02T00:00:00Z",
  ` + exampleNetwork + "\n}",
		Good: exampleNetworkFile,
	}, check: func(r reporter, x *File) {
		if major, ok := schemaMajor(x.Schema); ok && major != "3" {
			r.say(x.member(atFileSchema), "$schema names major version %s, this format is version 3", clip(major))
		}
	}},
	{Rule: Rule{
		Code: "file.version_type", Severity: Warning, Strict: Error,
		Title: "version is not a string",
		Why:   "A number loses its form in some readers: 1.10 becomes 1.1.",
		Hint:  "put the version in quotes",
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InTopLevel,
		Bad:   `{"version": 1.10}`,
		Good:  `{"version": "1.10"}`,
		fix:   numberAsText(Safe),
	}, shapes: shapes{{wrongKind, atFileVersion, "version must be a string, not %s"}}},
	{Rule: Rule{
		Code: "file.last_updated_missing", Severity: Info,
		Title: "last_updated is missing",
		Why:   "Consumers use it to notice that a cached copy is stale.",
		Hint:  "add the time of the last change, for example 2026-01-02T00:00:00Z",
		Spec:  "AdCP adagents.json Tech Spec, caching",
		In:    InFile,
		Bad:   "{\n  " + exampleSchema + ",\n  " + exampleNetwork + "\n}",
		Good:  exampleNetworkFile,
		fix:   addPresent(Likely),
	}, shapes: shapes{{absent, atFileLastUpdated, "the file has no last_updated"}}},
}

// catalogRules look at the members that describe the catalog as a whole.
var catalogRules = []rule[*File]{
	{Rule: Rule{
		Code: "file.catalog_etag_invalid", Severity: Error,
		Title: "catalog_etag is not a usable token",
		Why:   "Caches keep the catalog under this token. It is a string of 1 to 255 characters.",
		Hint:  "write a short string that changes with the catalog",
		Spec:  "AdCP adagents.json schema, top level",
		In:    InFile,
		Bad: "{\n  " + exampleHeading + `,
  "catalog_etag": "",
  ` + exampleNetwork + "\n}",
		Good: "{\n  " + exampleHeading + `,
  "catalog_etag": "v1",
  ` + exampleNetwork + "\n}",
		fix: oneOf(Safe, numberAsText(Safe), removeBlank()),
	}, shapes: shapes{
		{wrongKind, atFileCatalogETag, "catalog_etag must be a string, not %s"},
		{empty, atFileCatalogETag, "catalog_etag is empty"},
		{tooLong, atFileCatalogETag, "catalog_etag has %d characters, at most %d are allowed"},
	}},
	{Rule: Rule{
		Code: "file.catalog_etag_missing", Severity: Warning,
		Title: "a catalog without catalog_etag",
		Why: "Without the token buyers cannot tell whether the catalog changed, and fall back to HTTP validators and " +
			"short caching.",
		Hint:   "add a token that changes whenever the catalog does",
		Spec:   "AdCP adagents.json Tech Spec, caching",
		Varies: "info when the file names agents",
		In:     InFile,
		Bad: "{\n  " + exampleHeading + `,
  "collections": [{"collection_id": "daily", "name": "The Daily"}],
  ` + exampleNetwork + "\n}",
		Good: "{\n  " + exampleHeading + `,
  "catalog_etag": "v1",
  "collections": [{"collection_id": "daily", "name": "The Daily"}],
  ` + exampleNetwork + "\n}",
	}, check: func(r reporter, x *File) {
		if x.member(atFileCatalogETag).Exists() || !hasCatalog(x) {
			return
		}
		f := r.missing(x.Raw, "catalog_etag", "the file has catalog content and no catalog_etag")
		if !emptyArray(x.member(atFileAgents)) {
			f.withSeverity(Info)
		}
	}},
	{Rule: Rule{
		Code: "file.catalog_role_invalid", Severity: Error,
		Title: "catalog_role has an unknown value",
		Why:   "The only role defined is community_format_registry.",
		Hint:  `write "community_format_registry" or remove the member`,
		Spec:  "AdCP adagents.json schema, top level",
		In:    InTopLevel,
		Bad:   `{"catalog_role": "mirror"}`,
		Good:  `{"catalog_role": "community_format_registry"}`,
		fix:   oneOf(Safe, nearestWord(nil, []string{communityRegistry}), removeIt(Safe, "remove the unknown role")),
	}, check: func(r reporter, x *File) {
		switch v := x.member(atFileCatalogRole); {
		case v.Is(String) && x.CatalogRole != communityRegistry:
			r.say(v, "catalog_role is %s; the only role is %q", quote(x.CatalogRole), communityRegistry)
		case v.Exists() && !v.Is(String):
			r.say(v, "catalog_role must be a string, not %s", v.Kind())
		}
	}},
}

// communityRegistry is the one value of catalog_role.
const communityRegistry = "community_format_registry"

// supersededRules look at the end of a community mirror.
var supersededRules = []rule[*File]{
	{Rule: Rule{
		Code: "file.superseded_by_invalid", Severity: Error,
		Title: "superseded_by is not an https URL",
		Why:   "Buyers fetch the platform's own file from this URL.",
		Hint:  "write the absolute https URL of the file that replaces this one",
		Spec:  "AdCP adagents.json Tech Spec, superseded_by",
		In:    InTopLevel,
		Bad:   `{"superseded_by": "http://example.org/.well-known/adagents.json"}`,
		Good:  `{"version": "1.0"}`,
		fix:   secureURL(Likely),
	}, check: func(r reporter, x *File) {
		v := x.member(atFileSupersededBy)
		if !v.Exists() || validSuperseded(x) {
			return
		}
		if !v.Is(String) {
			r.say(v, "superseded_by must be a string, not %s", v.Kind())
			return
		}
		r.say(v, "superseded_by %s", successorFault(x.SupersededBy))
	}},
	{Rule: Rule{
		Code: "file.superseded_self", Severity: Warning,
		Title: "superseded_by names this very file",
		Why:   "Buyers would fetch the same file again. This needs the URL the file was obtained from.",
		Hint:  "name the platform's own file, or remove the member",
		Spec:  "AdCP adagents.json Tech Spec, superseded_by",
		In:    InTopLevel,
		Bad:   `{"superseded_by": "https://example.com/.well-known/adagents.json"}`,
		Good:  `{"version": "1.0"}`,
		fix:   removeIt(Safe, "remove superseded_by"),
		given: func(o *Options) { o.URL = "https://example.com/.well-known/adagents.json" },
	}, check: func(r reporter, x *File) {
		if supersededSelf(r.content, x) {
			r.say(x.member(atFileSupersededBy), "superseded_by %s is the URL of this file", quote(x.SupersededBy))
		}
	}},
	{Rule: Rule{
		Code: "file.superseded_with_agents", Severity: Warning,
		Title: "a superseded file still authorizes agents",
		Why:   "Only catalog-only mirrors are superseded. Buyers leave for the other file and never see these agents.",
		Hint:  "empty authorized_agents, or remove superseded_by",
		Spec:  "AdCP adagents.json Tech Spec, superseded_by",
		In:    InTopLevel,
		Bad:   `{"superseded_by": "https://example.org/.well-known/adagents.json"}`,
		Good:  `{"version": "1.0"}`,
	}, check: func(r reporter, x *File) {
		if len(x.Agents) > 0 && validSuperseded(x) && !supersededSelf(r.content, x) {
			r.say(x.member(atFileSupersededBy), "the file is superseded by %s and still names %s", quote(x.SupersededBy),
				counted(len(x.Agents), "agent"))
		}
	}},
}

func validSuperseded(x *File) bool {
	return x.member(atFileSupersededBy).Is(String) && successorFault(x.SupersededBy) == ""
}

func supersededSelf(c *content, x *File) bool {
	return c.opt.URL != "" && validSuperseded(x) && hostname.SameResource(x.SupersededBy, c.opt.URL)
}
