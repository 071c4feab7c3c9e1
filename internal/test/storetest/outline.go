package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// custodyOutline: an outline is the one that was noted last, whole, and none that is of a later
// time than the store.
func custodyOutline(t *testing.T, open keeping) {
	s := open(t)
	none := func() {
		t.Helper()
		_, err := s.Outline(t.Context())
		wantErr(t, err, custodian.ErrNotFound)
	}
	none()
	for range 3 {
		commit(t, s, &custodian.Change{Events: []custody.Event{{Code: "clock.back", At: day0}}})
	}
	last := got[int64](t)(s.LastEvent(t.Context()))
	for _, o := range []*custodian.Outline{
		{Number: 0, Parts: [][]byte{{0}, {1, 0}, {2}}}, {Number: last, Parts: [][]byte{{3}}}, {Number: last, Parts: [][]byte{{4}, {5}}},
	} {
		ok(t, s.SetOutline(t.Context(), o))
		want(t, got[*custodian.Outline](t)(s.Outline(t.Context())), o)
	}
	ok(t, s.SetOutline(t.Context(), &custodian.Outline{Number: last + 1, Parts: [][]byte{{6}}}))
	none()
	ok(t, s.SetOutline(t.Context(), &custodian.Outline{}))
	none()
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() {
			o := &custodian.Outline{Number: last, Parts: slices.Repeat([][]byte{fmt.Append(nil, i)}, 1+i%5)}
			err := s.SetOutline(t.Context(), o)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	o := got[*custodian.Outline](t)(s.Outline(t.Context()))
	var i int
	_, err := fmt.Sscan(string(o.Parts[0]), &i)
	ok(t, err)
	want(t, o.Parts, slices.Repeat(o.Parts[:1], 1+i%5))
}

// custodyUsers: those whose file is at a URL that is not their own are found by it.
func custodyUsers(t *testing.T, open keeping) {
	s := open(t)
	for domain, at := range map[custody.Domain]custody.Location{
		"a.example": {Method: custody.AuthoritativeLocation, URL: fileURL}, "b.example": {Method: custody.ManagerDomain, URL: fileURL, Manager: "m.example"},
		"c.example": {Method: custody.Direct, URL: own("c.example")}, "d.example": {Method: custody.AuthoritativeLocation, URL: own("c.example")}, "e.example": {},
	} {
		commit(t, s, &custodian.Change{Publisher: &custody.Publisher{Domain: domain, Location: at, TriedAt: day0}})
	}
	for url, users := range map[string][]custody.Domain{
		fileURL: {"a.example", "b.example"}, own("c.example"): {"d.example"}, "https://nothing.example/": nil,
	} {
		have := got[[]custody.Domain](t)(s.Users(t.Context(), url))
		slices.Sort(have)
		want(t, have, users)
	}
}

// outlineGoes: an outline goes before the events that come after it.
func outlineGoes(t *testing.T, s *Kept) {
	seen(t, s, custodian.Known, "a.example", "a", day0, 0)
	before := got[int64](t)(s.Custody().LastEvent(t.Context()))
	seen(t, s, custodian.Known, "b.example", "b", day0.AddDate(0, 0, 1), 0)
	o := &custodian.Outline{Number: before, Parts: [][]byte{{1}}}
	ok(t, s.Custody().SetOutline(t.Context(), o))
	prune(t, s, limits, day0.AddDate(0, 0, 38).Add(time.Microsecond))
	want(t, got[*custodian.Outline](t)(s.Custody().Outline(t.Context())), o)
	prune(t, s, limits, day0.AddDate(0, 0, 40))
	_, err := s.Custody().Outline(t.Context())
	wantErr(t, err, custodian.ErrNotFound)
}
