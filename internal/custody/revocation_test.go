package custody_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
)

// TestRevocationHold has the limits of the hold, to the second, with every kind of date.
func TestRevocationHold(t *testing.T) {
	t.Parallel()
	stated := []time.Time{{}, start.AddDate(-10, 0, 0), start, start.AddDate(10, 0, 0)}
	for _, date := range stated {
		s := whole("a", start.Add(-time.Hour))
		s.Facts.Revoked = []custody.Revoked{{Domain: "p.example", At: date}}
		f, _ := take(&custody.File{URL: url}, s, at(0))
		dropped, codes := take(f, whole("b", start), at(day))
		if !slices.Equal(codes, []string{"file.changed", "revocation.delisted"}) {
			t.Errorf("%v: %v", date, codes)
		}
		tests := []struct {
			f    *custody.File
			at   time.Duration
			want bool
		}{
			{f, 0, true},
			{f, 100 * day, true},
			{dropped, day, true},
			{dropped, 7*day - second, true},
			{dropped, 7 * day, false},
		}
		for _, tc := range tests {
			held := slices.Equal(tc.f.Held(at(tc.at)), []string{"p.example"})
			if tc.f.Revokes("p.example", at(tc.at)) != tc.want || held != (tc.want && tc.f == dropped) {
				t.Errorf("%v after %v: %v", date, tc.at, !tc.want)
			}
			if tc.f.Revokes("other.example", at(tc.at)) {
				t.Errorf("%v: another domain is revoked", date)
			}
		}
	}
}

// TestRevocationEpisodes follows one domain through a story of listings by day.
func TestRevocationEpisodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		// listed has for each day whether the domain is in the list.
		listed string
		// free is the first day on which it is no longer in effect, at the last version.
		free int
	}{
		{"a day", "x-", 7},
		{"a week", "xxxxxxx-", 7},
		{"longer than a week", "xxxxxxxxx-", 9},
		{"again within the hold", "x-x-", 9},
		{"again and again", "x-x-x-x-", 13},
		{"again after the hold", "x--------x-", 16},
	}
	for _, tc := range tests {
		f := &custody.File{URL: url}
		for i, c := range tc.listed {
			var list []string
			if c == 'x' {
				list = []string{"p.example"}
			}
			d := time.Duration(i) * day
			f, _ = take(f, whole(fmt.Sprint(i), start.Add(d), list...), at(d))
		}
		free := time.Duration(tc.free) * day
		if f.Revokes("p.example", at(free)) || tc.free >= len(tc.listed) && !f.Revokes("p.example", at(free-second)) {
			t.Errorf("%s: %+v", tc.name, f.Revocations)
		}
	}
}

func TestRevocationEvents(t *testing.T) {
	t.Parallel()
	f := adopted("p.example")
	steps := []struct {
		day    int
		listed bool
		codes  []string
	}{
		{1, false, []string{"file.changed", "revocation.delisted"}},
		{2, true, []string{"file.changed", "revocation.relisted"}},
		{3, true, []string{"file.changed"}},
		{4, false, []string{"file.changed", "revocation.delisted"}},
		{8, false, []string{"file.changed"}},
		{9, false, []string{"file.changed", "revocation.released"}},
		{10, true, []string{"file.changed", "revocation.relisted"}},
		{18, false, []string{"file.changed", "revocation.released"}},
		{19, false, []string{"file.changed"}},
		{107, false, []string{"file.changed"}},
		{108, false, []string{"file.changed"}},
	}
	for _, s := range steps {
		var list []string
		if s.listed {
			list = []string{"p.example"}
		}
		d := time.Duration(s.day) * day
		var codes []string
		f, codes = take(f, whole(fmt.Sprint(s.day), start.Add(d), list...), at(d))
		if !slices.Equal(codes, s.codes) {
			t.Errorf("day %d: %v", s.day, codes)
		}
		if kept := s.day < 108; kept != (len(f.Revocations) == 1) {
			t.Errorf("day %d: %+v", s.day, f.Revocations)
		}
	}
}

