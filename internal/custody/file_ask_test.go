package custody_test

import (
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

func TestFileNotModified(t *testing.T) {
	t.Parallel()
	f := adopted()
	same, other, none := custody.Headers{ETag: `"a"`}, custody.Headers{ETag: `"b"`}, custody.Headers{}
	bare := f
	plain, _ := take(&custody.File{URL: url}, func() custody.Observation { s := whole("a", start); s.Headers = none; return s }(), at(0))
	gone, _ := take(f, outcome(custody.Gone), at(time.Hour))
	tests := []struct {
		name    string
		f       *custody.File
		headers custody.Headers
		at      time.Duration
		good    bool
	}{
		{"same tag", f, same, day, true},
		{"no tag", f, none, day, true},
		{"another tag", f, other, day, false},
		{"before a week", bare, same, 7*day - second, true},
		{"after a week", bare, same, 7 * day, false},
		{"nothing to compare", plain, none, day, false},
		{"nothing known", &custody.File{URL: url}, same, day, false},
		{"gone", gone, same, day, false},
	}
	for _, tc := range tests {
		next, _ := take(tc.f, custody.Observation{Outcome: custody.NotModified, Headers: tc.headers}, at(tc.at))
		if good := next.ConfirmedAt.Equal(start.Add(tc.at)); good != tc.good || next.FailingSince.IsZero() != tc.good {
			t.Errorf("%s: %+v", tc.name, next)
		}
		if !next.WholeAt.Equal(tc.f.WholeAt) || next.Hash != tc.f.Hash || next.Closed != tc.f.Closed {
			t.Errorf("%s: %+v", tc.name, next)
		}
	}
	// An answer asked for before the week was over counts when it is taken after.
	s := custody.Observation{Outcome: custody.NotModified, Headers: same, At: start.Add(7*day - second)}
	next, _ := take(f, s, at(7*day+second))
	if !next.FailingSince.IsZero() {
		t.Errorf("asked in time: %+v", next)
	}
}

func TestFileAsk(t *testing.T) {
	t.Parallel()
	f := adopted()
	gone, _ := take(f, outcome(custody.Gone), at(time.Hour))
	shut := *f
	shut.Overflow = true
	dated, _ := take(&custody.File{URL: url}, func() custody.Observation {
		s := whole("a", start)
		s.Headers = custody.Headers{LastModified: "Fri, 01 May 2026 12:00:00 GMT"}
		return s
	}(), at(0))
	tests := []struct {
		name      string
		f         *custody.File
		at        custody.Moment
		tag, date string
	}{
		{"new", &custody.File{URL: url}, at(0), "", ""},
		{"tag", f, at(7*day - second), `"a"`, ""},
		{"date", dated, at(day), "", "Fri, 01 May 2026 12:00:00 GMT"},
		{"a week", f, at(7 * day), "", ""},
		{"a week by the late reading", f, custody.Moment{Early: start, Late: start.Add(7 * day)}, "", ""},
		{"gone", gone, at(day), "", ""},
		{"shut", &shut, at(day), "", ""},
	}
	for _, tc := range tests {
		if tag, date := tc.f.Ask(tc.at); tag != tc.tag || date != tc.date {
			t.Errorf("%s: %q, %q", tc.name, tag, date)
		}
	}
}

func TestFileDue(t *testing.T) {
	t.Parallel()
	if due := (&custody.File{URL: url}).Due(); !due.IsZero() {
		t.Errorf("new: %v", due)
	}
	f := adopted()
	if due := f.Due(); !due.Equal(start.Add(day)) {
		t.Errorf("fresh: %v", due)
	}
	s := whole("a", start.Add(-time.Hour))
	s.Headers.CacheControl = []string{"no-store"}
	hasty, _ := take(f, s, at(0))
	if due := hasty.Due(); !due.Equal(start.Add(custody.MinRecheck)) {
		t.Errorf("no-store: %v", due)
	}
	gone, _ := take(f, outcome(custody.Gone), at(time.Hour))
	if due := gone.Due(); !due.Equal(start.Add(2 * time.Hour)) {
		t.Errorf("gone: %v", due)
	}
	var waits []time.Duration
	for range 10 {
		f, _ = take(f, outcome(custody.Failed), custody.At(f.Due()))
		waits = append(waits, f.Due().Sub(f.TriedAt))
	}
	minute := time.Minute
	want := []time.Duration{minute, minute, 2 * minute, 4 * minute, 8 * minute, 16 * minute, 32 * minute, 60 * minute, 60 * minute, 60 * minute}
	if !slices.Equal(waits, want) {
		t.Errorf("failing: %v", waits)
	}
}
