package main

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/suite"
)

const folder = "../../../conformance/suite"

func TestSuiteIsCurrent(t *testing.T) {
	t.Parallel()
	err := genfile.Check(folder, func() (map[string][]byte, error) { return generate(folder) })
	if err != nil {
		t.Error(err)
	}
}

// TestReleasedCasesStay: a case of a release stays as it is, however many cases are like it.
func TestReleasedCasesStay(t *testing.T) {
	t.Parallel()
	one := func(id, want string) candidate {
		return candidate{&suite.Case{ID: id, Kind: "check", Want: map[string]any{"valid": want}}, "same", 1}
	}
	written := func(cases ...*suite.Case) []byte {
		text, err := suite.Write(cases)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	sums, err := meanings(written(one("check/b", "yes").Case))
	if err != nil {
		t.Fatal(err)
	}
	released, err := readMeanings(sums)
	if err != nil {
		t.Fatal(err)
	}
	leftOut := map[string]int{}
	got := choose([]candidate{one("check/b", "yes"), one("check/a", "yes"), one("check/c", "yes")}, leftOut, released)
	if len(got) != 1 || got[0].ID != "check/b" || leftOut["shows the same as another case"] != 2 {
		t.Errorf("chosen are %d cases, %v", len(got), leftOut)
	}
	err = unchanged(written(got...), released)
	if err != nil {
		t.Error(err)
	}
	for want, cases := range map[string][]candidate{"another meaning": {one("check/b", "no")}, "not there any more": {one("check/c", "yes")}} {
		err := unchanged(written(cases[0].Case), released)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestRulesOf(t *testing.T) {
	t.Parallel()
	for summary, want := range map[string]string{
		"It holds (D1, E20).":           "It holds.|D1 E20",
		"It holds.":                     "It holds.|",
		"It holds (in brackets).":       "It holds (in brackets).|",
		"It (that is, all) holds (D1).": "It (that is, all) holds.|D1",
	} {
		title, rules := rulesOf(summary)
		if got := title + "|" + strings.Join(rules, " "); got != want {
			t.Errorf("%s: got %s", summary, got)
		}
	}
}
