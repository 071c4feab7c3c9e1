package discover

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// failures has one row or more for each outcome that brings no file.
var failures = []struct {
	name string
	x    fetch.Exchange
	code string
	// pub, target and ads say what becomes of it at the publisher, at the target
	// of its pointer, and at its ads.txt.
	found  bool
	pub    Answer
	target Answer
	ads    string
	says   string // in the message
	hint   string // in the hint
}{
	{"404", fetch.Exchange{Outcome: fetch.Absent, Status: 404}, "fetch.not_found", false, Absent, Unusable, "adstxt.absent", "404", "put the file there"},
	{"403 of an object store", fetch.Exchange{Outcome: fetch.AccessDeniedObjectStore, Status: 403}, "fetch.object_store_denied", false, Absent, Unusable, "adstxt.absent", "AccessDenied", "upload"},
	{"401", fetch.Exchange{Outcome: fetch.Forbidden, Status: 401}, "fetch.login_required", false, Unreachable, Unusable, "adstxt.unavailable", "401", "log-in"},
	{"407", fetch.Exchange{Outcome: fetch.Forbidden, Status: 407}, "fetch.login_required", false, Unreachable, Unusable, "adstxt.unavailable", "407", "log-in"},
	{"403", fetch.Exchange{Outcome: fetch.Forbidden, Status: 403}, "fetch.forbidden", false, Unreachable, Unusable, "adstxt.unavailable", "403", "every client"},
	{"403 with a page", fetch.Exchange{Outcome: fetch.Forbidden, Status: 403, MediaType: "text/html"}, "fetch.bot_protection", false, Unreachable, Unusable, "adstxt.unavailable", "bots", "user agent avow"},
	{"429", fetch.Exchange{Outcome: fetch.RateLimited, Status: 429}, "fetch.rate_limited", false, Unreachable, Unreachable, "adstxt.unavailable", "429", "later"},
	{"429 with a time", fetch.Exchange{Outcome: fetch.RateLimited, Status: 429, RetryAfter: time.Minute}, "fetch.rate_limited", false, Unreachable, Unreachable, "adstxt.unavailable", "1m0s", "later"},
	{"410", fetch.Exchange{Outcome: fetch.ClientError, Status: 410}, "fetch.gone", false, Unreachable, Unusable, "adstxt.unavailable", "410", "404"},
	{"418", fetch.Exchange{Outcome: fetch.ClientError, Status: 418}, "fetch.client_error", false, Unreachable, Unusable, "adstxt.unavailable", "418", "200"},
	{"503", fetch.Exchange{Outcome: fetch.ServerError, Status: 503}, "fetch.server_error", false, Unreachable, Unreachable, "adstxt.unavailable", "503", "log"},
	{"204", fetch.Exchange{Outcome: fetch.UnexpectedStatus, Status: 204}, "fetch.status", false, Unreachable, Unusable, "adstxt.unavailable", "204", "200"},
	{
		"redirect elsewhere", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 301, Reason: fetch.CrossSite, Location: "https://other.example/f.json"},
		"fetch.redirect_cross_site", false, Unreachable, Unusable, "adstxt.unavailable", "https://other.example/f.json", "authoritative_location",
	},
	{
		"redirect to http", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 301, Reason: fetch.SchemeDowngrade, Location: "http://pub.example/f.json"},
		"fetch.redirect_http", false, Unreachable, Unusable, "adstxt.unavailable", "not https", "https",
	},
	{
		"too many redirects", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 302, Reason: fetch.TooManyRedirects, Location: "https://pub.example/4"},
		"fetch.redirect_too_many", false, Unreachable, Unusable, "adstxt.unavailable", "redirects again", "straight",
	},
	{
		"redirect of a pointer's target", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 308, Reason: fetch.NoRedirects, Location: "https://network.example/v2/adagents.json"},
		"fetch.redirect_authoritative", false, Unreachable, Unusable, "adstxt.unavailable", "308", "https://network.example/v2/adagents.json",
	},
	{
		"redirect of a pointer's target to http", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 301, Reason: fetch.NoRedirects, Location: "http://network.example/"},
		"fetch.redirect_authoritative", false, Unreachable, Unusable, "adstxt.unavailable", "301", "where the redirects end",
	},
	{
		"redirect from a public suffix", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 301, Reason: fetch.NoSite, Location: "https://a.pub.example/"},
		"fetch.redirect_no_site", false, Unreachable, Unusable, "adstxt.unavailable", "public suffix", "without a redirect",
	},
	{"redirect to nowhere", fetch.Exchange{Outcome: fetch.RedirectRefused, Status: 301, Reason: fetch.BadLocation}, "fetch.redirect_location", false, Unreachable, Unusable, "adstxt.unavailable", "Location", "one Location"},
	{"timeout", fetch.Exchange{Outcome: fetch.Timeout}, "fetch.timeout", false, Unreachable, Unreachable, "adstxt.unavailable", "in time", "fast"},
	{"closed port", fetch.Exchange{Outcome: fetch.Unreachable, Detail: "dial 93.184.216.34: refused"}, "fetch.unreachable", false, Unreachable, Unreachable, "adstxt.unavailable", "cannot connect", "443"},
	{"no network", fetch.Exchange{Outcome: fetch.Unreachable, Detail: "dial tcp 93.184.216.34:443: connect: network is unreachable"}, "fetch.unreachable", false, Unreachable, Unreachable, "adstxt.unavailable", "this machine cannot reach", "the publisher may be fine"},
	{"no proxy", fetch.Exchange{Outcome: fetch.Unreachable, Detail: "the proxy: dial tcp 127.0.0.1:3128: connect: connection refused"}, "fetch.unreachable", false, Unreachable, Unreachable, "adstxt.unavailable", "the proxy", "proxy's administrator"},
	{"no such name", fetch.Exchange{Outcome: fetch.NameNotFound}, "fetch.name_not_found", false, Unreachable, Unreachable, "adstxt.unavailable", "DNS", "www form"},
	{"bad certificate", fetch.Exchange{Outcome: fetch.TLSFailure, Detail: "x509: certificate signed by unknown authority"}, "fetch.tls", false, Unreachable, Unreachable, "adstxt.unavailable", "certificate", "chain"},
	{"certificate for another name", fetch.Exchange{Outcome: fetch.TLSFailure, Detail: "x509: certificate is valid for www.pub.example, not pub.example"}, "fetch.tls_name", false, Unreachable, Unreachable, "adstxt.unavailable", "other names", "covers"},
	{"certificate with a common name alone", fetch.Exchange{Outcome: fetch.TLSFailure, Detail: "x509: certificate relies on legacy Common Name field, use SANs instead"}, "fetch.tls_name", false, Unreachable, Unreachable, "adstxt.unavailable", "Common Name", "subject alternative name"},
	{"old certificate", fetch.Exchange{Outcome: fetch.TLSFailure, Detail: "x509: certificate has expired or is not yet valid: now"}, "fetch.tls_expired", false, Unreachable, Unreachable, "adstxt.unavailable", "expired", "renew"},
	{"plain http", fetch.Exchange{Outcome: fetch.TLSFailure, Detail: "tls: first record does not look like a TLS handshake"}, "fetch.http_only", false, Unreachable, Unreachable, "adstxt.unavailable", "https", "over https"},
	{"too large", fetch.Exchange{Outcome: fetch.TooLarge, Status: 200}, "fetch.too_large", true, Unusable, Unusable, "adstxt.unavailable", "MB", ""},
	{"too large without a file", fetch.Exchange{Outcome: fetch.TooLarge}, "fetch.too_large", false, Unreachable, Unusable, "adstxt.unavailable", "MB", ""},
	{"text", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, MediaType: "text/plain"}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "as text/plain", "Content-Type: application/json"},
	{"bytes", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, MediaType: "application/octet-stream"}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "octet-stream", "Content-Type: application/json"},
	{"no type", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "without a Content-Type", "Content-Type: application/json"},
	{"odd type", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, ContentType: "json, really"}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "json, really", "Content-Type: application/json"},
	{"two types", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, MediaType: "application/json"}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "as application/json", "Content-Type: application/json"},
	{"page", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, MediaType: "text/html", Excerpt: []byte("<!DOCTYPE html>")}, "fetch.html_page", true, Unusable, Unusable, "adstxt.content_type", "web page", "404"},
	{"file called a page", fetch.Exchange{Outcome: fetch.BadContentType, Status: 200, MediaType: "text/html", Excerpt: []byte(" {\"a\"")}, "fetch.content_type", true, Unusable, Unusable, "adstxt.content_type", "text/html", "Content-Type: application/json"},
	{"damaged gzip", fetch.Exchange{Outcome: fetch.BadEncoding, Status: 200, Encoding: "gzip"}, "fetch.encoding", true, Unusable, Unusable, "adstxt.unavailable", "broken", "gzip"},
	{"brotli", fetch.Exchange{Outcome: fetch.BadEncoding, Status: 200, Encoding: "br"}, "fetch.encoding", true, Unusable, Unusable, "adstxt.unavailable", "as br", "gzip"},
	{"cut off", fetch.Exchange{Outcome: fetch.Incomplete, Status: 200}, "fetch.incomplete", false, Unreachable, Unreachable, "adstxt.unavailable", "ends early", "Content-Length"},
	{"malformed", fetch.Exchange{Outcome: fetch.BadMessage, Status: 200}, "fetch.message", false, Unreachable, Unusable, "adstxt.unavailable", "two ways", "Content-Length"},
	{"guarded", fetch.Exchange{Outcome: fetch.GuardedAddress, Detail: "10.0.0.1 is private"}, "fetch.guarded", false, Unreachable, Unreachable, "adstxt.unavailable", "public internet", "public"},
	{"bad URL", fetch.Exchange{Outcome: fetch.BadURL}, "fetch.url", false, Unreachable, Unusable, "adstxt.unavailable", "cannot be requested", "correct"},
	{"no turn", fetch.Exchange{Outcome: fetch.NoTurn}, "fetch.no_turn", false, Unreachable, Unreachable, "adstxt.unavailable", "not contacted", "again"},
	{"cancelled", fetch.Exchange{Outcome: fetch.Cancelled}, "fetch.cancelled", false, Unreachable, Unreachable, "adstxt.unavailable", "was cancelled", "again"},
	{"nonsense", fetch.Exchange{Outcome: fetch.Redirected, Status: 302}, "fetch.status", false, Unreachable, Unusable, "adstxt.unavailable", "redirected", "200"},
}

