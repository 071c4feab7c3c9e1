package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

var custodyListTests = map[string]func(*testing.T, keeping){
	"of what is due begin with the most urgent": func(t *testing.T, open keeping) {
		s := open(t)
		tasks := []custodian.Task{}
		for i, hours := range []int{3, 0, 2, 5, 1, 4} {
			f := &custody.File{URL: fmt.Sprint(fileURL, i), Hash: hashOf("body"), ConfirmedAt: day0, TriedAt: day0, FreshUntil: day0.Add(time.Duration(100+hours) * time.Hour)}
			p := &custody.Publisher{Domain: custody.Domain(fmt.Sprint(i, ".example")), Location: custody.Location{Method: custody.AuthoritativeLocation, URL: f.URL}, ConfirmedAt: day0, TriedAt: day0, FreshUntil: f.FreshUntil.Add(time.Minute)}
			commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
			tasks = append(tasks, custodian.Task{URL: f.URL, Due: f.Due().UTC().Truncate(time.Microsecond), Class: custodian.Wanted}, custodian.Task{Publisher: p.Domain, Due: p.Due().UTC().Truncate(time.Microsecond), Class: custodian.Wanted})
		}
		slices.SortStableFunc(tasks, func(a, b custodian.Task) int { return a.Due.Compare(b.Due) })
		last := tasks[len(tasks)-1].Due
		want(t, got[[]custodian.Task](t)(s.Due(t.Context(), last, 99)), tasks)
		want(t, got[[]custodian.Task](t)(s.Due(t.Context(), last, 5)), tasks[:5])
		want(t, len(got[[]custodian.Task](t)(s.Due(t.Context(), tasks[0].Due.Add(-time.Microsecond), 99))), 0)
		want(t, got[[]custodian.Task](t)(s.Due(t.Context(), tasks[3].Due, 99)), tasks[:4])
		want(t, len(got[[]custodian.Task](t)(s.Due(t.Context(), last, 0))), 0)
	},
	"of what is due follow the record": func(t *testing.T, open keeping) {
		s := open(t)
		p := &custody.Publisher{Domain: "a.example", TriedAt: day0, ConfirmedAt: day0, FreshUntil: day0.Add(time.Hour)}
		commit(t, s, &custodian.Change{Publisher: p})
		next := revised(p, 1)
		next.FreshUntil = day0.AddDate(0, 0, 30)
		commit(t, s, &custodian.Change{Publisher: next})
		tasks := got[[]custodian.Task](t)(s.Due(t.Context(), day0.AddDate(1, 0, 0), 9))
		want(t, tasks, []custodian.Task{{Publisher: "a.example", Due: next.Due(), Class: custodian.Empty}})
	},
	"of what is due have what somebody leads to": custodyLeads,
	"of what is due get rarer":                   custodyGetsRarer,
	"of holds are alphabetical": func(t *testing.T, open keeping) {
		s := open(t)
		for _, domain := range []string{"c.example", "a.example", "b.example"} {
			commit(t, s, &custodian.Change{Publisher: publisher(domain), Files: []*custody.File{file("https://" + domain + "/")}})
		}
		calm, still := publisher("calm.example"), file("https://calm.example/")
		calm.Move, still.Refused = nil, nil
		commit(t, s, &custodian.Change{Publisher: calm, Files: []*custody.File{still}})
		all := []custody.Hold{
			{Publisher: revised(publisher("a.example"), 1)}, {Publisher: revised(publisher("b.example"), 1)}, {Publisher: revised(publisher("c.example"), 1)},
			{File: brief("https://a.example/")}, {File: brief("https://b.example/")}, {File: brief("https://c.example/")},
		}
		want(t, got[[]custody.Hold](t)(s.Holds(t.Context(), 99)), all)
		want(t, got[[]custody.Hold](t)(s.Holds(t.Context(), 4)), all[:4])
		want(t, got[[]custody.Hold](t)(s.Holds(t.Context(), 2)), all[:2])
		want(t, len(got[[]custody.Hold](t)(s.Holds(t.Context(), 0))), 0)
		// What was decided a moment ago is among them, and does not wait any more after that.
		decided := revised(publisher("a.example"), 1)
		decided.Move, decided.Decided = nil, &custody.Decision{Ruling: custody.Ruling{By: "key", Reason: "why"}, At: day0, To: "https://b.example/", Confirmed: true, Before: &custody.Publisher{Domain: "a.example", FirstSeen: day0}}
		commit(t, s, &custodian.Change{Publisher: decided})
		want(t, got[[]custody.Hold](t)(s.Holds(t.Context(), 1)), []custody.Hold{{Publisher: revised(decided, 2)}})
		decided = revised(decided, 2)
		decided.Decided = nil
		commit(t, s, &custodian.Change{Publisher: decided})
		want(t, got[[]custody.Hold](t)(s.Holds(t.Context(), 99)), all[1:])
	},
	"of publishers are complete":                  custodyPublishers,
	"of publishers have all that is held of each": custodyHoldings,
}

