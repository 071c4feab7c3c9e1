package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
)

// index has a publisher found by identifiers, whatever it was found by before.
func index(ctx context.Context, s custodian.Store, domain string, at time.Time, ids ...custodian.Identifier) error {
	p, err := s.Publisher(ctx, custody.Domain(domain))
	if err != nil {
		p = &custody.Publisher{Domain: custody.Domain(domain)}
	}
	p.TriedAt, p.Listed = at, hashOf(fmt.Sprint(ids))
	return s.Commit(ctx, &custodian.Change{Publisher: p, Index: &custodian.Index{At: at, Identifiers: ids}})
}

var custodyIdentifierTests = map[string]func(*testing.T, keeping){
	"stay unless they are given": identifiersStay,
	"can be found":               identifiersAreFound,
	"may be hostile":             hostileIdentifiers,
	"are sorted and limited":     publishersAreSorted,
	"may be many":                manyIdentifiers,
	"compete":                    identifiersCompete,
	"know since when":            claimsHaveDates,
	"forget many that are gone":  goneIsLimited,
	"are found many at a time":   identifiersTogether,
}

// identifiersStay: a change of the record alone leaves them, and one that is refused changes
// nothing.
func identifiersStay(t *testing.T, open keeping) {
	s := open(t)
	id, other := custodian.Identifier{Type: "domain", Value: "x.example"}, custodian.Identifier{Type: "domain", Value: "y.example"}
	ok(t, index(t.Context(), s, "a.example", day0, id))
	p := got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example"))
	want(t, p.Listed, hashOf(fmt.Sprint([]custodian.Identifier{id})))
	commit(t, s, &custodian.Change{Publisher: p})
	want(t, listedBy(t, s, id, 9), []string{"a.example"})
	late := &custodian.Change{Publisher: p, Index: &custodian.Index{At: day0, Identifiers: []custodian.Identifier{other}}}
	wantErr(t, s.Commit(t.Context(), late), custodian.ErrConflict)
	want(t, listedBy(t, s, id, 9), []string{"a.example"})
	want(t, len(listedBy(t, s, other, 9)), 0)
}

func identifiersAreFound(t *testing.T, open keeping) {
	s := open(t)
	find := func(kind, value string) []string {
		return listedBy(t, s, custodian.Identifier{Type: kind, Value: value}, 10)
	}
	ids := []custodian.Identifier{{Type: "ab", Value: "c"}, {Type: "domain", Value: "x.example"}, {Type: "domain", Value: "x.example"}}
	ok(t, index(t.Context(), s, "a.example", day0, ids...))
	ok(t, index(t.Context(), s, "b.example", day0, ids[1]))
	want(t, find("ab", "c"), []string{"a.example"})
	want(t, find("domain", "x.example"), []string{"a.example", "b.example"})
	// The border between type and value counts, and so does case.
	for _, other := range []custodian.Identifier{{Type: "a", Value: "bc"}, {Type: "abc"}, {Value: "abc"}, {Type: "domain", Value: "X.example"}} {
		want(t, len(find(other.Type, other.Value)), 0)
	}
	// What is gone from a file is not found any more; what stayed is.
	ok(t, index(t.Context(), s, "a.example", day0.Add(time.Hour), ids[1], custodian.Identifier{Type: "new", Value: "n"}))
	want(t, len(find("ab", "c")), 0)
	want(t, find("domain", "x.example"), []string{"a.example", "b.example"})
	want(t, find("new", "n"), []string{"a.example"})
	ok(t, index(t.Context(), s, "a.example", day0.Add(2*time.Hour)))
	want(t, find("domain", "x.example"), []string{"b.example"})
}

// hostileIdentifiers: publishers write them, so there are no rules for them; a file must
// not keep its record from being stored.
func hostileIdentifiers(t *testing.T, open keeping) {
	s := open(t)
	values := slices.Concat(nasty, unstorable, []string{strings.Repeat("x", 100_000), strings.Repeat("y", 3000)})
	for i, value := range values {
		for j, id := range []custodian.Identifier{{Type: "domain", Value: value}, {Type: value, Value: "v"}} {
			domain := fmt.Sprintf("d%d-%d.example", i, j)
			ok(t, index(t.Context(), s, domain, day0, id))
			want(t, listedBy(t, s, id, 10), []string{domain})
		}
	}
}

func publishersAreSorted(t *testing.T, open keeping) {
	s := open(t)
	id := custodian.Identifier{Type: "domain", Value: "shared.example"}
	// Byte order; locales would ignore dots and hyphens.
	sorted := []string{"a-b.example", "a.b.example", "a.example", "a0.example", "aa.example", "ab.example", "b.example"}
	for _, i := range []int{4, 2, 6, 0, 5, 1, 3} {
		ok(t, index(t.Context(), s, sorted[i], day0, id))
	}
	for _, limit := range []int{-1, 0, 1, 3, 7, 100} {
		have := listedBy(t, s, id, limit)
		n := min(max(limit, 0), len(sorted))
		if !slices.Equal(have, sorted[:n]) {
			t.Errorf("limit %d: %q, want %q", limit, have, sorted[:n])
		}
	}
}

