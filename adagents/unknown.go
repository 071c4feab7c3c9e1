package adagents

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// checkMembers reports what the rules of the sections leave: unknown members, members of the
// wrong type, secrets. It comes last, because a finding
// that already sits at a value explains it better.
func (c *checker) checkMembers() {
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
	c.explainMissing()
	c.privateExtensions()
	c.checkRelease()
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
	r.sayWith(Error, effect, w.value, "%s must be %s, not %s", field.Name, conform.KindText(&field.Type),
		conform.WhatItIs(w.value, field.Type.Kind))
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
		if s.member.Name() == "ext" {
			c.reservedExtension(s.member.Value())
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
			c.under("agent.restriction_ignored").say(at, "%s is not a member of the format, so it does not narrow the entry",
				quote(name)).
				withHint("%s", advice)
			for _, member := range narrowing {
				if advice == renameTo(member) {
					c.claim(s, member)
				}
			}
			return true
		}
	}
	if c.reportOther(s, at) {
		return true
	}
	near, ok := nearName(s.in, name)
	if ok {
		c.claim(s, near)
	}
	switch {
	case ok && strings.EqualFold(near, name):
		c.under("file.key_case").say(at, "the member %s is not %s: names are case-sensitive", quote(name), quote(near)).
			withHint("rename it to %q", near)
	case ok:
		c.under("file.misspelled_field").say(at, "the member %s is not known; readers ignore it", quote(name)).
			withHint("did you mean %q?", near)
	case s.in == model.File && !announcesExtension(name):
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
// or the section that is not a list.
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

// What a public file must not carry: the identifiers a seller's ad server
// knows a placement by. They are recognised by the names that ad servers give
// them, whatever the way of joining words, and by the form of their paths.
var (
	privatePrefixes = []string{
		"ad_unit", "adunit", "gam_", "dfp_", "freewheel", "line_item", "lineitem",
		"ad_server", "adserver", "delivery_", "internal_", "private_",
	}
	privateNames = []string{
		"google_ad_manager", "zone_id", "order_id", "network_code", "seller_placement_id",
	}
)

// isPrivate reports whether a name is one that the format keeps out of public files.
func isPrivate(name string) bool { return slices.Contains(model.PrivateMembers, name) }

// looksPrivate reports whether a member name is one that sellers use for data
// of their ad server.
func looksPrivate(name string) bool {
	name = snakeCase(name)
	if strings.HasPrefix(name, "private_key") {
		return false // a secret, and reported as one
	}
	return slices.Contains(privateNames, name) ||
		slices.ContainsFunc(privatePrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// isAdUnitPath reports whether a text has the form of an ad-server path such
// as /1234567/home/top: a network code, with that of a child network behind a
// comma, and a name. Codes of fewer than five digits are left to years.
func isAdUnitPath(s string) bool {
	const least, most = 5, 12
	if len(s) < least+3 || s[0] != '/' {
		return false
	}
	network, unit, ok := strings.Cut(s[1:], "/")
	network, child, nested := strings.Cut(network, ",")
	return ok && unit != "" && len(network) >= least && len(network) <= most && isDigits(network) &&
		(!nested || isDigits(child))
}

// privateParts calls yield for everything inside a value that looks private: members by
// their names, strings by their form. name is the name of the value's member. Nothing
// inside a member that is already suspect is looked at. The depth of a parsed tree is
// bounded, so recursion is safe.
func privateParts(v Value, name string, yield func(at Value, name string, byValue bool)) {
	switch {
	case v.Is(String):
		if isAdUnitPath(v.Str()) {
			yield(v, name, true)
		}
	case v.Is(Array):
		for _, e := range v.Elems() {
			privateParts(e, name, yield)
		}
	case v.Is(Object):
		for m := range v.Members() {
			privateMember(m, yield)
		}
	}
}

func privateMember(m jsontree.Member, yield func(at Value, name string, byValue bool)) {
	if looksPrivate(m.Name()) {
		yield(m.Value(), m.Name(), false)
		return
	}
	privateParts(m.Value(), m.Name(), yield)
}

// suspect reports the rule about ad-server data. It never shows the value.
func (r reporter) suspect(at Value, name string, byValue bool) {
	if byValue {
		r.say(at, "the value of %s has the form of an ad-server path", quote(name))
		return
	}
	r.say(at, "%s looks like the name of ad-server data", quote(name))
}

// publicObjects are the objects of the catalog and of the agents. Those inside the
// parameters of formats are none of them, nor are keys, which may have members of any name.
var publicObjects = sync.OnceValue(func() map[*model.ObjectType]bool {
	public := make(map[*model.ObjectType]bool)
	for _, o := range model.Below(model.File) {
		public[o] = o != model.SigningKey && o != model.EncryptionKey
	}
	return public
})

// reportPrivate looks at a member that its object does not know, and at what stands in
// it. It reports whether the member itself is private; placements have their own rules.
func (c *checker) reportPrivate(s *unknownMember) bool {
	name := s.member.Name()
	switch {
	case s.in == model.Placement, s.in == model.SigningKey:
		return false
	case isPrivate(name) && publicObjects()[s.in]:
		c.under("file.private_field").say(s.member.Value(), "%s must not appear in a public file", name)
		return true
	}
	privateMember(s.member, c.under("file.private_field_suspected").suspect)
	return looksPrivate(name)
}

// privateExtensions looks into the extensions that the format has a member for.
func (c *checker) privateExtensions() {
	if c.file == nil {
		return
	}
	suspect := c.under("file.private_field_suspected").suspect
	for i := range c.file.Collections {
		ext := c.file.Collections[i].member(atCollectionExt)
		privateParts(ext, "ext", suspect)
		c.reservedExtension(ext)
	}
}

// reservedExtension reports data in the part of an ext that is not for everybody.
func (c *checker) reservedExtension(ext Value) {
	if own := ext.Get("adcp"); own.Exists() {
		c.under("file.ext_reserved").say(own, "ext.adcp is reserved for the protocol's working group")
	}
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