// TestRevocationStated: the earliest date is remembered, and decides nothing.
func TestRevocationStated(t *testing.T) {
	t.Parallel()
	dates := []time.Time{{}, start.Add(2 * day), start.Add(3 * day), start.Add(day), {}}
	want := []time.Time{{}, start.Add(2 * day), start.Add(2 * day), start.Add(day), start.Add(day)}
	f := &custody.File{URL: url}
	for i, date := range dates {
		s := whole(fmt.Sprint(i), start)
		s.Facts.Revoked = []custody.Revoked{{Domain: "p.example", At: date}}
		f, _ = take(f, s, at(time.Duration(i)*time.Hour))
		if r := f.Revocations[0]; !r.Stated.Equal(want[i]) || !r.First.Equal(start) {
			t.Errorf("%d: %+v", i, r)
		}
	}
}

// TestRevocationClock: a hold begins with the later reading and ends with the earlier one.
func TestRevocationClock(t *testing.T) {
	t.Parallel()
	back := custody.Moment{Early: start.Add(-365 * day), Late: start}
	f, _ := (&custody.File{URL: url}).Take(whole("a", start.Add(-400*day), "p.example"), back)
	f, _ = take(f, whole("b", start), at(day))
	if !f.Revokes("p.example", at(7*day-second)) || f.Revokes("p.example", at(7*day)) {
		t.Errorf("seen by a clock that was back: %+v", f.Revocations)
	}
	ahead := custody.Moment{Early: start.Add(day), Late: start.Add(1000 * day)}
	if !f.Revokes("p.example", ahead) {
		t.Error("the late reading ended the hold")
	}
	// Three months of a wrong clock do not lose what counts when it is right again.
	f, _ = take(f, whole("c", start.Add(80*day)), at(80*day))
	if !f.Revokes("p.example", at(2*day)) {
		t.Error("forgotten by a clock that was ahead")
	}
}

// TestRevocationRefused: a version that is refused revokes nobody and frees nobody.
func TestRevocationRefused(t *testing.T) {
	t.Parallel()
	was := adopted("p.example")
	for _, date := range []time.Time{start.AddDate(-1, 0, 0), {}, start.AddDate(1, 0, 0)} {
		next, _ := take(was, whole("b", date, "victim.example"), at(time.Hour))
		if diff := cmp.Diff(was.Revocations, next.Revocations); diff != "" {
			t.Error(diff)
		}
	}
}

// TestRevocationOvertaken: an answer that was overtaken by a later one changes nothing,
// except that what it revoked stays revoked for its time.
func TestRevocationOvertaken(t *testing.T) {
	t.Parallel()
	f := adopted("known.example")
	f, _ = take(f, whole("c", start), at(2*time.Hour))
	late := whole("b", start, "known.example", "p.example")
	late.At = start.Add(time.Hour)
	next, codes := take(f, late, at(3*time.Hour))
	if !slices.Equal(codes, []string{"revocation.observed", "revocation.relisted"}) || next.Hash != "c" || !next.ConfirmedAt.Equal(f.ConfirmedAt) {
		t.Errorf("%v, %+v", codes, next)
	}
	if got := next.Held(at(7*day + time.Hour - second)); !slices.Equal(got, []string{"known.example", "p.example"}) {
		t.Error(got)
	}
	if got := next.Held(at(7*day + time.Hour)); got != nil {
		t.Error(got)
	}
	for _, s := range []custody.Observation{outcome(custody.Failed), outcome(custody.Gone), whole("c", start), whole("ahead", start.Add(day), "victim.example")} {
		s.At = start.Add(time.Hour)
		next, codes := take(f, s, at(3*time.Hour))
		if diff := cmp.Diff(f, next); diff != "" || len(codes) > 0 {
			t.Errorf("%v: %s", codes, diff)
		}
	}
	// When the clock went back, the order of times says nothing.
	now := custody.Moment{Early: start.Add(time.Hour), Late: start.Add(2 * time.Hour)}
	next, _ = f.Take(whole("d", start, "p.example"), now)
	if next.Hash != "d" {
		t.Errorf("after the clock went back: %+v", next)
	}
}

// TestRevocationDisorder: a list that is not in order loses nothing.
func TestRevocationDisorder(t *testing.T) {
	t.Parallel()
	s := whole("a", start)
	s.Facts.Revoked = []custody.Revoked{
		{Domain: "c.example"}, {Domain: "a.example"}, {Domain: "b.example", At: start.Add(day)}, {Domain: "a.example", At: start}, {Domain: "b.example", At: start},
	}
	f, _ := take(&custody.File{URL: url}, s, at(0))
	want := []custody.Revocation{
		{Domain: "a.example", First: start, Stated: start}, {Domain: "b.example", First: start, Stated: start}, {Domain: "c.example", First: start},
	}
	if diff := cmp.Diff(want, f.Revocations); diff != "" {
		t.Error(diff)
	}
}

