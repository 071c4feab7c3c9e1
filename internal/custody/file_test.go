package custody_test

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
)

const (
	second = time.Second
	url    = "https://net.example/adagents.json"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// at is a moment after the start.
func at(d time.Duration) custody.Moment { return custody.At(start.Add(d)) }

// whole is a seen of a version that is dated and revokes.
func whole(hash string, date time.Time, revoked ...string) custody.Observation {
	s := custody.Observation{Outcome: custody.Whole, Hash: hash, Bytes: 10}
	s.Headers.ETag = `"` + hash + `"`
	s.Facts.LastUpdated = date
	for _, domain := range revoked {
		s.Facts.Revoked = append(s.Facts.Revoked, custody.Revoked{Domain: domain})
	}
	return s
}

func outcome(o custody.Outcome) custody.Observation {
	return custody.Observation{Outcome: o, Detail: "because"}
}

// take applies observations at the times after the start and returns the last record with the
// codes of its events.
func take(f *custody.File, s custody.Observation, m custody.Moment) (*custody.File, []string) {
	next, events := f.Take(s, m)
	return next, codesOf(events)
}

func codesOf(events []custody.Event) []string {
	var out []string
	for i := range events {
		out = append(out, events[i].Code)
	}
	return out
}

// adopted is a file whose version "a" was adopted at the start.
func adopted(revoked ...string) *custody.File {
	f, _ := (&custody.File{URL: url}).Take(whole("a", start.Add(-time.Hour), revoked...), at(0))
	return f
}

func TestFileFirst(t *testing.T) {
	t.Parallel()
	s := whole("a", start.Add(-time.Hour), "p.example")
	s.Facts.CatalogETag = "v1"
	f, events := (&custody.File{URL: url}).Take(s, at(0))
	want := &custody.File{
		URL: url, Hash: "a", Bytes: 10, LastUpdated: start.Add(-time.Hour), CatalogETag: "v1", AdoptedAt: start, FirstSeen: start,
		HighWater: start.Add(-time.Hour), ConfirmedAt: start, WholeAt: start, FreshUntil: start.Add(day), KeysUntil: start.Add(time.Hour),
		Headers: s.Headers, TriedAt: start, Revocations: []custody.Revocation{{Domain: "p.example", First: start}},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	if got := codesOf(events); !slices.Equal(got, []string{"file.adopted", "revocation.observed"}) {
		t.Error(got)
	}
}

// TestFileDates has a version of each date after one of an hour before the start.
func TestFileDates(t *testing.T) {
	t.Parallel()
	high := start.Add(-time.Hour)
	tests := []struct {
		name string
		date time.Time
		code string
	}{
		{"later", high.Add(second), "file.changed"},
		{"equal", high, "file.changed"},
		{"within a minute", high.Add(-59 * second), "file.changed"},
		{"a minute before", high.Add(-60 * second), "file.changed"},
		{"more than a minute before", high.Add(-61 * second), "file.rollback"},
		{"a year before", high.AddDate(-1, 0, 0), "file.rollback"},
		{"missing", time.Time{}, "file.date_missing"},
		{"a minute ahead", start.Add(day + 60*second), "file.changed"},
		{"more than a minute ahead", start.Add(day + 61*second), "file.future"},
		{"far ahead", time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "file.future"},
	}
	for _, tc := range tests {
		was := adopted("p.example")
		next, codes := take(was, whole("b", tc.date, "p.example"), at(day))
		if !slices.Equal(codes, []string{tc.code}) {
			t.Errorf("%s: %v", tc.name, codes)
		}
		if changed := next.Hash == "b"; changed != (tc.code == "file.changed") {
			t.Errorf("%s: the version is %s", tc.name, next.Hash)
		}
		if next.HighWater.Before(was.HighWater) || next.HighWater.After(start.Add(day+custody.Skew)) {
			t.Errorf("%s: the latest date is %v", tc.name, next.HighWater)
		}
		if (next.Refused != nil) != (tc.code != "file.changed") || next.FailingSince.IsZero() != (next.Refused == nil) {
			t.Errorf("%s: %+v", tc.name, next)
		}
	}
}

// TestFileFirstFuture: nothing is known, and a date from the future is refused all the
// same.
func TestFileFirstFuture(t *testing.T) {
	t.Parallel()
	f, codes := take(&custody.File{URL: url}, whole("a", start.Add(61*second), "p.example"), at(0))
	if f.Hash != "" || !f.HighWater.IsZero() || f.Revocations != nil || f.Standing(at(0)) != custody.Unknown || !slices.Equal(codes, []string{"file.future"}) {
		t.Errorf("%+v, %v", f, codes)
	}
	f, codes = take(f, whole("a", start.Add(61*second), "p.example"), at(second))
	if f.Hash != "a" || f.Refused != nil || !slices.Equal(codes, []string{"file.adopted", "file.recovered", "revocation.observed"}) {
		t.Errorf("a second later: %+v, %v", f, codes)
	}
}

func TestFileUndated(t *testing.T) {
	t.Parallel()
	f, _ := take(&custody.File{URL: url}, whole("a", time.Time{}), at(0))
	f, codes := take(f, whole("b", time.Time{}), at(day))
	if f.Hash != "b" || !f.HighWater.IsZero() || !slices.Equal(codes, []string{"file.changed"}) {
		t.Errorf("%+v, %v", f, codes)
	}
	f, _ = take(f, whole("c", start), at(day))
	f, codes = take(f, whole("b", time.Time{}), at(day+time.Hour))
	if f.Hash != "c" || !slices.Equal(codes, []string{"file.date_missing"}) {
		t.Errorf("%+v, %v", f, codes)
	}
}

func TestFileRefusals(t *testing.T) {
	t.Parallel()
	old := start.Add(-2 * time.Hour)
	f, _ := take(adopted(), whole("old", old), at(time.Hour))
	if r := f.Refused; r == nil || r.Hash != "old" || r.Code != "file.rollback" || !r.Since.Equal(start.Add(time.Hour)) || !r.LastUpdated.Equal(old) {
		t.Fatalf("%+v", f.Refused)
	}
	again, codes := take(f, whole("old", old), at(2*time.Hour))
	if len(codes) != 0 || !again.Refused.Since.Equal(start.Add(time.Hour)) || !again.FailingSince.Equal(start.Add(time.Hour)) {
		t.Errorf("again: %v, %+v", codes, again)
	}
	other, codes := take(f, whole("older", old), at(2*time.Hour))
	if !slices.Equal(codes, []string{"file.rollback"}) || other.Refused.Hash != "older" {
		t.Errorf("another: %v, %+v", codes, other.Refused)
	}
	back, codes := take(f, whole("a", start.Add(-time.Hour)), at(2*time.Hour))
	if !slices.Equal(codes, []string{"file.recovered"}) || back.Refused != nil || !back.FailingSince.IsZero() {
		t.Errorf("back: %v, %+v", codes, back)
	}
	_, _, err := f.Confirm("older", at(0))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Error(err)
	}
	_, _, err = adopted().Confirm("a", at(0))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Error(err)
	}
}

