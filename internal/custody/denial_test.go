package custody_test

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// TestDenial has a file and a publisher whose origin refuses to answer now and then. Each
// step is an outcome with its minute, and what it leads to.
func TestDenial(t *testing.T) {
	t.Parallel()
	const denied, failed, whole, gone = custody.Denied, custody.Failed, custody.Whole, custody.Gone
	type step struct {
		outcome custody.Outcome
		minute  int
		usable  bool
		events  string
	}
	for name, steps := range map[string][]step{
		"once":                   {{denied, 0, true, "failing"}, {whole, 5, true, "recovered"}},
		"for less than an hour":  {{denied, 0, true, "failing"}, {denied, 10, true, ""}, {denied, 59, true, ""}, {whole, 60, true, "recovered"}},
		"for an hour":            {{denied, 0, true, "failing"}, {denied, 10, true, ""}, {denied, 60, false, "denied"}, {denied, 61, false, ""}, {whole, 62, true, "returned"}},
		"with silence between":   {{denied, 0, true, "failing"}, {failed, 30, true, ""}, {denied, 60, false, "denied"}},
		"with an answer between": {{denied, 0, true, "failing"}, {whole, 30, true, "recovered"}, {denied, 60, true, "failing"}, {denied, 119, true, ""}, {denied, 120, false, "denied"}},
		"after silence":          {{failed, 0, true, "failing"}, {failed, 70, true, ""}, {denied, 80, true, ""}, {denied, 140, false, "denied"}},
		"and then gone":          {{denied, 0, true, "failing"}, {gone, 5, false, "recovered gone"}, {whole, 6, true, "returned"}, {denied, 90, true, "failing"}},
		"after it was gone":      {{gone, 0, false, "gone"}, {denied, 10, false, "denied"}, {denied, 80, false, ""}},
	} {
		f, p := adopted("p.example"), settled(placeA)
		for _, s := range steps {
			now := at(time.Duration(s.minute) * time.Minute)
			seen, route := outcome(s.outcome), finds(s.outcome)
			if s.outcome == whole {
				seen, route = wholeAgain(), names(placeA)
			}
			var fileCodes, codes []string
			f, fileCodes = take(f, seen, now)
			p, codes = look(p, route, now)
			want := strings.TrimPrefix(s.events, "recovered ") // of a publisher alone
			if got := strings.ReplaceAll(strings.Join(fileCodes, " "), "file.", ""); got != want || f.Standing(now).Usable() != s.usable {
				t.Errorf("%s, file after %d minutes: %s, %q", name, s.minute, f.Standing(now), got)
			}
			want = strings.ReplaceAll(s.events, "gone", "absent")
			if got := strings.ReplaceAll(strings.Join(codes, " "), "publisher.", ""); got != want || p.Standing(now).Usable() != s.usable {
				t.Errorf("%s, publisher after %d minutes: %s, %q", name, s.minute, p.Standing(now), got)
			}
		}
	}
}

// wholeAgain is the observation of the adopted version.
func wholeAgain() custody.Observation { return whole("a", start.Add(-time.Hour), "p.example") }

// TestDenialAndClock: how long a denial lasts begins with the early reading of the clock and
// is measured with the late one: a clock that is wrong makes the time shorter, never longer.
func TestDenialAndClock(t *testing.T) {
	t.Parallel()
	f, _ := take(adopted(), outcome(custody.Denied), at(0))
	ahead := custody.Moment{Early: start.Add(10 * time.Minute), Late: start.Add(time.Hour)}
	closed, _ := take(f, outcome(custody.Denied), ahead)
	if closed.Closed != custody.Denied {
		t.Error("the late reading is ignored")
	}
	// A date of a clock that was ahead gives no further time.
	f, _ = take(adopted(), outcome(custody.Denied), at(30*day))
	f, changed := f.NotAfter(start.Add(time.Hour))
	if !changed || !f.DeniedSince.Equal(start.Add(time.Hour)) {
		t.Errorf("denied since %s", f.DeniedSince)
	}
}
