package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// identifierHostRules look at identifiers of the types domain and subdomain.
var identifierHostRules = []rule[*identifierCheck]{
	{
		Rule: Rule{
			Code: "identifier.domain_syntax", Severity: Warning,
			Title: "a domain is not written as a plain lower-case name",
			Why: "Consumers compare domains letter by letter. One that can be brought to the plain form still matches " +
				"where the consumer does that; any other matches nothing.",
			Hint: "write the bare host name in lower case, for example shop.example.com",
			Spec: "AdCP adagents.json Tech Spec, properties",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "https://Shop.example.com/"}`,
			Good: `{"type": "domain", "value": "shop.example.com"}`,
		},
		check: checkDomainSyntax,
	},
	{
		Rule: Rule{
			Code: "identifier.wildcard_position", Severity: Error, Effect: DropRef,
			Title: "an asterisk stands in the wrong place",
			Why:   "A wildcard covers every name below a domain and can only be the whole first label. Anything else would be guesswork.",
			Hint:  "write *.example.com, or list the host names one by one",
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InIdentifier,
			Bad:   `{"type": "domain", "value": "shop-*.example.com"}`,
			Good:  `{"type": "domain", "value": "*.shop.example.com"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.misplaced {
				r.say(x.member(atIdentifierValue), "%s: an asterisk may only be the whole first label, once", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.wildcard_public_suffix", Severity: Error, Effect: DropRef,
			Title: "a wildcard covers domains of unrelated owners",
			Why: "Anybody can register names below a public suffix such as com, co.uk or github.io. " +
				"No publisher can speak for all of them.",
			Hint: "put the asterisk in front of a domain of your own",
			Spec: "Public Suffix List",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "*.co.uk"}`,
			Good: `{"type": "domain", "value": "*.example.co.uk"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.broad {
				r.say(x.member(atIdentifierValue), "%s covers domains of unrelated owners", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.public_suffix", Severity: Warning,
			Title: "a domain is a public suffix",
			Why: "Below a public suffix such as co.uk or github.io everybody may have names, so it is rarely what is meant. " +
				"It matches that exact host only, without its www and m forms.",
			Hint: "write the domain below it that is yours",
			Spec: "Public Suffix List",
			In:   InIdentifier,
			Bad:  `{"type": "domain", "value": "github.io"}`,
			Good: `{"type": "domain", "value": "example.github.io"}`,
		},
		check: func(r reporter, x *identifierCheck) {
			if x.id.level == publicSuffix {
				r.say(x.member(atIdentifierValue), "%s is a public suffix, below which anybody may have names", quote(x.Value))
			}
		},
	},
	{
		Rule: Rule{
			Code: "identifier.subdomain_not_subdomain", Severity: Warning,
			Title: "a subdomain is not a single name below a base domain",
			Why: "The type subdomain stands for exactly one host. A base domain needs the type domain to include its www and m forms, " +
				"and a wildcard needs it to match at all.",
			Hint: "use the type domain",
			Spec: "AdCP adagents.json schema, properties",
			In:   InIdentifier,
			Bad:  `{"type": "subdomain", "value": "example.org"}`,
			Good: `{"type": "subdomain", "value": "shop.example.org"}`,
		},
		check: checkSubdomain,
	},
}

func checkDomainSyntax(r reporter, x *identifierCheck) {
	id := x.id
	if id.err == nil && id.change == 0 {
		return
	}
	v := x.member(atIdentifierValue)
	if id.err == nil {
		plain := id.canonical(x.Value)
		r.say(v, "%s is not a plain domain name (%s)", quote(x.Value), id.change).withHint("write %s", quote(plain))
		return
	}
	f := r.say(v, "%s is not a domain name: it %v", quote(x.Value), id.err)
	if faultOf(id.err) == hostname.Port {
		f.withHint("leave out the port: a property is a host, whatever its ports")
	}
}

func checkSubdomain(r reporter, x *identifierCheck) {
	id := x.id
	if x.Type != "subdomain" {
		return
	}
	switch {
	case id.wildcard && !id.broad && id.err == nil:
		r.say(x.member(atIdentifierValue), "%s is a wildcard, and a subdomain is one exact host", quote(x.Value))
	case id.level == registrableLevel:
		r.say(x.member(atIdentifierValue), "%s is a base domain, not a subdomain", quote(x.Value))
	}
}
