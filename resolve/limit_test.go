package resolve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
)

// repeated writes n values that differ by their number.
func repeated(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

// TestHostileFiles: files that are small and make for endless comparisons are given
// up, and questions about one property are still answered.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	properties := `"properties": [` + repeated(400, `{"property_id": "p#", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "p#.example.com"}], "tags": ["t"]}`) + `]`
	byTag := entry(`"authorization_type": "property_tags", "property_tags": ["t"]`)
	all := entry(`"authorization_type": "publisher_properties", "publisher_properties": [` + repeated(60, `{"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["t", "u#"]}`) + `]`)
	others := entry(`"authorization_type": "publisher_properties", "publisher_properties": [` + repeated(60, `{"publisher_domain": "example.org", "selection_type": "by_tag", "property_tags": ["t", "u#"]}`) + `]`)
	owned := strings.ReplaceAll(properties, `"tags": ["t"]`, `"tags": ["t"], "publisher_domain": "example.org"`)
	links := `"properties": [` + websiteJSON("p0", "example.com", "") + `], "placements": [` + repeated(50, `{"placement_id": "x#", "name": "N", "property_ids": ["p0", `+repeated(50, `"q#"`)+`], "tags": ["t"]}`) + `]`
	scoped := entry(`"authorization_type": "property_ids", "property_ids": ["p0"], "placement_tags": ["t"]`)
	tagged := `"properties": [` + websiteJSON("p0", "example.com", `, "tags": [`+repeated(5000, `"t#"`)+`, "t"]`) + `], "placements": [{"placement_id": "x", "name": "N", "property_ids": ["p0"]}]`
	signals := `"signals": [` + repeated(1000, `{"id": "s#", "name": "S", "value_type": "binary", "tags": ["t#"]}`) + `]`
	parse := func(members, entries string) *adagents.File {
		return testFile(t, `{`+members+`, "authorized_agents": [`+entries+`]}`)
	}
	many := make([]string, maxItems)
	for i := range many {
		many[i] = fmt.Sprint("x", i)
	}
	for _, c := range []struct {
		name string
		file *adagents.File
		q    Question
		list bool
		ok   bool
	}{
		{"entries by tag", parse(properties, repeated(60, byTag)), Question{}, false, false},
		{"entries by tag, one property", parse(properties, repeated(60, byTag)), Question{Property: "p7"}, false, true},
		{"entries by tag, listed", parse(properties, repeated(60, byTag)), Question{}, true, false},
		{"selectors", parse(properties, all), Question{}, false, true},
		{"many entries of selectors", parse(properties, repeated(20, all)), Question{}, false, true},
		{"selectors over others, listed", parse(owned, repeated(20, others)), Question{}, true, false},
		{"many entries, listed", parse(properties, repeated(6000, entry(`"authorization_type": "property_ids", "property_ids": ["p1"]`))), Question{}, true, false},
		{"exclusive others", parse(properties, byTag+","+repeated(60, `{"url": "https://a#.example/", "authorized_for": "x", "exclusive": true, "authorization_type": "property_tags", "property_tags": ["t"]}`)), Question{}, false, false},
		{"placements", parse(links, repeated(1000, scoped)), Question{}, false, false},
		{"placements asked about", parse(links, repeated(1000, scoped)), Question{Placements: many}, false, false},
		{"a property with many tags, asked by placement", parse(tagged, repeated(2000, entry(`"authorization_type": "property_ids", "property_ids": ["p0"]`))), Question{Placements: []string{"x"}}, false, true},
		{"a property with many tags, placed by tag", parse(strings.Replace(tagged, `"property_ids": ["p0"]`, `"property_tags": ["t1"]`, 1), repeated(2000, entry(`"authorization_type": "property_ids", "property_ids": ["p0"]`))), Question{Placements: []string{"x"}}, false, true},
		{"a property with many tags, other entries", parse(tagged, repeated(2000, entry(`"authorization_type": "property_tags", "property_tags": ["z#"]`))+","+byTag), Question{}, false, true},
		{"a property with many tags, each its own", parse(tagged, repeated(100, entry(`"authorization_type": "inline_properties", "properties": [`+websiteJSON("q", "q.example.com", `, "tags": [`+repeated(2000, `"t#"`)+`]`)+`]`))), Question{Placements: []string{"x"}}, false, true},
		{"signals by tag", parse(signals, repeated(4000, entry(`"authorization_type": "signal_tags", "signal_tags": ["t1", "t2"]`))), Question{Signal: "s1"}, false, true},
		{"signals by tag, listed", parse(signals, repeated(400, entry(`"authorization_type": "signal_tags", "signal_tags": ["t1", "t2"]`))), Question{}, true, false},
		{"reasons", parse(properties, repeated(30, entry(`"authorization_type": "property_ids", "property_ids": ["p1"]`))), Question{Placements: many, Property: "p1"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := c.q
			q.Publisher, q.Agent, q.At = "example.com", testAgent, testTime
			doc := &Document{Publisher: "example.com", State: Usable, File: c.file, Method: "direct", URL: testURL}
			// A hundredth of the work for files of a hundredth of the comparisons.
			r := &Resolver{&documents{docs: map[string]*Document{"example.com": doc}}, maxWork / 100}
			var err error
			if !c.list {
				_, err = r.Answer(t.Context(), q)
			} else {
				_, err = r.Properties(t.Context(), "example.com", testAgent, ListOptions{At: testTime})
			}
			var limit *LimitError
			if c.ok != (err == nil) || !c.ok && (!errors.As(err, &limit) || limit.Hint == "" || limit.Error() == "") {
				t.Error(err)
			}
		})
	}
}