func TestFileConfirm(t *testing.T) {
	t.Parallel()
	for _, date := range []time.Time{start.Add(-2 * time.Hour), {}, start.Add(1000 * day)} {
		f, _ := take(adopted(), whole("b", date), at(time.Hour))
		ok, events, err := f.Confirm("b", at(2*time.Hour))
		if err != nil || !slices.Equal(codesOf(events), []string{"file.confirmed"}) || f.Refused.Confirmed || ok.Hash != "a" {
			t.Fatalf("%v, %v, %+v", err, events, ok)
		}
		twice, events, err := ok.Confirm("b", at(2*time.Hour))
		if err != nil || len(events) != 0 || !twice.Refused.Confirmed {
			t.Errorf("twice: %v, %v", err, events)
		}
		next, codes := take(ok, whole("b", date), at(3*time.Hour))
		if next.Hash != "b" || next.Refused != nil || !slices.Equal(codes, []string{"file.changed", "file.recovered"}) {
			t.Errorf("%+v, %v", next, codes)
		}
		if !next.HighWater.Equal(start.Add(-time.Hour)) || !next.LastUpdated.Equal(date) {
			t.Errorf("the latest date is %v", next.HighWater)
		}
		other, _ := take(ok, whole("c", start.Add(-3*time.Hour)), at(3*time.Hour))
		if other.Hash != "a" || other.Refused.Confirmed {
			t.Errorf("another version profits: %+v", other)
		}
	}
}

