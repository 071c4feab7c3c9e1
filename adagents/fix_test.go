package adagents

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/std/textedit"
)

// TestFixes applies each fix of the wrong example of each rule, and expects the finding to
// be gone.
func TestFixes(t *testing.T) {
	t.Parallel()
	errors, fixed := 0, 0
	for _, r := range Rules() {
		if r.Severity == Error {
			errors++
			if r.FixKind() != NoFix {
				fixed++
			}
		}
		t.Run(r.Code, func(t *testing.T) {
			t.Parallel()
			opt := r.ExampleOptions()
			opt.Fixes = true
			if opt.Now.IsZero() {
				opt.Now = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
			}
			src := Example(r.In, r.Bad)
			kinds := 0
			report := Check(src, opt)
			for i := range report.Findings {
				f := &report.Findings[i]
				for k := range f.Fixes {
					checkFix(t, src, opt, f, &f.Fixes[k])
					if f.Code == r.Code && f.Fixes[k].Kind == r.FixKind() {
						kinds++
					}
				}
			}
			if r.FixKind() != NoFix && kinds == 0 {
				t.Errorf("the wrong example has no %s fix:\n%s", r.FixKind(), src)
			}
		})
	}
	t.Logf("%d of %d rules about errors have a fix", fixed, errors)
}

// checkFix applies a fix on its own.
func checkFix(t *testing.T, src []byte, opt Options, f *Finding, fix *Fix) {
	t.Helper()
	if fix.Title == "" || strings.ContainsAny(fix.Title, "\n\r") || fix.Kind == NoFix || len(fix.Edits) == 0 {
		t.Errorf("%s: incomplete: %+v", f.Code, fix)
	}
	text, err := textedit.Apply(src, fix.Edits)
	if err != nil {
		t.Fatalf("%s: %v", f.Code, err)
	}
	batch := []Applied{{f, fix}}
	if after := Check(text, opt); !better(Check(src, opt), after, batch) {
		t.Errorf("%s: %q makes it no better:\n%s\n%v", f.Code, fix.Title, text, after.Findings)
	}
}

// TestHintIsTheBestFix: what a finding advises and what its best fix does are the same.
func TestHintIsTheBestFix(t *testing.T) {
	t.Parallel()
	long := "site_" + strings.Repeat("x", 58)
	file := string(Example(InProperty, `{"property_id": "`+long+`", "property_type": "website", "name": "Other",
	"identifiers": [{"type": "domain", "value": "other.example.com"}], "publisher_domain": "example.com", "tags": ["apx"]}`))
	file = strings.Replace(file, `"property_ids":["site"]`, `"property_ids":["`+long+`y"]`, 1)
	texts := [][]byte{
		[]byte(file),
		Example(InAgent, `{"url": "https://agent.example/mcp", "authorized_for": "x"}`),
		Example(InAgent, `{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "tag:news"}`),
	}
	for _, r := range Rules() {
		texts = append(texts, Example(r.In, r.Bad))
	}
	found := false
	for _, src := range texts {
		report := Check(src, Options{Fixes: true, Now: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)})
		for i := range report.Findings {
			f := &report.Findings[i]
			if k := Probably(nil, f); k >= 0 && f.Hint != f.Fixes[k].Title {
				t.Errorf("%s: the hint is %q, the best fix %q", f.Code, f.Hint, f.Fixes[k].Title)
			}
			found = found || f.Code == "agent.property_id_undefined" && strings.Contains(f.Hint, `write "`+long+`"`)
		}
	}
	if !found {
		t.Error("the hint about a long id does not have all of it")
	}
}

// TestIdentifierNames repairs identifiers whose members have names of other formats.
func TestIdentifierNames(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		`{"identifier_type": "domain", "identifier_value": "site.example.com"}`, `{"identifierType": "domain", "identifierValue": "site.example.com"}`,
		`{"type": "domain", "identifier_value": "site.example.com"}`, `{"kind": "domain", "id": "site.example.com"}`,
	} {
		src := Example(InProperty, `{"property_id": "other", "property_type": "website", "name": "Other", "identifiers": [`+id+`], "publisher_domain": "example.com"}`)
		got := Repair(src, RepairOptions{Choose: Probably})
		if !strings.Contains(string(got.Text), `{"type": "domain", "value": "site.example.com"}`) || !got.After.Valid() {
			t.Errorf("%s: %v\n%s", id, got.After.Findings, got.Text)
		}
		if safe := Repair(src, RepairOptions{}); len(safe.Applied) > 0 {
			t.Errorf("%s: applied without being asked: %q", id, safe.Applied[0].Fix.Title)
		}
	}
}

// TestRepair follows a file through several rounds.
func TestRepair(t *testing.T) {
	t.Parallel()
	src := []byte("\ufeff" + string(Example(InProperty, `{"property_id": "other", "property_type": "website", "name": "Other",
	"identifiers": [{"type": "domain", "value": "other.example.com"}], "publisher_domain": "example.com",
	"tags": ["news", "news", "news"]}`)))
	got := Repair(src, RepairOptions{})
	if len(got.After.Findings) != 0 || len(got.Applied) != 3 || !strings.Contains(string(got.Text), `"tags": ["news"]}`) {
		t.Errorf("%v, %d applied:\n%s", got.After.Findings, len(got.Applied), got.Text)
	}
	plain := make([]Edit, len(got.Changes))
	for i := range got.Changes {
		plain[i] = got.Changes[i].Edit
	}
	text, err := textedit.Apply(src, plain)
	if err != nil || !bytes.Equal(text, got.Text) {
		t.Errorf("the changes make something else: %v\n%s", err, text)
	}
	again := Repair(got.Text, RepairOptions{})
	if !bytes.Equal(again.Text, got.Text) || len(again.Applied) != 0 {
		t.Errorf("again: %v", again.Applied)
	}
}

// TestApart: of fixes that touch each other one is applied, and the others wait.
func TestApart(t *testing.T) {
	t.Parallel()
	fix := func(edits ...int) Applied {
		a := Applied{Fix: new(Fix)}
		for i := 0; i < len(edits); i += 2 {
			a.Fix.Edits = append(a.Fix.Edits, Edit{Start: edits[i], End: edits[i+1]})
		}
		return a
	}
	for name, c := range map[string]struct {
		fixes []Applied
		want  []int
	}{
		"beside":         {[]Applied{fix(0, 2), fix(2, 4)}, []int{0, 1}},
		"overlap":        {[]Applied{fix(0, 3), fix(2, 4), fix(4, 5)}, []int{0, 2}},
		"inside":         {[]Applied{fix(0, 9), fix(2, 4), fix(9, 10)}, []int{0, 2}},
		"the same place": {[]Applied{fix(3, 3), fix(3, 3)}, []int{0}},
		"two edits":      {[]Applied{fix(0, 1, 5, 6), fix(2, 5), fix(4, 6)}, []int{0, 1}},
		"late after all": {[]Applied{fix(0, 1, 8, 9), fix(0, 2), fix(7, 9)}, []int{2}},
	} {
		var want []Applied
		for _, i := range c.want {
			want = append(want, c.fixes[i])
		}
		got, _ := apart(c.fixes)
		if !slices.EqualFunc(got, want, func(a, b Applied) bool { return slices.Equal(a.Fix.Edits, b.Fix.Edits) }) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
