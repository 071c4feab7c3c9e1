package vectors_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/vectors"
)

// groups are the prefixes of the names, as README.md lists them.
var groups = []string{
	"adstxt", "agents", "conditional", "dns", "encoding", "file", "host", "incomplete", "json", "manager",
	"pointer", "redirect", "size", "status", "superseded", "tls", "type",
}

func TestThereAreEnough(t *testing.T) {
	t.Parallel()
	all := scenarios(t)
	if len(all) < 200 {
		t.Errorf("%d scenarios", len(all))
	}
	var found []string
	for _, s := range all {
		found = append(found, s.Group())
	}
	slices.Sort(found)
	if diff := cmp.Diff(groups, slices.Compact(found)); diff != "" {
		t.Error(diff)
	}
}

// rule is the number of a rule that README.md has to explain.
var rule = regexp.MustCompile(`\b[B-G][0-9]+\b`)

func TestReadmeExplains(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../conformance/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		if !strings.Contains(string(text), "| `"+group+"_` |") {
			t.Errorf("the group %s_ is not in README.md", group)
		}
	}
	_, table, _ := strings.Cut(string(text), "\n## Rules\n")
	explained := rule.FindAllString(table, -1)
	for _, s := range scenarios(t) {
		_, behind, _ := strings.Cut(s.Summary, " (")
		for _, number := range rule.FindAllString(behind, -1) {
			if !slices.Contains(explained, number) {
				t.Errorf("%s: rule %s is not in README.md", s.Name, number)
			}
		}
	}
}

// summary is a sentence, with the rules behind it where there are some.
var summary = regexp.MustCompile(`^[^ ()]+( [^ ()]+)+( \(([B-G][0-9]+(, )?)+\))?\.$`)

func TestScenariosAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios(t) {
		if !summary.MatchString(s.Summary) {
			t.Errorf("%s: %q is not a sentence with its rules", s.Name, s.Summary)
		}
		_, err := fakeweb.Parse(s.Archive)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, host := range slices.Concat(s.Want.NotLookedUp, s.Want.NotDialled) {
			if slices.ContainsFunc(s.Want.Requests, func(url string) bool { return strings.HasPrefix(url, "https://"+host+"/") }) {
				t.Errorf("%s: %s is asked and must not be", s.Name, host)
			}
		}
	}
}

const sample = `What it shows (C1).

-- question --
discover pub.example
attempts: 2
hop_timeout: 300ms
if_none_match: "v1"
if_modified_since: Thu, 01 Jan 2026 00:00:00 GMT
follow_superseded: true
-- https://pub.example/.well-known/adagents.json --
404
-- want --
answer: absent
method: direct
found: false
valid: true
url: https://pub.example/.well-known/adagents.json
resolved_url: https://a.example/
manager_domain: m.example
superseded_by: https://b.example/
usable: agents=1 properties=2
reason: bad_location
findings: a.b c.d
file_errors: e.f
file_warnings: g.h
hops: well_known:absent ads_txt:absent
request: https://pub.example/.well-known/adagents.json
request: https://pub.example/ads.txt
not_looked_up: c.example
not_dialled: d.example
not_dialled: e.example
`

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := vectors.Parse("some_name", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := &vectors.Scenario{
		Name: "some_name", Summary: "What it shows (C1).", Archive: []byte(sample),
		Question: vectors.Question{
			Target: "pub.example", FollowSuperseded: true, Attempts: 2, HopTimeout: 300 * time.Millisecond,
			IfNoneMatch: `"v1"`, IfModifiedSince: "Thu, 01 Jan 2026 00:00:00 GMT",
		},
		Want: vectors.Want{
			Answer: "absent", Method: "direct", Valid: true,
			URL: "https://pub.example/.well-known/adagents.json", ResolvedURL: "https://a.example/",
			ManagerDomain: "m.example", SupersededBy: "https://b.example/",
			Usable: vectors.Usable{Agents: 1, Properties: 2}, Reason: "bad_location",
			Findings: []string{"a.b", "c.d"}, FileErrors: []string{"e.f"}, FileWarnings: []string{"g.h"},
			Hops:        []vectors.Hop{{Step: "well_known", Outcome: "absent"}, {Step: "ads_txt", Outcome: "absent"}},
			Requests:    []string{"https://pub.example/.well-known/adagents.json", "https://pub.example/ads.txt"},
			NotLookedUp: []string{"c.example"}, NotDialled: []string{"d.example", "e.example"},
		},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if s.Group() != "some" {
		t.Errorf("the group is %q", s.Group())
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const q, a = "-- question --\ndiscover a.example\n", "-- want --\nanswer: absent\nmethod: direct\nurl: u\nhops: a:b\n"
	tests := map[string]struct{ archive, problem string }{
		"no summary":         {q + a, "does not say what"},
		"no question":        {"x\n" + a, "0 sections question"},
		"two questions":      {"x\n" + q + q + a, "2 sections question"},
		"no want":            {"x\n" + q, "0 sections want"},
		"other verb":         {"x\n-- question --\nfind a.example\n" + a, "not a question"},
		"unknown option":     {"x\n" + q + "speed: 1\n" + a, "not a line that is known"},
		"bad number":         {"x\n" + q + "attempts: 0\n" + a, "not a number above zero"},
		"bad duration":       {"x\n" + q + "hop_timeout: 5\n" + a, "not a duration above zero"},
		"bad flag":           {"x\n" + q + "follow_superseded: yes\n" + a, "neither true nor false"},
		"unknown key":        {"x\n" + q + a + "colour: red\n", "not a line that is known"},
		"line without value": {"x\n" + q + a + "reason:\n", "not a line that is known"},
		"key twice":          {"x\n" + q + a + "url: v\n", "twice"},
		"unknown answer":     {"x\n" + q + "-- want --\nanswer: maybe\n", "none of usable"},
		"unsorted":           {"x\n" + q + a + "findings: b a\n", "alphabetical"},
		"repeated":           {"x\n" + q + a + "findings: a.b " + "a.b\n", "alphabetical"},
		"bad hop":            {"x\n" + q + a[:len(a)-4] + "b\n", "not step:outcome"},
		"bad count":          {"x\n" + q + a + "usable: many\n", "usable"},
		"incomplete":         {"x\n" + q + "-- want --\nanswer: absent\n", "are needed"},
		"error and answer":   {"x\n" + q + a + "error: input\n", "has no answer"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := vectors.Parse("n", []byte(tc.archive))
			if err == nil || !strings.Contains(err.Error(), tc.problem) {
				t.Errorf("got %v, want a problem with %q", err, tc.problem)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, archive []byte) {
		s, err := vectors.Parse("n", archive)
		if err == nil && (s.Question.Attempts < 1 || s.Want.Error == "" && s.Want.Answer == "") {
			t.Errorf("accepted without what is needed: %+v", s)
		}
	})
}