func TestEveryOutcomeHasARow(t *testing.T) {
	t.Parallel()
	seen := make(map[fetch.Outcome]bool)
	for _, f := range failures {
		seen[f.x.Outcome] = true
	}
	for o := fetch.Absent; o <= fetch.Cancelled; o++ {
		if !seen[o] {
			t.Errorf("no row for %s", o)
		}
	}
	if len(explainers) != int(fetch.Cancelled)+1 {
		t.Errorf("%d explainers", len(explainers))
	}
}

// lastFinding returns the finding of a step, skipping general ones.
func findingAt(d *Discovery, step Step) *Finding {
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Step == step && f.Code != "discovery.other_form" {
			return f
		}
	}
	return &Finding{}
}

func TestFailureAtThePublisher(t *testing.T) {
	t.Parallel()
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript().on(pubURL, tt.x)
			d := s.find(t, Options{})
			if d.Answer != tt.pub || d.Found != tt.found || d.Method != Direct || d.ResolvedURL != "" || d.Report != nil || d.Valid() {
				t.Errorf("%s, resolved %q", summary(d), d.ResolvedURL)
			}
			code := tt.code
			if tt.x.Outcome == fetch.Absent {
				code = "discovery.no_file"
			}
			f := findingAt(d, WellKnown)
			if f.Code != code || f.Severity != adagents.Error || f.URL != pubURL || f.Detail != tt.x.Detail {
				t.Errorf("finding %+v", f)
			}
			// The fallback has its own request; nothing else starts it.
			if asked := len(s.urls()); (asked > 1) != (tt.pub == Absent) {
				t.Errorf("asked for %v", s.urls())
			}
		})
	}
}

