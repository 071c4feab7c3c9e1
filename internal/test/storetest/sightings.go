package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// sighting has a value in every field.
func sighting(domain string, at time.Time) *registry.Sighting {
	return &registry.Sighting{
		Domain: domain, CheckedAt: at, FreshUntil: at.Add(time.Hour), Answer: "found", Method: "pointer", Found: true, Valid: true,
		URL: "https://" + domain + "/.well-known/adagents.json", ResolvedURL: "https://cdn.example/adagents.json", ManagerDomain: "manager.example",
		Status: 200, Bytes: 123_456_789_012, Body: registry.HashOf([]byte("body")), Pointer: registry.HashOf([]byte("pointer")),
		Way: []registry.Seen{
			{Role: "ads_txt", URL: "https://" + domain + "/ads.txt", Hash: registry.HashOf([]byte("ads")), At: at},
			{Role: "pointer", URL: "https://manager.example/.well-known/adagents.json", Hash: registry.HashOf([]byte("pointer")), At: at},
		},
		Identifiers: []registry.Identifier{{Type: "domain", Value: domain}, {Type: "ios_bundle", Value: "com." + domain}},
	}
}

// with is a sighting with other identifiers.
func with(domain string, at time.Time, ids ...registry.Identifier) *registry.Sighting {
	s := sighting(domain, at)
	s.Identifiers = ids
	return s
}

// listedBy are the publishers that list an identifier now.
func listedBy(t *testing.T, s registry.Store, id registry.Identifier, limit int) []string {
	t.Helper()
	var all []string
	for _, v := range got[[]registry.Listing](t)(s.Claims(t.Context(), id, day0.AddDate(100, 0, 0), limit)) {
		all = append(all, v.Publisher)
	}
	return all
}

var sightingTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		full := sighting("full.example", day0)
		// A sighting may have next to nothing.
		bare := &registry.Sighting{Domain: "bare.example", CheckedAt: day0}
		for _, v := range []*registry.Sighting{full, bare} {
			ok(t, s.PutSighting(t.Context(), v))
			want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), v.Domain)), v)
		}
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		for _, domain := range []string{"", "nobody.example", "a\x00b", "\xff"} {
			_, err := s.Sighting(t.Context(), domain)
			wantErr(t, err, registry.ErrNotFound)
		}
	},
	"the newer one stays":        newerSightingStays,
	"can be found":               identifiersAreFound,
	"identifiers may be hostile": hostileIdentifiers,
	"are sorted and limited":     publishersAreSorted,
	"may have many identifiers":  manyIdentifiers,
	"compete":                    sightingsCompete,
	"know since when":            claimsHaveDates,
	"forget many that are gone":  goneIsLimited,
}

func newerSightingStays(t *testing.T, open subject) {
	s := open(t)
	id := registry.Identifier{Type: "domain", Value: "shared.example"}
	second := with("a.example", day0.Add(time.Microsecond), id)
	ok(t, s.PutSighting(t.Context(), sighting("a.example", day0)))
	ok(t, s.PutSighting(t.Context(), second))
	ok(t, s.PutSighting(t.Context(), with("a.example", day0)))
	want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), "a.example")), second)
	want(t, listedBy(t, s, id, 10), []string{"a.example"})
	// At the same time the later call counts.
	again := with("a.example", second.CheckedAt)
	again.Valid = false
	ok(t, s.PutSighting(t.Context(), again))
	want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), "a.example")), again)
	want(t, len(listedBy(t, s, id, 10)), 0)
}

func identifiersAreFound(t *testing.T, open subject) {
	s := open(t)
	find := func(kind, value string) []string {
		return listedBy(t, s, registry.Identifier{Type: kind, Value: value}, 10)
	}
	ids := []registry.Identifier{{Type: "ab", Value: "c"}, {Type: "domain", Value: "x.example"}, {Type: "domain", Value: "x.example"}}
	ok(t, s.PutSighting(t.Context(), with("a.example", day0, ids...)))
	ok(t, s.PutSighting(t.Context(), with("b.example", day0, ids[1])))
	want(t, find("ab", "c"), []string{"a.example"})
	want(t, find("domain", "x.example"), []string{"a.example", "b.example"})
	// The border between type and value counts, and so does case.
	for _, other := range []registry.Identifier{{Type: "a", Value: "bc"}, {Type: "abc"}, {Value: "abc"}, {Type: "domain", Value: "X.example"}} {
		want(t, len(find(other.Type, other.Value)), 0)
	}
	// What is gone from a file is not found any more; what stayed is.
	ok(t, s.PutSighting(t.Context(), with("a.example", day0.Add(time.Hour), ids[1], registry.Identifier{Type: "new", Value: "n"})))
	want(t, len(find("ab", "c")), 0)
	want(t, find("domain", "x.example"), []string{"a.example", "b.example"})
	want(t, find("new", "n"), []string{"a.example"})
	ok(t, s.PutSighting(t.Context(), with("a.example", day0.Add(2*time.Hour))))
	want(t, find("domain", "x.example"), []string{"b.example"})
}

