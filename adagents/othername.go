package adagents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// otherNames are names under which people write members of the format, by the type of
// the object, in snake case. A member in camel or kebab case needs no line here.
var otherNames = map[*model.ObjectType]map[string]string{
	model.File: {
		"agents": "authorized_agents", "sales_agents": "authorized_agents", "authorized_sellers": "authorized_agents",
		"authoritative_location": "authoritative_location", "authoritative_file": "authoritative_location",
		"authoritative_url": "authoritative_location",
		"managed_by":        "authoritative_location", "location": "authoritative_location",
	},
	model.Agent: {
		"agent_url": "url", "endpoint": "url", "endpoint_url": "url", "agent_endpoint": "url", "agent": "url",
		"inline_properties": "properties", "type": "authorization_type",
	},
	model.Selector: {
		"domain": "publisher_domain", "publisher": "publisher_domain", "domains": "publisher_domains",
		"publishers": "publisher_domains",
	},
	model.CollectionSelector: {
		"domain": "publisher_domain", "publisher": "publisher_domain", "collection_id": "collection_ids",
		"collections": "collection_ids", "ids": "collection_ids",
	},
	model.Property: {
		"type": "property_type", "id": "property_id", "identifier": "identifiers", "identifier_type": "identifiers",
		"domain": "identifiers", "url": "identifiers", "site": "identifiers", "website": "identifiers",
	},
	model.Identifier: {
		"identifier_type": "type", "id_type": "type", "kind": "type",
		"identifier_value": "value", "id_value": "value", "identifier": "value", "id": "value", "domain": "value",
	},
}

// otherNameRule is the rule about members under other names.
var otherNameRule = Rule{
	Code: "file.other_name", Severity: Warning,
	Title: "a member stands under another name than its own",
	Why: "Readers ignore members they do not know, however plain it is to people what was meant. " +
		"It is looked for where the member itself is absent: names in camelCase or with hyphens, and those that other " +
		"formats and older tools use.",
	Hint:  "write the member under its own name",
	Spec:  "AdCP adagents.json schema, additionalProperties",
	In:    InAgent,
	Along: []string{"agent.url_missing"},
	Bad:   strings.Replace(sellerOfSite, `"url"`, `"agent_url"`, 1) + "\n}",
	Good:  sellerOfSite + "\n}",
	fix:   remedy{Likely, func(x fixing) []Fix { return revealing(renameMember(x)) }},
}

// A claim is a member that an object lacks, and has under another name.
type claim struct {
	owner  uint32
	member string
}

// claimed is an unknown member with the name that it was meant to have.
type claimed struct {
	*unknownMember
	to string
}

// claims are the members that stand under other names.
type claims struct {
	names map[claim]uint32   // the name that claims a member
	by    map[uint32]claimed // the member with that name
	has   map[claim]bool     // whether an object has a member
}

// has reports whether an object has a member. A hostile file asks this of the same object
// again and again.
func (c *content) has(owner uint32, member string) bool {
	k := claim{owner, member}
	has, known := c.claims.has[k]
	if !known {
		has = c.tree.At(owner).Has(member)
		if c.claims.has == nil {
			c.claims.has = make(map[claim]bool)
		}
		c.claims.has[k] = has
	}
	return has
}

// claim notes that an unknown member was meant to be another one, unless that is there.
func (c *content) claim(s *unknownMember, member string) bool {
	k := claim{s.owner, member}
	if _, taken := c.claims.names[k]; taken || c.has(s.owner, member) {
		return false
	}
	if c.claims.names == nil {
		c.claims.names, c.claims.by = make(map[claim]uint32), make(map[uint32]claimed)
	}
	c.claims.names[k], c.claims.by[s.member.Node()] = s.member.Node(), claimed{s, member}
	return true
}

// reportOther reports an unknown member that is one of the format under another name.
func (c *checker) reportOther(s *unknownMember, at Value) bool {
	name := s.member.Name()
	to := c.meant(s, name)
	if to == "" {
		return s.in == model.Property && name == "identifier_value" && c.has(s.owner, "identifier_type")
	}
	if !c.claim(s, to) {
		return false
	}
	f := c.under("file.other_name").say(at, "readers ignore %s here; the member is called %s", quote(name), to)
	if to == "identifiers" && s.member.Value().Is(String) {
		id, _ := identifierFrom(c.tree.At(s.owner), name, s.member.Value())
		f.withHint("write %s",
			conform.Whole(`"identifiers": [{"type": `+jsonedit.String(id.Type)+`, "value": `+jsonedit.String(id.Value)+`}]`))
		return true
	}
	f.withHint("rename it to %q", to)
	return true
}

// meant returns the member that a name stands for, or "".
func (c *checker) meant(s *unknownMember, name string) string {
	if announcesExtension(name) {
		return ""
	}
	folded := snakeCase(name)
	to := otherNames[s.in][folded]
	if to == "" && folded != name && s.in.Field(folded) != nil {
		return differs(name, folded)
	}
	if to == "" || !c.couldBe(s, folded, to) {
		return ""
	}
	return differs(name, to)
}

// differs returns a member's name unless another one differs from it by case only, which is
// another rule's.
func differs(name, member string) string {
	if strings.EqualFold(name, member) {
		return ""
	}
	return member
}