func manyIdentifiers(t *testing.T, open keeping) {
	s := open(t)
	var ids []custodian.Identifier
	for i := range 10_000 {
		ids = append(ids, custodian.Identifier{Type: "domain", Value: fmt.Sprintf("site%d.example", i)})
	}
	ok(t, index(t.Context(), s, "many.example", day0, ids...))
	for _, i := range []int{0, 255, 256, 9_983, 9_984, 9_999} {
		want(t, listedBy(t, s, ids[i], 2), []string{"many.example"})
	}
}

// identifiersTogether: of many identifiers each has those that list it, the first first, and none of
// them has the places of others.
func identifiersTogether(t *testing.T, open keeping) {
	s := open(t)
	shared, other, unknown := custodian.Identifier{Type: "roku_store_id", Value: "1"}, custodian.Identifier{Type: "roku_store_id", Value: "2"}, custodian.Identifier{Type: "domain", Value: "2"}
	for i, domain := range []string{"c.example", "b.example", "a.example"} {
		ok(t, index(t.Context(), s, domain, day0.AddDate(0, 0, i), shared))
	}
	ok(t, index(t.Context(), s, "d.example", day0, other, shared))
	ok(t, index(t.Context(), s, "c.example", day0.AddDate(0, 0, 5)))
	asked := make([]custodian.Identifier, 0, 1300)
	for i := range 1297 {
		asked = append(asked, custodian.Identifier{Type: "venue_id", Value: fmt.Sprint(i)})
	}
	asked = append(asked, other, unknown, shared)
	found := got[map[custodian.Identifier][]custody.Domain](t)(s.(directory.Store).Claimed(t.Context(), asked, 2))
	want(t, found, map[custodian.Identifier][]custody.Domain{shared: {"d.example", "b.example"}, other: {"d.example"}})
}

// identifiersCompete: of those who build on the same record one wins, and the search finds
// what that one lists and nothing else.
func identifiersCompete(t *testing.T, open keeping) {
	first, second := open(t), open(t)
	id := func(i int) custodian.Identifier {
		return custodian.Identifier{Type: "domain", Value: fmt.Sprintf("site%d.example", i)}
	}
	want(t, race(t, func(ctx context.Context, i int) error {
		s := []custodian.Store{first, second}[i%2]
		return asConflict(s.Commit(ctx, &custodian.Change{
			Publisher: &custody.Publisher{Domain: "a.example", Listed: hashOf(fmt.Sprint(i))}, Index: &custodian.Index{At: day0, Identifiers: []custodian.Identifier{id(i), id(racers)}},
		}))
	}), 1)
	p := got[*custody.Publisher](t)(first.Publisher(t.Context(), "a.example"))
	for i := range racers {
		have := len(listedBy(t, second, id(i), 10))
		if (have == 1) != (p.Listed == hashOf(fmt.Sprint(i))) {
			t.Errorf("identifier %d is found %d times", i, have)
		}
	}
	want(t, listedBy(t, second, id(racers), 10), []string{"a.example"})
}

// claimsHaveDates: an identifier keeps its date while it is listed, and for a while after
// that. The first to list it comes first.
func claimsHaveDates(t *testing.T, open keeping) {
	s := open(t)
	app, other := custodian.Identifier{Type: "ios_bundle", Value: "com.example"}, custodian.Identifier{Type: "domain", Value: "x.example"}
	at := func(days int) time.Time { return day0.AddDate(0, 0, days) }
	put := func(domain string, days int, ids ...custodian.Identifier) {
		t.Helper()
		ok(t, index(t.Context(), s, domain, at(days), ids...))
	}
	claims := func(after int, all ...custodian.Listing) {
		t.Helper()
		want(t, got[[]custodian.Listing](t)(s.Claims(t.Context(), app, at(after), 10)), all)
	}
	put("z.example", 0, other, app)
	put("a.example", 1, app)
	z, a := custodian.Listing{Publisher: "z.example", Since: at(0)}, custodian.Listing{Publisher: "a.example", Since: at(1)}
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
func goneIsLimited(t *testing.T, open keeping) {
	s := open(t)
	id := func(version, i int) custodian.Identifier {
		return custodian.Identifier{Type: "domain", Value: fmt.Sprintf("v%d-%d.example", version, i)}
	}
	for version := range 4 {
		var ids []custodian.Identifier
		for i := range 6_000 {
			ids = append(ids, id(version, i))
		}
		ok(t, index(t.Context(), s, "a.example", day0.Add(time.Duration(version)*time.Hour), ids...))
	}
	kept := map[int]int{}
	for version := range 4 {
		for i := range 6_000 {
			if i%50 == 0 {
				kept[version] += len(got[[]custodian.Listing](t)(s.Claims(t.Context(), id(version, i), day0, 10)))
			}
		}
	}
	if kept[0] != 0 || kept[1] < 60 || kept[1] > 100 || kept[2] != 120 || kept[3] != 120 {
		t.Errorf("one in fifty of what is kept of each version: %v", kept)
	}
}