func custodyPublishers(t *testing.T, open keeping) {
	s := open(t)
	const n = 1_203
	for i := range n {
		if i%7 == 0 {
			commit(t, s, &custodian.Change{Publisher: &custody.Publisher{Domain: custody.Domain(fmt.Sprintf("p%04d.example", i))}})
		}
	}
	walk := func(after string) []string {
		var seen []string
		ok(t, s.Publishers(t.Context(), after, func(p *custody.Publisher) error {
			// The store can be used meanwhile.
			_, err := s.Publisher(t.Context(), p.Domain)
			seen = append(seen, string(p.Domain))
			return err
		}))
		return seen
	}
	all := walk("")
	some := got[map[custody.Domain]*custody.Publisher](t)(s.Some(t.Context(), []custody.Domain{"p0007.example", "p0008.example", "p0014.example"}))
	want(t, len(some), 2)
	want(t, some["p0014.example"], got[*custody.Publisher](t)(s.Publisher(t.Context(), "p0014.example")))
	want(t, len(got[map[custody.Domain]*custody.Publisher](t)(s.Some(t.Context(), nil))), 0)
	want(t, len(all), (n+6)/7)
	want(t, slices.IsSorted(all), true)
	want(t, walk(all[2]), all[3:])
	want(t, len(walk("z")), 0)
	stop := errors.New("stop")
	calls := 0
	wantErr(t, s.Publishers(t.Context(), "", func(*custody.Publisher) error {
		calls++
		return stop
	}), stop)
	want(t, calls, 1)
}

var custodyRevocationTests = map[string]func(*testing.T, keeping){
	"are found by domain": func(t *testing.T, open keeping) {
		s := open(t)
		f := file(fileURL)
		commit(t, s, &custodian.Change{Files: []*custody.File{f}})
		want(t, got[[]custody.Revocation](t)(s.Revocations(t.Context(), fileURL, "")), f.Revocations)
		want(t, got[[]custody.Revocation](t)(s.Revocations(t.Context(), fileURL, "b.example")), f.Revocations[1:])
		for _, tc := range [][2]string{{fileURL, "0"}, {fileURL, "a.example2"}, {fileURL, "z"}, {"https://other.example/", ""}, {"https://other.example/", "a.example"}} {
			want(t, len(got[[]custody.Revocation](t)(s.Revocations(t.Context(), tc[0], custody.Domain(tc[1])))), 0)
		}
	},
	"that are not listed any more are found on their own": custodyDelisted,
	"may be many, and change a little":                    manyRevocations,
	"have to be in order": func(t *testing.T, open keeping) {
		s := open(t)
		for _, domains := range [][]string{{"b", "a"}, {"a", "a"}} {
			f := &custody.File{URL: fileURL}
			for _, d := range domains {
				f.Revocations = append(f.Revocations, custody.Revocation{Domain: d})
			}
			err := s.Commit(t.Context(), &custodian.Change{Files: []*custody.File{f}})
			if err == nil || errors.Is(err, custodian.ErrConflict) {
				t.Errorf("%q: %v", domains, err)
			}
		}
	},
}

// brief is a record as it comes back without its revocations.
func brief(url string) *custody.File {
	f := file(url)
	f.Revocations = nil
	return f
}

