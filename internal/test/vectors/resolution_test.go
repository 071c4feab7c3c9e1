package vectors_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/test/vectors"
)

// caseGroups are the prefixes of the names, as resolution/README.md lists them.
var caseGroups = []string{
	"agent", "agreement", "collection", "country", "divergence", "domain", "federated", "format", "ids", "inline",
	"none", "parent", "placement", "relationship", "revoked", "scope", "selector", "signal", "tags", "time", "unusable", "unverified", "url",
}

func TestThereAreEnoughCases(t *testing.T) {
	t.Parallel()
	all := cases(t)
	if len(all) < 250 {
		t.Errorf("%d cases", len(all))
	}
	var found []string
	for _, c := range all {
		found = append(found, c.Group())
	}
	slices.Sort(found)
	if diff := cmp.Diff(caseGroups, slices.Compact(found)); diff != "" {
		t.Error(diff)
	}
}

func TestCasesAreExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../conformance/resolution/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range caseGroups {
		if !strings.Contains(string(text), "| `"+group+"_` |") {
			t.Errorf("the group %s_ is not in resolution/README.md", group)
		}
	}
	_, table, _ := strings.Cut(string(text), "\n## Rules\n")
	explained := rule.FindAllString(table, -1)
	for _, c := range cases(t) {
		if !summary.MatchString(c.Summary) {
			t.Errorf("%s: %q is not a sentence with its rules", c.Name, c.Summary)
		}
		_, behind, _ := strings.Cut(c.Summary, " (")
		for _, number := range rule.FindAllString(behind, -1) {
			if !slices.Contains(explained, number) {
				t.Errorf("%s: rule %s is not in resolution/README.md", c.Name, number)
			}
		}
	}
}

const sampleCase = `What it shows (D1).

-- sources --
a.example: absent
b.example: unreachable
c.example: authoritative_location pub.example
-- pub.example.json --
{}
-- question --
authorize pub.example https://agent.example/mcp
property: site
identifier: domain=pub.example
property_type: website
placement: top
placement: side
collection: pub.example/show
signal: auto
country: US
at: 2026-01-02T03:04:05Z
inline: true
-- want --
verdict: conditional
needs: country placement
reasons: a.b c.d
entry: /authorized_agents/0
placement: top=authorized
exclusive: https://other.example/
property: pub.example site own confirmed
signal: auto
publisher: a.example absent
diverging: a.example site name
match: true
canonical: https://a.example/
same: false
near: scheme
format: banner image
agreement: agree
brand: found
relationship: site agree
`

func TestParseCase(t *testing.T) {
	t.Parallel()
	c, err := vectors.ParseCase("some_name", []byte(sampleCase))
	if err != nil {
		t.Fatal(err)
	}
	const url = "https://pub.example/.well-known/adagents.json"
	want := &vectors.Case{
		Name: "some_name", Summary: "What it shows (D1).",
		Sources: map[string]vectors.FileSource{
			"a.example": {State: "absent"}, "b.example": {State: "unreachable"},
			"c.example":   {State: "file", Method: "authoritative_location", URL: url, JSON: []byte("{}\n")},
			"pub.example": {State: "file", Method: "direct", URL: url, JSON: []byte("{}\n")},
		},
		Ask: vectors.Ask{
			Verb: "authorize", Args: []string{"pub.example", "https://agent.example/mcp"},
			Property: "site", IdentifierType: "domain", IdentifierValue: "pub.example", PropertyType: "website",
			Placements: []string{"top", "side"}, Collections: [][2]string{{"pub.example", "show"}}, Signal: "auto", Country: "US",
			At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Inline: true,
		},
		Want: vectors.Outcome{
			Verdict: "conditional", Needs: []string{"country", "placement"}, Reasons: []string{"a.b", "c.d"},
			Entries: []string{"/authorized_agents/0"}, Placements: map[string]string{"top": "authorized"},
			Exclusive: []string{"https://other.example/"}, Properties: []string{"pub.example site own confirmed"},
			Signals: []string{"auto"}, Publishers: []string{"a.example absent"}, Diverging: []string{"a.example site name"},
			Match: "true", Canonical: "https://a.example/", Same: "false", Near: "scheme", Formats: []string{"banner image"}, Agreement: "agree", Brand: "found", Relationships: []string{"site agree"},
		},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if c.Group() != "some" {
		t.Errorf("the group is %q", c.Group())
	}
}

func TestParseCaseRefuses(t *testing.T) {
	t.Parallel()
	const q, a = "-- question --\ncanonical https://a.example\n", "-- want --\ncanonical: https://a.example/\n"
	tests := map[string]struct{ archive, problem string }{
		"no summary":         {"\n" + q + a, "first line"},
		"no question":        {"x\n" + a, "0 sections question"},
		"two wants":          {"x\n" + q + a + a, "2 sections want"},
		"other section":      {"x\n-- notes --\n" + q + a, "notes is not a section"},
		"file twice":         {"x\n-- a.json --\n-- a.json --\n" + q + a, "twice"},
		"no name":            {"x\n-- .json --\n" + q + a, "not a section"},
		"two names":          {"x\n-- a.example b.example.json --\n" + q + a, "not a section"},
		"source of nobody":   {"x\n-- sources --\n: absent\n" + q + a, "not a line that is known"},
		"nothing is needed":  {"x\n" + q + "-- want --\nverdict: conditional\nneeds:  \n", "alphabetical"},
		"bad source":         {"x\n-- sources --\na.example: lost\n" + q + a, "not a line that is known"},
		"source of nothing":  {"x\n-- sources --\na.example: direct b.example\n" + q + a, "no section b.example.json"},
		"empty question":     {"x\n-- question --\n" + a, "not a question"},
		"other verb":         {"x\n-- question --\nguess a\n" + a, "not a question"},
		"too few words":      {"x\n-- question --\ncompare a\n" + a, "not a question"},
		"unknown key":        {"x\n" + q + "colour: red\n" + a, "not a line that is known"},
		"bad identifier":     {"x\n" + q + "identifier: domain\n" + a, "has no"},
		"bad time":           {"x\n" + q + "at: noon\n" + a, "noon"},
		"unknown verdict":    {"x\n" + q + "-- want --\nverdict: maybe\n", "none of"},
		"bad placement":      {"x\n" + q + "-- want --\nplacement: top\n", "not id=verdict"},
		"condition of what":  {"x\n" + q + "-- want --\nverdict: conditional\n", "needs something"},
		"needs out of order": {"x\n" + q + "-- want --\nneeds: b a\n", "alphabetical"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := vectors.ParseCase("n", []byte(tc.archive))
			if err == nil || !strings.Contains(err.Error(), tc.problem) {
				t.Errorf("got %v, want a problem with %q", err, tc.problem)
			}
		})
	}
}
