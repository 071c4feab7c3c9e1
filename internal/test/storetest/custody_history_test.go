package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
)

var custodyCommitTests = map[string]func(*testing.T, keeping){
	"build on a revision": func(t *testing.T, open keeping) {
		s := open(t)
		p, f := publisher("a.example"), file(fileURL)
		wantErr(t, s.Commit(t.Context(), &custodian.Change{Publisher: revised(p, 1)}), custodian.ErrConflict)
		wantErr(t, s.Commit(t.Context(), &custodian.Change{Files: []*custody.File{revisedFile(f, 1)}}), custodian.ErrConflict)
		commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
		for _, revision := range []int64{0, 2, -1} {
			wantErr(t, s.Commit(t.Context(), &custodian.Change{Publisher: revised(p, revision)}), custodian.ErrConflict)
			wantErr(t, s.Commit(t.Context(), &custodian.Change{Files: []*custody.File{revisedFile(f, revision)}}), custodian.ErrConflict)
		}
		commit(t, s, &custodian.Change{Publisher: revised(p, 1)})
		want(t, got[*custody.File](t)(s.File(t.Context(), fileURL)).Revision, int64(1))
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example")).Revision, int64(2))
	},
	"of nothing change nothing": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{})
	},
	"are made as a whole or not at all": custodyAtomic,
	"race for a record": func(t *testing.T, open keeping) {
		s := open(t)
		won := race(t, func(ctx context.Context, i int) error {
			p := publisher("a.example")
			p.Trouble = fmt.Sprint(i)
			return asConflict(s.Commit(ctx, &custodian.Change{Publisher: p, Events: []custody.Event{event(fmt.Sprint(i), custody.Info, "a.example", "")}}))
		})
		want(t, won, 1)
		p := got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example"))
		events := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 99))
		want(t, len(events), 1)
		want(t, events[0].Code, p.Trouble)
	},
	"of many writers are all made once": custodyWriters,
	"share documents with everybody": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{Documents: [][]byte{[]byte("one"), {}, []byte("two"), []byte("one")}})
		commit(t, s, &custodian.Change{Documents: [][]byte{[]byte("one")}})
		for _, body := range []string{"one", "", "two"} {
			want(t, string(got[[]byte](t)(s.Document(t.Context(), hashOf(body)))), body)
		}
		won := race(t, func(ctx context.Context, i int) error {
			docs := [][]byte{[]byte("x"), []byte("y"), []byte("z")}
			if i%2 == 0 {
				slices.Reverse(docs)
			}
			return s.Commit(ctx, &custodian.Change{Documents: docs})
		})
		want(t, won, racers)
	},
	"do not change what they are given": func(t *testing.T, open keeping) {
		s := open(t)
		p, f := publisher("a.example"), file(fileURL)
		c := &custodian.Change{Publisher: p, Files: []*custody.File{f, file("a")}, Documents: [][]byte{[]byte("2"), []byte("1")}}
		commit(t, s, c)
		want(t, c, &custodian.Change{
			Publisher: publisher("a.example"), Files: []*custody.File{file(fileURL), file("a")}, Documents: [][]byte{[]byte("2"), []byte("1")},
		})
	},
}

// asConflict says it in the words that race knows.
func asConflict(err error) error {
	if errors.Is(err, custodian.ErrConflict) {
		return registry.ErrConflict
	}
	return err
}

// custodyAtomic: whichever part of a change fails, no other part is made.
func custodyAtomic(t *testing.T, open keeping) {
	s := open(t)
	commit(t, s, &custodian.Change{Publisher: publisher("known.example"), Files: []*custody.File{file("https://known.example/f")}})
	for name, spoil := range map[string]func(c *custodian.Change){
		"publisher": func(c *custodian.Change) { c.Publisher = publisher("known.example") },
		"file":      func(c *custodian.Change) { c.Files = append(c.Files, file("https://known.example/f")) },
		"same file": func(c *custodian.Change) { c.Files = append(c.Files, file(fileURL)) },
		"document":  func(c *custodian.Change) { c.Documents = append(c.Documents, make([]byte, 40<<20)) },
		"version": func(c *custodian.Change) {
			c.Versions = append(c.Versions, custody.Version{URL: fileURL, Hash: hashOf("never stored")})
		},
		"version of no file": func(c *custodian.Change) {
			c.Versions = append(c.Versions, custody.Version{URL: "https://other.example/", Hash: hashOf("body")})
		},
		"place":       func(c *custodian.Change) { c.Places = append(c.Places, custody.Place{Domain: "\x00"}) },
		"event":       func(c *custodian.Change) { c.Events = append(c.Events, custody.Event{Code: "\xff"}) },
		"revocations": func(c *custodian.Change) { slices.Reverse(c.Files[0].Revocations) },
	} {
		c := &custodian.Change{
			Publisher: publisher("a.example"), Files: []*custody.File{file(fileURL)}, Documents: [][]byte{[]byte("body")},
			Versions: []custody.Version{{URL: fileURL, Hash: hashOf("body"), AdoptedAt: day0}},
			Places:   []custody.Place{{Domain: "a.example", AdoptedAt: day0}}, Events: []custody.Event{event("e", custody.Alert, "a.example", fileURL)},
		}
		spoil(c)
		err := s.Commit(t.Context(), c)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		custodyNothing(t, s)
	}
}