func custodyDelisted(t *testing.T, open keeping) {
	s := open(t)
	f := file(fileURL)
	commit(t, s, &custodian.Change{Files: []*custody.File{f}})
	check := func(after time.Time, revision int64, domains ...string) {
		t.Helper()
		list, have, err := s.Delisted(t.Context(), fileURL, after)
		ok(t, err)
		want(t, have, revision)
		var names []string
		for i := range list {
			names = append(names, list[i].Domain)
		}
		want(t, names, domains)
	}
	check(time.Time{}, 1, "b.example")
	check(day0, 1, "b.example")
	check(day0.Add(time.Hour), 1)
	short, revision, err := s.Brief(t.Context(), fileURL)
	ok(t, err)
	want(t, short, brief(fileURL))
	want(t, revision, int64(1))
	// What is not complete must not take the place of what is.
	err = s.Commit(t.Context(), &custodian.Change{Files: []*custody.File{short}})
	if !errors.Is(err, custodian.ErrConflict) {
		t.Errorf("a brief record was committed: %v", err)
	}
	next := revisedFile(f, 1)
	next.Revocations = []custody.Revocation{{Domain: "a.example", First: day0, Delisted: day0}, {Domain: "b.example", First: day0}}
	commit(t, s, &custodian.Change{Files: []*custody.File{next}})
	check(time.Time{}, 2, "a.example")
	next = revisedFile(f, 2)
	next.Revocations = nil
	commit(t, s, &custodian.Change{Files: []*custody.File{next}})
	check(time.Time{}, 3)
	_, _, err = s.Delisted(t.Context(), "https://other.example/", time.Time{})
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("of no file: %v", err)
	}
	_, _, err = s.Brief(t.Context(), "https://other.example/")
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
}

// manyRevocations: 20,000 come back, and so do some more, some less, and none.
func manyRevocations(t *testing.T, open keeping) {
	s := open(t)
	f := file(fileURL)
	f.Revocations = nil
	for i := range 20_000 {
		f.Revocations = append(f.Revocations, custody.Revocation{Domain: fmt.Sprintf("r%06d.example", i), First: day0.Add(time.Duration(i) * time.Second)})
	}
	steps := []func(list []custody.Revocation) []custody.Revocation{
		func(list []custody.Revocation) []custody.Revocation { return list },
		func(list []custody.Revocation) []custody.Revocation {
			return slices.Insert(slices.Clone(list), 10_000, custody.Revocation{Domain: "r009999.examplf", First: day0})
		},
		func(list []custody.Revocation) []custody.Revocation {
			next := slices.Clone(list)
			next[777].Delisted = day0
			return slices.Delete(next, 0, 3)
		},
		func(list []custody.Revocation) []custody.Revocation {
			return slices.Insert(slices.Clone(list), 0, custody.Revocation{Domain: "a.example"})
		},
		func(list []custody.Revocation) []custody.Revocation { return slices.Clone(list[4_000:4_001]) },
		func([]custody.Revocation) []custody.Revocation { return nil },
	}
	for _, step := range steps {
		f.Revocations = step(f.Revocations)
		commit(t, s, &custodian.Change{Files: []*custody.File{f}})
		f.Revision++
		have := got[*custody.File](t)(s.File(t.Context(), fileURL))
		if !slices.Equal(have.Revocations, f.Revocations) || have.Revision != f.Revision {
			t.Fatalf("%d revocations came back as %d", len(f.Revocations), len(have.Revocations))
		}
		if i := len(f.Revocations) / 2; i > 0 {
			want(t, got[[]custody.Revocation](t)(s.Revocations(t.Context(), fileURL, custody.Domain(f.Revocations[i].Domain))), f.Revocations[i:i+1])
		}
	}
}

var custodyClockTests = map[string]func(*testing.T, keeping){
	"goes on and not back": func(t *testing.T, open keeping) {
		s := open(t)
		for _, tc := range []struct{ now, want time.Duration }{
			{0, 0},
			{-time.Hour, 0},
			{time.Minute, 0}, // not worth a write
			{time.Minute + time.Microsecond, time.Minute + time.Microsecond},
			{0, time.Minute + time.Microsecond},
			{48*time.Hour + 999, 48 * time.Hour},
			{time.Hour, 48 * time.Hour},
		} {
			want(t, got[time.Time](t)(s.Clock(t.Context(), day0.Add(tc.now))), day0.Add(tc.want))
		}
		want(t, got[time.Time](t)(open(t).Clock(t.Context(), day0)), day0.Add(48*time.Hour))
	},
	"tells the time without noting one": func(t *testing.T, open keeping) {
		s := open(t)
		want(t, got[time.Time](t)(s.Clock(t.Context(), time.Time{})), time.Time{})
		want(t, got[time.Time](t)(s.Clock(t.Context(), day0)), day0)
		want(t, got[time.Time](t)(s.Clock(t.Context(), time.Time{})), day0)
	},
	"keeps the latest of many": func(t *testing.T, open keeping) {
		s := open(t)
		won := race(t, func(ctx context.Context, i int) error {
			_, err := s.Clock(ctx, day0.Add(time.Duration(i)*time.Hour))
			return err
		})
		want(t, won, racers)
		want(t, got[time.Time](t)(s.Clock(t.Context(), day0)), day0.Add((racers-1)*time.Hour))
	},
}
