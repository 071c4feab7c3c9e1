package freshness

import (
	"testing"
	"time"
)

// noon is when the answers of these tests come in.
var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// at writes a date as a header has it.
func at(t time.Time) string { return t.UTC().Format(fixdate) }

func TestLifetime(t *testing.T) {
	t.Parallel()
	open := Policy{Name: "open", Default: time.Hour}
	tests := []struct {
		name   string
		h      Headers
		policy Policy
		want   time.Duration
		why    string
	}{
		{"nothing stated", Headers{}, open, time.Hour, "unstated 1h0m0s"},
		{"nothing stated, no default", Headers{}, Policy{}, 0, "unstated 0s"},
		{"a default below zero", Headers{}, Policy{Default: -1}, 0, "unstated 0s"},
		{"no guess from Last-Modified", Headers{LastModified: at(noon.AddDate(-1, 0, 0))}, open, time.Hour, "unstated 1h0m0s"},
		{"a default counts from receipt", Headers{Age: "600"}, open, time.Hour, "unstated 1h0m0s, age 10m0s"},

		{"max-age", Headers{CacheControl: []string{"max-age=60"}}, open, time.Minute, "max_age 1m0s"},
		{"max-age less Age", Headers{CacheControl: []string{"max-age=60"}, Age: "20"}, open, 40 * time.Second, "max_age 1m0s, age 20s"},
		{"max-age used up", Headers{CacheControl: []string{"max-age=60"}, Age: "61"}, open, 0, "max_age 1m0s, age 1m1s"},
		{"max-age less the age by Date", Headers{CacheControl: []string{"max-age=60"}, Date: at(noon.Add(-15 * time.Second))}, open, 45 * time.Second, "max_age 1m0s, age 15s"},
		{"the larger age counts", Headers{CacheControl: []string{"max-age=60"}, Age: "20", Date: at(noon.Add(-15 * time.Second))}, open, 40 * time.Second, "max_age 1m0s, age 20s"},
		{"Date in the future", Headers{CacheControl: []string{"max-age=60"}, Date: at(noon.Add(time.Hour))}, open, time.Minute, "max_age 1m0s"},
		{"Date unreadable", Headers{CacheControl: []string{"max-age=60"}, Date: "yesterday"}, open, time.Minute, "max_age 1m0s"},
		{"Age is a list", Headers{CacheControl: []string{"max-age=60"}, Age: " 20 , 0"}, open, 40 * time.Second, "max_age 1m0s, age 20s"},
		{"Age unreadable", Headers{CacheControl: []string{"max-age=60"}, Age: "-20"}, open, time.Minute, "max_age 1m0s"},
		{"Age too large", Headers{CacheControl: []string{"max-age=60"}, Age: "99999999999999999999"}, open, 0, "max_age 1m0s, age 596523h14m8s"},
		{"max-age and Age too large", Headers{CacheControl: []string{"max-age=99999999999999999999"}, Age: "99999999999999999999"}, open, 0, "max_age 596523h14m8s, age 596523h14m8s"},
		{"max-age too large", Headers{CacheControl: []string{"max-age=99999999999999999999"}}, open, MaxSeconds * time.Second, "max_age 596523h14m8s"},
		{"max-age before Expires", Headers{CacheControl: []string{"max-age=60"}, Expires: at(noon.Add(time.Hour))}, open, time.Minute, "max_age 1m0s"},
		{"broken max-age before Expires", Headers{CacheControl: []string{"max-age=x"}, Expires: at(noon.Add(time.Hour))}, open, 0, "max_age 0s"},
		{"s-maxage is for others", Headers{CacheControl: []string{"s-maxage=5, max-age=60"}}, open, time.Minute, "max_age 1m0s"},
		{"s-maxage alone", Headers{CacheControl: []string{"s-maxage=5"}}, open, time.Hour, "unstated 1h0m0s"},

		{"no-store", Headers{CacheControl: []string{"max-age=60, no-store"}}, open, 0, "no_store"},
		{"no-cache", Headers{CacheControl: []string{"no-cache, max-age=60"}}, open, 0, "no_cache"},
		{"no-store before no-cache", Headers{CacheControl: []string{"no-cache", "no-store"}, Age: "5"}, open, 0, "no_store, age 5s"},

		{"Expires", Headers{Expires: at(noon.Add(time.Hour)), Date: at(noon)}, open, time.Hour, "expires 1h0m0s"},
		{"Expires without Date", Headers{Expires: at(noon.Add(time.Hour))}, open, time.Hour, "expires 1h0m0s"},
		{"Expires with an unreadable Date", Headers{Expires: at(noon.Add(time.Hour)), Date: "?"}, open, time.Hour, "expires 1h0m0s"},
		{"Expires by the origin's clock", Headers{Expires: at(noon.Add(3 * time.Hour)), Date: at(noon.Add(2 * time.Hour))}, open, time.Hour, "expires 1h0m0s"},
		{"Expires less Age", Headers{Expires: at(noon.Add(time.Hour)), Date: at(noon), Age: "600"}, open, 50 * time.Minute, "expires 1h0m0s, age 10m0s"},
		{"Expires in the past", Headers{Expires: at(noon.Add(-time.Hour))}, open, 0, "expires 0s"},
		{"Expires zero", Headers{Expires: "0"}, open, 0, "expires 0s"},
		{"Expires minus one", Headers{Expires: "-1"}, open, 0, "expires 0s"},
		{"Expires in another zone", Headers{Expires: "Wed, 04 Mar 2026 18:00:00 PST"}, open, 0, "expires 0s"},
		{"Expires blank", Headers{Expires: " "}, open, time.Hour, "unstated 1h0m0s"},
		{"Expires far away", Headers{Expires: "Fri, 31 Dec 9999 23:59:59 GMT"}, open, MaxSeconds * time.Second, "expires 596523h14m8s"},

		{"pointer: raised to a day", Headers{CacheControl: []string{"max-age=60"}}, PointerPolicy, day, "max_age 1m0s, floor of policy pointer"},
		{"pointer: even for no-store", Headers{CacheControl: []string{"no-store"}}, PointerPolicy, day, "no_store, floor of policy pointer"},
		{"pointer: within the bounds", Headers{CacheControl: []string{"max-age=172800"}}, PointerPolicy, 2 * day, "max_age 48h0m0s"},
		{"pointer: a year", Headers{CacheControl: []string{"max-age=31536000"}}, PointerPolicy, 7 * day, "max_age 8760h0m0s, cap of policy pointer"},
		{"pointer: nothing stated", Headers{}, PointerPolicy, day, "unstated 24h0m0s"},
		{"authoritative: a year", Headers{CacheControl: []string{"max-age=31536000"}}, AuthoritativePolicy, day, "max_age 8760h0m0s, cap of policy authoritative"},
		{"authoritative: a minute", Headers{CacheControl: []string{"max-age=60"}}, AuthoritativePolicy, time.Minute, "max_age 1m0s"},
		{"authoritative: nothing stated", Headers{}, AuthoritativePolicy, day, "unstated 24h0m0s"},
		{"keys: nothing stated", Headers{}, KeyPolicy, time.Hour, "unstated 1h0m0s"},
		{"keys: as stated", Headers{CacheControl: []string{"max-age=7200"}}, KeyPolicy, 2 * time.Hour, "max_age 2h0m0s"},
		{"keys: no-store", Headers{CacheControl: []string{"no-store"}}, KeyPolicy, 0, "no_store"},
		{"keys: zero", Headers{CacheControl: []string{"max-age=0"}}, KeyPolicy, 0, "max_age 0s"},
		{"keys: a year", Headers{CacheControl: []string{"max-age=31536000"}}, KeyPolicy, day, "max_age 8760h0m0s, cap of policy keys"},
		{"keys: Expires does not lengthen", Headers{Expires: at(noon.Add(day)), Date: at(noon)}, KeyPolicy, time.Hour, "expires 24h0m0s, cap of policy keys"},
		{"keys: Expires shortens", Headers{Expires: at(noon.Add(time.Minute)), Date: at(noon)}, KeyPolicy, time.Minute, "expires 1m0s"},
		{"keys: Expires less Age", Headers{Expires: at(noon.Add(2 * time.Hour)), Date: at(noon), Age: "5400"}, KeyPolicy, 30 * time.Minute, "expires 2h0m0s, age 1h30m0s"},
		{"keys: Expires in the past", Headers{Expires: "0"}, KeyPolicy, 0, "expires 0s"},
		{"keys: Expires beside a directive without a number", Headers{CacheControl: []string{"public"}, Expires: at(noon.Add(day))}, KeyPolicy, time.Hour, "expires 24h0m0s, cap of policy keys"},
		{"keys: Expires beside max-age", Headers{CacheControl: []string{"max-age=7200"}, Expires: at(noon.Add(day))}, KeyPolicy, 2 * time.Hour, "max_age 2h0m0s"},
		{"decision: nothing stated", Headers{}, DecisionPolicy, 5 * time.Minute, "unstated 5m0s"},
		{"decision: an hour", Headers{CacheControl: []string{"max-age=3600"}}, DecisionPolicy, 5 * time.Minute, "max_age 1h0m0s, cap of policy decision"},
		{"the cap wins over the floor", Headers{CacheControl: []string{"max-age=60"}}, Policy{Name: "odd", Floor: time.Hour, Cap: time.Second}, time.Second, "max_age 1m0s, cap of policy odd"},
	}
	for _, tc := range tests {
		got, verdict := Lifetime(tc.h, noon, tc.policy)
		if got != tc.want || verdict.String() != tc.why {
			t.Errorf("%s: %v because of %q, want %v because of %q", tc.name, got, verdict, tc.want, tc.why)
		}
	}
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range []Policy{PointerPolicy, AuthoritativePolicy, KeyPolicy, DecisionPolicy} {
		if p.Name == "" || names[p.Name] || p.Why == "" {
			t.Errorf("policy %q, because %q", p.Name, p.Why)
		}
		names[p.Name] = true
		if p.Floor > p.Default || p.Default > p.Cap {
			t.Errorf("%s: %v, %v and %v are not in order", p.Name, p.Floor, p.Default, p.Cap)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got := Basis(200).String(); got != "unknown" {
		t.Errorf("basis out of range: %s", got)
	}
	if got := Bound(200).String() + Unbound.String(); got != "nonenone" {
		t.Errorf("bounds: %s", got)
	}
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"Wed, 04 Mar 2026 12:00:00 GMT", "2026-03-04T12:00:00Z"},
		{" Wed, 04 Mar 2026 12:00:00 GMT\t", "2026-03-04T12:00:00Z"},
		{"Wednesday, 04-Mar-26 12:00:00 GMT", "2026-03-04T12:00:00Z"},
		{"Wed Mar  4 12:00:00 2026", "2026-03-04T12:00:00Z"},
		{"Fri Nov 14 12:00:00 2025", "2025-11-14T12:00:00Z"},
		// Two digits of a year are at most 50 years ahead.
		{"Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"},
		{"Friday, 04-Mar-76 12:00:00 GMT", "2076-03-04T12:00:00Z"},
		{"Friday, 04-Mar-76 12:00:01 GMT", "1976-03-04T12:00:01Z"},
		{"Friday, 04-Mar-69 12:00:00 GMT", "2069-03-04T12:00:00Z"},
		{"Friday, 04-Mar-00 12:00:00 GMT", "2000-03-04T12:00:00Z"},
		{"Tuesday, 29-Feb-00 12:00:00 GMT", "2000-02-29T12:00:00Z"},
		{"", ""},
		{"0", ""},
		{"Wed, 04 Mar 2026 12:00:00 UTC", ""},
		{"Wed, 04 Mar 2026 12:00:00 +0000", ""},
		{"Wednesday, 04-Mar-26 12:00:00 PST", ""},
		{"Wed, 31 Feb 2026 12:00:00 GMT", ""},
		{"Wed, 04 Mar 2026 25:00:00 GMT", ""},
		{"2026-03-04T12:00:00Z", ""},
	}
	for _, tc := range tests {
		got, ok := parseDate(tc.text, noon)
		if !ok && tc.want == "" {
			continue
		}
		if text := got.Format(time.RFC3339); !ok || text != tc.want {
			t.Errorf("%q: %s, %v, want %q", tc.text, text, ok, tc.want)
		}
	}
}
