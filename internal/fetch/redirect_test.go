package fetch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// redirectRows are chains of redirects. hops has where each host redirects to; a
// host that is not in it serves the file. Every host is asked for /f.
var redirectRows = []struct {
	name   string
	rule   Redirects
	first  string
	hops   map[string]string
	want   Outcome
	reason Reason
	// never is a host that must not be contacted.
	never string
}{
	{"apex to www", SameSite, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f"}, Found, "", ""},
	{"www to apex", SameSite, "www.pub.example", map[string]string{"www.pub.example": "https://pub.example/f"}, Found, "", ""},
	{"to a subdomain", SameSite, "pub.example", map[string]string{"pub.example": "https://cdn.pub.example/f"}, Found, "", ""},
	{"second-level suffix", SameSite, "example.co.uk", map[string]string{"example.co.uk": "https://www.example.co.uk/f"}, Found, "", ""},
	{"another site", SameSite, "ladepeche.fr", map[string]string{"ladepeche.fr": "https://claire.pub/f"}, RedirectRefused, CrossSite, "claire.pub"},
	{"another suffix", SameSite, "example.co.uk", map[string]string{"example.co.uk": "https://example.com/f"}, RedirectRefused, CrossSite, "example.com"},
	{"private suffix", SameSite, "victim.github.io", map[string]string{"victim.github.io": "https://attacker.github.io/f"}, RedirectRefused, CrossSite, "attacker.github.io"},
	{"below a private suffix", SameSite, "victim.github.io", map[string]string{"victim.github.io": "https://www.victim.github.io/f"}, Found, "", ""},
	{"anchored", SameSite, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f", "www.pub.example": "https://attacker.example/f"}, RedirectRefused, CrossSite, "attacker.example"},
	{"downgrade", SameSite, "pub.example", map[string]string{"pub.example": "http://pub.example/f"}, RedirectRefused, SchemeDowngrade, ""},
	{"downgrade elsewhere", SameSite, "pub.example", map[string]string{"pub.example": "http://other.example/f"}, RedirectRefused, SchemeDowngrade, "other.example"},
	{"three", SameSite, "pub.example", map[string]string{"pub.example": "https://a.pub.example/f", "a.pub.example": "https://b.pub.example/f", "b.pub.example": "https://c.pub.example/f"}, Found, "", ""},
	{"four", SameSite, "pub.example", map[string]string{"pub.example": "https://a.pub.example/f", "a.pub.example": "https://b.pub.example/f", "b.pub.example": "https://c.pub.example/f", "c.pub.example": "https://d.pub.example/f"}, RedirectRefused, TooManyRedirects, "d.pub.example"},
	{"loop", SameSite, "pub.example", map[string]string{"pub.example": "https://pub.example/f"}, RedirectRefused, TooManyRedirects, ""},
	{"loop by fragment", SameSite, "pub.example", map[string]string{"pub.example": "#top"}, RedirectRefused, TooManyRedirects, ""},
	{"none allowed", None, "pub.example", map[string]string{"pub.example": "https://pub.example/g"}, RedirectRefused, NoRedirects, ""},
	{"none allowed, no location", None, "pub.example", map[string]string{"pub.example": ""}, RedirectRefused, NoRedirects, ""},
	{"relative", SameSite, "pub.example", map[string]string{"pub.example": "/g"}, Found, "", ""},
	{"relative to the directory", SameSite, "pub.example", map[string]string{"pub.example": "./x/../g"}, Found, "", ""},
	{"query", SameSite, "pub.example", map[string]string{"pub.example": "?again"}, RedirectRefused, TooManyRedirects, ""},
	{"without scheme", SameSite, "pub.example", map[string]string{"pub.example": "//www.pub.example/f"}, Found, "", ""},
	{"upper case", SameSite, "pub.example", map[string]string{"pub.example": "HTTPS://WWW.PUB.EXAMPLE/f"}, Found, "", ""},
	{"default port", SameSite, "pub.example", map[string]string{"pub.example": "https://www.pub.example:443/f"}, Found, "", ""},
	{"another port", SameSite, "pub.example", map[string]string{"pub.example": "https://pub.example:8443/f"}, RedirectRefused, BadLocation, ""},
	{"no location", SameSite, "pub.example", map[string]string{"pub.example": ""}, RedirectRefused, BadLocation, ""},
	{"credentials", SameSite, "pub.example", map[string]string{"pub.example": "https://user:secret@www.pub.example/f"}, RedirectRefused, BadLocation, "www.pub.example"},
	{"backslash", SameSite, "pub.example", map[string]string{"pub.example": `https://attacker.example\@www.pub.example/f`}, RedirectRefused, BadLocation, "attacker.example"},
	{"address", SameSite, "pub.example", map[string]string{"pub.example": "https://93.184.216.34/f"}, RedirectRefused, BadLocation, ""},
	{"loopback", SameSite, "pub.example", map[string]string{"pub.example": "https://localhost/f"}, RedirectRefused, BadLocation, "localhost"},
	{"script", SameSite, "pub.example", map[string]string{"pub.example": "javascript:alert(1)"}, RedirectRefused, SchemeDowngrade, ""},
	{"file", SameSite, "pub.example", map[string]string{"pub.example": "file:///etc/passwd"}, RedirectRefused, SchemeDowngrade, ""},
	{"no authority", SameSite, "pub.example", map[string]string{"pub.example": "https:f"}, RedirectRefused, BadLocation, ""},
	{"long", SameSite, "pub.example", map[string]string{"pub.example": "/" + strings.Repeat("x", 2000)}, RedirectRefused, BadLocation, ""},
	{"just not too long", SameSite, "pub.example", map[string]string{"pub.example": "/g?" + strings.Repeat("x", 1997)}, Found, "", ""},
	{"no site", SameSite, "github.io", map[string]string{"github.io": "https://github.io/g"}, RedirectRefused, NoSite, ""},
	{"counterpart with www", Counterpart, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f"}, Found, "", ""},
	{"counterpart without www", Counterpart, "www.pub.example", map[string]string{"www.pub.example": "https://pub.example/f"}, Found, "", ""},
	{"counterpart, another path", Counterpart, "pub.example", map[string]string{"pub.example": "/g"}, Found, "", ""},
	{"counterpart, a sibling", Counterpart, "pub.example", map[string]string{"pub.example": "https://assets.pub.example/f"}, RedirectRefused, CrossSite, "assets.pub.example"},
	{"counterpart, then a sibling", Counterpart, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f", "www.pub.example": "https://assets.pub.example/f"}, RedirectRefused, CrossSite, "assets.pub.example"},
	{"counterpart of the next host", Counterpart, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f", "www.pub.example": "https://www.www.pub.example/f"}, RedirectRefused, CrossSite, "www.www.pub.example"},
	{"counterpart, another domain", Counterpart, "pub.example", map[string]string{"pub.example": "https://attacker.example/f"}, RedirectRefused, CrossSite, "attacker.example"},
	{"counterpart, downgrade", Counterpart, "pub.example", map[string]string{"pub.example": "http://www.pub.example/f"}, RedirectRefused, SchemeDowngrade, "www.pub.example"},
	{"counterpart, another port", Counterpart, "pub.example", map[string]string{"pub.example": "https://www.pub.example:8443/f"}, RedirectRefused, BadLocation, "www.pub.example"},
	{"counterpart, too many", Counterpart, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f", "www.pub.example": "https://pub.example/f"}, RedirectRefused, TooManyRedirects, ""},
	{"counterpart, a public suffix", Counterpart, "www.co.uk", map[string]string{"www.co.uk": "https://co.uk/f"}, RedirectRefused, NoSite, "co.uk"},
	{"ads.txt same site", AdsTxt, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f"}, Found, "", ""},
	{"ads.txt elsewhere", AdsTxt, "pub.example", map[string]string{"pub.example": "https://net.example/f"}, Found, "", ""},
	{"ads.txt elsewhere and there", AdsTxt, "pub.example", map[string]string{"pub.example": "https://www.pub.example/f", "www.pub.example": "https://net.example/f", "net.example": "https://cdn.net.example/f"}, Found, "", ""},
	{"ads.txt and back", AdsTxt, "pub.example", map[string]string{"pub.example": "https://net.example/f", "net.example": "https://www.pub.example/f"}, RedirectRefused, CrossSite, "www.pub.example"},
	{"ads.txt two sites", AdsTxt, "pub.example", map[string]string{"pub.example": "https://net.example/f", "net.example": "https://third.example/f"}, RedirectRefused, CrossSite, "third.example"},
	{"ads.txt downgrade", AdsTxt, "pub.example", map[string]string{"pub.example": "http://pub.example/f"}, RedirectRefused, SchemeDowngrade, ""},
	{"ads.txt port", AdsTxt, "pub.example", map[string]string{"pub.example": "https://pub.example:8443/f"}, RedirectRefused, BadLocation, ""},
	{"ads.txt at a suffix", AdsTxt, "github.io", map[string]string{"github.io": "https://github.io/g"}, Found, "", ""},
	{"ads.txt five", AdsTxt, "pub.example", ring(5), Found, "", ""},
	{"ads.txt six", AdsTxt, "pub.example", ring(6), RedirectRefused, TooManyRedirects, "h6.pub.example"},
}

// ring redirects n times within pub.example.
func ring(n int) map[string]string {
	hops := map[string]string{"pub.example": "https://h1.pub.example/f"}
	for i := 1; i < n; i++ {
		hops[fmt.Sprintf("h%d.pub.example", i)] = fmt.Sprintf("https://h%d.pub.example/f", i+1)
	}
	return hops
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	for _, row := range redirectRows {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(row.name, " ", status), func(t *testing.T) {
				t.Parallel()
				web := start(t, redirectArchive(status, row.first, row.hops, row.never))
				r := clientOf(web).Get(t.Context(), Request{URL: "https://" + row.first + "/f", Redirects: row.rule})
				is(t, r, row.want)
				last := r.Last()
				if last.Reason != row.reason {
					t.Errorf("reason %q, want %q", last.Reason, row.reason)
				}
				if strings.Contains(last.Explain(), "secret") || strings.Contains(last.Location, "?") {
					t.Errorf("shows too much: %s", last.Explain())
				}
				for _, e := range r.Exchanges[:len(r.Exchanges)-1] {
					if e.Outcome != Redirected {
						t.Errorf("an exchange on the way is %s", e.Outcome)
					}
				}
				if slices.Contains(web.Lookups(), row.never) {
					t.Errorf("%s was looked up", row.never)
				}
				if len(web.Dials()) != len(r.Exchanges) {
					t.Errorf("%d connections for %d exchanges", len(web.Dials()), len(r.Exchanges))
				}
			})
		}
	}
}

// redirectArchive writes the internet of a row. Everything there is served at /f
// and /g.
func redirectArchive(status int, first string, hops map[string]string, never string) string {
	var b strings.Builder
	hosts := []string{first, never, "www." + first, "cdn." + first, "net.example", "cdn.net.example", "pub.example"}
	for i := range 8 {
		hosts = append(hosts, fmt.Sprintf("h%d.pub.example", i))
	}
	for _, h := range "abcd" {
		hosts = append(hosts, string(h)+".pub.example")
	}
	slices.Sort(hosts)
	for _, host := range slices.Compact(hosts) {
		to, redirects := hops[host]
		switch {
		case host == "" || host == "localhost":
			continue
		case redirects && to == "":
			fmt.Fprintf(&b, "-- https://%s/f --\n%d\n\n", host, status)
		case redirects:
			fmt.Fprintf(&b, "-- https://%s/f --\n%d\nLocation: %s\n\n", host, status, to)
		default:
			fmt.Fprintf(&b, "-- https://%s/f --\n200\n%s\n{}\n", host, plainHeader)
		}
		fmt.Fprintf(&b, "-- https://%s/g --\n200\n%s\n{}\n", host, plainHeader)
	}
	return b.String()
}

func TestTwoLocations(t *testing.T) {
	t.Parallel()
	web := start(t, "-- https://pub.example/f --\n301\nLocation: /g\nLocation: /g\n\n")
	r := clientOf(web).Get(t.Context(), Request{URL: "https://pub.example/f", Redirects: SameSite})
	is(t, r, RedirectRefused)
	if r.Last().Reason != BadLocation || r.Last().Location != "https://pub.example/g" {
		t.Error(r.Last().Explain())
	}
}

func TestRedirectEndsInStatus(t *testing.T) {
	t.Parallel()
	web := start(t, "-- https://pub.example/f --\n301\nLocation: https://www.pub.example/f?q\n\n-- https://www.pub.example/f --\n404\n\n")
	r := clientOf(web).Get(t.Context(), Request{URL: "https://pub.example/f", Redirects: SameSite})
	is(t, r, Absent)
	if r.URL != "https://www.pub.example/f?q" || r.Exchanges[0].Location != "https://www.pub.example/f" {
		t.Errorf("ended at %s, first went to %s", r.URL, r.Exchanges[0].Location)
	}
}

func TestPostIsNotRedirected(t *testing.T) {
	t.Parallel()
	web := start(t, "-- https://pub.example/f --\n307\nLocation: /g\n\n")
	r := clientOf(web).Get(t.Context(), Request{URL: "https://pub.example/f", Redirects: SameSite, Post: []byte("{}")})
	is(t, r, RedirectRefused)
	if r.Last().Reason != NoRedirects || len(web.Requests()) != 1 {
		t.Errorf("%d requests; %s", len(web.Requests()), r.Last().Explain())
	}
}

func TestRedirectIntoTheNetwork(t *testing.T) {
	t.Parallel()
	web := start(t, "-- dns --\nwww.pub.example 10.0.0.1\n-- https://pub.example/f --\n301\nLocation: https://www.pub.example/f\n\n")
	r := clientOf(web).Get(t.Context(), Request{URL: "https://pub.example/f", Redirects: SameSite})
	is(t, r, GuardedAddress)
	if len(r.Exchanges) != 2 || len(web.Dials()) != 1 {
		t.Errorf("%d exchanges, %d connections", len(r.Exchanges), len(web.Dials()))
	}
}
