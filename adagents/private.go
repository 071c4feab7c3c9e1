package adagents

import (
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

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

// privateParts calls yield for everything inside a value that looks private:
// members by their names, strings by their form. name is that of the member
// the value stands under. Nothing inside a member that is already suspect is
// looked at. The depth of a parsed tree is bounded, so recursion is safe.
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
		privateParts(c.file.Collections[i].member(atCollectionExt), "ext", suspect)
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