// TestFileStanding has the limits of all times, to the second.
func TestFileStanding(t *testing.T) {
	t.Parallel()
	calm := adopted()
	failing, _ := take(calm, outcome(custody.Failed), at(30*time.Hour))
	late, _ := take(calm, outcome(custody.Invalid), at(6*day+12*time.Hour))
	refused, _ := take(calm, whole("old", start.AddDate(-1, 0, 0)), at(time.Hour))
	gone, _ := take(calm, outcome(custody.Gone), at(time.Hour))
	denied, _ := take(calm, outcome(custody.Denied), at(0))
	denied, _ = take(denied, outcome(custody.Denied), at(time.Hour))
	tests := []struct {
		name string
		f    *custody.File
		at   time.Duration
		want custody.Standing
	}{
		{"new", &custody.File{URL: url}, 0, custody.Unknown},
		{"at once", calm, 0, custody.Fresh},
		{"before a day", calm, day - second, custody.Fresh},
		{"after a day", calm, day, custody.Stale},
		{"before a week", calm, 7*day - second, custody.Stale},
		{"after a week", calm, 7 * day, custody.Expired},
		{"failing", failing, 30 * time.Hour, custody.Stale},
		{"failing before a day", failing, 54*time.Hour - second, custody.Stale},
		{"failing after a day", failing, 54 * time.Hour, custody.Expired},
		{"failing late before a week", late, 7*day - second, custody.Stale},
		{"failing late after a week", late, 7 * day, custody.Expired},
		{"refused while fresh", refused, day - second, custody.Fresh},
		{"refused before a day", refused, 25*time.Hour - second, custody.Stale},
		{"refused after a day", refused, 25 * time.Hour, custody.Expired},
		{"gone", gone, time.Hour, custody.Ended},
		{"denied", denied, time.Hour, custody.Ended},
	}
	for _, tc := range tests {
		if got := tc.f.Standing(at(tc.at)); got != tc.want {
			t.Errorf("%s: %v instead of %v", tc.name, got, tc.want)
		}
	}
}

// TestFileClock: uses end by the late reading, and what a clock that was ahead confirmed
// is ignored once it is right again.
func TestFileClock(t *testing.T) {
	t.Parallel()
	f := adopted()
	back := custody.Moment{Early: start.Add(-day), Late: start.Add(7*day - second)}
	if got := f.Standing(back); got != custody.Expired {
		t.Errorf("confirmed after the present: %v", got)
	}
	skew := custody.Moment{Early: start.Add(-custody.Skew), Late: start}
	if got := f.Standing(skew); got != custody.Fresh {
		t.Errorf("confirmed within the skew: %v", got)
	}
	skew.Early = skew.Early.Add(-second)
	if got := f.Standing(skew); got != custody.Expired {
		t.Errorf("confirmed outside the skew: %v", got)
	}
	ahead := custody.Moment{Early: start.Add(time.Hour), Late: start.Add(7 * day)}
	if got := f.Standing(ahead); got != custody.Expired {
		t.Errorf("a week by the late reading: %v", got)
	}
	// A failure noted by a clock that was ahead begins with the next one that is right.
	f, _ = take(f, outcome(custody.Failed), at(3*day))
	f, _ = f.Take(outcome(custody.Failed), custody.Moment{Early: start.Add(2 * day), Late: start.Add(3 * day)})
	if !f.FailingSince.Equal(start.Add(2 * day)) {
		t.Errorf("failing since %v", f.FailingSince)
	}
	// The time of a seen is never after the present.
	s := whole("b", start)
	s.At = start.Add(1000 * day)
	f, _ = take(adopted(), s, at(time.Hour))
	if !f.ConfirmedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("confirmed %v", f.ConfirmedAt)
	}
}

func TestFileCloses(t *testing.T) {
	t.Parallel()
	for _, o := range []custody.Outcome{custody.Gone, custody.Denied} {
		code := "file." + o.String()
		f := adopted("p.example")
		if o == custody.Denied {
			f, _ = take(f, outcome(o), at(0))
		}
		f, events := f.Take(outcome(o), at(time.Hour))
		if !slices.Equal(codesOf(events), []string{code}) || events[0].Severity != custody.Alert || f.Closed != o || !f.Revokes("p.example", at(time.Hour)) {
			t.Errorf("%v: %+v, %v", o, f, events)
		}
		f, codes := take(f, outcome(o), at(2*time.Hour))
		if len(codes) != 0 {
			t.Errorf("%v twice: %v", o, codes)
		}
		f, codes = take(f, outcome(custody.Failed), at(3*time.Hour))
		if f.Closed != o || f.FailingSince.IsZero() || o == custody.Gone && !slices.Equal(codes, []string{"file.failing"}) {
			t.Errorf("%v, then a failure: %+v, %v", o, f, codes)
		}
		f, codes = take(f, whole("a", start.Add(-time.Hour), "p.example"), at(4*time.Hour))
		if f.Standing(at(4*time.Hour)) != custody.Fresh || !slices.Equal(codes, []string{"file.returned"}) {
			t.Errorf("%v, then back: %+v, %v", o, f, codes)
		}
		first, events := (&custody.File{URL: url}).Take(outcome(o), at(0))
		if first.Standing(at(0)) != custody.Ended || events[0].Severity != custody.Info {
			t.Errorf("%v at first: %+v, %v", o, first, events)
		}
	}
}