func TestRevocationManyEvents(t *testing.T) {
	t.Parallel()
	var list []string
	for i := range custody.MaxChanges + 5 {
		list = append(list, fmt.Sprintf("p%03d.example", i))
	}
	_, events := (&custody.File{URL: url}).Take(whole("a", start, list...), at(0))
	last := events[len(events)-1]
	if len(events) != custody.MaxChanges+2 || last.Domain != "" || last.More != 5 || last.Code != "revocation.observed" {
		t.Errorf("%d events, the last %+v", len(events), last)
	}
}

// TestRollbackShapes has the shapes in which an update framework's clients are fed old
// metadata, brought over to files with a date. An agent was dismissed in the version "a".
func TestRollbackShapes(t *testing.T) {
	t.Parallel()
	old := func() custody.Observation { return whole("old", start.AddDate(0, -1, 0)) }
	same := custody.Observation{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"a"`}}
	untagged := old()
	untagged.Headers.ETag = ""
	reused := old()
	reused.Headers.ETag = `"a"`
	undated := old()
	undated.Facts.LastUpdated = time.Time{}
	var steps []custody.Observation
	for i := 1; i <= 60; i++ {
		steps = append(steps, whole(fmt.Sprint("step", i), start.Add(-time.Hour).Add(-time.Duration(i)*30*second)))
	}
	tests := []struct {
		name         string
		observations []custody.Observation
		// want is the version in effect in the end.
		want string
	}{
		{"an old version", []custody.Observation{old()}, "a"},
		{"without a tag", []custody.Observation{untagged}, "a"},
		{"with the tag of the new one", []custody.Observation{reused}, "a"},
		{"after it was confirmed", []custody.Observation{same, old(), same}, "a"},
		{"without a date", []custody.Observation{undated}, "a"},
		{"in steps within the tolerance", steps, "step2"},
		{"after an outage", []custody.Observation{outcome(custody.Failed), outcome(custody.Gone), old()}, "a"},
		{"after a jump ahead", []custody.Observation{whole("ahead", start.AddDate(10, 0, 0)), whole("next", start)}, "next"},
		{"again and again", []custody.Observation{old(), old(), old(), old()}, "a"},
	}
	for _, tc := range tests {
		for _, restart := range []bool{false, true} {
			f := adopted()
			for i, s := range tc.observations {
				f, _ = take(f, s, at(time.Duration(i+1)*time.Minute+time.Hour))
				if restart {
					f = rereadFile(f)
				}
			}
			if f.Hash != tc.want {
				t.Errorf("%s, restart %v: %s counts", tc.name, restart, f.Hash)
			}
			if f.HighWater.Before(start.Add(-time.Hour)) || f.HighWater.After(start.Add(day)) {
				t.Errorf("%s, restart %v: the latest date is %v", tc.name, restart, f.HighWater)
			}
		}
	}
}

// TestRevocationOvertakenByLaterDate: the version that came too late is dated before the
// one that overtook it. What it revokes counts all the same, unless it is from the future.
func TestRevocationOvertakenByLaterDate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		dated time.Duration
		want  bool
	}{
		{"older than the one that overtook it", time.Hour, true},
		{"older than any", -day, true},
		{"from the future", day, false},
	} {
		f, _ := take(&custody.File{URL: url}, whole("v1", start.Add(-time.Hour)), at(0))
		f, _ = take(f, whole("v3", start.Add(2*time.Hour)), at(2*time.Hour+30*time.Second))
		late := whole("v2", start.Add(tc.dated), "p.example")
		late.At = start.Add(2 * time.Hour)
		f, _ = take(f, late, at(2*time.Hour+40*time.Second))
		if got := f.Revokes("p.example", at(3*time.Hour)); got != tc.want || f.Hash != "v3" {
			t.Errorf("%s: revoked %v, want %v; the version is %s", tc.name, got, tc.want, f.Hash)
		}
		if f.Revokes("p.example", at(2*time.Hour+7*day)) {
			t.Errorf("%s: the hold does not end", tc.name)
		}
	}
}
