package operator

import (
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// A claim is a property that an operator lists.
type claim struct {
	relationship, pointer string
}

// claims are the properties of an operator: websites by host, and by each name above a
// host for wildcards; everything else by type and identifier.
type claims struct {
	hosts, below map[string][]claim
	exact        map[[2]string][]claim
}

const (
	website = "website"
	owned   = "owned"
	// maxLabels bounds how many names above a host are noted. Hosts of the web have less.
	maxLabels = 16
)

// claimsOf returns the properties that count for a mention of an agent: those of its brand,
// or all in the document when the agent is named above the brands.
func (d *Document) claimsOf(m mention) claims {
	c := claims{hosts: map[string][]claim{}, below: map[string][]claim{}, exact: map[[2]string][]claim{}}
	if m.brand != "" {
		c.addAll(m.holder, m.brand)
		return c
	}
	c.addAll(d.root, "")
	c.addAll(d.root.Get("house"), "/house")
	for i, brand := range d.root.Get("brands").Elems() {
		c.addAll(brand, "/brands/"+strconv.Itoa(i))
	}
	return c
}

func (c *claims) addAll(holder jsontree.Value, base string) {
	for i, v := range holder.Get("properties").Elems() {
		relationship := v.Get("relationship")
		one := claim{owned, base + "/properties/" + strconv.Itoa(i)}
		if relationship.Exists() {
			one.relationship = undefinedIfEmpty(relationship.Str())
		}
		c.add(v.Get("type").Str(), v.Get("identifier").Str(), one)
	}
}

// undefinedIfEmpty keeps an invalid relationship from being taken for none.
func undefinedIfEmpty(word string) string {
	if word == "" {
		return "?"
	}
	return word
}

func (c *claims) add(kind, identifier string, one claim) {
	if kind != website {
		if identifier != "" {
			key := [2]string{kind, identifier}
			c.exact[key] = append(c.exact[key], one)
		}
		return
	}
	host, _, err := hostname.Canonical(identifier)
	if err != nil {
		return
	}
	c.hosts[host] = append(c.hosts[host], one)
	above := host
	for range maxLabels {
		_, rest, ok := strings.Cut(above, ".")
		if !ok {
			return
		}
		c.below[rest] = append(c.below[rest], one)
		above = rest
	}
}

// of returns the first claim about a property of a publisher's file and the first that
// contradicts it; nil for none. It keeps no list: a hostile file may repeat an identifier
// as often as a hostile brand.json repeats its claims.
func (c *claims) of(p *adagents.Property) (*claim, *claim) {
	var first *claim
	seen := map[adagents.Identifier]bool{}
	for _, id := range p.Identifiers {
		key := adagents.Identifier{Type: id.Type, Value: id.Value}
		if seen[key] {
			continue
		}
		seen[key] = true
		list := c.byIdentifier(p.Type, &id)
		for i := range list {
			switch {
			case first == nil:
				first = &list[i]
			case list[i].relationship != first.relationship:
				return first, &list[i]
			}
		}
	}
	return first, nil
}

func (c *claims) byIdentifier(kind string, id *adagents.Identifier) []claim {
	switch {
	case kind != website:
		return c.exact[[2]string{kind, id.Value}]
	case id.Type == "domain":
		return c.byDomain(id.Value)
	case id.Type == "subdomain":
		host, _, err := hostname.Canonical(id.Value)
		if err == nil {
			return c.hosts[host]
		}
	}
	return nil
}

// byDomain returns the claims about the hosts that a domain identifier stands for, and
// about the domain whose main form it is.
func (c *claims) byDomain(identifier string) []claim {
	base, wild := strings.CutPrefix(identifier, "*.")
	base, _, err := hostname.Canonical(base)
	switch {
	case err != nil:
		return nil
	case wild && hostname.WildcardTooBroad(base):
		return nil
	case wild:
		return c.below[base]
	}
	list := c.hosts[base]
	for _, form := range []string{"www.", "m."} {
		if hostname.MatchesDomain(base, form+base) {
			list = append(list[:len(list):len(list)], c.hosts[form+base]...)
		}
		main, ok := strings.CutPrefix(base, form)
		if ok && hostname.MatchesDomain(main, base) {
			list = append(list[:len(list):len(list)], c.hosts[main]...)
		}
	}
	return list
}