func TestFailureAtTheTargetOfAPointer(t *testing.T) {
	t.Parallel()
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript().serve(pubURL, pointerTo(networkURL)).on(networkURL, tt.x)
			d := s.find(t, Options{})
			if d.Answer != tt.target || !d.Found || d.Method != Direct || d.Report != nil || d.Pointer == nil || d.ResolvedURL != "" || d.Valid() {
				t.Errorf("%s", summary(d))
			}
			f := findingAt(d, Authoritative)
			if f.Code != tt.code || !strings.Contains(f.Message, tt.says) || !strings.Contains(f.Hint, tt.hint) {
				t.Errorf("finding %+v, want %q and %q", f, tt.says, tt.hint)
			}
			if len(s.urls()) != 2 {
				t.Errorf("asked for %v", s.urls())
			}
			for i, h := range d.Trail {
				if h.Meaning == "" || h.Next == "" {
					t.Errorf("hop %d says nothing: %+v", i, h)
				}
			}
		})
	}
}

func TestFailureOfAdsTxtOrManagerIsAbsence(t *testing.T) {
	t.Parallel()
	for _, tt := range failures {
		if tt.x.Outcome == fetch.NoTurn {
			continue // nobody was asked, see TestFallbackWithoutATurn
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newScript().on(pubAdsTxt, tt.x).find(t, Options{})
			f := findingAt(d, AdsTxt)
			if d.Answer != Absent || d.Found || f.Code != tt.ads || f.Severity == adagents.Error {
				t.Errorf("ads.txt: %s", summary(d))
			}
			s := newScript().adsTxt("MANAGERDOMAIN=manager.example").on(managerURL, tt.x)
			d = s.find(t, Options{})
			f = findingAt(d, Manager)
			if d.Answer != Absent || d.Found || d.Method != Direct || f.Code != tt.code || len(s.urls()) != 3 {
				t.Errorf("manager: %s after %v", summary(d), s.urls())
			}
			s = newScript().adsTxt("MANAGERDOMAIN=manager.example").serve(managerURL, pointerTo(networkURL)).on(networkURL, tt.x)
			d = s.find(t, Options{})
			f = findingAt(d, ManagerAuthoritative)
			if d.Answer != Absent || d.Found || d.Pointer != nil || f.Code != tt.code || len(s.urls()) != 4 {
				t.Errorf("manager's pointer: %s after %v", summary(d), s.urls())
			}
		})
	}
}