// custodyNothing looks for anything of the change in custodyAtomic.
func custodyNothing(t *testing.T, s custodian.Store) {
	t.Helper()
	_, err := s.Publisher(t.Context(), "a.example")
	wantErr(t, err, custodian.ErrNotFound)
	_, err = s.File(t.Context(), fileURL)
	wantErr(t, err, custodian.ErrNotFound)
	_, err = s.Document(t.Context(), hashOf("body"))
	wantErr(t, err, custodian.ErrNotFound)
	want(t, len(got[[]custody.Version](t)(s.Versions(t.Context(), fileURL, time.Time{}, 9))), 0)
	want(t, len(got[[]custody.Place](t)(s.Places(t.Context(), "a.example", time.Time{}, 9))), 0)
	want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 9))), 0)
	want(t, len(got[[]custody.Revocation](t)(s.Revocations(t.Context(), fileURL, ""))), 0)
	want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "known.example")).Revision, int64(1))
}

// custodyWriters: sixteen writers, each of which builds on what it has read, make all
// their changes, and the numbers of events show them in the order of the revisions.
func custodyWriters(t *testing.T, open keeping) {
	s := open(t)
	const each = 6
	commit(t, s, &custodian.Change{Publisher: &custody.Publisher{Domain: "a.example"}})
	var wg sync.WaitGroup
	for range racers {
		wg.Go(func() {
			for done := 0; done < each; {
				p, err := s.Publisher(t.Context(), "a.example")
				if err == nil {
					next := *p
					next.Trouble += "x"
					err = s.Commit(t.Context(), &custodian.Change{Publisher: &next, Events: []custody.Event{{Code: next.Trouble}}})
				}
				switch {
				case err == nil:
					done++
				case !errors.Is(err, custodian.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	p := got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example"))
	want(t, p.Revision, int64(racers*each+1))
	want(t, len(p.Trouble), racers*each)
	for i, e := range got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 1000)) {
		want(t, len(e.Code), i+1)
	}
}

var custodyHistoryTests = map[string]func(*testing.T, keeping){
	"has the version at a time": func(t *testing.T, open keeping) {
		s := open(t)
		v := func(i int) custody.Version {
			return custody.Version{URL: fileURL, Hash: hashOf(fmt.Sprint(i)), AdoptedAt: day0.AddDate(0, 0, i), LastUpdated: day0, CatalogETag: fmt.Sprint(i), Bytes: int64(i)}
		}
		second := v(1)
		second.LastUpdated = time.Time{}
		c := &custodian.Change{
			Files:     []*custody.File{file(fileURL), file("https://other.example/")},
			Documents: [][]byte{[]byte("0"), []byte("1"), []byte("2")},
			Versions:  []custody.Version{v(0), second, {URL: "https://other.example/", Hash: hashOf("2"), AdoptedAt: day0.AddDate(0, 0, 1)}},
		}
		commit(t, s, c)
		commit(t, s, &custodian.Change{Versions: []custody.Version{v(2)}})
		for _, tc := range []struct {
			before time.Time
			limit  int
			want   []custody.Version
		}{
			{time.Time{}, 9, []custody.Version{v(2), second, v(0)}},
			{time.Time{}, 1, []custody.Version{v(2)}},
			{day0.AddDate(0, 0, 1), 1, []custody.Version{second}},
			{day0.AddDate(0, 0, 1).Add(-time.Microsecond), 9, []custody.Version{v(0)}},
			{day0.Add(-time.Microsecond), 9, nil},
			{time.Time{}, 0, nil},
			{time.Time{}, -1, nil},
		} {
			want(t, got[[]custody.Version](t)(s.Versions(t.Context(), fileURL, tc.before, tc.limit)), tc.want)
		}
		want(t, len(got[[]custody.Version](t)(s.Versions(t.Context(), "https://nobody.example/", time.Time{}, 9))), 0)
	},
	"has versions of the same time in their order": func(t *testing.T, open keeping) {
		s := open(t)
		v := func(body string) custody.Version {
			return custody.Version{URL: fileURL, Hash: hashOf(body), AdoptedAt: day0}
		}
		commit(t, s, &custodian.Change{
			Files: []*custody.File{file(fileURL)}, Documents: [][]byte{[]byte("0"), []byte("1"), []byte("2")}, Versions: []custody.Version{v("2"), v("0")},
		})
		commit(t, s, &custodian.Change{Versions: []custody.Version{v("1"), v("2")}})
		want(t, got[[]custody.Version](t)(s.Versions(t.Context(), fileURL, day0, 9)), []custody.Version{v("2"), v("1"), v("0"), v("2")})
	},
	"has the place at a time": func(t *testing.T, open keeping) {
		s := open(t)
		p := func(i int) custody.Place {
			return custody.Place{
				Domain: "a.example", AdoptedAt: day0.AddDate(0, 0, i), Absent: i == 1, Pointer: hashOf(fmt.Sprint(i)),
				Location: custody.Location{Method: custody.ManagerDomain, URL: fileURL, Manager: fmt.Sprint("m", i)},
			}
		}
		commit(t, s, &custodian.Change{Places: []custody.Place{p(0), p(2), p(1), {Domain: "b.example", AdoptedAt: day0}}})
		want(t, got[[]custody.Place](t)(s.Places(t.Context(), "a.example", time.Time{}, 9)), []custody.Place{p(2), p(1), p(0)})
		want(t, got[[]custody.Place](t)(s.Places(t.Context(), "a.example", day0.AddDate(0, 0, 2).Add(-1), 1)), []custody.Place{p(1)})
		want(t, got[[]custody.Place](t)(s.Places(t.Context(), "b.example", time.Time{}, 9)), []custody.Place{{Domain: "b.example", AdoptedAt: day0}})
		want(t, len(got[[]custody.Place](t)(s.Places(t.Context(), "c.example", time.Time{}, 9))), 0)
	},
	"has events by number": custodyEvents,
}

func custodyEvents(t *testing.T, open keeping) {
	s := open(t)
	all := []custody.Event{
		event("0", custody.Info, "a.example", fileURL), event("1", custody.Warning, "b.example", fileURL), event("2", custody.Alert, "a.example", ""),
		event("3", custody.Info, "", fileURL), event("4", custody.Alert, "b.example", "https://other.example/"), {Code: "5"},
	}
	for i := range all {
		commit(t, s, &custodian.Change{Events: all[i : i+1]})
	}
	codes := func(f custodian.EventFilter, after int64, limit int) string {
		out, last := "", after
		for _, e := range got[[]custody.NumberedEvent](t)(s.Events(t.Context(), f, after, limit)) {
			if e.ID <= last {
				t.Errorf("event %d comes after %d", e.ID, last)
			}
			last = e.ID
			out += e.Code
		}
		return out
	}
	for _, tc := range []struct {
		f    custodian.EventFilter
		want string
	}{
		{custodian.EventFilter{}, "012345"},
		{custodian.EventFilter{Publisher: "a.example"}, "02"},
		{custodian.EventFilter{URL: fileURL}, "013"},
		{custodian.EventFilter{Least: custody.Warning}, "124"},
		{custodian.EventFilter{Least: custody.Alert}, "24"},
		{custodian.EventFilter{Least: custody.Alert + 1}, ""},
		{custodian.EventFilter{Publisher: "b.example", URL: fileURL, Least: custody.Warning}, "1"},
		{custodian.EventFilter{Publisher: "nobody.example"}, ""},
	} {
		want(t, codes(tc.f, 0, 9), tc.want)
	}
	want(t, codes(custodian.EventFilter{}, 0, 0), "")
	// Page by page comes to the same.
	var paged []custody.Event
	for after := int64(0); ; {
		some := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, after, 2))
		if len(some) == 0 {
			break
		}
		after = some[len(some)-1].ID
		for _, e := range some {
			paged = append(paged, e.Event)
		}
	}
	want(t, paged, all)
}
