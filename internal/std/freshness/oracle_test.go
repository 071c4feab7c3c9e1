package freshness

import (
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/cachecontrol/cacheobject"
	"pgregory.net/rapid"
)

// The other implementation agrees with this one on headers that follow the
// grammar of RFC 9111 and name each directive once. It differs elsewhere, and
// the comparison leaves these out:
//
//   - an argument that is broken or missing is an error there and zero here;
//   - an argument of a directive that takes none is an error there and
//     ignored here;
//   - of two arguments it takes the last, here the smallest is used;
//   - it ends an argument at white space and takes the rest for a directive;
//   - unquoted field names of no-cache and private may contain commas there;
//   - its numbers end at 2^31-1, here at 2^31, the value of the RFC;
//   - it reads one header, here all are read.

const (
	tokenPattern  = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
	quotedPattern = `"(?:[^"\\\x00-\x08\x0a-\x1f\x7f-\xff]|\\[\t\x20-\x7e])*"`
)

// element is one element of a list that follows the grammar.
var element = regexp.MustCompile(`^(` + tokenPattern + `)(?:=(` + tokenPattern + `|` + quotedPattern + `))?$`)

// bare are directives without an argument, numbers those with seconds.
var (
	bare    = []string{"no-store", "must-revalidate", "public", "no-transform", "proxy-revalidate", "immutable"}
	numbers = []string{"max-age", "s-maxage", "stale-if-error", "stale-while-revalidate"}
	digits  = regexp.MustCompile(`^"?[0-9]+"?$`)
)

// comparableHeader reports whether both implementations should agree on a header.
func comparableHeader(header string) bool {
	seen := map[string]bool{}
	for header != "" {
		var text string
		text, header = cutElement(header)
		text = strings.Trim(text, " \t")
		if text == "" {
			continue
		}
		m := element.FindStringSubmatch(text)
		if m == nil {
			return false
		}
		name, argument := strings.ToLower(m[1]), m[2]
		if seen[name] || !comparableArgument(name, argument) {
			return false
		}
		seen[name] = true
	}
	return true
}

// comparableArgument applies the differences that concern arguments.
func comparableArgument(name, argument string) bool {
	switch {
	case slices.Contains(bare, name):
		return argument == ""
	case slices.Contains(numbers, name):
		return digits.MatchString(argument)
	case name == "no-cache" || name == "private":
		return argument == "" || argument[0] == '"'
	}
	return true
}

// sameDelta compares numbers of seconds; -1 stands for none there.
func sameDelta(ours Delta, theirs cacheobject.DeltaSeconds) bool {
	if !ours.Set {
		return theirs == -1
	}
	return min(ours.Seconds, math.MaxInt32) == int64(theirs)
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Fatalf(format string, args ...any)
}

// compare asks the other implementation about a header.
func compare(t fataler, header string) {
	theirs, err := cacheobject.ParseResponseCacheControl(header)
	if err != nil {
		t.Fatalf("%q is comparable, but the oracle says: %v", header, err)
		return
	}
	ours := ParseCacheControl([]string{header})
	same := ours.NoStore == theirs.NoStore && ours.NoCache == theirs.NoCachePresent &&
		ours.Private == theirs.PrivatePresent && ours.Public == theirs.Public &&
		ours.MustRevalidate == theirs.MustRevalidate &&
		sameDelta(ours.MaxAge, theirs.MaxAge) && sameDelta(ours.SMaxAge, theirs.SMaxAge)
	if !same {
		t.Fatalf("%q: we read %+v, the oracle %+v", header, ours, theirs)
	}
}

// TestOracle builds well-formed headers, so that the comparison is not idle.
func TestOracle(t *testing.T) {
	t.Parallel()
	number := rapid.Custom(func(t *rapid.T) string {
		n := strconv.FormatUint(rapid.Uint64().Draw(t, "number"), 10)
		if rapid.Bool().Draw(t, "quoted") {
			return `"` + n + `"`
		}
		return n
	})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.Permutation(slices.Concat(bare, numbers, []string{"no-cache", "private", "foo"})).Draw(t, "names")
		var list []string
		for _, name := range names[:rapid.IntRange(0, len(names)).Draw(t, "count")] {
			text := name
			if rapid.Bool().Draw(t, "upper") {
				text = strings.ToUpper(name)
			}
			switch {
			case slices.Contains(numbers, name):
				text += "=" + number.Draw(t, "seconds")
			case name == "foo" || !slices.Contains(bare, name) && rapid.Bool().Draw(t, "fields"):
				text += `="x, no-store, max-age=1"`
			}
			list = append(list, text)
		}
		header := strings.Join(list, rapid.SampledFrom([]string{",", ", ", " ,\t", ",,"}).Draw(t, "comma"))
		if !comparableHeader(header) {
			t.Fatalf("%q should be comparable", header)
		}
		compare(t, header)
	})
}

