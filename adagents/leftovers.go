package adagents

import (
	"sort"
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

// reportUnknown reports members that their objects do not know: those that look like a slip
// one by one, the others once for each entry.
func (c *checker) reportUnknown(reported nodeSet) {
	var others unknowns
	for i := range c.dec.unknown {
		s := &c.dec.unknown[i]
		if s.in == model.Pointer || reported.has(s.member.Value().Node()) || reported.has(s.member.Node()) {
			continue // a pointer file has its own rule for them
		}
		if !c.reportPrivate(s) && !c.reportSlip(s) && !unremarkable(s) {
			c.gather(&others, s)
		}
	}
	c.sayUnknown(&others)
}

// unremarkable reports whether nothing needs to be said about an unknown member: it announces
// an extension, is one of the many that a key may have (RFC 7517), or has a rule of its own.
func unremarkable(s *unknownMember) bool {
	name := s.member.Name()
	switch s.in {
	case model.SigningKey, model.FormatOption:
		return true
	case model.Placement:
		return name == "publisher_domain" || announcesExtension(name)
	}
	return announcesExtension(name)
}

// reportSlip reports a member its object does not know, if it says more than that.
func (c *checker) reportSlip(s *unknownMember) bool {
	name := s.member.Name()
	at := c.tree.At(s.member.Node()) // the name is what has to be corrected
	if s.in == model.Agent {
		if advice, ok := ignoredRestriction(name, s.member.Value()); ok {
			c.under("agent.restriction_ignored").say(at, "%s is not a member of the format, so it does not narrow the entry", quote(name)).
				withHint("%s", advice)
			return true
		}
	}
	near, ok := nearName(s.in, name)
	switch {
	case ok && strings.EqualFold(near, name):
		c.under("file.key_case").say(at, "the member %s is not %s: names are case-sensitive", quote(name), quote(near)).
			withHint("rename it to %q", near)
	case ok:
		c.under("file.misspelled_field").say(at, "the member %s is not known; readers ignore it", quote(name)).
			withHint("did you mean %q?", near)
	case s.in == model.File:
		c.under("file.unknown_field").say(at, "the top-level member %s is not known; readers ignore it", quote(name))
	default:
		return false
	}
	return true
}

// unknowns are the unknown members of one entry.
type unknowns struct {
	first Value  // the name of the first one
	end   uint32 // of the nodes of the entry they stand in
	names []string
	more  int
}

// mostUnknown is the number of names that a message lists.
const mostUnknown = 5

// gather adds a member to those of its entry. Unknown members come in the order of the file.
func (c *checker) gather(u *unknowns, s *unknownMember) {
	node := s.member.Node()
	if u.first.Exists() && node >= u.end {
		c.sayUnknown(u)
	}
	if !u.first.Exists() {
		end := c.tree.At(c.entryStart(node)).EndNode()
		*u = unknowns{first: c.tree.At(node), end: max(end, node+1), names: u.names[:0]}
	}
	if len(u.names) == mostUnknown {
		u.more++
		return
	}
	u.names = append(u.names, s.member.Name())
}

// sayUnknown reports what was gathered about one entry.
func (c *checker) sayUnknown(u *unknowns) {
	if !u.first.Exists() {
		return
	}
	names := make([]string, len(u.names))
	for i, name := range u.names {
		names[i] = quote(name)
	}
	list := strings.Join(names, ", ")
	switch {
	case u.more > 0:
		list += " and " + counted(u.more, "other member")
		fallthrough
	case len(names) > 1:
		c.under("file.unknown_in_entry").say(u.first, "%s are not known here; readers ignore them", list)
	default:
		c.under("file.unknown_in_entry").say(u.first, "the member %s is not known here; readers ignore it", list)
	}
	u.first, u.more = Value{}, 0
}

// entryStart returns the node at which the entry of a list begins that has a node inside,
// or the section that is no list.
func (c *checker) entryStart(node uint32) uint32 {
	f := c.file
	if f == nil {
		return 0
	}
	for _, section := range []struct {
		at    int
		start func() uint32
	}{
		{atFileProperties, func() uint32 { return startAround(f.Properties, node) }},
		{atFileAgents, func() uint32 { return startAround(f.Agents, node) }},
		{atFilePlacements, func() uint32 { return startAround(f.Placements, node) }},
		{atFileFormats, func() uint32 { return startAround(f.Formats, node) }},
		{atFileSignals, func() uint32 { return startAround(f.Signals, node) }},
		{atFileCollections, func() uint32 { return startAround(f.Collections, node) }},
		{atFileRevocations, func() uint32 { return startAround(f.Revocations, node) }},
		{atFileFeatures, func() uint32 { return startAround(f.Features, node) }},
		{atFileTags, func() uint32 { return startAround(f.Tags, node) }},
		{atFilePlacementTags, func() uint32 { return startAround(f.PlacementTags, node) }},
		{atFileSignalTags, func() uint32 { return startAround(f.SignalTags, node) }},
	} {
		if v := f.member(section.at); v.IsContainer() && inside(v, node) {
			return section.start()
		}
	}
	return f.member(atFileContact).Node()
}

// startAround returns where the last entry starts that starts at or before a node.
func startAround[T any, P entryPointer[T]](list []T, node uint32) uint32 {
	i := sort.Search(len(list), func(i int) bool { return P(&list[i]).node() > node })
	if i == 0 {
		return node
	}
	return P(&list[i-1]).node()
}
