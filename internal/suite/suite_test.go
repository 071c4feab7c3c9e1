package suite

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func load(t *testing.T) []*Case {
	t.Helper()
	all, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	idForm    = regexp.MustCompile(`^[a-z_]+/[A-Za-z0-9_.-]+$`)
	titleForm = regexp.MustCompile(`^[A-Za-z$_].*[.?]$`)
)

// TestCases: each case is complete, and says what it rests on.
func TestCases(t *testing.T) {
	t.Parallel()
	all := load(t)
	if len(all) < 700 || len(all) > 1000 {
		t.Errorf("%d cases", len(all))
	}
	seen, kinds := map[string]bool{}, map[string]int{}
	for _, c := range all {
		kind, _, _ := strings.Cut(c.ID, "/")
		if seen[c.ID] || !idForm.MatchString(c.ID) || kind != c.Kind || !titleForm.MatchString(c.Title) {
			t.Errorf("%s: twice, or with the kind %s or the title %q", c.ID, c.Kind, c.Title)
		}
		seen[c.ID] = true
		kinds[c.Kind]++
		b := &c.Basis
		switch c.Label {
		case Normative:
			if b.Document == "" || b.Release == "" || b.URL == "" || b.Decision != "" || (b.Sentence == "" || b.Section == "") == (b.Vector == "") {
				t.Errorf("%s is normative and rests on %+v", c.ID, *b)
			}
		case Interpretation, Robustness:
			_, err := os.Stat(filepath.Join("..", "..", b.Decision))
			if err != nil || b.Document != "" {
				t.Errorf("%s is ours and rests on %+v: %v", c.ID, *b, err)
			}
		default:
			t.Errorf("%s has the label %q", c.ID, c.Label)
		}
		_, err := time.Parse(time.RFC3339Nano, c.Time)
		if err != nil || len(c.Want) == 0 || c.Want["error"] != true && len(wantedOf(c)) == 0 {
			t.Errorf("%s is asked at %q and wants %v", c.ID, c.Time, c.Want)
		}
	}
	for _, kind := range Kinds() {
		if kinds[kind] < 10 {
			t.Errorf("%d cases of the kind %s", kinds[kind], kind)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	all := []*Case{{ID: "check/a.b", Kind: "check"}, {ID: "authorize/time_at", Kind: "authorize", Label: Normative}, {ID: "authorize/timely", Kind: "authorize"}}
	for words, want := range map[string]int{"": 3, "check": 1, "authorize": 2, "authorize/time": 1, "authorize/": 2, "normative": 1, "check/a.b,authorize": 3} {
		chosen, unknown := Select(all, strings.FieldsFunc(words, func(r rune) bool { return r == ',' }))
		if len(chosen) != want || unknown != "" {
			t.Errorf("%q chooses %d cases, and does not know %q", words, len(chosen), unknown)
		}
	}
	_, unknown := Select(all, []string{"check", "dance"})
	if unknown != "dance" {
		t.Errorf("not known is %q", unknown)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	yes := &Case{Kind: "authorize", Want: map[string]any{"verdict": "authorized", "authorized": true, "entries": []any{"/a", "/b"}}}
	open := &Case{Kind: "authorize", Want: map[string]any{"verdict": "conditional"}}
	refused := &Case{Kind: "authorize", Want: map[string]any{"error": true}}
	for _, tt := range []struct {
		name   string
		c      *Case
		a      Answer
		want   Outcome
		detail string
	}{
		{"yes", yes, Answer{Answer: map[string]any{"authorized": true}}, Passed, ""},
		{"more", yes, Answer{Answer: map[string]any{"verdict": "authorized", "entries": []any{"/b", "/a"}, "other": 1.0}}, Passed, ""},
		{"no", yes, Answer{Answer: map[string]any{"authorized": false}}, Failed, "authorized is false and should be true"},
		{"other entries", yes, Answer{Answer: map[string]any{"verdict": "authorized", "entries": []any{"/b"}}}, Failed, "entries is"},
		{"nothing", yes, Answer{}, Failed, "empty"},
		{"other members", yes, Answer{Answer: map[string]any{"ok": true}}, Failed, "none of the members verdict, authorized"},
		{"unsupported", yes, Answer{Unsupported: "later"}, Unsupported, "later"},
		{"error", yes, Answer{Error: "broken"}, Failed, "broken"},
		{"two words", open, Answer{Answer: map[string]any{"authorized": false}}, Unsupported, "more words"},
		{"refused", refused, Answer{Error: "bad question"}, Passed, ""},
		{"not refused", refused, Answer{Answer: map[string]any{"authorized": false}}, Failed, "has to be refused"},
	} {
		got, detail := Judge(tt.c, &tt.a)
		if got != tt.want || !strings.Contains(detail, tt.detail) {
			t.Errorf("%s: %s, %q", tt.name, got, detail)
		}
	}
}

// results are one of each outcome.
func results() []*Result {
	quoted := Basis{Document: "Spec", Section: "Time", Release: "1.0", Sentence: "Windows close."}
	return []*Result{
		{Case: &Case{ID: "check/a", Kind: "check", Title: "A.", Label: Normative, Basis: quoted}, Outcome: Passed},
		{Case: &Case{ID: "check/b", Kind: "check", Title: "B.", Label: Interpretation, Basis: Basis{Decision: "docs/x.md"}}, Outcome: Failed, Detail: "ours\x1b[2J"},
		{Case: &Case{ID: "authorize/c", Kind: "authorize", Title: "C.", Label: Normative, Basis: quoted, Question: map[string]any{"agent": "x"}, Want: map[string]any{"authorized": true}}, Outcome: Failed, Detail: "no | <b>"},
		{Case: &Case{ID: "authorize/d", Kind: "authorize", Title: "D.", Label: Normative, Basis: quoted}, Outcome: Unsupported, Detail: "later"},
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	for format, wants := range map[string][]string{
		"text": {
			"FAILED authorize/c: C. [normative]\n  question: {\"agent\":\"x\"}\n  expected: {\"authorized\":true}\n  problem:  no | <b>\n  basis:    Spec (1.0), Time: \"Windows close.\"\n",
			"normative cases: 1 passed, 1 failed, 1 unsupported; 50.0 % of the answers are right\n",
		},
		"json":     {`"grade": {`, `"id": "authorize/c"`, `"outcome": "failed"`, `"sentence": "Windows close."`},
		"junit":    {`<testsuite name="authorize" tests="2" failures="1" skipped="1">`, `<failure message="no | &lt;b&gt;">`},
		"markdown": {"| check | 1 | 1 | 0 |", "* `authorize/c` (normative): C. no", "Spec, Time"},
	} {
		var out strings.Builder
		err := Writers[format](&out, &Report{Name: "mine", Results: results()})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s has no %q:\n%s", format, want, out.String())
			}
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s repeats what a terminal obeys", format)
		}
	}
}

func TestFailuresAreNormativeFirst(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, r := range Failures(results()) {
		ids = append(ids, r.Case.ID)
	}
	if !slices.Equal(ids, []string{"authorize/c", "check/b"}) {
		t.Errorf("got %q", ids)
	}
}