func FuzzCacheControl(f *testing.F) {
	for _, seed := range []string{
		"", "max-age=60", "no-store, max-age=0", `max-age="60", no-cache="set-cookie"`, "max-age=60, max-age=30",
		"s-maxage=5,public,must-revalidate", `x="a, no-store`, "max-age=99999999999999999999", "private, max-age=-1", "max-age = 1\nno-store",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values := strings.Split(text, "\n")
		all := ParseCacheControl(values)
		for _, d := range []Delta{all.MaxAge, all.SMaxAge} {
			if d.Seconds < 0 || d.Seconds > MaxSeconds || !d.Set && d.Seconds != 0 {
				t.Errorf("%q: %+v", values, d)
			}
		}
		for _, value := range values {
			checkMore(t, all, ParseCacheControl([]string{value}))
			if comparableHeader(value) {
				compare(t, value)
			}
		}
		slices.Reverse(values)
		if ParseCacheControl(values) != all {
			t.Errorf("%q: the order of headers makes a difference", values)
		}
	})
}

// checkMore asserts that a header more never makes the directives less strict.
func checkMore(t *testing.T, all, one Directives) {
	t.Helper()
	if one.NoStore && !all.NoStore || one.NoCache && !all.NoCache || one.MaxAge.Set && (!all.MaxAge.Set || all.MaxAge.Seconds > one.MaxAge.Seconds) {
		t.Errorf("%+v became %+v", one, all)
	}
}

// FuzzLifetime checks what must hold for any headers, and compares dates with
// those of package net/http, which reads the same forms.
func FuzzLifetime(f *testing.F) {
	f.Add("max-age=60", "10", "Sat, 15 Nov 2025 12:00:00 GMT", "Sat, 15 Nov 2025 13:00:00 GMT", int64(1763208000))
	f.Add("", "", "Saturday, 15-Nov-25 12:00:00 GMT", "Sat Nov 15 12:00:00 2025", int64(0))
	f.Add("no-store", "-1", "0", "-1", int64(math.MaxInt32))
	f.Add("", "99999999999999999999, 1", "Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", int64(-62135596800))
	f.Fuzz(func(t *testing.T, control, age, date, expires string, unix int64) {
		h := Headers{CacheControl: []string{control}, Age: age, Date: date, Expires: expires}
		received := time.Unix(unix%(1<<38), 0).UTC()
		bare, _ := Lifetime(h, received, Policy{Default: time.Hour})
		if bare < 0 || bare > MaxSeconds*time.Second {
			t.Errorf("lifetime %v", bare)
		}
		for _, p := range []Policy{PointerPolicy, AuthoritativePolicy, KeyPolicy, DecisionPolicy} {
			fresh, verdict := Lifetime(h, received, p)
			if fresh < p.Floor || fresh > p.Cap || verdict.Age < 0 || verdict.Stated < 0 || verdict.Basis == 0 {
				t.Errorf("%s: %v, %+v", p.Name, fresh, verdict)
			}
			if verdict.Basis != Unstated && verdict.Bound == Unbound && fresh > bare {
				t.Errorf("%s: %v is longer than %v without it", p.Name, fresh, bare)
			}
		}
		compareDate(t, date, received)
		compareDate(t, expires, received)
	})
}

// compareDate asks package net/http about a date. It takes any zone for GMT in
// the form with the long weekday, and another century there.
func compareDate(t *testing.T, text string, now time.Time) {
	t.Helper()
	want, err := http.ParseTime(text)
	got, ok := parseDate(text, now)
	isLong := strings.Contains(text, "-")
	switch {
	case isLong && ok && (err != nil || got.Year()%100 != want.Year()%100):
		t.Errorf("%q: %v, net/http says %v, %v", text, got, want, err)
	case !isLong && err == nil && (!ok || !got.Equal(want)):
		t.Errorf("%q: %v, %v, net/http says %v", text, got, ok, want)
	case !isLong && err != nil && ok && strings.Trim(text, " \t") == text:
		t.Errorf("%q: %v, net/http says %v", text, got, err)
	}
}