// couldBe reports whether a value can be that of a member.
func (c *checker) couldBe(s *unknownMember, name, member string) bool {
	v := s.member.Value()
	switch member {
	case "url":
		return v.Is(String) && (name != "agent" || strings.Contains(v.Str(), "://"))
	case "authorized_agents":
		return v.IsContainer()
	case "authoritative_location":
		_, info, err := hostname.CanonicalURL(v.Str())
		return err == nil && info.Scheme == "https" && !c.hasContent()
	case "authorization_type":
		return slices.Contains(model.AuthorizationTypes, v.Str())
	case "identifiers":
		_, ok := identifierFrom(c.tree.At(s.owner), name, v)
		return ok || v.IsContainer()
	case "properties":
		return v.IsContainer()
	case "publisher_domains", "collection_ids":
		return v.Is(String) || v.Is(Array)
	}
	return v.Is(String)
}

// hasContent reports whether the file has, perhaps under another name, what a pointer must
// not have.
func (c *checker) hasContent() bool {
	for m := range c.tree.Root().Members() {
		if inlineMember(m.Name()) || otherNames[model.File][snakeCase(m.Name())] == "authorized_agents" {
			return true
		}
	}
	return false
}

// identifierFrom returns the identifier that a member of a property stands for.
func identifierFrom(property Value, name string, v Value) (Identifier, bool) {
	if snakeCase(name) == "identifier_type" {
		id := Identifier{Type: v.Str(), Value: property.Get("identifier_value").Str()}
		return id, !blank(id.Type) && !blank(id.Value)
	}
	host := v.Str()
	if strings.Contains(host, "://") {
		_, info, _ := hostname.CanonicalURL(host)
		host = strings.TrimPrefix(info.Host, "www.")
	}
	domain, _, err := hostname.Canonical(host)
	kind := cmp.Or(property.Get("property_type").Str(), property.Get("type").Str())
	return Identifier{Type: "domain", Value: domain}, err == nil && !hostname.IsPublicSuffix(domain) &&
		!strings.HasSuffix(kind, "_app")
}

// explainMissing tells the findings about missing members under which name they stand.
func (c *checker) explainMissing() {
	if len(c.claims.names) == 0 {
		return
	}
	for i := range c.findings.list {
		f := &c.findings.list[i]
		node, ok := c.standsFor(f)
		if !ok || f.hint != "" {
			continue
		}
		s := c.claims.by[node]
		f.hint = fmt.Sprintf("rename %s to %s", whole(s.member.Name()), s.to)
		if s.to == "identifiers" {
			f.hint = fmt.Sprintf("write what %s says as %s", whole(s.member.Name()), s.to)
		}
	}
}

// standsFor returns the name under which stands what a finding misses.
func (c *content) standsFor(f *rawFinding) (uint32, bool) {
	if f.missing == "" {
		return 0, false
	}
	node, ok := c.claims.names[claim{f.node, f.missing}]
	if !ok && f.rule.Code == "file.agents_missing" {
		node, ok = c.claims.names[claim{f.node, "authoritative_location"}]
	}
	return node, ok
}

// renameMember gives a member the name that it was meant to have, and its value the form of
// that member.
func renameMember(x fixing) []Fix {
	s, ok := x.claims.by[x.at.Node()]
	if !ok {
		return nil
	}
	name, v := s.member.Name(), s.member.Value()
	edits := []Edit{x.Rename(v, s.to)}
	owner := x.tree.At(s.owner)
	if id, ok := identifierFrom(owner, name, v); ok && s.to == "identifiers" && v.Is(String) {
		edits = append(edits,
			x.Replace(v, x.List(x.Object("type", jsonedit.String(id.Type), "value", jsonedit.String(id.Value)))))
		if second := owner.Get("identifier_value"); snakeCase(name) == "identifier_type" && second.Exists() {
			edits = append(edits, x.Remove(second))
			slices.SortFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
		}
		return x.one(fmt.Sprintf("write %s as identifiers", conform.Whole(name)), edits...)
	}
	if field := s.in.Field(s.to); field != nil && field.Type.Kind == model.Array {
		edits = append(edits, x.asList(v)...)
	}
	return x.one(fmt.Sprintf("rename %s to %s", conform.Whole(name), s.to), edits...)
}

// An IgnoredListing is an agent that a file names under a member that readers ignore.
type IgnoredListing struct {
	URL  string // canonical
	Name string // the member as written
	// At is the value of the member, or the entry below it.
	At Value
}

// mostIgnored is how many entries are looked at for agents that readers do not see.
const mostIgnored = 1000

// IgnoredListings returns the agents that a file names where readers do not look: under
// agent_url and the like in entries without a url, and in a list such as agents beside
// authorized_agents.
func (x *File) IgnoredListings() []IgnoredListing {
	var found []IgnoredListing
	left := mostIgnored
	collect := func(list Value, within string) {
		for _, entry := range list.Elems() {
			if left--; left < 0 {
				return
			}
			name, at := within, entry
			if entry.Is(Object) {
				name, at = agentNameIn(entry)
				if within != "" {
					name = within
				}
			}
			url, _, err := hostname.CanonicalURL(at.Str())
			if name != "" && err == nil {
				found = append(found, IgnoredListing{url, name, at})
			}
		}
	}
	if list := x.Raw.Get("authorized_agents"); list.Len() > len(x.Agents) {
		collect(list, "")
	}
	for m := range x.Raw.Members() {
		if otherNames[model.File][snakeCase(m.Name())] == "authorized_agents" && m.Name() != "authorized_agents" {
			collect(m.Value(), m.Name())
		}
	}
	return found
}

// agentNameIn returns the member of an entry that names its agent, and its name unless that
// is url.
func agentNameIn(entry Value) (string, Value) {
	if url := entry.Get("url"); url.Exists() {
		return "", url
	}
	for m := range entry.Members() {
		if otherNames[model.Agent][snakeCase(m.Name())] == "url" {
			return m.Name(), m.Value()
		}
	}
	return "", Value{}
}