func TestFailureOfANamedFile(t *testing.T) {
	t.Parallel()
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript().on(networkURL, tt.x)
			d, err := New(Config{Client: s, Now: testClock}).URL(t.Context(), networkURL, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Answer != tt.pub || d.Found != tt.found || d.Domain != "" || d.URL != networkURL || len(s.urls()) != 1 {
				t.Errorf("%s after %v", summary(d), s.urls())
			}
			if f := findingAt(d, Authoritative); f.Code != tt.code {
				t.Errorf("finding %+v", f)
			}
		})
	}
}

// TestNothingTellsAGuardedAddressFromAClosedPort holds for everything that an
// untrusted caller sees.
func TestNothingTellsAGuardedAddressFromAClosedPort(t *testing.T) {
	t.Parallel()
	for _, url := range []string{pubURL, networkURL, pubAdsTxt, managerURL} {
		want := ""
		for _, x := range failures {
			if x.x.Outcome.Public() != fetch.PublicConnection {
				continue
			}
			s := newScript().adsTxt("MANAGERDOMAIN=manager.example")
			if url == networkURL {
				s.serve(pubURL, pointerTo(networkURL))
			}
			d := s.on(url, x.x).find(t, Options{})
			got := []string{d.Answer.String()}
			for i := range d.Findings {
				f := d.Findings[i].Public()
				got = append(got, f.Code, f.Message, f.Hint, f.Detail)
			}
			for _, h := range d.Trail {
				got = append(got, h.Meaning, h.Next)
			}
			text := strings.Join(got, "\n")
			if want == "" {
				want = text
			}
			if text != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", url, x.name, text, want)
			}
		}
	}
}

func TestPublicKeepsOtherFindings(t *testing.T) {
	t.Parallel()
	d := newScript().on(pubURL, fetch.Exchange{Outcome: fetch.ServerError, Status: 500, Detail: "at 93.184.216.34"}).find(t, Options{})
	f := d.Findings[0].Public()
	if f.Code != "fetch.server_error" || f.Message != d.Findings[0].Message || f.Detail != "" {
		t.Errorf("got %+v", f)
	}
}
