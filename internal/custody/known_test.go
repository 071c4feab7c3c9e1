package custody_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/jwk"
)

// printOf is the thumbprint of a key.
func printOf(t testing.TB, key string) string {
	t.Helper()
	k := parse(t, agentFile(`"signing_keys":[`+key+`]`)).Agents[0].SigningKeys[0]
	print, ok := jwk.Thumbprint(jwk.Key{Kty: k.Kty, Crv: k.Crv, X: k.X})
	if !ok {
		t.Fatal("no thumbprint")
	}
	return print
}

// TestKnownSince follows two keys of an agent through versions, a day after another.
func TestKnownSince(t *testing.T) {
	t.Parallel()
	const agent = "https://a.example/mcp"
	const never = -1
	both := []string{keyOne, keyTwo}
	f, old := &custody.File{URL: "https://a.example/f.json"}, (*adagents.File)(nil)
	for day, v := range []struct {
		keys []string
		// one and two are the days since when the keys are known.
		one, two int
	}{
		{[]string{keyOne}, 0, never},
		{both, 0, 1},
		{slices.Clone(both), 0, 1},
		{[]string{keyTwo}, never, 1},
		{[]string{strings.Replace(keyOne, `"one"`, `"renamed"`, 1), keyTwo}, 4, 1},
		{both, 4, 1},
		{nil, never, never},
		{both, 7, 7},
	} {
		next := parse(t, agentFile(`"signing_keys":[`+strings.Join(v.keys, ",")+`]`))
		at := start.Add(time.Duration(day) * 24 * time.Hour)
		s := custody.Observation{Outcome: custody.Whole, Hash: fmt.Sprint("v", day), Facts: custody.Facts{LastUpdated: at}}
		if old != nil {
			s.Kept = custody.KeptKeys(old, next)
		}
		f, _ = take(f, s, custody.At(at))
		old = next
		for i, want := range []int{v.one, v.two} {
			got := f.KnownSince(agent, printOf(t, both[i]))
			if want != never && !got.Equal(start.Add(time.Duration(want)*24*time.Hour)) {
				t.Errorf("day %d: key %d is known since %v, want day %d", day, i+1, got, want)
			}
			if other := f.KnownSince("https://other.example/mcp", printOf(t, both[i])); !other.Equal(at) {
				t.Errorf("day %d: of another agent it is known since %v", day, other)
			}
		}
	}
}

// TestKnownSinceRefused: a version that is not adopted changes nothing.
func TestKnownSinceRefused(t *testing.T) {
	t.Parallel()
	f := adopted()
	f.Keys = []custody.KeyAge{{Name: "x", Since: start}}
	s := whole("older", f.LastUpdated.Add(-time.Hour))
	next, _ := take(f, s, at(time.Hour))
	if !slices.Equal(next.Keys, f.Keys) {
		t.Errorf("the keys are %v", next.Keys)
	}
	next, _ = take(f, whole("newer", f.LastUpdated.Add(time.Hour)), at(2*time.Hour))
	if len(next.Keys) > 0 {
		t.Errorf("keys that are gone are remembered: %v", next.Keys)
	}
}

// TestManyKeys: what is remembered has a bound, and new keys do not drive old ones out.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	f := adopted()
	var kept []string
	for i := range 2 * custody.MaxKeys {
		kept = append(kept, fmt.Sprintf("k%04d", i))
	}
	oldest := custody.KeyAge{Name: kept[len(kept)-1], Since: start.Add(-time.Hour)}
	f.Keys = []custody.KeyAge{oldest}
	s := whole("next", f.LastUpdated.Add(time.Hour))
	s.Kept = kept
	f, _ = take(f, s, at(2*time.Hour))
	sorted := slices.IsSortedFunc(f.Keys, func(a, b custody.KeyAge) int { return strings.Compare(a.Name, b.Name) })
	if len(f.Keys) != custody.MaxKeys || !sorted || !slices.Contains(f.Keys, oldest) {
		t.Errorf("%d keys, sorted %t", len(f.Keys), sorted)
	}
}
