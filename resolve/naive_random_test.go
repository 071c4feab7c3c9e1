package resolve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

const (
	// randomPairs is the number of files with a question each that are compared.
	// Reading a file takes longer than answering, so several questions share one.
	randomPairs = 100_000 / slowdown
	randomAsked = 5
	// randomParts is the number of parts they are split into, to use all cores.
	randomParts = 20
)

// TestNaive compares the Resolver and its decisions with the naive implementation.
func TestNaive(t *testing.T) {
	t.Parallel()
	var seen [resolve.Authorized + 1]atomic.Int64
	t.Cleanup(func() {
		for v := range seen {
			if n := seen[v].Load(); n < randomPairs/100 {
				t.Errorf("only %d answers are %s", n, resolve.Verdict(v))
			}
		}
	})
	for part := range randomParts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := range randomPairs / randomParts / randomAsked {
				r := newDice(uint64(part), uint64(i))
				w := r.world()
				for range randomAsked {
					q := r.question()
					want := naively(w.doc.State, w.doc.Method, w.naive, q)
					seen[want.Verdict].Add(1)
					w.compare(t, q, want)
					w.decide(t, q, want)
					if t.Failed() {
						t.Fatalf("part %d file %d, %s\n%s\n%+v", part, i, w.doc.Method, w.src, q)
					}
				}
			}
		})
	}
}

// A world is one publisher's file, as both sides read it.
type world struct {
	src     []byte
	naive   naiveFile
	doc     *resolve.Document
	subject resolve.Subject
}

// Document makes a world a Source.
func (w *world) Document(context.Context, string) (*resolve.Document, error) { return w.doc, nil }

var roles = map[string]adagents.Role{
	"direct": adagents.Direct, "authoritative_location": adagents.Authoritative, "ads_txt_managerdomain": adagents.Manager,
}

