package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
)

// agentPublisherRules look at the publisher selectors of an entry together,
// and at how they meet the file's own properties.
var agentPublisherRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "selector.domain_repeated", Severity: Info,
		Title: "two selectors of an entry say the same of a publisher",
		Why:   "The second one adds nothing. In a long list it often stands where another publisher was meant.",
		Hint:  "remove the publisher from one of the two",
		Spec:  "avow docs/rules.md",
		In:    InSelector,
		Bad:   `{"publisher_domains": ["example.com", "example.org"], "selection_type": "all"}`,
		Good:  `{"publisher_domains": ["example.com", "example.net"], "selection_type": "all"}`,
	}, check: func(r reporter, a *Agent) {
		selectors := a.Scope().Selectors
		if len(selectors) < 2 {
			return
		}
		seen := make(map[pick]int)
		predicates := make(map[string]int)
		for i := range selectors {
			s := &selectors[i]
			if s.effect.gone() {
				continue
			}
			text := predicateText(s)
			first(predicates, text, i)
			repeatedDomains(r, seen, predicates[text], s, i)
		}
	}},
	{Rule: Rule{
		Code: "selector.inline_unmatched", Severity: Info,
		Title: "a selector matches none of a publisher's properties in this file",
		Why: "This file lists properties of the publisher, but the selector picks none of them. The publisher's own file " +
			"is asked instead and may have others.",
		Hint: "check the ids or tags of the selector against the properties of this file",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InFile,
		Bad: goodFile + taggedProperty + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Sports sites",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["sports"]},
      {"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}
    ],` + exampleKeys,
		Good: goodFile + taggedProperty + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "News sites",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["news"]}
    ],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		selectors := a.Scope().Selectors
		if r.scope().usable == 0 || r.ownSelectorsEmpty(selectors) {
			return
		}
		for i := range selectors {
			if s := &selectors[i]; !s.effect.gone() && s.SelectionType != "all" {
				unmatchedDomains(r, s)
			}
		}
	}},
	{Rule: Rule{
		Code: "selector.publisher_without_property", Severity: Warning,
		Title: "a list of publishers names some of which the file has no property",
		Why: "The file has properties of other publishers of the list. A publisher that points to this file has here all " +
			"that buyers know of it. Without a property there is nothing to buy, and the selector covers nothing. " +
			"Publishers with a file of their own are not affected: their properties are looked for there.",
		Hint: "add the properties of these publishers; avow edit add --properties makes one website for each domain",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InFile,
		Bad: goodFile + taggedProperty + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "A network",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domains": ["example.com", "example.org"], "selection_type": "all"}
    ],` + exampleKeys,
		Good: goodFile + taggedProperty + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "A network",
    "authorization_type": "publisher_properties",
    "publisher_properties": [
      {"publisher_domains": ["example.com"], "selection_type": "all"}
    ],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		for i := range a.Scope().Selectors {
			s := &a.Scope().Selectors[i]
			if !s.effect.gone() && s.member(atSelectorPublisherDomains).Exists() {
				bareDomains(r, s)
			}
		}
	}},
}

const taggedProperty = `  "properties": [{
    "property_id": "site",
    "property_type": "website",
    "name": "Example News",
    "identifiers": [{"type": "domain", "value": "example.com"}],
    "tags": ["news"],
    "publisher_domain": "example.com"
  }],
  "tags": {"news": {"name": "News", "description": "News sites"}},
`

// pick is a publisher with the first selector that picks in a certain way.
type pick struct {
	predicate int
	domain    string
}

// repeatedDomains reports a selector that repeats what an earlier one says.
func repeatedDomains(r reporter, seen map[pick]int, predicate int, s *Selector, number int) {
	count, name, where := 0, "", 0
	for _, domain := range r.publishersOf(s) {
		key := pick{predicate, domain}
		earlier, ok := seen[key]
		if !ok {
			seen[key] = number
			continue
		}
		if count == 0 && earlier != number {
			name, where = domain, earlier
		}
		if earlier != number {
			count++
		}
	}
	switch {
	case count == 1:
		r.say(s.Raw, "%s is selected in the same way by selector %d of the entry", quote(name), where)
	case count > 1:
		r.say(s.Raw, "%d publishers are selected in the same way by earlier selectors of the entry, the first is %s", count,
			quote(name))
	}
}

// predicateText is equal for selectors that pick alike.
func predicateText(s *Selector) string {
	list, _ := s.predicate()
	return s.SelectionType + sortedText(list)
}

// sortedText is equal for lists with the same texts, in whatever order.
func sortedText(list Value) string {
	texts := make([]string, 0, list.Len())
	for _, v := range list.Elems() {
		texts = append(texts, conform.CanonicalText(v))
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ",")
}

// unmatchedDomains reports a selector once for the publishers that have
// properties in this file of which it picks none.
func unmatchedDomains(r reporter, s *Selector) {
	count, name := 0, ""
	for no, domain := range r.publishersOf(s) {
		last := r.lastOwned(no)
		if last < 0 || r.picksOwned(s, last) || r.revoked(domain) {
			continue
		}
		if count++; count == 1 {
			name = domain
		}
	}
	switch {
	case count == 1:
		r.say(s.Raw, "this file lists properties of %s, but the selector matches none of them", quote(name))
	case count > 1:
		r.say(s.Raw, "this file lists properties of %d of these publishers that the selector does not match, the first is %s",
			count, quote(name))
	}
}

