package adagents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manyWrong makes a file with n agents that are no objects, followed by good ones.
func manyWrong(n int) []byte {
	return []byte(`{"authorized_agents":[` + strings.Repeat("1,", n) + `2],` +
		`"signals":[` + strings.Repeat(`{"id":"x y","name":"","value_type":"binary"},`, n) + `1]}`)
}

func TestMaxFindings(t *testing.T) {
	t.Parallel()
	src := manyWrong(50)
	whole := Check(src, Options{})
	short := Check(src, Options{MaxFindings: 7})
	listed := make(map[string]int)
	for i := range short.Findings {
		listed[short.Findings[i].Code]++
	}
	for code, n := range listed {
		if n > 7 {
			t.Errorf("%d findings of %s, want at most 7", n, code)
		}
	}
	for i := range whole.Findings {
		if listed[whole.Findings[i].Code] == 0 {
			t.Errorf("%s is not listed at all", whole.Findings[i].Code)
		}
	}
	if whole.Valid() != short.Valid() || len(whole.Skipped) != len(short.Skipped) {
		t.Errorf("the limit changes the verdict: %v with %d skips, %v with %d",
			whole.Valid(), len(whole.Skipped), short.Valid(), len(short.Skipped))
	}
	for i := range short.Skipped {
		a, b := whole.Skipped[i], short.Skipped[i]
		if a.Pointer != b.Pointer || a.Code != b.Code || b.Reason == "" {
			t.Errorf("skip %+v, want the place and code of %+v", b, a)
		}
	}
}

// TestMaxFindingsCounts looks for the number of what is not listed.
func TestMaxFindingsCounts(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range Check(manyWrong(50), Options{MaxFindings: 2}).Findings {
		if f.Code == "agent.not_object" {
			got = append(got, fmt.Sprint(f.Pointer, " and ", f.More, " more"))
		}
	}
	want := []string{
		"/authorized_agents/0 and 0 more",
		"/authorized_agents/1 and 49 more",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMaxFindingsManyRules checks that a file that breaks many rules is held to
// a smaller number for each.
func TestMaxFindingsManyRules(t *testing.T) {
	t.Parallel()
	var all limits
	rules := Rules()
	total := 0
	for i := range rules {
		for range 30 {
			if all.admit(findingKind{&rules[i], Error, NoEffect}, 20, total) {
				total++
			}
		}
	}
	if want := manyRules*20 + len(rules) - manyRules; total != want {
		t.Errorf("%d findings listed, want %d", total, want)
	}
}

// TestMaxFindingsAborts makes sure that a fault that ends the use of a file is
// never among those that are only counted.
func TestMaxFindingsAborts(t *testing.T) {
	t.Parallel()
	doubles := strings.Repeat(`{"a":1,"a":2},`, 40)
	r := Check([]byte(`{"authorized_agents":[],"ext":[`+doubles+`0],"ext":1,"ext":2}`), Options{MaxFindings: 1})
	if r.Unusable == nil || len(r.Unusable.Findings) == 0 {
		t.Fatalf("the file counts as usable: %v", r.Findings)
	}
	if got := r.Unusable.Error(); !strings.Contains(got, "file.duplicate_key") {
		t.Error(got)
	}
}

// TestMaxFindingsInline goes through the findings that move from a format in
// place to the option that contains it.
func TestMaxFindingsInline(t *testing.T) {
	t.Parallel()
	option := `{"format_kind":"image","params":{"slots":[` + strings.Repeat("1,", 30) + `1],"width":1,"height":1}}`
	src := []byte(`{"authorized_agents":[],"placements":[{"placement_id":"a","name":"A","format_options":[` + option + `,` + option + `]}]}`)
	whole, short := Check(src, Options{}), Check(src, Options{MaxFindings: 3})
	if len(short.Findings) >= len(whole.Findings) || len(short.Findings) == 0 || short.Valid() {
		t.Errorf("%d findings of %d", len(short.Findings), len(whole.Findings))
	}
	if diff := cmp.Diff(len(whole.File.Placements), len(short.File.Placements)); diff != "" {
		t.Errorf("placements (-want +got):\n%s", diff)
	}
}