func (w *world) compare(t *testing.T, q resolve.Question, want naiveAnswer) {
	t.Helper()
	a, err := resolve.New(w).Answer(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	got := naiveAnswer{Verdict: a.Verdict, Needs: slices.Sorted(slices.Values(a.Needs)), Placements: a.Placements}
	for i := range a.Grants {
		var n int
		_, err := fmt.Sscanf(a.Grants[i].Entry, "/authorized_agents/%d", &n)
		if err != nil {
			t.Fatal(err)
		}
		got.Entries = append(got.Entries, n)
	}
	// Comparing by reflection would take longer than answering.
	if want.Verdict != got.Verdict || !slices.Equal(want.Needs, got.Needs) || !slices.Equal(want.Entries, got.Entries) || !maps.Equal(want.Placements, got.Placements) {
		t.Errorf("-naive +resolver:\n%s", cmp.Diff(want, got, cmpopts.EquateEmpty()))
	}
}

// decide asks for the decision alone.
func (w *world) decide(t *testing.T, q resolve.Question, want naiveAnswer) {
	t.Helper()
	q, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.subject.Decide(&q)
	entry := want.Verdict < resolve.Conditional && got.Entry == -1 || slices.Contains(want.Entries, int(got.Entry))
	if err != nil || got.Verdict != want.Verdict || !entry || !slices.Equal(want.Needs, slices.Sorted(slices.Values(got.Needs.Strings()))) {
		t.Errorf("naive: %+v, decision: %+v, %v", want, got, err)
	}
}

// dice makes random files out of few words, so that they often meet.
type dice struct {
	*rand.Rand
	// narrow is how rarely an entry of the file has a certain qualifier.
	narrow int
	// many: the file has so many properties that they are found by tables.
	many bool
}

func newDice(part, number uint64) dice {
	r := rand.New(rand.NewPCG(part, number))
	return dice{r, []int{3, 6, 40}[r.IntN(3)], false}
}

// one returns true once in n times.
func (r dice) one(n int) bool { return r.IntN(n) == 0 }

func (r dice) pick(words ...string) string { return words[r.IntN(len(words))] }

// some returns between one and all of the words, each once.
func (r dice) some(words ...string) []string {
	words = slices.Clone(words)
	r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	return words[:1+r.IntN(len(words))]
}

type object = map[string]any

func (r dice) world() *world {
	w := &world{doc: &resolve.Document{
		Publisher: "pub.example", State: resolve.Usable, URL: "https://pub.example/.well-known/adagents.json",
		Method: r.pick("direct", "direct", "authoritative_location", "ads_txt_managerdomain"),
	}}
	defer func() { w.subject = resolve.NewSubject(w.doc) }()
	if r.one(10) {
		w.doc.State = []resolve.State{resolve.Absent, resolve.Unreachable, resolve.Unusable}[r.IntN(3)]
		return w
	}
	file := object{"authorized_agents": r.list(5, r.entry), "properties": r.properties(), "placements": r.placements(), "signals": r.signals()}
	if r.one(20) {
		file["authorized_agents"] = []any{}
	}
	if r.one(4) {
		alone(file)
	}
	if r.one(60) {
		file[r.pick("placements", "signals")] = []any{object{"p": object{}}, "p", 5, nil}[r.IntN(4)]
	}
	if r.one(4) {
		file["revoked_publisher_domains"] = r.revocations()
	}
	src, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	w.src, w.naive = src, naiveRead(src)
	if r.one(4) {
		w.hold(r.revocations())
	}
	w.doc.File = adagents.Check(src, adagents.Options{Domain: "pub.example", Role: roles[w.doc.Method]}).File
	return w
}

// hold lets revocations count that the file does not list.
func (w *world) hold(list []object) {
	for _, entry := range list {
		domain := naiveDomain(fmt.Sprint(entry["publisher_domain"]))
		w.doc.Revoked = append(w.doc.Revoked, domain)
		w.naive.Revoked = append(w.naive.Revoked, naiveRevocation{domain})
	}
}

// list makes between one and n values.
func (r dice) list(n int, make func() object) []object {
	var out []object
	for range 1 + r.IntN(n) {
		out = append(out, make())
	}
	return out
}

func (r dice) revocations() []object {
	var out []object
	for _, domain := range r.some("x.example", "news.pub.example", "s.pub.example", "www.pub.example", "far.example") {
		out = append(out, object{"publisher_domain": domain, "revoked_at": "2026-01-01T00:00:00Z"})
	}
	if r.one(8) {
		out = append(out, object{"publisher_domain": r.pick("pub.example", "PUB.example.")})
	}
	return out
}

// properties makes the list of a file or an entry. No publisher has two properties
// with one id: which of them counts is a matter of the reader of the format.
func (r dice) properties() []object {
	var out []object
	taken := map[string]bool{}
	for range 1 + r.IntN(5) {
		p := r.property()
		key := fmt.Sprint(p["property_id"], naiveDomain(fmt.Sprint(p["publisher_domain"])))
		if p["publisher_domain"] == nil {
			key = fmt.Sprint(p["property_id"], "pub.example")
		}
		if p["property_id"] != nil && taken[key] {
			continue
		}
		taken[key] = true
		out = append(out, p)
	}
	for i := 0; r.many && i < 30; i++ {
		p := r.property()
		p["property_id"] = fmt.Sprint("m", i)
		out = append(out, p)
	}
	return out
}

func (r dice) property() object {
	p := object{"name": "N", "property_type": r.pick("website", "website", "mobile_app")}
	if !r.one(8) {
		p["property_id"] = r.pick("a", "b", "c")
	}
	if !r.one(3) {
		p["tags"] = r.some("t", "u", "v")
	}
	switch r.IntN(8) {
	case 0:
		p["publisher_domain"] = "x.example"
	case 1:
		p["publisher_domain"] = r.pick("PUB.example", "www.pub.example", "not a domain")
	case 2, 3, 4, 5:
		p["publisher_domain"] = "pub.example"
	}
	if !r.one(12) {
		p["identifiers"] = r.list(2, r.identifier)
	}
	return p
}

func (r dice) identifier() object {
	if r.one(5) {
		return object{"type": "ios_bundle", "value": r.pick("com.A", "com.a")}
	}
	if r.one(5) {
		return object{"type": "subdomain", "value": r.pick("s.pub.example", "news.pub.example")}
	}
	return object{"type": "domain", "value": r.pick("pub.example", "www.pub.example", "News.pub.example", "*.pub.example", "*.news.pub.example", "x.example")}
}

func (r dice) placements() []object {
	var out []object
	for _, id := range r.some("p", "q", "r") {
		p := object{"placement_id": id, "name": "N"}
		if r.one(2) {
			p["property_tags"] = r.some("t", "u", "v")
		}
		if p["property_tags"] == nil || r.one(2) {
			p["property_ids"] = r.some("a", "b", "c")
		}
		if r.one(2) {
			p["tags"] = r.some("m", "n")
		}
		if r.one(3) {
			p["collection_ids"] = r.some("c1", "c2")
		}
		r.spoil(p, "placement_id", "collection_ids")
		out = append(out, p)
	}
	return out
}

// spoil gives an entry of a section a fault now and then, for which it is left out, or
// makes what narrows it unreadable.
func (r dice) spoil(e object, id, narrows string) {
	switch r.IntN(30) {
	case 0:
		e["name"] = ""
	case 1:
		e["name"] = 5
	case 2:
		delete(e, "name")
	case 3:
		if id == "placement_id" {
			e[r.pick("source", "format_ids", "delivery_mappings")] = nil
		} else {
			e["value_type"] = r.pick("boolean", "")
		}
	case 4:
		e[id] = r.IntN(2)
	case 5:
		delete(e, id)
	case 6:
		e[narrows] = []any{"c1", []any{}, nil, 5, []any{7}}[r.IntN(5)]
	}
}

func (r dice) signals() []object {
	var out []object
	for _, id := range r.some("s1", "s2") {
		s := object{"id": id, "name": "N", "value_type": "binary"}
		if r.one(2) {
			s["tags"] = r.some("k", "l")
		}
		if r.one(3) {
			s["countries"] = r.some("US", "DE", "FR")
		}
		r.spoil(s, "id", "countries")
		out = append(out, s)
	}
	if r.one(4) {
		out = append(out, object{"catalog_url": "https://pub.example/signals.json"})
	}
	return out
}

func (r dice) entry() object {
	e := object{"url": r.pick(
		"https://agent.example/mcp", "https://agent.example/mcp", "https://agent.example/mcp", "https://agent.example/mcp",
		"https://Agent.example:443/mcp#x", "https://agent.example./mcp", "https://agent.example/mcp/", "http://agent.example/mcp", "https://me@agent.example/mcp", "https://other.example/mcp",
	), "authorized_for": "Everything"}
	kind := r.pick("property_ids", "property_tags", "inline_properties", "publisher_properties",
		"property_ids", "property_tags", "inline_properties", "publisher_properties", "signal_ids", "signal_tags", "other")
	e["authorization_type"] = kind
	if r.one(25) {
		delete(e, "authorization_type")
	}
	selectors := object{
		"property_ids": r.some("a", "b", "c", "z"), "property_tags": r.some("t", "u", "w"),
		"properties": r.properties(), "publisher_properties": r.list(3, r.selector),
		"signal_ids": r.some("s1", "s2", "s9"), "signal_tags": r.some("k", "l"),
	}
	member := kind
	if kind == "inline_properties" {
		member = "properties"
	}
	for _, name := range slices.Sorted(maps.Keys(selectors)) {
		if name == member && !r.one(20) || r.one(20) {
			e[name] = selectors[name]
		}
	}
	r.qualify(e)
	return e
}

func (r dice) selector() object {
	s := object{"selection_type": r.pick("all", "by_id", "by_tag", "some"), "property_ids": r.some("a", "b"), "property_tags": r.some("t", "u")}
	domains := r.some("pub.example", "Pub.example", "x.example", "not a domain", "far.example")
	if r.one(2) {
		s["publisher_domains"] = domains
	}
	if s["publisher_domains"] == nil || r.one(8) {
		s["publisher_domain"] = domains[0]
	}
	if r.one(15) {
		delete(s, r.pick("selection_type", "property_ids", "property_tags", "publisher_domain"))
	}
	return s
}

// qualify narrows an entry in some ways, now and then by nothing at all.
func (r dice) qualify(e object) {
	const noon, late = "2026-06-01T14:00:00+02:00", "2026-06-01T12:00:00.5Z"
	qualifiers := object{
		"countries": r.some("US", "DE", "us", "EMEA"), "placement_ids": r.some("p", "q", "r", "ghost"),
		"placement_tags": r.some("m", "n", "o"), "collections": r.list(2, r.collection),
		"exclusive":       true,
		"effective_from":  r.pick("2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z", noon, late, "soon", "0001-01-01T00:00:00Z"),
		"effective_until": r.pick("2030-01-01T00:00:00Z", "2026-12-31T23:59:59Z", noon, late, "soon", "0001-01-01T00:00:00Z"),
	}
	for _, name := range slices.Sorted(maps.Keys(qualifiers)) {
		if !r.one(r.narrow) {
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

func (r dice) collection() object {
	return object{"publisher_domain": r.pick("pub.example", "pub.example", "x.example"), "collection_ids": r.some("c1", "c2", "c3")}
}

func (r dice) question() resolve.Question {
	q := resolve.Question{Publisher: r.pick("pub.example", "Pub.example."), Agent: r.pick("https://agent.example/mcp", "HTTPS://AGENT.example/mcp")}
	at, err := time.Parse(time.RFC3339, r.pick("2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-06-01T12:00:00Z", "2026-06-01T12:00:01Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"))
	if err != nil {
		panic(err)
	}
	q.At, q.Country, q.Inline = at, r.pick("", "", "US", "us", "DE", "FR"), r.one(2)
	if r.one(6) {
		q.Signal = r.pick("s1", "s2", "s9")
		return q
	}
	if r.one(3) {
		q.Property = r.pick("a", "a", "b", "b", "c", "z")
	}
	if r.one(6) {
		q.Identifier = resolve.Identifier{Type: "domain", Value: r.pick("pub.example", "www.pub.example", "m.pub.example", "news.pub.example", "a.news.pub.example")}
	}
	if r.one(12) {
		q.Identifier = resolve.Identifier{Type: r.pick("ios_bundle", "android_package"), Value: "com.A"}
	}
	if r.one(8) {
		q.PropertyType = r.pick("website", "mobile_app")
	}
	if r.one(4) {
		q.Placements = r.some("p", "q", "r", "ghost")
	}
	if r.one(4) {
		q.Collections = []resolve.CollectionRef{{PublisherDomain: r.pick("pub.example", "PUB.example", "x.example"), ID: r.pick("c1", "c2")}}
	}
	return q
}
