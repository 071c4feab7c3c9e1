package question

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/resolve"
)

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// A pair is a member as a client writes it: a text, a list of texts, or JSON.
type pair struct {
	name  string
	value any
}

// whole is the beginning of every question.
func whole(pairs ...pair) []pair {
	return append([]pair{{"publisher", "pub.example"}, {"agent", "https://agent.example/mcp"}}, pairs...)
}

// sources read the same question from everything that a client can send.
var sources = map[string]func([]pair) (Question, error){
	"json": func(list []pair) (Question, error) { return readJSON(HTTP|Lines|Tool|Table|Library, list) },
	"query": func(list []pair) (Question, error) {
		r := Reader{On: HTTP | Tool | Page, Now: now()}
		return r.Values(valuesOf(list, ""))
	},
	"table": func(list []pair) (Question, error) {
		r := Reader{On: Table | HTTP | Tool, Now: now()}
		var names, cells []string
		for _, p := range list {
			names, cells = append(names, p.name), append(cells, strings.Join(textsIn(p.value), " "))
		}
		columns, err := r.Header(names)
		if err != nil {
			return Question{}, err
		}
		return r.Row(columns, cells)
	},
	"flags": func(list []pair) (Question, error) {
		r := Reader{On: Flags, Now: now()}
		return r.Values(valuesOf(list, "--"))
	},
}

func textsIn(v any) []string {
	if list, ok := v.([]string); ok {
		return list
	}
	return []string{fmt.Sprint(v)}
}

func valuesOf(list []pair, prefix string) url.Values {
	values := url.Values{}
	for _, p := range list {
		name := prefix + p.name
		if prefix != "" {
			name = strings.ReplaceAll(name, "_", "-")
		}
		values[name] = append(values[name], textsIn(p.value)...)
	}
	return values
}

func readJSON(on Interface, list []pair) (Question, error) {
	var b bytes.Buffer
	for i, p := range list {
		b.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(&b, "%q:", p.name)
		switch v := p.value.(type) {
		case string:
			fmt.Fprintf(&b, "%q", v)
		case []string:
			quoted := make([]string, len(v))
			for i, s := range v {
				quoted[i] = fmt.Sprintf("%q", s)
			}
			b.WriteString("[" + strings.Join(quoted, ",") + "]")
		default:
			fmt.Fprint(&b, v)
		}
	}
	b.WriteByte('}')
	r := Reader{On: on, Now: now()}
	return r.Parse(b.Bytes(), b.Len())
}

// TestSources: every source reads the same question, under every name of its members.
func TestSources(t *testing.T) {
	t.Parallel()
	base := resolve.Question{Publisher: "pub.example", Agent: "https://agent.example/mcp", At: now()}
	with := func(f func(*resolve.Question)) resolve.Question {
		q := base
		f(&q)
		return q
	}
	show := []resolve.CollectionRef{{PublisherDomain: "a.example", ID: "x/y"}}
	for _, tt := range []struct {
		names []string
		value any
		want  resolve.Question
	}{
		{[]string{"property", "property_id"}, "site", with(func(q *resolve.Question) { q.Property = "site" })},
		{[]string{"identifier"}, "domain=WWW.pub.example", with(func(q *resolve.Question) { q.Identifier = resolve.Identifier{Type: "domain", Value: "www.pub.example"} })},
		{[]string{"property_type"}, "website", with(func(q *resolve.Question) { q.PropertyType = "website" })},
		{[]string{"placement", "placements", "placement_ids", "placement_id"}, "top", with(func(q *resolve.Question) { q.Placements = []string{"top"} })},
		{[]string{"placement", "placements", "placement_ids", "placement_id"}, []string{"top", "side"}, with(func(q *resolve.Question) { q.Placements = []string{"top", "side"} })},
		{[]string{"collection", "collections", "collection_ids"}, "a.example/x/y", with(func(q *resolve.Question) { q.Collections = show })},
		{[]string{"collection_ids"}, "x", with(func(q *resolve.Question) {
			q.Collections = []resolve.CollectionRef{{PublisherDomain: "pub.example", ID: "x"}}
		})},
		{[]string{"signal", "signal_id"}, "cars", with(func(q *resolve.Question) { q.Signal = "cars" })},
		{[]string{"country"}, "de", with(func(q *resolve.Question) { q.Country = "DE" })},
		{[]string{"at"}, "2026-01-02T00:00:00Z", with(func(q *resolve.Question) { q.At = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) })},
	} {
		for _, name := range tt.names {
			for source, read := range sources {
				got, err := read(whole(pair{name, tt.value}))
				if diff := cmp.Diff(tt.want, got.Question, cmpopts.EquateEmpty()); err != nil || diff != "" {
					t.Errorf("%s from %s: %v %s", name, source, err, diff)
				}
			}
		}
	}
	for _, first := range []string{"publisher", "domain", "publisher_domain"} {
		for _, second := range []string{"agent", "agent_url"} {
			got, err := sources["json"]([]pair{{first, "Pub.Example"}, {second, "https://agent.example/mcp"}, {"identifier_type", "domain"}, {"identifier_value", "pub.example"}})
			if err != nil || got.Publisher != "pub.example" || got.Agent != base.Agent || got.Identifier.Value != "pub.example" {
				t.Errorf("%s, %s: %+v %v", first, second, got, err)
			}
		}
	}
}

