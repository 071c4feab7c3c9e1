package suitetest

import (
	"testing"

	"github.com/avow-project/avow/internal/suite"
)

func cases(t *testing.T) []*suite.Case {
	t.Helper()
	all, err := suite.Load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// run asks about cases.
func run(t *testing.T, all []*suite.Case, open func() suite.Answerer) []*suite.Result {
	t.Helper()
	results, err := suite.Run(t.Context(), all, suite.Options{Jobs: 2, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// right fails for every result that failed, and unless there are at least so many answers.
func right(t *testing.T, results []*suite.Result, least int) {
	t.Helper()
	answers, why := 0, ""
	for _, r := range results {
		if r.Outcome == suite.Failed {
			t.Errorf("%s: %s: %s", r.Case.ID, r.Case.Title, r.Detail)
		}
		switch r.Outcome {
		case suite.Passed:
			answers++
		case suite.Unsupported:
			why = r.Detail
		}
	}
	t.Logf("%d of %d answered and right; %s", answers, len(results), suite.GradeLine(suite.Sum(results)))
	if answers < least {
		t.Errorf("only %d answers: %s", answers, why)
	}
}

// TestLibrary holds the Go packages to all cases.
func TestLibrary(t *testing.T) {
	t.Parallel()
	all := cases(t)
	right(t, run(t, all, func() suite.Answerer { return library{} }), len(all))
}
