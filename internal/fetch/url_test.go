package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/netguard"
)

var goodURLs = []struct{ raw, want string }{
	{"https://pub.example", "https://pub.example/"},
	{"https://pub.example/f", "https://pub.example/f"},
	{"HTTPS://PUB.Example:443/F", "https://pub.example/F"},
	{"https://pub.example./f", "https://pub.example/f"},
	{"https://pub.example:8443/f", "https://pub.example:8443/f"},
	{"https://pub.example:/f", "https://pub.example/f"},
	{"https://pub.example/f?", "https://pub.example/f?"},
	{"https://pub.example/f?a=b?c&d=%zz", "https://pub.example/f?a=b?c&d=%zz"},
	{"https://pub.example/f#frag", "https://pub.example/f"},
	{"https://pub.example/f#@evil.example/", "https://pub.example/f"},
	{"https://pub.example?@evil.example/", "https://pub.example/?@evil.example/"},
	{"https://pub.example/@evil.example", "https://pub.example/@evil.example"},
	{"https://pub.example/a/../b/./c", "https://pub.example/b/c"},
	{"https://pub.example/a%2Fb%2e%2e", "https://pub.example/a%2Fb.."},
	{"https://pub.example/{a}|\"<b>^`", "https://pub.example/%7Ba%7D%7C%22%3Cb%3E%5E%60"},
	{"https://pub.example/a%2Fb{", "https://pub.example/a%2Fb%7B"},
	{"https://pub.example/é?é=\"<>", "https://pub.example/%C3%A9?%C3%A9=%22%3C%3E"},
	{"https://pub.example//a//b", "https://pub.example//a//b"},
	{"https://bücher.example/", "https://xn--bcher-kva.example/"},
	{"https://ｐｕｂ。example/", "https://pub.example/"},
	{"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
}

var badURLs = []struct {
	raw  string
	want Outcome
}{
	{"", BadURL}, {"pub.example", BadURL}, {"/f", BadURL}, {"//pub.example/f", BadURL}, {"https:", BadURL}, {"https:///f", BadURL},
	{"https:pub.example/f", BadURL}, {"http://pub.example/f", BadURL}, {"ftp://pub.example/f", BadURL}, {"file:///etc/passwd", BadURL},
	{"https://user@pub.example/f", BadURL}, {"https://user:secret@pub.example/f", BadURL}, {"https://@pub.example/f", BadURL},
	{"https://pub.example@evil.example/f", BadURL}, {"https://pub.example\\@evil.example/", BadURL}, {"https:\\\\pub.example\\f", BadURL},
	{"https://pub.example/a b", BadURL}, {" https://pub.example/", BadURL}, {"https://pub.example/\x00", BadURL}, {"https://pub.example/\r\nX: y", BadURL},
	{"https://pub.exa\tmple/", BadURL}, {"https://pub.example%00/", BadURL}, {"https://pub.example%2f@x/", BadURL}, {"https://pub.example:x/", BadURL},
	{"https://pub.example:65536/", BadURL}, {"https://pub.example:0/", BadURL}, {"https://a:b:c/", BadURL}, {"https://[::1/", BadURL},
	{"https://pub..example/", BadURL}, {"https://.pub.example/", BadURL}, {"https://*.pub.example/", BadURL}, {"https://pub.example/%zz", BadURL},
	{"https://\u2066pub.example/", BadURL}, {"https://" + strings.Repeat("a", 64) + ".example/", BadURL}, {"https://pub.example/" + strings.Repeat("a", 8000), BadURL},
	{"https://0x7f.1/", BadURL}, {"https://2130706433/", BadURL}, {"https://0177.0.0.1/", BadURL}, {"https://127.1/", BadURL}, {"https://0/", BadURL},
	{"https://127.0.0.1/", GuardedAddress}, {"https://93.184.216.34/", GuardedAddress}, {"https://[::1]/", GuardedAddress},
	{"https://[::ffff:127.0.0.1]/", GuardedAddress}, {"https://[2606:2800:220:1::1]/", GuardedAddress}, {"https://localhost/", GuardedAddress},
	{"https://foo.localhost/", GuardedAddress}, {"https://printer.local/", GuardedAddress}, {"https://db.internal/", GuardedAddress},
	{"https://intranet/", GuardedAddress}, {"https://under_score.example/", GuardedAddress}, {"https://pub.example:22/", GuardedAddress},
	{"https://pub.example:25/", GuardedAddress}, {"https://pub.example:6000/", GuardedAddress},
}

func TestGoodURLs(t *testing.T) {
	t.Parallel()
	for _, row := range goodURLs {
		got, err := parseTarget(row.raw)
		if err != nil {
			t.Errorf("%q: %v", row.raw, err)
			continue
		}
		if got.String() != row.want || got.url().String() != row.want {
			t.Errorf("%q: %q and %q, want %q", row.raw, got, got.url(), row.want)
		}
	}
}

func TestBadURLs(t *testing.T) {
	t.Parallel()
	l := &lab{serve: saying("")}
	client := l.client(Config{})
	for _, row := range badURLs {
		r := client.Get(t.Context(), Request{URL: row.raw})
		if r.Outcome != row.want {
			t.Errorf("%q: %s, want %s", row.raw, r.Last().Explain(), row.want)
		}
		if strings.Contains(r.URL, "secret") || strings.Contains(r.Last().Explain(), "secret") || len(r.URL) > maxLocation {
			t.Errorf("%q: shows %q", row.raw, r.URL)
		}
		if row.want == BadURL && r.PublicError() != "the url cannot be requested" {
			t.Errorf("%q: %s", row.raw, r.PublicError())
		}
	}
	if len(l.lookups) != 0 || len(l.dials) != 0 {
		t.Errorf("looked up %q, dialled %v", l.lookups, l.dials)
	}
}

func TestDisplayURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://u:p@h.example/x#y": "https://h.example/x", "u:p@h": "//h", "https://a@b//c@d": "https://b//c@d", "a@b//c": "//b//c",
		"http://h.example/@user/x": "http://h.example/@user/x", "https://h.example:99999/a@b": "https://h.example:99999/a@b",
		"http://u:p@h.example/@x": "http://h.example/@x", "https://h.example?a@b": "https://h.example?a@b", "//u@h?a@b": "//h?a@b",
		"https:///u:p@h/x@y": "https://h/x@y", `https://\u:p@h/x`: "https://h/x", "https:/u:p@h/x": "//h/x", "": "", "h": "h", "https:///x": "https:///x",
		"https://h.example/x": "https://h.example/x", "https://user:p/w@h.example/x": "https://h.example/x",
	} {
		if got := displayURL(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

// errStop ends an exchange once the test has seen what it wanted.
var errStop = errors.New("stop")

// witness records what a client looks up, connects to and names in its
// handshake, and lets nothing come of it.
type witness struct {
	hosts []string
	ports []uint16
}

// LookupNetIP implements netguard.Resolver.
func (w *witness) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	w.hosts = append(w.hosts, host)
	return []netip.Addr{labAddr}, nil
}

func (w *witness) dial(_ context.Context, addr netip.AddrPort) (net.Conn, error) {
	w.ports = append(w.ports, addr.Port())
	return nil, errStop
}

func FuzzTargetURL(f *testing.F) {
	for _, row := range goodURLs {
		f.Add(row.raw)
	}
	for _, row := range badURLs {
		f.Add(row.raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		w := &witness{}
		client := New(Config{Attempts: 1, Network: netguard.Network{Resolver: w, Dial: w.dial}})
		r := client.Get(t.Context(), Request{URL: raw})
		target, err := parseTarget(raw)
		if err != nil {
			if len(w.hosts)+len(w.ports) > 0 {
				t.Errorf("%q was refused, but %q was looked up", raw, w.hosts)
			}
			return
		}
		request := (&attempt{client: client, want: &Request{}, target: target}).request(t.Context())
		sent, err := url.Parse(r.URL)
		if err != nil {
			t.Fatalf("%q leads to %q: %v", raw, r.URL, err)
		}
		if len(w.hosts) != 1 || w.hosts[0] != target.host || sent.Hostname() != target.host || request.URL.Hostname() != target.host ||
			request.Host != target.authority() || len(w.ports) != 1 || w.ports[0] != target.port {
			t.Errorf("%q: looked up %q, on record %q, requested %q at %q", raw, w.hosts, r.URL, request.URL, request.Host)
		}
		if sent.User != nil || sent.Fragment != "" || sent.Scheme != "https" || request.URL.RequestURI() != sent.RequestURI() {
			t.Errorf("%q became %q, requested as %q", raw, r.URL, request.URL.RequestURI())
		}
		again, err := parseTarget(r.URL)
		if err != nil || again.String() != r.URL {
			t.Errorf("%q became %q, which becomes %v, %v", raw, r.URL, again, err)
		}
	})
}

func FuzzLocation(f *testing.F) {
	for _, row := range redirectRows {
		for _, to := range row.hops {
			f.Add(to)
		}
	}
	for _, ref := range []string{"g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "../../../g", ";x", "", "..", "https:g"} {
		f.Add(ref)
	}
	base, err := parseTarget("https://pub.example/b/c/d;p?q")
	if err != nil {
		f.Fatal(err)
	}
	standard, err := url.Parse(base.String())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, location string) {
		next, err := parseLocation(base, []string{location})
		shown := displayLocation(base, next, []string{location})
		if strings.ContainsAny(shown, "?#") || next != nil && strings.Contains(strings.TrimPrefix(shown, next.origin()), "://@") {
			t.Errorf("%q is shown as %q", location, shown)
		}
		if err != nil {
			return
		}
		chain := newChain(SameSite, base.host)
		site, _ := siteOf(next.host)
		if chain.follow(next) == nil && (site != "pub.example" || next.port != 443) {
			t.Errorf("%q leads to %s", location, next)
		}
		// Where the standard library accepts the reference as well, it must see the
		// same host.
		other, err := standard.Parse(location)
		if err != nil || !isASCII(other.Host) || strings.Contains(other.Host, "%") {
			return
		}
		if !strings.EqualFold(strings.TrimSuffix(other.Hostname(), "."), next.host) {
			t.Errorf("%q leads to %q here and to %q elsewhere", location, next.host, other.Host)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

func TestStrangeStatusIsNoRedirect(t *testing.T) {
	t.Parallel()
	for status := range 1000 {
		want := status == 301 || status == 302 || status == 303 || status == 307 || status == 308
		if isRedirect(status) != want {
			t.Errorf("status %d", status)
		}
		if got := statusOutcome(status, false); got == Unasked || got == NotModified || got == Found && status != http.StatusOK {
			t.Errorf("status %d is %s", status, got)
		}
	}
}
