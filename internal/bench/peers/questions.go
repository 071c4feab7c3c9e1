package main

import (
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
)

// A question has an answer that follows from the way the file was made, not from
// any program.
type question struct {
	kind             string
	publisher, agent string
	idType, idValue  string
	country          string
	at               time.Time
	yes              bool
}

// perKind is the number of questions of each kind. A kind that fits fewer
// properties has fewer.
const perKind = 2000

var (
	duringSale = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)
	beforeSale = time.Date(2024, time.June, 1, 12, 0, 0, 0, time.UTC)
)

// collector gathers questions up to perKind of each kind.
type collector struct {
	list  []question
	count map[string]int
}

func (c *collector) add(kind string, yes bool, q question) {
	if c.count == nil {
		c.count = map[string]int{}
	}
	if c.count[kind] == perKind {
		return
	}
	c.count[kind]++
	q.kind, q.yes = kind, yes
	if q.at.IsZero() {
		q.at = duringSale
	}
	c.list = append(c.list, q)
}

// questionsOf asks about every property of a file in several ways.
func questionsOf(f *adagents.File) []question {
	var c collector
	for i := range f.Properties {
		p := &f.Properties[i]
		// Neighbours in the file have other tags, so that all entries have a turn.
		a := &f.Agents[i%len(f.Agents)]
		q := question{
			publisher: p.PublisherDomain, agent: a.URL, country: "US",
			idType: p.Identifiers[0].Type, idValue: p.Identifiers[0].Value,
		}
		if len(a.Countries) > 0 {
			q.country = a.Countries[0]
		}
		if !sells(a, p) {
			c.add("an entry that does not cover the property", false, q)
			continue
		}
		c.covered(a, p, q)
	}
	return c.list
}

// covered asks what is to be granted, and then what is not because of one detail.
func (c *collector) covered(a *adagents.Agent, p *adagents.Property, q question) {
	c.add("an identifier as listed", true, q)
	capitals := q
	capitals.agent = strings.Replace(q.agent, "https://agent", "https://AGENT", 1)
	c.add("the agent's host in capitals", true, capitals)
	stranger := q
	stranger.agent = "https://stranger.example.net/mcp"
	c.add("an agent that is not listed", false, stranger)
	other := q
	other.publisher = "another-publisher.com"
	c.add("a publisher without a file", false, other)
	switch q.idType {
	case "domain":
		c.website(p, q)
	case "ios_bundle":
		upper := q
		upper.idValue = strings.ToUpper(q.idValue)
		c.add("a bundle id in another case", false, upper)
	}
	if len(a.Countries) > 0 {
		abroad := q
		abroad.country = "ZW"
		c.add("a country that is not listed", false, abroad)
	}
	if a.EffectiveFrom != "" {
		early := q
		early.at = beforeSale
		c.add("an instant before the window", false, early)
	}
}

func (c *collector) website(p *adagents.Property, q question) {
	host := q.idValue
	www := q
	www.idValue = "www." + host
	c.add("the www form of a domain", true, www)
	deep := q
	deep.idValue = "a.b." + host
	if slices.ContainsFunc(p.Identifiers, func(id adagents.Identifier) bool { return id.Value == "*."+host }) {
		c.add("a host below a wildcard", true, deep)
		return
	}
	c.add("a host that is not listed", false, deep)
}

// sells reports whether an entry covers a property. The files have no properties
// that differ in their publisher and share an id, and one kind of selector.
func sells(a *adagents.Agent, p *adagents.Property) bool {
	shares := func(list []string) bool {
		return slices.ContainsFunc(p.Tags, func(tag string) bool { return slices.Contains(list, tag) })
	}
	s := a.Scope()
	// The one selector names every publisher of its file.
	return slices.Contains(s.PropertyIDs, p.ID) || shares(s.PropertyTags) || len(s.Selectors) > 0 &&
		shares(s.Selectors[0].PropertyTags)
}
