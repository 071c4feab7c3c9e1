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
}

func newerSightingStays(t *testing.T, open subject) {
	s := open(t)
	id := registry.Identifier{Type: "domain", Value: "shared.example"}
	second := with("a.example", day0.Add(time.Microsecond), id)
	ok(t, s.PutSighting(t.Context(), sighting("a.example", day0)))
	ok(t, s.PutSighting(t.Context(), second))
	ok(t, s.PutSighting(t.Context(), with("a.example", day0)))
	want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), "a.example")), second)
	want(t, got[[]string](t)(s.PublishersWith(t.Context(), id, 10)), []string{"a.example"})
	// At the same time the later call counts.
	again := with("a.example", second.CheckedAt)
	again.Valid = false
	ok(t, s.PutSighting(t.Context(), again))
	want(t, got[*registry.Sighting](t)(s.Sighting(t.Context(), "a.example")), again)
	want(t, len(got[[]string](t)(s.PublishersWith(t.Context(), id, 10))), 0)
}

func identifiersAreFound(t *testing.T, open subject) {
	s := open(t)
	find := func(kind, value string) []string {
		return got[[]string](t)(s.PublishersWith(t.Context(), registry.Identifier{Type: kind, Value: value}, 10))
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
			want(t, got[[]string](t)(s.PublishersWith(t.Context(), id, 10)), []string{domain})
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
		have := got[[]string](t)(s.PublishersWith(t.Context(), id, limit))
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
		want(t, got[[]string](t)(s.PublishersWith(t.Context(), ids[i], 2)), []string{v.Domain})
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
		have := len(got[[]string](t)(second.PublishersWith(t.Context(), id(i), 10)))
		if (have == 1) != (i >= racers-1) {
			t.Errorf("identifier %d is found %d times", i, have)
		}
	}
}