// TestHostileSharedFile: a file that many publishers point at, with many properties that
// name nobody, is not compared with all of them.
func TestHostileSharedFile(t *testing.T) {
	t.Parallel()
	const publishers = 600
	shared := testFile(t, `{"properties": [`+websiteJSON("named", "other.example", `, "publisher_domain": "other.example"`)+`, `+
		repeated(1000, `{"property_id": "p#", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "p#.example.com"}]}`)+`],
		"authorized_agents": [`+repeated(20, entry(`"authorization_type": "inline_properties", "properties": [`+websiteJSON("q#", "q#.example", "")+`]`))+`]}`)
	docs := map[string]*Document{"example.com": {
		Publisher: "example.com", State: Usable, Method: "direct", URL: testURL,
		File: testFile(t, `{"authorized_agents": [`+entry(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": [`+
			repeated(publishers, `"s#.example"`)+`], "selection_type": "all"}]`)+`]}`),
	}}
	for i := range publishers {
		name := fmt.Sprintf("s%d.example", i)
		docs[name] = &Document{Publisher: name, State: Usable, File: shared, Method: "authoritative_location", URL: "https://shared.example/adagents.json", SHA256: "x"}
	}
	r := &Resolver{&documents{docs: docs}, maxWork / 100}
	_, err := r.Properties(t.Context(), "example.com", testAgent, ListOptions{At: testTime})
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Error(err)
	}
}

// TestCancelled: nobody waits for an answer that nobody wants any more.
func TestCancelled(t *testing.T) {
	t.Parallel()
	properties := `{"properties": [` + repeated(400, `{"property_id": "p#", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "p#.example.com"}], "tags": ["t"]}`) + `], "authorized_agents": [` +
		repeated(60, entry(`"authorization_type": "property_tags", "property_tags": ["t"]`)) + `]}`
	doc := &Document{Publisher: "example.com", State: Usable, File: testFile(t, properties), Method: "direct", URL: testURL}
	ctx, cancel := context.WithCancel(t.Context())
	r := New(cancelSource{doc, cancel})
	_, err := r.Answer(ctx, Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("answer: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	_, err = New(cancelSource{doc, cancel}).Properties(ctx, "example.com", testAgent, ListOptions{At: testTime})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("listing: %v", err)
	}
}

// A cancelSource hands a document out and then loses interest.
type cancelSource struct {
	doc    *Document
	cancel context.CancelFunc
}

func (s cancelSource) Document(context.Context, string) (*Document, error) {
	s.cancel()
	return s.doc, nil
}

// TestSuggestions: nobody reads a thousand of them.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	var entries []string
	for i := range 30 {
		entries = append(entries, entry(fmt.Sprintf(sellsSite+`, "effective_from": "2027-01-%02dT00:00:00Z"`, i+1)))
	}
	a, err := Judge(testDocument(t, "direct", "", entries...), Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if err != nil || len(a.Changes) != maxChanges+1 || a.Changes[maxChanges] != "there are more ways; see the reasons" || len(a.Reasons) != 30 {
		t.Errorf("%v %q", err, a.Changes)
	}
}
