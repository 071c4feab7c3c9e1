package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// leftoverRules look at what the sections leave unclaimed: members nobody
// knows, members of the wrong type, and secrets, wherever they stand.
var leftoverRules = []Rule{
	{
		Code: "file.field_type", Severity: Error, Effect: SkipEntry,
		Title:  "a member has the wrong type",
		Why:    "Consumers read such a member as if it were absent; a whole section of the wrong type is left out.",
		Hint:   "write the value in the type the member has",
		Spec:   "AdCP adagents.json Tech Spec, top level",
		Varies: "without effect below the top level, except that a signing key is dropped",
		In:     InTopLevel,
		Bad:    `{"contact": {"name": "Example", "email": 5}}`,
		Good:   `{"contact": {"name": "Example", "email": "ads@example.com"}}`,
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
	},
	{
		Code: "file.unknown_field", Severity: Info,
		Title: "an unknown member at the top level",
		Why:   "Unknown members are allowed and ignored. This is for authors who expected the member to do something.",
		Hint:  "leave it if it is an extension",
		Spec:  "avow docs/rules.md",
		In:    InTopLevel,
		Bad:   `{"reviewed": "in March"}`,
		Good:  `{"version": "1.0"}`,
	},
	{
		Code: "file.unknown_in_entry", Severity: Info,
		Title: "an entry has unknown members",
		Why:   "Unknown members are allowed and ignored. This is for authors who expected them to do something; it is said once for each entry of a list. Names that begin with x_, _ or $, and ext, announce an extension and are left alone.",
		Hint:  "remove it, or begin its name with x_ if it is an extension",
		Spec:  "AdCP adagents.json schema, additionalProperties",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "reviewed": "March"}`,
		Good:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "x_reviewed": "March"}`,
	},
	{
		Code: "agent.restriction_ignored", Severity: Warning, Strict: Error,
		Title: "an agent entry has a member that looks like a restriction and is none",
		Why:   "Readers ignore members they do not know. When one was meant to narrow the entry, to a country or a time, the entry covers more than its author thinks. Verdicts that rest on such an entry say so.",
		Hint:  "use the member of the format, or remove this one",
		Spec:  "AdCP adagents.json schema, authorized_agents",
		In:    InAgent,
		Bad:   sellerOfSite + ",\n" + `  "country": "US"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
	},
	{
		Code: "file.private_field", Severity: Error,
		Title: "the file carries a private member",
		Why:   "The file is public. visibility, source, origin and delivery_mappings tell how a seller's own inventory registry came by an entry, or where it is delivered from, even when they are null. Members of ext, of keys and of the parameters of formats may have these names.",
		Hint:  "remove the member from the public file",
		Spec:  "AdCP adagents.json Tech Spec, public file",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "origin": "synced"}`,
		Good:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"]}`,
	},
	{
		Code: "file.private_field_suspected", Severity: Warning,
		Title: "the file seems to carry ad-server data",
		Why:   "Identifiers of the ad server and mappings to it stay in the seller's own registry. The name of this member, or the form of its value, is that of such data. Members that the format knows are left alone; ext and other extensions are looked into.",
		Hint:  "remove it if it identifies something in an ad server",
		Spec:  "AdCP adagents.json Tech Spec, public file",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"gam_network": 1234567}}`,
		Good:  `{"url": "https://vendor.example/", "name": "Vendor", "features": ["carbon"], "ext": {"contract": 1234567}}`,
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
	},
}

// leftovers reports what no section claimed. It comes last, because a finding
// that already sits at a value explains it better.
func (c *checker) leftovers() {
	c.checkTimestamps()
	var reported nodeSet
	if len(c.dec.wrong) > 0 || len(c.dec.unknown) > 0 {
		reported = c.reported()
	}
	c.exposedSecrets(reported)
	r := c.under("file.field_type")
	for i := range c.dec.wrong {
		if w := &c.dec.wrong[i]; !reported.has(w.value.Node()) {
			sayWrongType(r, w)
		}
	}
	c.reportUnknown(reported)
	c.privateExtensions()
}

// nodeSet is a set of nodes as a bitmap: a hostile file has a million findings.
type nodeSet []uint64

func (s nodeSet) has(n uint32) bool { return s != nil && s[n/64]&(1<<(n%64)) != 0 }

func (s nodeSet) add(n uint32) {
	if s != nil {
		s[n/64] |= 1 << (n % 64)
	}
}

// reported returns the nodes that have a finding of their own.
func (c *checker) reported() nodeSet {
	s := make(nodeSet, c.tree.Len()/64+1)
	copy(s, c.findings.limits.unlisted)
	for i := range c.findings.list {
		if c.findings.list[i].missing == "" {
			s.add(c.findings.list[i].node)
		}
	}
	return s
}

func sayWrongType(r reporter, w *wrongType) {
	field := &w.in.Fields[w.field]
	effect := NoEffect
	switch {
	case w.in == model.File && field.Type.Kind == model.Array:
		effect = SkipEntry
	case w.in == model.SigningKey:
		effect = DropRef
	}
	r.sayWith(Error, effect, w.value, "%s must be %s, not %s", field.Name, conform.KindText(&field.Type), conform.WhatItIs(w.value, field.Type.Kind))
}

// secretNames are member names that announce a secret, without separators.
var secretNames = map[string]bool{
	"apikey": true, "apisecret": true, "apitoken": true, "authtoken": true,
	"accesstoken": true, "refreshtoken": true, "bearertoken": true, "bearer": true,
	"sessiontoken": true, "oauthtoken": true, "idtoken": true, "secrettoken": true,
	"clientsecret": true, "appsecret": true, "sharedsecret": true, "webhooksecret": true,
	"signingsecret": true, "consumersecret": true, "secret": true, "secrets": true,
	"secretkey": true, "secretaccesskey": true, "awssecretaccesskey": true, "accesskey": true,
	"password": true, "passwd": true, "pwd": true, "passphrase": true, "userpassword": true,
	"privatekey": true, "privatekeypem": true, "rsaprivatekey": true, "signingprivatekey": true,
	"credential": true, "credentials": true, "authorizationheader": true, "authheader": true,
	"basicauth": true, "hmackey": true, "hmacsecret": true,
}

// longestSecretName bounds the names that are compared, separators included.
const longestSecretName = 32

func namesSecret(name string) bool {
	if len(name) > longestSecretName {
		return false
	}
	var folded [longestSecretName]byte
	n := 0
	for i := range len(name) {
		switch b := name[i]; {
		case b >= 'A' && b <= 'Z':
			folded[n] = b | 0x20
			n++
		case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
			folded[n] = b
			n++
		}
	}
	return secretNames[string(folded[:n])]
}

// holdsSomething tells a secret from a placeholder: null, booleans and empty
// values give nothing away.
func holdsSomething(v Value) bool {
	switch {
	case v.Is(String):
		return strings.TrimSpace(v.Str()) != ""
	case v.Is(Array), v.Is(Object):
		return v.Len() > 0
	}
	return v.Is(NumberKind)
}

// exposedSecrets reports members that name a secret and texts that contain a
// private key. It never shows the value.
func (c *checker) exposedSecrets(reported nodeSet) {
	var seen nodeSet
	expose := func(at Value, msg string) {
		if seen == nil {
			seen = c.reportedSecrets()
		}
		if seen.has(at.Node()) {
			return
		}
		seen.add(at.Node())
		reported.add(at.Node())
		c.exposed(at, msg)
	}
	for m := range c.tree.UnknownMembers() {
		if name := m.Name(); namesSecret(name) && holdsSomething(m.Value()) {
			expose(m.Value(), "the member "+quote(name)+" publishes a secret")
		}
	}
	for v := range c.tree.NotableStrings() {
		if isPrivatePEM(v.Str()) {
			expose(v, "the text contains a private key in PEM form")
		}
	}
}

const pemPrivate = "PRIVATE KEY-----"

func isPrivatePEM(s string) bool {
	i := strings.Index(s, "-----BEGIN ")
	return i >= 0 && strings.Contains(s[i:], pemPrivate)
}

// exposed reports a secret and gives up the list entry it stands in.
func (c *checker) exposed(at Value, msg string) {
	r := c.under("file.secret_exposed")
	r.effect = c.entryAround(at.Node())
	if r.effect == nil {
		r.sayAs(Error, at, "%s", msg)
		return
	}
	r.say(at, "%s", msg)
}

// reportedSecrets returns the nodes whose secret another rule has reported.
func (c *checker) reportedSecrets() nodeSet {
	s := make(nodeSet, c.tree.Len()/64+1)
	for i := range c.findings.list {
		switch c.findings.list[i].rule.Code {
		case "signing_key.private_material", "placement.private_field":
			s.add(c.findings.list[i].node)
		}
	}
	return s
}