// TestErrors: what is wrong with a question is the same error from every source, and names the
// member as it was written. A source in which it cannot happen is left out.
func TestErrors(t *testing.T) {
	t.Parallel()
	const all = "json query table flags"
	for _, tt := range []struct {
		in                 string
		pairs              []pair
		member, code, want string
	}{
		{all, whole(pair{"county", "DE"}), "county", Unknown, "did you mean country?"},
		{all, whole(pair{"zone", "x"}), "zone", Unknown, "the names are "},
		{"json query", whole(pair{"Country", "DE"}), "Country", Unknown, "did you mean country?"},
		{"json query flags", whole(pair{"property", ""}), "property", Empty, "leave it out"},
		{"json query flags", whole(pair{"property_id", " "}), "property_id", Empty, "leave it out"},
		{"json", whole(pair{"placements", []string{}}), "placements", Empty, "leave it out"},
		{"json query flags", whole(pair{"placement_ids", []string{"top", ""}}), "placement_ids", Empty, "leave it out"},
		{"json", whole(pair{"country", "null"}), "country", Value, "is not a country code"},
		{"json", whole(pair{"country", jsonText("null")}), "country", Empty, "leave it out"},
		{"json query table flags", whole(pair{"property", "a"}, pair{"property_id", "a"}), "property_id", Repeated, "give it once"},
		{all, whole(pair{"property", "a"}, pair{"property", "a"}), "property", Repeated, "give it once"},
		{"json query table", whole(pair{"identifier", "a=b"}, pair{"identifier_type", "a"}, pair{"identifier_value", "b"}), "identifier", Repeated, "give it once"},
		{"json query table", whole(pair{"identifier_type", "a"}), "identifier_value", Missing, "give it with identifier_type"},
		{"json", whole(pair{"country", jsonText("7")}), "country", Type, "must be a string, not a number"},
		{"json", whole(pair{"placement", jsonText("[7]")}), "placement", Type, "must be a string or a list of strings, not a number"},
		{"json", whole(pair{"country", []string{"DE"}}), "country", Type, "must be a string, not an array"},
		{"json", whole(pair{"proofs", "true"}), "proofs", Type, "must be true or false"},
		{"query", whole(pair{"proofs", "maybe"}), "proofs", Type, "must be true or false"},
		{all, whole(pair{"identifier", "x"}), "identifier", Value, "write TYPE=VALUE"},
		{all, whole(pair{"collection", "x"}), "collection", Value, "write DOMAIN/ID"},
		{all, whole(pair{"at", "noon"}), "at", Value, "write it like 2026-01-02T00:00:00Z"},
		{all, whole(pair{"country", "Germany"}), "country", Value, "is not a country code"},
		{all, whole(pair{"signal_id", "a"}, pair{"property", "b"}), "signal_id", Value, "not both"},
		{all, whole(pair{"property", strings.Repeat("x", 256)}), "property", Value, "has more than 255 characters"},
		{all, whole(pair{"placement", slices.Repeat([]string{"x"}, MaxItems+1)}), "placement", Value, "has more than 100 items"},
		{"query flags", whole(pair{"property", "\xff"}), "property", Value, "is not valid UTF-8"},
		{all, []pair{{"publisher", "pub.example"}}, "agent", Missing, "the URL of the agent is missing"},
		{all, []pair{{"domain", "x y"}, {"agent", "https://agent.example/mcp"}}, "domain", Value, "give a domain"},
		{all, whole(pair{"id", "a"}, pair{"id", "b"}), "id", Repeated, "give it once"},
	} {
		for source, read := range sources {
			if !strings.Contains(tt.in, source) || source != "json" && source != "table" && tt.member == "id" {
				continue
			}
			_, err := read(tt.pairs)
			got, ok := errors.AsType[*Error](err)
			member := tt.member
			if source == "flags" && member != "agent" {
				member = "--" + strings.ReplaceAll(member, "_", "-")
			}
			if !ok || got.Member != member || got.Code != tt.code || !strings.Contains(got.Message+"; "+got.Hint, tt.want) {
				t.Errorf("%v from %s: %+v", tt.pairs, source, err)
			}
		}
	}
}

