package adagents

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExamples proves the catalogue: every bad example yields exactly its
// rule's code, every good one yields nothing at all.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			t.Parallel()
			want := append(slices.Clone(r.Along), r.Code)
			slices.Sort(want)
			if got := exampleCodes(&r, r.Bad); !slices.Equal(got, want) {
				t.Errorf("bad example yields %v, want %v\n%s", got, want, exampleReport(&r, r.Bad))
			}
			if got := exampleCodes(&r, r.Good); len(got) != 0 {
				t.Errorf("good example yields %v\n%s", got, exampleReport(&r, r.Good))
			}
		})
	}
}

func exampleFindings(r *Rule, fragment string) []Finding {
	var opt Options
	if r.given != nil {
		r.given(&opt)
	}
	return Check(Example(r.In, fragment), opt).Findings
}

// exampleCodes returns the distinct codes found, sorted.
func exampleCodes(r *Rule, fragment string) []string {
	var codes []string
	for _, f := range exampleFindings(r, fragment) {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func exampleReport(r *Rule, fragment string) string {
	var b strings.Builder
	for _, f := range exampleFindings(r, fragment) {
		b.WriteString(f.Pointer + ": " + f.Error() + "\n")
	}
	b.Write(Example(r.In, fragment))
	return b.String()
}

// TestCatalogue checks that every rule is complete and its code unique.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`^[a-z_]+\.[a-z0-9_]+$`)
	seen := make(map[string]bool)
	for _, r := range Rules() {
		if !code.MatchString(r.Code) {
			t.Errorf("%q is not a code", r.Code)
		}
		if seen[r.Code] {
			t.Errorf("%s: defined twice", r.Code)
		}
		seen[r.Code] = true
		if r.Severity == 0 || r.Strict != 0 && r.Strict < r.Severity {
			t.Errorf("%s: severity %d, strict %d", r.Code, r.Severity, r.Strict)
		}
		for name, text := range map[string]string{"title": r.Title, "why": r.Why, "spec": r.Spec, "bad": r.Bad, "good": r.Good} {
			if strings.TrimSpace(text) == "" && (name != "bad" || r.Code != "file.empty") {
				t.Errorf("%s: no %s", r.Code, name)
			}
		}
		if !strings.HasSuffix(r.Why, ".") || strings.HasSuffix(r.Title, ".") || strings.HasSuffix(r.Hint, ".") {
			t.Errorf("%s: why ends with a period, title and hint do not", r.Code)
		}
	}
}
