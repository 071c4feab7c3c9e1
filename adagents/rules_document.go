package adagents

import (
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// examplePointer is the shortest file without findings.
const examplePointer = `{
  "authoritative_location": "https://example.org/adagents.json",
  "last_updated": "2026-01-02T00:00:00Z"
}`

// encodingRules look at the bytes before there is a tree.
var encodingRules = []Rule{
	{
		Code: "file.too_large", Severity: Error, Effect: AbortFile,
		Title: "the file exceeds the size limit",
		Why: "Consumers stop reading at a limit, so that no file can exhaust their memory. A file over it is not read at " +
			"all.",
		Hint: "shorten the file, or describe large networks by property tags and publisher_properties selectors",
		Spec: "avow docs/rules.md",
		In:   InBytes,
		Bad: `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "authoritative_location": "https://example.org/adagents.json",
  "last_updated": "2026-01-02T00:00:00Z"
}`,
		Good:  examplePointer,
		given: func(o *Options) { o.MaxBytes = len(examplePointer) },
	},
	{
		Code: "file.empty", Severity: Error, Effect: AbortFile,
		Title: "the file is empty",
		Why:   "An empty body is not JSON; consumers treat the file as unusable.",
		Hint:  "write a declaration, or remove the file",
		Spec:  "RFC 8259",
		In:    InBytes,
		Bad:   "",
		Good:  examplePointer,
	},
	{
		Code: "file.not_utf8", Severity: Error, Effect: AbortFile,
		Title: "the file is not UTF-8",
		Why:   "JSON is exchanged in UTF-8. Readers replace other bytes by different characters or refuse the file.",
		Hint:  "save the file as UTF-8",
		Spec:  "RFC 8259, section 8.1",
		In:    InBytes,
		Bad:   "{\"authorized_agents\": [], \"contact\": {\"name\": \"Caf\xe9\"}}",
		Good:  examplePointer,
		fix:   remedy{kind: Likely},
	},
	{
		Code: "file.encoding_unsupported", Severity: Error, Effect: AbortFile,
		Title: "the file is UTF-16 or UTF-32",
		Why:   "JSON is exchanged in UTF-8; hardly any reader accepts another encoding.",
		Hint:  "save the file as UTF-8 without a byte order mark",
		Spec:  "RFC 8259, section 8.1",
		In:    InBytes,
		Bad:   "\xff\xfe{\x00}\x00",
		Good:  examplePointer,
		fix:   remedy{kind: Likely},
	},
	{
		Code: "file.json_invalid", Severity: Error, Effect: AbortFile,
		Title: "the file is not JSON",
		Why:   "A file that cannot be parsed is unusable as a whole: consumers stop processing the domain.",
		Hint:  "fix the syntax at the location named",
		Spec:  "RFC 8259",
		In:    InBytes,
		Bad:   `{"authorized_agents": [],}`,
		Good:  examplePointer,
		fix:   remedy{kind: Likely},
	},
	{
		Code: "file.too_deep", Severity: Error, Effect: AbortFile,
		Title: "the values are nested too deeply",
		Why:   "No declared structure needs more than a dozen levels. Deep nesting is a way to exhaust a reader.",
		Hint:  "remove the nesting; at most 64 levels are read",
		Spec:  "RFC 8259, section 9",
		In:    InBytes,
		Bad:   `{"ext": ` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
		Good:  examplePointer,
	},
	{
		Code: "file.too_complex", Severity: Error, Effect: AbortFile,
		Title: "the file has too many values",
		Why: "The number of values is bounded, like the size, so that no file can exhaust the memory of its readers. So " +
			"is that of keys, 10,000 in a file, because each of them takes long to check.",
		Hint:  "shorten the file, or describe large networks by property tags and publisher_properties selectors",
		Spec:  "avow docs/rules.md",
		In:    InBytes,
		Bad:   `{"authorized_agents": [], "ext": [1, 2, 3]}`,
		Good:  examplePointer,
		given: func(o *Options) { o.MaxValues = 4 },
	},
}

// treeRules look at the document before its members are known.
var treeRules = []Rule{
	{
		Code: "file.bom", Severity: Warning,
		Title: "the file starts with a byte order mark",
		Why:   "JSON has none. Some readers skip it, others refuse the file.",
		Hint:  "save the file as UTF-8 without a byte order mark",
		Spec:  "RFC 8259, section 8.1",
		In:    InBytes,
		Bad:   "\ufeff" + examplePointer,
		Good:  examplePointer,
		fix:   remedy{Safe, func(x fixing) []Fix { return x.one("remove the byte order mark", Edit{End: len("\ufeff")}) }},
	},
	{
		Code: "file.not_object", Severity: Error, Effect: AbortFile,
		Title: "the top level is not an object",
		Why:   "A declaration is one JSON object. Nothing else can name agents or properties.",
		Hint:  `start with { and give the object an "authorized_agents" member`,
		Spec:  "AdCP adagents.json Tech Spec, top level",
		In:    InFile,
		Bad:   `[{"url": "https://agent.example/mcp"}]`,
		Good:  examplePointer,
		fix:   oneOf(Likely, onlyObject, agentsFromList),
	},
	{
		Code: "file.duplicate_key", Severity: Error, Effect: AbortFile,
		Title: "a member occurs twice in an object",
		Why: "Readers disagree about which of the two to use, so that one file authorizes different agents for " +
			"different buyers.",
		Hint:   "keep one of the members",
		Spec:   "RFC 8259, section 4",
		Varies: "a warning without effect outside the top level, authorized_agents and revoked_publisher_domains",
		In:     InTopLevel,
		Bad:    `{"version": "1.0", "version": "2.0"}`,
		Good:   `{"version": "2.0"}`,
		fix:    oneOfTheTwo,
	},
	{
		Code: "authoritative.nested", Severity: Error, Effect: AbortFile,
		Title: "the authoritative file is itself a pointer",
		Why:   "Only one hop is followed. This applies to a file that was reached through a pointer.",
		Hint:  "let the publisher's pointer name the final file, or remove authoritative_location from this one",
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		In:    InFile,
		Bad:   examplePointer,
		Good:  exampleNetworkFile,
		given: func(o *Options) { o.Role = Authoritative },
	},
}

// documentRules arise from reading the file, not from one kind of object.
var documentRules = [][]Rule{encodingRules, treeRules, timestampRules, memberRules}

// documentRule finds the rules above by code.
var documentRule = sync.OnceValue(func() map[string]*Rule {
	m := make(map[string]*Rule)
	for _, rules := range documentRules {
		for i := range rules {
			m[rules[i].Code] = &rules[i]
		}
	}
	return m
})

// under returns a reporter of a document rule.
func (c *checker) under(code string) reporter {
	return reporter{&c.content, &c.findings, documentRule()[code], nil}
}

// checkTree applies the rules about the document as such.
func (c *checker) checkTree() {
	root := c.tree.Root()
	if c.tree.HasBOM() {
		c.under("file.bom").say(root, "the file starts with a UTF-8 byte order mark")
	}
	if !root.Is(Object) {
		c.under("file.not_object").say(root, "the top level is %s, not an object", root.Kind())
		return
	}
	c.checkDuplicates(root)
}

// checkDuplicates reports repeated members. Where they could make a file mean
// two things about who may sell, nothing of the file is used.
func (c *checker) checkDuplicates(root Value) {
	dups := c.tree.Duplicates()
	if len(dups) == 0 {
		return
	}
	r := c.under("file.duplicate_key")
	agents, revoked := root.Get("authorized_agents"), root.Get("revoked_publisher_domains")
	for _, d := range dups {
		n := d.Owner.Node()
		if n == 0 || inside(agents, n) || inside(revoked, n) {
			r.say(d.Owner, "the member %s occurs more than once in one object", quote(d.Name())).shownAt(d.Node())
			continue
		}
		r.sayAs(Warning, d.Owner, "the member %s occurs more than once in one object; the last one is used",
			quote(d.Name())).shownAt(d.Node())
	}
}

// clockTolerance is how far a timestamp may lie ahead of the present before it
// is in the future: clocks differ a little.
const clockTolerance = time.Minute

// timestampRules look at the timestamps of every kind of file. Those that
// decide something (windows, revocations) have rules in their own sections.
var timestampRules = []Rule{
	{
		Code: "file.timestamp_invalid", Severity: Error,
		Title: "a timestamp is not RFC 3339",
		Why:   "A time without offset means different instants to different readers; other forms are not understood at all.",
		Hint:  "write date, time and offset, for example 2026-01-02T00:00:00Z",
		Spec:  "RFC 3339",
		Varies: "a warning for last_updated in the default profile, because it is advisory; a signing key whose revoked_at " +
			"cannot be read is dropped",
		In:   InFile,
		Bad:  `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2 January 2026"}`,
		Good: examplePointer,
		fix:  asTimestamp(Likely),
	},
	{
		Code: "file.last_updated_future", Severity: Warning,
		Title: "last_updated lies in the future",
		Why: "Consumers compare it with their copies; a future time makes later changes look old. More than a minute " +
			"ahead is reported.",
		Hint: "write the time of the last change",
		Spec: "AdCP adagents.json Tech Spec, caching",
		In:   InFile,
		Bad:  examplePointer,
		Good: `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2025-12-31T00:00:00Z"}`,
		fix: remedy{Safe, func(x fixing) []Fix {
			at, ok := x.present()
			if !ok || x.opt.Now.IsZero() {
				return nil
			}
			return x.one("write the present time", x.Replace(x.at, jsonedit.String(at)))
		}},
		given: func(o *Options) { o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
	},
	{
		Code: "file.last_updated_old", Severity: Info,
		Title: "last_updated is more than two years old",
		Why: "Buyers take a file that was not touched for years for a forgotten one. It is looked for only when the time " +
			"of checking is given.",
		Hint:  "check that everything in the file still holds, and write the present time",
		Spec:  "AdCP adagents.json Tech Spec, caching",
		In:    InFile,
		Bad:   `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2023-12-31T00:00:00Z"}`,
		Good:  `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2025-12-31T00:00:00Z"}`,
		given: func(o *Options) { o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
	},
}

// timestamps checks the timestamps that no section has a rule for.
func (c *checker) checkTimestamps() {
	if p := c.report.Pointer; p != nil {
		c.lastUpdated(p.member(atPointerLastUpdated))
	}
	f := c.file
	if f == nil {
		return
	}
	c.lastUpdated(f.member(atFileLastUpdated))
	for i := range f.Signals {
		c.advisory(f.Signals[i].member(atSignalLastUpdated))
	}
	for i := range f.Agents {
		c.advisory(f.Agents[i].member(atAgentLastUpdated))
		c.keyTimestamps(&f.Agents[i])
	}
}

// lastUpdated checks the time of the whole file.
func (c *checker) lastUpdated(v Value) {
	c.advisory(v)
	instant, err := rfc3339.Parse(v.Str())
	if err == nil && !c.opt.Now.IsZero() && instant.After(c.opt.Now.Add(clockTolerance)) {
		c.under("file.last_updated_future").say(v, "last_updated %s lies in the future", quote(v.Str()))
	}
	if err == nil && instant.Before(c.opt.Now.AddDate(-2, 0, 0)) {
		c.under("file.last_updated_old").say(v, "last_updated %s is more than two years old", quote(v.Str()))
	}
}

func (c *checker) advisory(v Value) {
	if !v.Is(String) {
		return
	}
	_, err := rfc3339.Parse(v.Str())
	if err != nil {
		c.under("file.timestamp_invalid").sayAs(c.lenient(), v, "last_updated %s is not a timestamp: %v", quote(v.Str()), err)
	}
}

// misread reports whether a known member of an object has another JSON type
// than declared.
func misread(v Value, o *model.ObjectType) bool {
	for m := range v.Members() {
		if f := o.Field(m.Name()); f != nil && !conform.KindFits(m.Value(), f.Type.Kind) {
			return true
		}
	}
	return false
}

// keyTimestamps drops keys with an unreadable end: whether a signature was
// made before it cannot be told. The same goes for keys with any member of the
// wrong type, which must not be taken for keys without that member.
func (c *checker) keyTimestamps(a *Agent) {
	for i := range a.SigningKeys {
		k := &a.SigningKeys[i]
		if misread(k.Raw, model.SigningKey) {
			c.findings.lose(&k.effect, DropRef)
		}
		v := k.member(atSigningKeyRevokedAt)
		if !v.Is(String) {
			continue
		}
		_, err := rfc3339.Parse(v.Str())
		if err == nil {
			continue
		}
		r := c.under("file.timestamp_invalid")
		r.effect = &k.effect
		r.sayWith(Error, DropRef, v, "revoked_at %s is not a timestamp: %v", quote(v.Str()), err)
	}
}

// memberRules look at members that no section has a rule for, anywhere in the
// file: unknown members, members of the wrong type, and secrets.
var memberRules = []Rule{
	{
		Code: "file.field_type", Severity: Error, Effect: SkipEntry,
		Title:  "a member has the wrong type",
		Why:    "Consumers read such a member as if it were absent; a whole section of the wrong type is left out.",
		Hint:   "write the value in the type the member has",
		Spec:   "AdCP adagents.json Tech Spec, top level",
		Varies: "without effect below the top level, except that a signing key is dropped",
		In:     InTopLevel,
		fix:    fixType,
		Bad:    `{"collections": {"collection_id": "daily", "name": "The Daily"}}`,
		Good:   `{"collections": [{"collection_id": "daily", "name": "The Daily"}]}`,
	},
	{
		Code: "file.key_case", Severity: Warning,
		Title: "a member name differs from a known one by case",
		Why:   "Member names are case-sensitive. Some readers bind the member all the same, most ignore it.",
		Hint:  "write the name in lower case",
		Spec:  "RFC 8259, section 4",
		In:    InTopLevel,
		Bad:   `{"Version": "1.0"}`,
		Good:  `{"version": "1.0"}`,
		fix:   otherNameRule.fix,
	},
	{
		Code: "file.misspelled_field", Severity: Warning,
		Title: "a member name looks like a misspelling",
		Why:   "Readers ignore members they do not know, so a slip in a name silently drops what it says.",
		Hint:  "correct the name, or ignore this if the member is an extension",
		Spec:  "avow docs/rules.md",
		In:    InTopLevel,
		Bad:   `{"superseeded_by": "https://example.org/adagents.json"}`,
		Good:  `{"version": "1.0"}`,
		fix:   otherNameRule.fix,
	},
	otherNameRule,
	otherFormatRule,
	nobodyRule,
	{
		Code: "file.unknown_field", Severity: Info,
		Title: "an unknown member at the top level",
		Why: "Unknown members are allowed and ignored. This is for authors who expected the member to do something. " +
			"Names that begin with x_, _ or $, and ext, announce an extension and are left alone.",
		Hint: "leave it if it is an extension, or begin its name with x_",
		Spec: "avow docs/rules.md",
		In:   InTopLevel,
		Bad:  `{"reviewed": "in March"}`,
		Good: `{"version": "1.0"}`,
	},
	{
		Code: "file.unknown_in_entry", Severity: Info,
		Title: "an entry has unknown members",
		Why: "Unknown members are allowed and ignored. This is for authors who expected them to do something; it is said " +
			"once for each entry of a list. Names that begin with x_, _ or $, and ext, announce an extension and are left alone.",
		Hint: "remove it, or begin its name with x_ if it is an extension",
		Spec: "AdCP adagents.json schema, additionalProperties",
		In:   InFeature,
		Bad:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "reviewed": "March"}`,
		Good: `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "x_reviewed": "March"}`,
	},
	{
		Code: "agent.restriction_ignored", Severity: Warning, Strict: Error,
		Title: "an agent entry has a member that looks like a restriction and is none",
		Why: "Readers ignore members they do not know. When one was meant to narrow the entry, to a country or a time, " +
			"the entry covers more than its author thinks. Verdicts that rest on such an entry say so.",
		Hint: "use the member of the format, or remove this one",
		Spec: "AdCP adagents.json schema, authorized_agents",
		In:   InAgent,
		Bad:  sellerOfSite + ",\n" + `  "country": "US"` + "\n}",
		Good: sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
		// What narrows an entry must be readable, or the entry is without effect.
		fix: remedy{Likely, renameMember},
	},
	{
		Code: "file.private_field", Severity: Error,
		Title: "the file carries a private member",
		Why: "The file is public. visibility, source, origin and delivery_mappings tell how a seller's own inventory " +
			"registry came by an entry, or where it is delivered from, even when they are null. Members of ext, of keys and " +
			"of the parameters of formats may have these names.",
		Hint: "remove the member from the public file",
		Spec: "AdCP adagents.json Tech Spec, public file",
		In:   InFeature,
		Bad:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "origin": "synced"}`,
		Good: `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"]}`,
		fix:  removeIt(Safe, "remove the private member"),
	},
	{
		Code: "file.private_field_suspected", Severity: Warning,
		Title: "the file seems to carry ad-server data",
		Why: "Identifiers of the ad server and mappings to it stay in the seller's own registry. The name of this " +
			"member, or the form of its value, is that of such data. Members that the format knows are left alone; ext and " +
			"other extensions are looked into.",
		Hint: "remove it if it identifies something in an ad server",
		Spec: "AdCP adagents.json Tech Spec, public file",
		In:   InFeature,
		Bad:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"gam_network": 1234567}}`,
		Good: `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"contract": 1234567}}`,
		fix:  removeIt(Choice, "remove the member, if it identifies something in an ad server"),
	},
	{
		Code: "file.newer_release", Severity: Warning,
		Title: "the file uses something that an older release does not know",
		Why: "The file was checked for readers of an older release of the protocol. They ignore what they do not know, " +
			"or skip the object that contains it.",
		Hint:  "keep it if your buyers already follow the newer release",
		Spec:  "AdCP adagents.json Tech Spec, versions",
		In:    InCollection,
		Bad:   `{"collection_id": "news", "name": "News", "kind": "channel"}`,
		Good:  `{"collection_id": "news", "name": "News", "kind": "series"}`,
		given: func(o *Options) { o.Release = "3.2" },
	},
	{
		Code: "file.ext_reserved", Severity: Info,
		Title: "an extension uses a reserved name",
		Why: "The protocol's working group uses the member adcp of ext for experiments. A later release may give it a " +
			"meaning that the data here does not have.",
		Hint: "put the data under a name of your own, such as ext.example_com",
		Spec: "AdCP adagents.json schema, additionalProperties",
		In:   InFeature,
		Bad:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"adcp": {"score": 1}}}`,
		Good: `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"vendor_example": {"score": 1}}}`,
	},
	{
		Code: "file.secret_exposed", Severity: Error, Effect: SkipEntry,
		Title:  "the file publishes a secret",
		Why:    "The file is public. A key or password in it must be considered known to everybody.",
		Hint:   "remove the member and replace the secret where it is used",
		Spec:   "AdCP adagents.json Tech Spec, public file",
		Varies: "without effect outside the entries of lists",
		In:     InTopLevel,
		Bad:    `{"property_features": [{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "api_key": "s3cr3t"}]}`,
		Good:   `{"property_features": [{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"]}]}`,
		fix:    removeIt(Likely, "remove the secret; replace it where it is used"),
	},
}
