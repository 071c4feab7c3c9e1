package freshness

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func seconds(n int64) Delta { return Delta{Set: true, Seconds: n} }

func TestParseCacheControl(t *testing.T) {
	t.Parallel()
	tests := []struct {
		values []string
		want   Directives
	}{
		{nil, Directives{}},
		{[]string{""}, Directives{}},
		{[]string{" , ,,\t,"}, Directives{}},
		{[]string{"max-age=60"}, Directives{MaxAge: seconds(60)}},
		{[]string{"Max-Age=60, NO-STORE, No-Cache"}, Directives{MaxAge: seconds(60), NoStore: true, NoCache: true}},
		{[]string{"public, private, must-revalidate"}, Directives{Public: true, Private: true, MustRevalidate: true}},
		{[]string{"s-maxage=10,max-age=20"}, Directives{SMaxAge: seconds(10), MaxAge: seconds(20)}},
		// Quoted arguments.
		{[]string{`max-age="60"`}, Directives{MaxAge: seconds(60)}},
		{[]string{`max-age="6\0"`}, Directives{MaxAge: seconds(60)}},
		{[]string{`max-age=""`}, Directives{MaxAge: seconds(0)}},
		{[]string{`max-age="60"0`}, Directives{MaxAge: seconds(0)}},
		{[]string{`max-age='60'`}, Directives{MaxAge: seconds(0)}},
		{[]string{`x="max-age=1, no-store", max-age=60`}, Directives{MaxAge: seconds(60)}},
		{[]string{`x="a\", no-store, \"", max-age=60`}, Directives{MaxAge: seconds(60)}},
		{[]string{`x= "no-store, y", max-age=60`}, Directives{MaxAge: seconds(60)}},
		{[]string{`no-cache="set-cookie, x", max-age=60`}, Directives{NoCache: true, MaxAge: seconds(60)}},
		{[]string{`private="a", no-store="b"`}, Directives{Private: true, NoStore: true}},
		// Quotes that hide nothing.
		{[]string{`x="a, no-store`}, Directives{NoStore: true}},
		{[]string{`max-age="60, no-store`}, Directives{NoStore: true, MaxAge: seconds(0)}},
		{[]string{`x="a\", no-store`}, Directives{NoStore: true}},
		{[]string{`x"a, no-store, "b`}, Directives{NoStore: true}},
		{[]string{`", no-store, "`}, Directives{NoStore: true}},
		{[]string{`x="a`, `no-store, y="`}, Directives{NoStore: true}},
		// White space.
		{[]string{" \tmax-age=60\t "}, Directives{MaxAge: seconds(60)}},
		{[]string{"max-age = 60"}, Directives{MaxAge: seconds(60)}},
		{[]string{`max-age =	"60" , no-cache`}, Directives{MaxAge: seconds(60), NoCache: true}},
		{[]string{"max-age=6 0"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=60 no-store"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=60; no-store"}, Directives{MaxAge: seconds(0)}},
		{[]string{"no store"}, Directives{}},
		// Duplicates: the most restrictive wins, wherever it stands.
		{[]string{"max-age=60, max-age=30"}, Directives{MaxAge: seconds(30)}},
		{[]string{"max-age=30, max-age=60"}, Directives{MaxAge: seconds(30)}},
		{[]string{"max-age=60", "max-age=30"}, Directives{MaxAge: seconds(30)}},
		{[]string{"max-age=60, max-age=x"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=x, max-age=60"}, Directives{MaxAge: seconds(0)}},
		{[]string{"s-maxage=9, s-maxage=8"}, Directives{SMaxAge: seconds(8)}},
		// Several headers are one list.
		{[]string{"max-age=60", "no-store", "public"}, Directives{MaxAge: seconds(60), NoStore: true, Public: true}},
		// Numbers.
		{[]string{"max-age"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age="}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=0"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=-1"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=+60"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=1.5"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=1e9"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=0x10"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=60s"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=\u0661"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age==60"}, Directives{MaxAge: seconds(0)}},
		{[]string{"max-age=00060"}, Directives{MaxAge: seconds(60)}},
		{[]string{"max-age=2147483647"}, Directives{MaxAge: seconds(2147483647)}},
		{[]string{"max-age=2147483648"}, Directives{MaxAge: seconds(MaxSeconds)}},
		{[]string{"max-age=2147483649"}, Directives{MaxAge: seconds(MaxSeconds)}},
		{[]string{"max-age=4294967297"}, Directives{MaxAge: seconds(MaxSeconds)}},
		{[]string{"max-age=18446744073709551617"}, Directives{MaxAge: seconds(MaxSeconds)}},
		{[]string{"max-age=" + strings.Repeat("9", 5000)}, Directives{MaxAge: seconds(MaxSeconds)}},
		{[]string{"max-age=" + strings.Repeat("9", 5000) + "x"}, Directives{MaxAge: seconds(0)}},
		// Names that are none of ours.
		{[]string{"immutable, no-transform, stale-if-error=60, foo=bar"}, Directives{}},
		{[]string{"xno-store, no-storex, no_store, \"no-store\""}, Directives{}},
		{[]string{"no-\u017ftore, max-\u212aage=1"}, Directives{}},
		{[]string{"=60, ==, ="}, Directives{}},
	}
	for _, tc := range tests {
		diff := cmp.Diff(tc.want, ParseCacheControl(tc.values))
		if diff != "" {
			t.Errorf("%q: expected (-), found (+):\n%s", tc.values, diff)
		}
	}
}

func TestDeltaDuration(t *testing.T) {
	t.Parallel()
	if got := seconds(MaxSeconds).Duration(); got <= 0 || got.Seconds() != MaxSeconds {
		t.Errorf("the largest delta is %v", got)
	}
	if int64(MaxSeconds) > math.MaxInt64/int64(time.Second) {
		t.Error("the largest delta overflows a duration")
	}
}

// TestParseCacheControlHostile reads headers longer than those that are
// accepted. Each takes milliseconds; the limit leaves room for a busy machine and
// is still far below what work that grows with the square would need.
func TestParseCacheControlHostile(t *testing.T) {
	t.Parallel()
	const size, limit = 1_000_000, 10 * time.Minute
	spaces := "a," + strings.Repeat(" ", size/2) + "x"
	for _, part := range []string{spaces + strings.Repeat(`"`, size/2), `="`, `="\"`, `x="a",`, `=  "`, `,`, `\`, `"`, `max-age="1`} {
		start := time.Now()
		d := ParseCacheControl([]string{strings.Repeat(part, size/len(part))})
		if took := time.Since(start); took > limit || d.NoStore || d.MaxAge.Seconds != 0 {
			t.Errorf("%q repeated: %v, %+v", part, took, d)
		}
	}
}
