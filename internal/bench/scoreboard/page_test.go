package main

import (
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/suite"
)

const root = "../../../"

// TestWorst: a wrong yes comes first, then the other normative failures; no others are shown.
func TestWorst(t *testing.T) {
	t.Parallel()
	one := func(id string, label suite.Label, want map[string]any) *suite.Result {
		return &suite.Result{Case: &suite.Case{ID: id, Label: label, Want: want}, Outcome: suite.Failed}
	}
	no, yes := map[string]any{"authorized": false}, map[string]any{"authorized": true}
	var ids []string
	for _, f := range worst([]*suite.Result{one("a", suite.Normative, yes), one("b", suite.Normative, no), one("c", suite.Interpretation, no)}) {
		ids = append(ids, f.Case.ID)
	}
	if diff := cmp.Diff([]string{"b", "a"}, ids); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPageMatchesTheRun: the page is what the record of the run comes to.
func TestPageMatchesTheRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var r record
	err = json.Unmarshal(text, &r, json.RejectUnknownMembers(true))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(root + pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page(&r)), string(have)); diff != "" {
		t.Errorf("run make scoreboard; -record +page:\n%s", diff)
	}
	for i := range r.Implementations {
		e := &r.Implementations[i]
		answered := 0
		for _, row := range e.Kinds {
			answered += row.Passed + row.Failed
		}
		if e.Version == "" || e.Date == "" || answered == 0 || len(e.Failures) > mostShown || len(e.Failures) > e.Grade.Failed {
			t.Errorf("%s: %d answers, %+v, %d failures shown", e.Name, answered, e.Grade, len(e.Failures))
		}
	}
}