func TestFileExpires(t *testing.T) {
	t.Parallel()
	f, codes := take(adopted(), outcome(custody.Failed), at(time.Hour))
	if !slices.Equal(codes, []string{"file.failing"}) || f.Trouble != "because" {
		t.Errorf("%v, %q", codes, f.Trouble)
	}
	f, codes = take(f, outcome(custody.Failed), at(25*time.Hour-second))
	if len(codes) != 0 {
		t.Errorf("before a day: %v", codes)
	}
	f, codes = take(f, outcome(custody.Failed), at(25*time.Hour))
	if !slices.Equal(codes, []string{"file.expired"}) {
		t.Errorf("after a day: %v", codes)
	}
	_, codes = take(f, outcome(custody.Failed), at(26*time.Hour))
	if len(codes) != 0 {
		t.Errorf("once more: %v", codes)
	}
}

func TestFileTagReused(t *testing.T) {
	t.Parallel()
	change := []custody.Change{{Code: "agent.added", Severity: custody.Alert}}
	tests := []struct {
		old, tag string
		changes  []custody.Change
		alert    bool
	}{
		{`"x"`, `"x"`, nil, true},
		{`"x"`, `"y"`, change, false},
		{``, ``, change, false},
		{`W/"x"`, `W/"x"`, nil, false},
		{`W/"x"`, `W/"x"`, change, true},
	}
	for _, tc := range tests {
		s := whole("a", start.Add(-time.Hour))
		s.Headers.ETag = tc.old
		f, _ := take(&custody.File{URL: url}, s, at(0))
		s = whole("b", start)
		s.Headers.ETag, s.Changes = tc.tag, tc.changes
		f, codes := take(f, s, at(time.Hour))
		if f.Hash != "b" || slices.Contains(codes, "file.etag_reused") != tc.alert {
			t.Errorf("%q, %q: %v", tc.old, tc.tag, codes)
		}
	}
}

// TestFileMarksReused: a version that keeps the catalog_etag or the date of the one before
// raises an event of its own, besides that of the change.
func TestFileMarksReused(t *testing.T) {
	t.Parallel()
	for change, event := range map[string]string{
		"catalog.etag_unchanged": "file.catalog_etag_reused",
		"file.date_unchanged":    "file.date_reused",
		"catalog.etag_changed":   "",
	} {
		s := whole("b", start)
		s.Changes = []custody.Change{{Code: change, Severity: custody.Warning}}
		f, codes := take(adopted(), s, at(time.Hour))
		want := []string{"file.changed"}
		if event != "" {
			want = append(want, event)
		}
		if f.Hash != "b" || !slices.Equal(codes, want) {
			t.Errorf("%s: %v", change, codes)
		}
	}
}

func TestFileChangesOfEvent(t *testing.T) {
	t.Parallel()
	s := whole("b", start)
	for range custody.MaxChanges + 7 {
		s.Changes = append(s.Changes, custody.Change{Code: "property.added"})
	}
	s.Changes[3].Severity = custody.Warning
	_, events := adopted().Take(s, at(time.Hour))
	e := events[0]
	if e.Code != "file.changed" || e.Severity != custody.Warning || len(e.Changes) != custody.MaxChanges || e.More != 7 || e.Before != "a" || e.After != "b" {
		t.Errorf("%+v", e)
	}
}

// TestFileEndsSoon: an end of an entry is told once two weeks ahead, and once more in the last days;
// another lead is kept to, and what has ended is not told.
func TestFileEndsSoon(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, test := range []struct {
		name string
		lead time.Duration
		want map[int]string // events by the day
	}{
		{"the usual lead", 0, map[int]string{6: "info", 17: "warning"}},
		{"a month", 30 * day, map[int]string{0: "info", 17: "warning"}},
		{"a week", 7 * day, map[int]string{13: "info", 17: "warning"}},
	} {
		s := whole("v1", start)
		s.Facts.Ends = []custody.End{{At: start.Add(-time.Hour), What: "the past"}, {At: start.Add(20 * day), What: "the authorization of x"}}
		f := &custody.File{URL: "https://a.example/adagents.json"}
		got := map[int]string{}
		for n := range 25 {
			now := start.Add(time.Duration(n) * day)
			s.At, s.Lead = now, test.lead
			var events []custody.Event
			f, events = f.Take(s, custody.At(now))
			for _, e := range events {
				if e.Code == "file.ends_soon" {
					got[n] = e.Severity.String()
				}
			}
		}
		if !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