// bareDomains reports a list of publishers once for those of which the file has no property, if it has
// some of the others: a list of which it has none leaves all to the publishers' own files.
func bareDomains(r reporter, s *Selector) {
	count, name, some := 0, "", false
	for no, domain := range r.publishersOf(s) {
		if r.revoked(domain) {
			continue
		}
		if r.lastOwned(no) >= 0 || r.describes(domain) {
			some = true
			continue
		}
		if count++; count == 1 {
			name = domain
		}
	}
	const nothing = "a publisher that points to this file can sell nothing without one"
	switch {
	case !some:
	case count == 1:
		r.say(s.Raw, "the file has no property of %s: %s", quote(name), nothing)
	case count > 1:
		r.say(s.Raw, "the file has no property of %d publishers of the list, the first is %s: %s",
			count, quote(name), nothing)
	}
}

// describes reports whether a property could be the publisher's that is not among those with its
// name: one without publisher_domain that is identified by the domain, or one inside an entry.
func (c *content) describes(domain string) bool {
	s := c.scope()
	if s.loose == nil {
		s.loose = make(map[string]bool)
		for i := range c.file.Properties {
			if p := &c.file.Properties[i]; c.publisherOf(p) == "" {
				s.loosen(c, p)
			}
		}
		for i := range c.file.Agents {
			inline := c.file.Agents[i].Scope().Properties
			for j := range inline {
				s.loosen(c, &inline[j])
			}
		}
	}
	return s.loose[domain]
}

// loosen notes the domains that a property may be of.
func (s *scopeMap) loosen(c *content, p *Property) {
	if p.effect.gone() {
		return
	}
	s.loose[c.publisherOf(p)] = true
	for _, id := range p.Identifiers {
		if id.Type == "domain" {
			s.loose[canonicalDomain(&c.index.hosts, id.Value)] = true
		}
	}
}

// picksOwned reports whether a selector picks a property of the publisher whose
// last one it is given. It answers yes when that takes too long to find out.
func (c *content) picksOwned(s *Selector, last int32) bool {
	for i := last; i >= 0; i = c.alsoOwned(i) {
		p := &c.file.Properties[i]
		if !c.spend(1+len(s.PropertyIDs)+len(s.PropertyTags)*len(p.Tags)) || s.picks(p) {
			return true
		}
	}
	return false
}

// picks reports whether a selector over the publisher of a property picks it.
func (s *Selector) picks(p *Property) bool {
	switch s.SelectionType {
	case "all":
		return true
	case "by_tag":
		return slices.ContainsFunc(p.Tags, func(tag string) bool { return slices.Contains(s.PropertyTags, tag) })
	}
	return slices.Contains(s.PropertyIDs, p.ID)
}

// ownSelectorsEmpty reports whether all selectors of an entry look in this very
// file and find nothing. No other file is asked then.
func (c *content) ownSelectorsEmpty(list []Selector) bool {
	if c.opt.Domain == "" || c.opt.Role != Direct {
		return false
	}
	any := false
	for i := range list {
		s := &list[i]
		if s.effect.gone() {
			continue
		}
		for no, domain := range c.publishersOf(s) {
			if domain != c.opt.Domain || c.revoked(domain) || c.picksOwned(s, c.lastOwned(no)) {
				return false
			}
			any = true
		}
	}
	return any
}

// agentNothingRules come last: they speak up when everything is in order and
// the entry covers nothing all the same.
var agentNothingRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.resolves_to_nothing", Severity: Warning, Effect: EmptyEntry,
		Title: "an agent entry covers nothing",
		Why: "Every part of the entry can be read, but together they leave nothing: no property or signal of this file " +
			"matches, and no other file is asked.",
		Hint:  "compare the entry's selector and countries with the catalog",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InFile,
		Along: []string{"file.authorizes_nobody"},
		Bad: goodFile + germanSignal + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Auto intenders",
    "authorization_type": "signal_ids",
    "signal_ids": ["auto_intender"],
    "countries": ["US"],` + exampleKeys,
		Good: goodFile + germanSignal + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Auto intenders",
    "authorization_type": "signal_ids",
    "signal_ids": ["auto_intender"],
    "countries": ["DE"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		if a.effect.worst >= EmptyEntry {
			return
		}
		switch {
		case r.ownSelectorsEmpty(a.Scope().Selectors):
			r.say(a.Raw, "no property of this file matches the selectors, and they name no other publisher")
		case r.signalsElsewhere(a):
			r.say(a.Raw, "none of the signals may be used in the countries of the entry")
		}
	}},
}

const germanSignal = `  "signals": [{
    "id": "auto_intender",
    "name": "Auto intender",
    "value_type": "binary",
    "countries": ["DE"]
  }],
`

// signalsElsewhere reports whether an entry's signals are all confined to
// countries that the entry is not.
func (c *content) signalsElsewhere(a *Agent) bool {
	if len(a.Countries) == 0 || c.scope().catalogs > 0 {
		return false
	}
	scope := a.Scope()
	if len(scope.SignalIDs)+len(scope.SignalTags) == 0 {
		return false
	}
	ids, tags := textsOf(scope.SignalIDs), textsOf(scope.SignalTags)
	countries := textsOf(a.Countries)
	any := false
	for i := range c.file.Signals {
		s := &c.file.Signals[i]
		if !c.spend(1 + len(s.Tags) + len(s.Countries)) {
			return false
		}
		if s.effect.gone() || !ids.has(s.ID) && !tags.meets(s.Tags) {
			continue
		}
		if len(s.Countries) == 0 || countries.meets(s.Countries) {
			return false
		}
		any = true
	}
	return any
}