// jsonText is a value that is written as it is.
type jsonText string

// TestInterfaces: a member that an interface does not have is refused there.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		on   Interface
		name string
	}{{Lines, "brand"}, {HTTP, "id"}, {Library, "proofs"}, {HTTP, "property_tags"}, {HTTP, "force_refresh"}, {Listing, "property"}} {
		_, err := readJSON(tt.on, whole(pair{tt.name, "x"}))
		got, ok := errors.AsType[*Error](err)
		if !ok || got.Code != Unknown || got.Member != tt.name {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	r := Reader{On: Library, Now: now(), Skip: []string{"documents"}}
	_, err := r.Parse([]byte(`{"documents":7,"publisher":"pub.example","agent":"https://agent.example/mcp"}`), 1000)
	if err != nil {
		t.Error(err)
	}
}

// TestNotAQuestion: what is no object is refused, and a question that cannot be read keeps its id.
func TestNotAQuestion(t *testing.T) {
	t.Parallel()
	r := Reader{On: Lines, Now: now()}
	for src, id := range map[string]string{`[]`: "", `{`: "", ``: "", `7`: "", `{"county":"DE","id":"a"}`: "a", `{"county":"DE","id":7}`: "7"} {
		q, err := r.Parse([]byte(src), 1000)
		_, ok := errors.AsType[*Error](err)
		if !ok || q.ID != id {
			t.Errorf("%s: %q %v", src, q.ID, err)
		}
	}
	c, err := r.Header([]string{"\ufeffID", " Publisher "})
	if err != nil {
		t.Fatal(err)
	}
	q, err := r.Row(c, []string{"a", "b", "c"})
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code != Syntax || q.ID != "a" {
		t.Errorf("%q %v", q.ID, err)
	}
}

// TestBase: a question overrides what it names, and an open time stays open.
func TestBase(t *testing.T) {
	t.Parallel()
	r := Reader{On: Lines, Base: resolve.Question{Publisher: "pub.example", Agent: "https://agent.example/mcp", Country: "DE", Placements: []string{"top"}}}
	q, err := r.Parse([]byte(`{"placement":"side"}`), 1000)
	if err != nil || q.Country != "DE" || !slices.Equal(q.Placements, []string{"side"}) || !q.At.IsZero() {
		t.Errorf("%+v %v", q, err)
	}
}

// TestNames: no name stands for two members, none is a slip of another, and all have a sentence.
func TestNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range members {
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if m.Doc == "" || strings.HasSuffix(m.Doc, ".") || m.On == 0 || m.set == nil || m.Kind != Bool && m.Max == 0 {
			t.Errorf("%s: %+v", m.Name, m)
		}
	}
	if near, _ := spell.Nearest("county", Names(HTTP, true), 2); near != "country" {
		t.Errorf("county is near %s", near)
	}
}

// FuzzParse: a question that is read is in canonical form, and is read again from its texts.
func FuzzParse(f *testing.F) {
	f.Add(`{"publisher":"pub.example","agent":"https://agent.example/mcp","placement":["a"],"at":"2026-01-02T00:00:00Z","id":7}`)
	f.Add(`{"publisher":"pub.example","agent":"https://agent.example/mcp","collection_ids":["a","b.example/c"],"identifier_type":"x","identifier_value":"y"}`)
	f.Fuzz(func(t *testing.T, src string) {
		r := Reader{On: Lines, Now: now()}
		q, err := r.Parse([]byte(src), len(src))
		if err != nil {
			_, ok := errors.AsType[*Error](err)
			if !ok {
				t.Errorf("%v is not an Error", err)
			}
			return
		}
		again, err := q.Canonical()
		if diff := cmp.Diff(q.Question, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		tree, err := jsontree.Parse([]byte(src), jsontree.Options{MaxBytes: len(src)})
		if err != nil || !tree.Root().Is(jsontree.Object) {
			t.Errorf("%q was read: %v", src, err)
		}
	})
}

// FuzzTable: rows never panic, whatever the names and cells are.
func FuzzTable(f *testing.F) {
	f.Add("publisher,agent,placement\npub.example,https://agent.example/mcp,a b\n")
	f.Fuzz(func(t *testing.T, src string) {
		in := csv.NewReader(strings.NewReader(src))
		in.FieldsPerRecord = -1
		records, err := in.ReadAll()
		if err != nil || len(records) == 0 {
			return
		}
		r := Reader{On: Table, Now: now()}
		columns, err := r.Header(records[0])
		if err != nil {
			return
		}
		for _, cells := range records[1:] {
			q, err := r.Row(columns, cells)
			if err == nil && (q.Publisher == "" || q.Agent == "") {
				t.Errorf("%q is a question", cells)
			}
		}
	})
}
