package adagents

import "github.com/avow-project/avow/internal/model"

// propertyListRules look at tags and channels.
var propertyListRules = []rule[*propertyCheck]{
	{Rule: Rule{
		Code: "property.tag_pattern", Severity: Warning, Strict: Error,
		Title: "a tag has characters the schema does not allow",
		Why: "The published schema allows lower-case letters, digits and underscores in property tags, and strict " +
			"consumers refuse others. " +
			"Tags are compared exactly, so News and news are two tags.",
		Hint: "use lower-case letters, digits and underscores",
		Spec: "AdCP adagents.json schema, properties",
		In:   InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", "on-site"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  renamed("tags", "property_tags"),
	}, check: func(r reporter, x *propertyCheck) {
		for _, tag := range x.Tags {
			if !isID(tag) {
				sayTagPatterns(r, x)
				return
			}
		}
	}},
	{Rule: Rule{
		Code: "property.tag_duplicate", Severity: Warning, Strict: Error,
		Title: "a property lists a tag twice",
		Why:   "The second one adds nothing, and often another tag was meant.",
		Hint:  "remove the second one",
		Spec:  "AdCP adagents.json schema, properties",
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", "news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  removeIt(Safe, "remove the repeated tag"),
	}, shapes: shapes{{repeatedItem, atPropertyTags, "the tag %s is listed twice"}}},
	{Rule: Rule{
		Code: "property.tag_type", Severity: Error, Effect: DropRef,
		Title: "a tag is not a string",
		Why:   "Tags are compared as text. Consumers leave out a tag that is something else and use the rest of the property.",
		Hint:  "write each tag as a string",
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", 7], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  oneOf(Likely, numberAsText(Likely), removeIt(Safe, "remove elements that are not tags")),
	}, shapes: shapes{{wrongItem, atPropertyTags, "a tag must be a string, not %s"}}},
	{Rule: Rule{
		Code: "property.channel_unknown", Severity: Warning, Strict: Error,
		Title: "a channel is not a known one",
		Why:   "Buyers filter by channel; no buyer will find an unknown one. A newer protocol version may have added it.",
		Hint:  "use a channel of the published list, for example display, olv or ctv",
		Spec:  "AdCP adagents.json schema, properties",
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["video"], "publisher_domain": "example.com"}`,
		Good: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["olv"], "publisher_domain": "example.com"}`,
		fix: nearestWord(channelAliases, model.Channels),
	}, check: func(r reporter, x *propertyCheck) {
		if r.dec.mixed || !knownChannels(x.Channels) {
			sayChannels(r, x.member(atPropertyChannels))
		}
	}},
	{Rule: Rule{
		Code: "property.channel_duplicate", Severity: Warning, Strict: Error,
		Title: "a property lists a channel twice",
		Why:   "The second one adds nothing, and often another channel was meant.",
		Hint:  "remove the second one",
		Spec:  "AdCP adagents.json schema, properties",
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["display", "display"], "publisher_domain": "example.com"}`,
		Good: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["display", "olv"], "publisher_domain": "example.com"}`,
		fix: removeIt(Safe, "remove the repeated channel"),
	}, shapes: shapes{{repeatedItem, atPropertyChannels, "the channel %s is listed twice"}}},
}

func sayTagPatterns(r reporter, x *propertyCheck) {
	for _, e := range x.member(atPropertyTags).Elems() {
		if !e.Is(String) || isID(e.Str()) {
			continue
		}
		f := r.say(e, "the tag %s is not made of lower-case letters, digits and underscores", quote(e.Str()))
		if id := idFrom(e.Str()); id != "" {
			f.withHint("rename it to %q here and wherever it is used", id)
		}
	}
}

// sayChannels reports the rule at every element that is not a channel.
func sayChannels(r reporter, array Value) {
	for _, e := range array.Elems() {
		if !e.Is(String) {
			r.say(e, "a channel must be a string, not %s", e.Kind())
			continue
		}
		if !channelSet[e.Str()] {
			r.say(e, "%s is not a known channel", quote(e.Str())).
				withHint("%s", suggestWith(channelAliases, e.Str(), model.Channels))
		}
	}
}

// channelAliases are words people use for the channels.
var channelAliases = map[string]string{
	"audio":        "streaming_audio",
	"banner":       "display",
	"broadcast":    "linear_tv",
	"connected_tv": "ctv",
	"games":        "gaming",
	"instream":     "olv",
	"mobile":       "display",
	"native":       "display",
	"newsletter":   "email",
	"online_video": "olv",
	"ott":          "ctv",
	"outdoor":      "ooh",
	"retail":       "retail_media",
	"tv":           "linear_tv",
	"video":        "olv",
	"web":          "display",
}

// propertyPublisherRules look at whom a property belongs to.
var propertyPublisherRules = []rule[*propertyCheck]{
	{Rule: Rule{
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
		fix:  oneOf(Choice, plainDomain(Likely), publisherOfOthers),
	}, check: checkPublisherDomain},
	{Rule: Rule{
		Code: "property.foreign_domain", Severity: Warning,
		Title: "a property belongs to another domain than the file",
		Why: "A file that is fetched from a publisher speaks for that publisher. " +
			"Consumers do not take its word for another publisher's property. The rule needs to know the domain the file is " +
			"served for.",
		Hint:  "declare the property in the file of its own domain, or let that file point here with authoritative_location",
		Spec:  "avow docs/rules.md",
		given: func(o *Options) { o.Domain = "example.com" },
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.org"}`,
		Good: goodProperty,
	}, check: checkForeign},
	{Rule: Rule{
		Code: "property.revoked", Severity: Warning, Effect: SkipEntry,
		Title: "a property belongs to a revoked publisher",
		Why: "A domain listed in revoked_publisher_domains is no longer authorized, wherever else in the file it appears. " +
			"Consumers leave out its properties.",
		Hint: "remove the property, or the revocation if it is a mistake",
		Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:   InFile,
		Bad:  revokedExample("example.org"),
		Good: revokedExample("example.net"),
		fix:  removeIt(Choice, "remove the property of the revoked publisher"),
	}, check: checkRevoked},
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
		r.sayAs(Warning, v, "the publisher_domain %s is not a plain domain name (%s)", quote(x.PublisherDomain),
			x.owner.change).
			withHint("write %s", whole(x.owner.host))
	}
}

// checkForeign reports one location per property: its publisher, or else its
// first identifier of another domain.
func checkForeign(r reporter, x *propertyCheck) {
	if r.dec.home == "" {
		return
	}
	if r.dec.foreign(x.owner.located()) {
		r.say(x.member(atPropertyPublisherDomain), "the property belongs to %s, but the file is served for %s",
			quote(x.owner.host), quote(r.opt.Domain))
		return
	}
	for i := range x.Identifiers {
		if id := &x.idents[i]; r.dec.foreign(id.branch) {
			r.say(x.Identifiers[i].member(atIdentifierValue), "%s is not below %s, the domain the file is served for",
				quote(id.host), quote(r.dec.home))
			return
		}
	}
}

// foreign reports whether a host lies under another registrable domain than
// the file's. A public suffix lies under none and has its own finding.
func (c *circumstances) foreign(b branch) bool {
	return c.home != "" && b.base != "" && b.base != c.home
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
