package suitetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/suite"
)

// A broken implementation changes questions before the library gets them, or its answers.
type broken struct {
	library

	question func(*suite.Case)
	answer   func(*suite.Case, *suite.Answer)
}

func (b broken) Ask(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	mine := *c
	mine.Files = slices.Clone(c.Files)
	if b.question != nil {
		b.question(&mine)
	}
	a, err := b.library.Ask(ctx, &mine)
	if err == nil && b.answer != nil {
		b.answer(c, a)
	}
	return a, err
}

// failures are the ids of the cases that failed.
func failures(results []*suite.Result) []string {
	ids := []string{}
	for _, r := range results {
		if r.Outcome == suite.Failed {
			ids = append(ids, r.Case.ID)
		}
	}
	return ids
}

// TestAlwaysYes: an implementation that says yes to everything fails where the answer is no, and
// where the question has to be refused.
func TestAlwaysYes(t *testing.T) {
	t.Parallel()
	all, _ := suite.Select(cases(t), []string{"authorize"})
	yes := broken{answer: func(_ *suite.Case, a *suite.Answer) {
		*a = suite.Answer{Answer: map[string]any{"authorized": true}}
	}}
	var want []string
	for _, c := range all {
		if c.Want["authorized"] == false || c.Want["error"] == true {
			want = append(want, c.ID)
		}
	}
	results := run(t, all, func() suite.Answerer { return yes })
	if diff := cmp.Diff(want, failures(results)); diff != "" || len(want) < 100 {
		t.Errorf("%d failures are expected, -want +got:\n%s", len(want), diff)
	}
	sum := suite.Sum(results)
	if sum.Kinds[0].Unsupported == 0 || sum.Kinds[0].Passed == 0 {
		t.Errorf("got %+v", sum.Kinds)
	}
}

// TestIgnoresTime: an implementation that does not look at windows fails where a window is closed.
func TestIgnoresTime(t *testing.T) {
	t.Parallel()
	timeless := broken{question: func(c *suite.Case) {
		for i := range c.Files {
			c.Files[i].Text = strings.NewReplacer(`"effective_from"`, `"x_from"`, `"effective_until"`, `"x_until"`).Replace(c.Files[i].Text)
		}
	}}
	all, _ := suite.Select(cases(t), []string{"authorize"})
	if diff := cmp.Diff(closed, failures(run(t, all, func() suite.Answerer { return timeless }))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestIgnoresRevocations: an implementation that does not look at revocations fails where one counts.
func TestIgnoresRevocations(t *testing.T) {
	t.Parallel()
	forgiving := broken{question: func(c *suite.Case) {
		for i := range c.Files {
			c.Files[i].Text = strings.ReplaceAll(c.Files[i].Text, `"revoked_publisher_domains"`, `"x_revoked"`)
			c.Files[i].Revoked = nil
		}
	}}
	all, _ := suite.Select(cases(t), []string{"authorize"})
	if diff := cmp.Diff(revoked, failures(run(t, all, func() suite.Answerer { return forgiving }))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// closed are the cases in which a closed window decides; elsewhere it is open, or something else says no.
var closed = []string{
	"authorize/signal_window", "authorize/time_after", "authorize/time_before", "authorize/time_closed_and_country", "authorize/time_date_only",
	"authorize/time_gap", "authorize/time_inverted", "authorize/time_null", "authorize/time_offset_before", "authorize/time_union", "authorize/time_with_country",
}

// revoked are the cases in which a revocation decides.
var revoked = []string{
	"authorize/collection_revoked", "authorize/collection_revoked_only", "authorize/revoked_bad_identifier", "authorize/revoked_future_date",
	"authorize/revoked_held", "authorize/revoked_held_host", "authorize/revoked_identifier", "authorize/revoked_list", "authorize/revoked_manager",
	"authorize/revoked_network", "authorize/revoked_self", "authorize/revoked_self_inline", "authorize/revoked_self_selector",
	"authorize/revoked_self_signal", "authorize/revoked_self_tags", "authorize/revoked_self_whole", "authorize/revoked_spelling",
	"authorize/revoked_string_signal", "authorize/revoked_url",
}
