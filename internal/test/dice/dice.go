// Package dice makes random files and questions for tests. They are made of few words, so that
// they often meet: faulty entries, selectors of several publishers, times, countries, placements,
// collections, signals and revocations. The publisher is pub.example, the agent agent.example.
package dice

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/resolve"
)

// Dice make random things, always the same ones in the same order.
type Dice struct {
	*rand.Rand
	// narrow is how rarely an entry of the file has a certain qualifier.
	narrow int
	// Many: the file has so many properties that they are found by tables.
	Many bool
}

// New returns the dice of a number in a part of a test.
func New(part, number uint64) Dice {
	r := rand.New(rand.NewPCG(part, number))
	return Dice{r, []int{3, 6, 40}[r.IntN(3)], false}
}

// One returns true once in n times.
func (r Dice) One(n int) bool { return r.IntN(n) == 0 }

// Pick returns one of the words.
func (r Dice) Pick(words ...string) string { return words[r.IntN(len(words))] }

// Some returns between one and all of the words, each once.
func (r Dice) Some(words ...string) []string {
	words = slices.Clone(words)
	r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	return words[:1+r.IntN(len(words))]
}

type object = map[string]any

// File makes a file.
func (r Dice) File() []byte {
	file := object{"authorized_agents": r.list(5, r.entry), "properties": r.properties(), "placements": r.placements(),
		"signals": r.signals()}
	if r.One(20) {
		file["authorized_agents"] = []any{}
	}
	if r.One(4) {
		alone(file)
	}
	if r.One(60) {
		file[r.Pick("placements", "signals")] = []any{object{"p": object{}}, "p", 5, nil}[r.IntN(4)]
	}
	if r.One(4) {
		file["revoked_publisher_domains"] = r.Revocations()
	}
	src, err := json.Marshal(file, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return src
}

// list makes between one and n values.
func (r Dice) list(n int, make func() object) []object {
	var out []object
	for range 1 + r.IntN(n) {
		out = append(out, make())
	}
	return out
}

// Revocations makes a list of revoked publishers.
func (r Dice) Revocations() []map[string]any {
	var out []object
	for _, domain := range r.Some("x.example", "news.pub.example", "s.pub.example", "www.pub.example", "far.example") {
		out = append(out, object{"publisher_domain": domain, "revoked_at": "2026-01-01T00:00:00Z"})
	}
	if r.One(8) {
		out = append(out, object{"publisher_domain": r.Pick("pub.example", "PUB.example.")})
	}
	return out
}

// properties makes the list of a file or an entry. No publisher has two properties
// with one id: which of them counts is a matter of the reader of the format.
func (r Dice) properties() []object {
	var out []object
	taken := map[string]bool{}
	for range 1 + r.IntN(5) {
		p := r.property()
		key := fmt.Sprint(p["property_id"], domain(fmt.Sprint(p["publisher_domain"])))
		if p["publisher_domain"] == nil {
			key = fmt.Sprint(p["property_id"], "pub.example")
		}
		if p["property_id"] != nil && taken[key] {
			continue
		}
		taken[key] = true
		out = append(out, p)
	}
	for i := 0; r.Many && i < 30; i++ {
		p := r.property()
		p["property_id"] = fmt.Sprint("m", i)
		out = append(out, p)
	}
	return out
}

func (r Dice) property() object {
	p := object{"name": "N", "property_type": r.Pick("website", "website", "mobile_app")}
	if !r.One(8) {
		p["property_id"] = r.Pick("a", "b", "c")
	}
	if !r.One(3) {
		p["tags"] = r.Some("t", "u", "v")
	}
	switch r.IntN(8) {
	case 0:
		p["publisher_domain"] = "x.example"
	case 1:
		p["publisher_domain"] = r.Pick("PUB.example", "www.pub.example", "not a domain")
	case 2, 3, 4, 5:
		p["publisher_domain"] = "pub.example"
	}
	if !r.One(12) {
		p["identifiers"] = r.list(2, r.identifier)
	}
	return p
}

func (r Dice) identifier() object {
	if r.One(5) {
		return object{"type": "ios_bundle", "value": r.Pick("com.A", "com.a")}
	}
	if r.One(5) {
		return object{"type": "subdomain", "value": r.Pick("s.pub.example", "news.pub.example")}
	}
	return object{"type": "domain", "value": r.Pick("pub.example", "www.pub.example", "News.pub.example", "*.pub.example",
		"*.news.pub.example", "x.example")}
}

func (r Dice) placements() []object {
	var out []object
	for _, id := range r.Some("p", "q", "r") {
		p := object{"placement_id": id, "name": "N"}
		if r.One(2) {
			p["property_tags"] = r.Some("t", "u", "v")
		}
		if p["property_tags"] == nil || r.One(2) {
			p["property_ids"] = r.Some("a", "b", "c")
		}
		if r.One(2) {
			p["tags"] = r.Some("m", "n")
		}
		if r.One(3) {
			p["collection_ids"] = r.Some("c1", "c2")
		}
		r.spoil(p, "placement_id", "collection_ids")
		out = append(out, p)
	}
	return out
}

// spoil gives an entry of a section a fault now and then, for which it is left out, or
// makes what narrows it unreadable.
func (r Dice) spoil(e object, id, narrows string) {
	switch r.IntN(30) {
	case 0:
		e["name"] = ""
	case 1:
		e["name"] = 5
	case 2:
		delete(e, "name")
	case 3:
		if id == "placement_id" {
			e[r.Pick("source", "format_ids", "delivery_mappings")] = nil
		} else {
			e["value_type"] = r.Pick("boolean", "")
		}
	case 4:
		e[id] = r.IntN(2)
	case 5:
		delete(e, id)
	case 6:
		e[narrows] = []any{"c1", []any{}, nil, 5, []any{7}}[r.IntN(5)]
	}
}

func (r Dice) signals() []object {
	var out []object
	for _, id := range r.Some("s1", "s2") {
		s := object{"id": id, "name": "N", "value_type": "binary"}
		if r.One(2) {
			s["tags"] = r.Some("k", "l")
		}
		if r.One(3) {
			s["countries"] = r.Some("US", "DE", "FR")
		}
		r.spoil(s, "id", "countries")
		out = append(out, s)
	}
	if r.One(4) {
		out = append(out, object{"catalog_url": "https://pub.example/signals.json"})
	}
	return out
}

func (r Dice) entry() object {
	e := object{"url": r.Pick(
		"https://agent.example/mcp", "https://agent.example/mcp", "https://agent.example/mcp", "https://agent.example/mcp",
		"https://Agent.example:443/mcp#x", "https://agent.example./mcp", "https://agent.example/mcp/",
		"http://agent.example/mcp", "https://me@agent.example/mcp", "https://other.example/mcp",
	), "authorized_for": "Everything"}
	kind := r.Pick("property_ids", "property_tags", "inline_properties", "publisher_properties",
		"property_ids", "property_tags", "inline_properties", "publisher_properties", "signal_ids", "signal_tags", "other")
	e["authorization_type"] = kind
	if r.One(25) {
		delete(e, "authorization_type")
	}
	selectors := object{
		"property_ids": r.Some("a", "b", "c", "z"), "property_tags": r.Some("t", "u", "w"),
		"properties": r.properties(), "publisher_properties": r.list(3, r.selector),
		"signal_ids": r.Some("s1", "s2", "s9"), "signal_tags": r.Some("k", "l"),
	}
	member := kind
	if kind == "inline_properties" {
		member = "properties"
	}
	for _, name := range slices.Sorted(maps.Keys(selectors)) {
		if name == member && !r.One(20) || r.One(20) {
			e[name] = selectors[name]
		}
	}
	r.qualify(e)
	return e
}

func (r Dice) selector() object {
	s := object{"selection_type": r.Pick("all", "by_id", "by_tag", "some"), "property_ids": r.Some("a", "b"),
		"property_tags": r.Some("t", "u")}
	domains := r.Some("pub.example", "Pub.example", "x.example", "not a domain", "far.example")
	if r.One(2) {
		s["publisher_domains"] = domains
	}
	if s["publisher_domains"] == nil || r.One(8) {
		s["publisher_domain"] = domains[0]
	}
	if r.One(15) {
		delete(s, r.Pick("selection_type", "property_ids", "property_tags", "publisher_domain"))
	}
	return s
}

// qualify narrows an entry in some ways, now and then by nothing at all.
func (r Dice) qualify(e object) {
	const noon, late = "2026-06-01T14:00:00+02:00", "2026-06-01T12:00:00.5Z"
	qualifiers := object{
		"countries": r.Some("US", "DE", "us", "EMEA"), "placement_ids": r.Some("p", "q", "r", "ghost"),
		"placement_tags": r.Some("m", "n", "o"), "collections": r.list(2, r.collection),
		"exclusive":       true,
		"effective_from":  r.Pick("2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z", noon, late, "soon", "0001-01-01T00:00:00Z"),
		"effective_until": r.Pick("2030-01-01T00:00:00Z", "2026-12-31T23:59:59Z", noon, late, "soon", "0001-01-01T00:00:00Z"),
	}
	for _, name := range slices.Sorted(maps.Keys(qualifiers)) {
		if !r.One(r.narrow) {
			continue
		}
		e[name] = qualifiers[name]
		switch r.IntN(24) {
		case 0:
			e[name] = []any{}
		case 1:
			e[name] = nil
		}
	}
}

func (r Dice) collection() object {
	c := object{"publisher_domain": r.Pick("pub.example", "pub.example", "x.example")}
	if r.IntN(4) > 0 {
		c["collection_ids"] = r.Some("c1", "c2", "c3")
	}
	return c
}

// Question makes a question.
func (r Dice) Question() resolve.Question {
	q := resolve.Question{Publisher: r.Pick("pub.example", "Pub.example."),
		Agent: r.Pick("https://agent.example/mcp", "HTTPS://AGENT.example/mcp")}
	at, err := time.Parse(time.RFC3339, r.Pick("2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-06-01T12:00:00Z",
		"2026-06-01T12:00:01Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"))
	if err != nil {
		panic(err)
	}
	q.At, q.Country, q.Inline = at, r.Pick("", "", "US", "us", "DE", "FR"), r.One(2)
	if r.One(6) {
		q.Signal = r.Pick("s1", "s2", "s9")
		return q
	}
	if r.One(3) {
		q.Property = r.Pick("a", "a", "b", "b", "c", "z")
	}
	if r.One(6) {
		q.Identifier = resolve.Identifier{Type: "domain",
			Value: r.Pick("pub.example", "www.pub.example", "m.pub.example", "news.pub.example", "a.news.pub.example")}
	}
	if r.One(12) {
		q.Identifier = resolve.Identifier{Type: r.Pick("ios_bundle", "android_package"), Value: "com.A"}
	}
	if r.One(8) {
		q.PropertyType = r.Pick("website", "mobile_app")
	}
	if r.One(4) {
		q.Placements = r.Some("p", "q", "r", "ghost")
	}
	if r.One(4) {
		q.Collections = []resolve.CollectionRef{{PublisherDomain: r.Pick("pub.example", "PUB.example", "x.example"),
			ID: r.Pick("c1", "c2")}}
	}
	return q
}

// alone takes the names of other publishers out of a file.
func alone(v any) {
	switch v := v.(type) {
	case object:
		if _, ok := v["publisher_domains"]; ok {
			v["publisher_domains"] = []string{"pub.example"}
		}
		if name, ok := v["publisher_domain"]; ok && v["property_type"] != nil {
			if name != "pub.example" {
				delete(v, "property_id") // another may have it
			}
			delete(v, "publisher_domain")
		} else if ok {
			v["publisher_domain"] = "pub.example"
		}
		for _, member := range v {
			alone(member)
		}
	case []object:
		for _, e := range v {
			alone(e)
		}
	}
}

// domain is how a reader of the format spells a name; empty for what is none.
func domain(s string) string {
	s = strings.TrimSuffix(strings.ToLower(s), ".")
	if !strings.Contains(s, ".") || strings.ContainsAny(s, " _") {
		return ""
	}
	return s
}
