package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// propertyPublisherRules look at whom a property belongs to.
var propertyPublisherRules = []rule[*propertyCheck]{
	{
		Rule: Rule{
			Code: "property.publisher_domain_invalid", Severity: Error, Effect: SkipEntry,
			Title: "the publisher_domain is not a plain domain name",
			Why: "Consumers compare it with the domain they look for. " +
				"A property whose publisher cannot be made out could be anybody's, so it is left out.",
			Hint:   "write the bare domain in lower case, for example example.com",
			Spec:   "AdCP adagents.json Tech Spec, properties",
			Varies: "warning without effect when only the spelling is off, such as upper case, a scheme or a trailing dot",
			In:     InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example_news"}`,
			Good: goodProperty,
		},
		check: checkPublisherDomain,
	},
	{
		Rule: Rule{
			Code: "property.foreign_domain", Severity: Warning,
			Title: "a property belongs to another domain than the file",
			Why: "A file that is fetched from a publisher speaks for that publisher. " +
				"Consumers do not take its word for another publisher's property. The rule needs to know the domain the file is served for.",
			Hint:  "declare the property in the file of its own domain, or let that file point here with authoritative_location",
			Spec:  "avow docs/rules.md",
			given: func(o *Options) { o.Domain = "example.com" },
			In:    InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.org"}`,
			Good: goodProperty,
		},
		check: checkForeign,
	},
	{
		Rule: Rule{
			Code: "property.revoked", Severity: Warning, Effect: SkipEntry,
			Title: "a property belongs to a revoked publisher",
			Why: "A domain listed in revoked_publisher_domains is no longer authorized, wherever else in the file it appears. " +
				"Consumers leave out its properties.",
			Hint: "remove the property, or the revocation if it is a mistake",
			Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
			In:   InFile,
			Bad:  revokedExample("example.org"),
			Good: revokedExample("example.net"),
		},
		check: checkRevoked,
	},
}

func revokedExample(domain string) string {
	return `{` + exampleHead + `,
"properties": [` + exampleProperty + `,
  {"property_id": "shop", "property_type": "website", "name": "Example Shop",
   "identifiers": [{"type": "domain", "value": "example.org"}],
   "tags": ["news"], "publisher_domain": "example.org"}],
` + exampleTags + `,
"revoked_publisher_domains": [{"publisher_domain": "` + domain + `", "revoked_at": "2026-01-01T00:00:00Z", "reason": "relationship_ended"}],
"authorized_agents": [` + exampleAgent + `,
  {"url": "https://network.example/mcp", "authorized_for": "The rest", "authorization_type": "property_tags", "property_tags": ["news"],
   "signing_keys": [` + exampleKey + `]}]}`
}

func checkPublisherDomain(r reporter, x *propertyCheck) {
	if x.owner.host != "" && x.owner.change == 0 {
		return
	}
	v := x.member(atPropertyPublisherDomain)
	switch {
	case !v.Exists():
	case !v.Is(String):
		r.say(v, "publisher_domain must be a string, not %s", v.Kind())
	case x.owner.err != nil:
		r.say(v, "the publisher_domain %s %v", quote(x.PublisherDomain), x.owner.err)
	case x.owner.change != 0:
		r.sayAs(Warning, v, "the publisher_domain %s is not a plain domain name (%s)", quote(x.PublisherDomain), x.owner.change).
			withHint("write %s", quote(x.owner.host))
	}
}

// checkForeign reports one place per property: its publisher, or else its
// first identifier of another domain.
func checkForeign(r reporter, x *propertyCheck) {
	if r.home == "" {
		return
	}
	if r.foreign(x.owner.host) {
		r.say(x.member(atPropertyPublisherDomain), "the property belongs to %s, but the file is served for %s", quote(x.owner.host), quote(r.opt.Domain))
		return
	}
	for i := range x.Identifiers {
		if id := &x.idents[i]; r.foreign(id.host) {
			r.say(x.Identifiers[i].member(atIdentifierValue), "%s is not below %s, the domain the file is served for", quote(id.host), quote(r.home))
			return
		}
	}
}

// foreign reports whether a host lies under another registrable domain than
// the file's. A public suffix lies under none and has its own finding.
func (c *content) foreign(host string) bool {
	if host == "" || host == c.home {
		return false
	}
	domain, ok := hostname.Registrable(host)
	return ok && domain != c.home
}

func checkRevoked(r reporter, x *propertyCheck) {
	if len(r.index.revoked) == 0 {
		return
	}
	if r.revoked(x.owner.host) {
		r.say(x.Raw, "the property belongs to %s, which is revoked in this file", quote(x.owner.host))
		return
	}
	for i := range x.idents {
		if id := &x.idents[i]; !id.wildcard && r.revoked(id.host) {
			r.say(x.Raw, "the property is identified by %s, which is revoked in this file", quote(id.host))
			return
		}
	}
}

// namesRevoked reports whether a property that looked plain may concern a revoked
// publisher: its domains stand there in canonical form.
func (c *content) namesRevoked(x *Property) bool {
	if len(c.index.revoked) == 0 {
		return false
	}
	for i := range x.Identifiers {
		if c.revoked(x.Identifiers[i].Value) {
			return true
		}
	}
	return c.revoked(x.PublisherDomain)
}

func (c *content) revoked(host string) bool {
	_, ok := c.index.revoked[host]
	return ok && host != ""
}