// hostileIdentifiers: publishers write them, so there are no rules for them; a file must
// not keep its sighting from being stored.
func hostileIdentifiers(t *testing.T, open subject) {
	s := open(t)
	values := slices.Concat(nasty, unstorable, []string{strings.Repeat("x", 100_000), strings.Repeat("y", 3000)})
	for i, value := range values {
		for j, id := range []registry.Identifier{{Type: "domain", Value: value}, {Type: value, Value: "v"}} {
			domain := fmt.Sprintf("d%d-%d.example", i, j)
			v := with(domain, day0, id)
			ok(t, s.PutSighting(t.Context(), v))
			want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), domain)), v)
			want(t, listedBy(t, s, id, 10), []string{domain})
		}
	}
}

func publishersAreSorted(t *testing.T, open subject) {
	s := open(t)
	id := registry.Identifier{Type: "domain", Value: "shared.example"}
	// Byte order; locales would ignore dots and hyphens.
	sorted := []string{"a-b.example", "a.b.example", "a.example", "a0.example", "aa.example", "ab.example", "b.example"}
	for _, i := range []int{4, 2, 6, 0, 5, 1, 3} {
		ok(t, s.PutSighting(t.Context(), with(sorted[i], day0, id)))
	}
	for _, limit := range []int{-1, 0, 1, 3, 7, 100} {
		have := listedBy(t, s, id, limit)
		n := min(max(limit, 0), len(sorted))
		if !slices.Equal(have, sorted[:n]) {
			t.Errorf("limit %d: %q, want %q", limit, have, sorted[:n])
		}
	}
}

func manyIdentifiers(t *testing.T, open subject) {
	s := open(t)
	var ids []registry.Identifier
	for i := range 10_000 {
		ids = append(ids, registry.Identifier{Type: "domain", Value: fmt.Sprintf("site%d.example", i)})
	}
	v := with("many.example", day0, ids...)
	ok(t, s.PutSighting(t.Context(), v))
	want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), v.Domain)), v)
	for _, i := range []int{0, 255, 256, 9_983, 9_984, 9_999} {
		want(t, listedBy(t, s, ids[i], 2), []string{v.Domain})
	}
}

// sightingsCompete: the newest wins, and the search finds it and nothing else.
func sightingsCompete(t *testing.T, open subject) {
	first, second := open(t), open(t)
	id := func(i int) registry.Identifier {
		return registry.Identifier{Type: "domain", Value: fmt.Sprintf("site%d.example", i)}
	}
	want(t, race(t, func(ctx context.Context, i int) error {
		s := []registry.Store{first, second}[i%2]
		return s.PutSighting(ctx, with("a.example", day0.Add(time.Duration(i)*time.Second), id(i), id(racers)))
	}), racers)
	last := with("a.example", day0.Add((racers-1)*time.Second), id(racers-1), id(racers))
	want(t, got[*registry.Sighting](t)(first.Sighting(t.Context(), "a.example")), last)
	for i := range racers + 1 {
		have := len(listedBy(t, second, id(i), 10))
		if (have == 1) != (i >= racers-1) {
			t.Errorf("identifier %d is found %d times", i, have)
		}
	}
}

// claimsHaveDates: an identifier keeps its date while it is listed, and for a while after
// that. The first to list it comes first.
func claimsHaveDates(t *testing.T, open subject) {
	s := open(t)
	app, other := registry.Identifier{Type: "ios_bundle", Value: "com.example"}, registry.Identifier{Type: "domain", Value: "x.example"}
	at := func(days int) time.Time { return day0.AddDate(0, 0, days) }
	put := func(domain string, days int, ids ...registry.Identifier) {
		t.Helper()
		ok(t, s.PutSighting(t.Context(), with(domain, at(days), ids...)))
	}
	claims := func(after int, all ...registry.Listing) {
		t.Helper()
		want(t, got[[]registry.Listing](t)(s.Claims(t.Context(), app, at(after), 10)), all)
	}
	put("z.example", 0, other, app)
	put("a.example", 1, app)
	z, a := registry.Listing{Publisher: "z.example", Since: at(0)}, registry.Listing{Publisher: "a.example", Since: at(1)}
	claims(1, z, a)
	put("z.example", 2, app) // something else is gone
	claims(2, z, a)
	put("z.example", 3)
	z.Gone = true
	claims(2, z, a)
	claims(3, a)
	put("z.example", 32, other) // it is still gone, and since the third day
	claims(2, z, a)
	claims(3, a)
	put("z.example", 32, other, app) // within the time
	z.Gone = false
	claims(32, z, a)
	put("z.example", 40)
	put("z.example", 40+30, app) // after the time
	z.Since = at(70)
	claims(70, a, z)
}

// goneIsLimited: a file that lists others each time does not fill the store.
func goneIsLimited(t *testing.T, open subject) {
	s := open(t)
	id := func(version, i int) registry.Identifier {
		return registry.Identifier{Type: "domain", Value: fmt.Sprintf("v%d-%d.example", version, i)}
	}
	for version := range 4 {
		var ids []registry.Identifier
		for i := range 6_000 {
			ids = append(ids, id(version, i))
		}
		ok(t, s.PutSighting(t.Context(), with("a.example", day0.Add(time.Duration(version)*time.Hour), ids...)))
	}
	kept := map[int]int{}
	for version := range 4 {
		for i := range 6_000 {
			if i%10 == 0 {
				kept[version] += len(got[[]registry.Listing](t)(s.Claims(t.Context(), id(version, i), day0, 10)))
			}
		}
	}
	if kept[0] != 0 || kept[1] < 300 || kept[1] > 500 || kept[2] != 600 || kept[3] != 600 {
		t.Errorf("one in ten of what is kept of each version: %v", kept)
	}
}
