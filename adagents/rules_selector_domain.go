package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// selectorDomainRules look at the publishers a selector names. A list may have
// fifty thousand of them: one pass sorts out the few with a fault, and the
// rules look at those only.
var selectorDomainRules = []rule[*Selector]{
	{Rule: Rule{
		Code: "selector.domain_invalid", Severity: Error, Effect: DropRef,
		Title: "a publisher is not written as a domain",
		Why: "The publisher's file is looked for at this domain. Readers disagree about other spellings, and many skip " +
			"them.",
		Hint:   "write the bare domain in lower case, for example example.com",
		Spec:   "AdCP adagents.json Tech Spec, publisher_properties",
		Varies: "a warning without effect, an error in the strict profile, when the domain meant is clear",
		In:     InSelector,
		fix:    fixDomain,
		Bad:    `{"publisher_domain": "example_site.com", "selection_type": "all"}`,
		Good:   `{"publisher_domain": "example.com", "selection_type": "all"}`,
	}, check: func(r reporter, s *Selector) {
		for _, d := range r.scanDomains(s).faults {
			switch {
			case !d.at.Is(String):
				r.say(d.at, "a publisher must be a text, not %s", d.at.Kind())
			case d.canonical != "" && d.change != 0:
				r.sayWith(r.lenient(), NoEffect, d.at, "%s is read as %s (%s)", quote(d.at.Str()), quote(d.canonical), d.change).
					withHint("write %s", d.canonical)
			case d.canonical == "" && !namedFault(d.kind):
				r.say(d.at, "%s is not a domain: it %s", quote(d.at.Str()), d.kind)
			}
		}
	}},
	domainRule(Rule{
		Code:  "selector.domain_single_label",
		Title: "a publisher is a name without a dot",
		Why:   "A single label such as localhost is not a registered domain, so no publisher's file can be there.",
		Hint:  "write the whole domain, for example example.com",
		fix:   fixDomain,
		Bad:   `{"publisher_domain": "localhost", "selection_type": "all"}`,
	}, hostname.SingleLabel, "%s has no dot, so it is not a registered domain"),
	domainRule(Rule{
		Code:  "selector.domain_ip",
		Title: "a publisher is an IP address",
		Why:   "A publisher is known by its domain. An address can change hands at any time.",
		Hint:  "write the domain, for example example.com",
		fix:   fixDomain,
		Bad:   `{"publisher_domain": "203.0.113.7", "selection_type": "all"}`,
	}, hostname.IPLiteral, "%s is an IP address, not a domain"),
	domainRule(Rule{
		Code:  "selector.domain_wildcard",
		Title: "a publisher is a wildcard",
		Why:   "Every publisher has its own file, so each is named on its own. A wildcard leads to no file.",
		Hint:  "list each publisher in publisher_domains",
		fix:   remedy{Likely, fixDomain.make},
		Bad:   `{"publisher_domain": "*.example.com", "selection_type": "all"}`,
	}, hostname.Wildcard, "%s is a wildcard, which names no publisher"),
	{Rule: Rule{
		Code: "selector.domain_public_suffix", Severity: Error, Effect: DropRef,
		Title: "a publisher is a public suffix",
		Why: "Below a public suffix such as co.uk unrelated owners register their domains; no publisher speaks for all " +
			"of them.",
		Hint: "write the publisher's own domain, for example example.co.uk",
		Spec: "Public Suffix List",
		In:   InSelector,
		fix:  fixDomain,
		Bad:  `{"publisher_domain": "co.uk", "selection_type": "all"}`,
		Good: goodSelector,
	}, check: func(r reporter, s *Selector) {
		for _, d := range r.scanDomains(s).faults {
			if d.suffix {
				r.say(d.at, "%s is a public suffix, not the domain of a publisher", quote(d.at.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "selector.domain_duplicate", Severity: Warning, Strict: Error,
		Title: "a publisher is listed twice in a selector",
		Why:   "The second mention adds nothing, and often one of the two was meant to be another publisher.",
		Hint:  "remove one of the two, or correct it",
		Spec:  "AdCP adagents.json schema, publisher_properties",
		In:    InSelector,
		fix:   removeIt(Safe, "remove the repeated publisher"),
		Bad:   `{"publisher_domains": ["example.com", "example.com"], "selection_type": "all"}`,
		Good:  `{"publisher_domains": ["example.com", "example.net"], "selection_type": "all"}`,
	}, check: func(r reporter, s *Selector) {
		for _, v := range r.scanDomains(s).repeated {
			r.say(v, "%s is listed twice in publisher_domains", quote(v.Str()))
		}
	}},
	{Rule: Rule{
		Code: "selector.revoked", Severity: Warning, Effect: DropRef,
		Title: "a selector names a revoked publisher",
		Why: "A domain in revoked_publisher_domains is no longer authorized wherever else it appears, so the selector " +
			"covers nothing of it.",
		Hint: "remove the publisher here, or the revocation if it is back",
		Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:   InFile,
		Bad: goodFile + `  "revoked_publisher_domains": [
    {"publisher_domain": "example.com", "revoked_at": "2026-01-01T00:00:00Z"}
  ],
  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "A network",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domains": ["example.com", "example.org"], "selection_type": "all"}
    ],` + exampleKeys,
		Good: goodFile + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "A network",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domains": ["example.com", "example.org"], "selection_type": "all"}
    ],` + exampleKeys,
	}, check: func(r reporter, s *Selector) {
		if len(r.index.revoked) == 0 {
			return
		}
		count, name := 0, ""
		for _, domain := range r.publishersOf(s) {
			if r.revoked(domain) {
				if count++; count == 1 {
					name = domain
				}
			}
		}
		switch {
		case count == 1:
			r.say(s.Raw, "the publisher %s is revoked in this file", quote(name))
		case count > 1:
			r.say(s.Raw, "%d publishers of the selector are revoked in this file, the first is %s", count, quote(name))
		}
	}},
}

// domainRule completes a rule about one kind of faulty domain.
func domainRule(r Rule, kind hostname.Kind, msg string) rule[*Selector] {
	r.Severity, r.Effect = Error, DropRef
	r.Spec, r.In, r.Good = "avow docs/rules.md", InSelector, goodSelector
	return rule[*Selector]{Rule: r, check: func(r reporter, s *Selector) {
		for _, d := range r.scanDomains(s).faults {
			if d.canonical == "" && d.kind == kind {
				r.say(d.at, msg, quote(d.at.Str()))
			}
		}
	}}
}

// namedFault reports whether a kind of fault has a rule of its own.
func namedFault(k hostname.Kind) bool {
	return k == hostname.SingleLabel || k == hostname.IPLiteral || k == hostname.Wildcard
}

// scanDomains looks through the domains of a selector, once for all rules.
func (c *content) scanDomains(s *Selector) *domainScan {
	scan := &c.agents.domains
	if scan.of == s {
		return scan
	}
	scan.of, scan.faults, scan.repeated = s, scan.faults[:0], scan.repeated[:0]
	scan.number++
	if s.twoForms() {
		return scan
	}
	if v := s.member(atSelectorPublisherDomain); v.Exists() {
		scan.note(v, &c.index.hosts)
	}
	list := s.member(atSelectorPublisherDomains)
	if list.Len() == 0 {
		return scan
	}
	c.index.publishers.reserve(list.Len())
	if s.SelectionType != "all" {
		c.chainOwned() // what the publishers own is going to be asked for
	}
	numbers := make([]int32, 0, list.Len())
	for _, v := range list.Elems() {
		no := c.scanDomain(scan, v)
		if no < 0 {
			continue
		}
		numbers = append(numbers, no)
		if met := &c.index.publishers.list[no].met; *met != scan.number {
			*met = scan.number
		} else {
			scan.repeated = append(scan.repeated, v)
		}
	}
	if c.agents.listed == nil {
		c.agents.listed = make(map[*Selector][]int32)
	}
	c.agents.listed[s] = numbers
	return scan
}

// scanDomain returns the number of a publisher, or -1 when it is unreadable. Of one that is
// known to be in order nothing is worked out again.
func (c *content) scanDomain(scan *domainScan, v Value) int32 {
	known, text := &c.index.publishers, v.Str()
	if no := int32(known.slot(text, hashOf(text)).no) - 1; no >= 0 && known.list[no].fine {
		return no
	}
	domain := scan.note(v, &c.index.hosts)
	if domain == "" {
		return -1
	}
	return c.publisherNo(domain)
}

// note records what is wrong with a publisher domain, if anything, and returns its canonical
// form.
func (scan *domainScan) note(v Value, known *hostname.Memo) string {
	d, bad := examineDomain(v, known)
	if bad {
		scan.faults = append(scan.faults, d)
	}
	return d.canonical
}

// examineDomain returns what is wrong with a publisher domain, and whether anything is.
func examineDomain(v Value, known *hostname.Memo) (domainFault, bool) {
	d := domainFault{at: v}
	var err error
	d.canonical, d.change, err = known.Canonical(v.Str())
	d.kind = faultOf(err)
	d.suffix = hostname.IsPublicSuffix(d.canonical)
	return d, err != nil || d.change != 0 || d.suffix
}

// publisherNo returns the number of a publisher.
func (c *content) publisherNo(domain string) int32 {
	return c.index.publishers.number(domain, hashOf(domain))
}

// publishersOf yields the usable publishers of a selector in canonical form, with their
// numbers. A selector that names them in two ways has none.
func (c *content) publishersOf(s *Selector) func(yield func(int32, string) bool) {
	return func(yield func(int32, string) bool) {
		if s.twoForms() {
			return
		}
		if domain := canonicalDomain(&c.index.hosts, s.PublisherDomain); domain != "" &&
			!yield(c.publisherNo(domain), domain) {
			return
		}
		for _, no := range c.listed(s) {
			if !yield(no, c.index.publishers.list[no].name) {
				return
			}
		}
	}
}

// listed returns the numbers of the publisher_domains of a selector, without those that have
// no canonical form. It is made once: rules ask for it again and again.
func (c *content) listed(s *Selector) []int32 {
	if len(s.PublisherDomains) == 0 {
		return nil
	}
	list, ok := c.agents.listed[s]
	if !ok {
		c.scanDomains(s)
		list = c.agents.listed[s]
	}
	return list
}

const goodSelector = `{"publisher_domain": "example.com", "selection_type": "all"}`

// twoForms reports whether both ways to name publishers are present, which is
// reported once and explains everything else about them.
func (s *Selector) twoForms() bool {
	return s.member(atSelectorPublisherDomain).Exists() && s.member(atSelectorPublisherDomains).Exists()
}
