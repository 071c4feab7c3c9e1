package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/buildinfo"
)

const evidenceWeb = `
-- dns --
pub.example 93.184.216.34 2606:2800:220:1::34
-- https://pub.example/f --
200 gzip
Content-Type: Application/JSON; charset=UTF-8
ETag: "v1"
Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT
Date: Sun, 02 Jan 2000 00:00:00 GMT
Age: 5
Expires: 0
Cache-Control: max-age=60
Cache-Control: public
Set-Cookie: a=b

{"a": "` + "0123456789012345678901234567890123456789" + `"}
-- https://h2.example/f --
200 h2
Content-Type: application/json

{}
-- https://same.example/f --
200 conditional
Content-Type: application/json
ETag: "v1"
Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT

{}
`

func TestEvidence(t *testing.T) {
	t.Parallel()
	before := time.Now()
	r := clientOf(start(t, evidenceWeb)).Get(t.Context(), Request{URL: "https://pub.example/f#x"})
	is(t, r, Found)
	got := *r.Last()
	if got.At.Before(before) || got.WireBytes == 0 || len(got.TLSLeaf) != 64 || got.Timings.Total == 0 || got.Timings.TLS == 0 || got.Timings.Connect == 0 || got.Timings.FirstByte == 0 {
		t.Errorf("%+v", got)
	}
	sum := sha256.Sum256(r.Body)
	want := Exchange{
		URL: "https://pub.example/f", Method: "GET", Attempt: 1,
		Resolved: []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("2606:2800:220:1::34")},
		Dialled:  netip.MustParseAddrPort("93.184.216.34:443"),
		Protocol: "HTTP/1.1", Status: 200, MediaType: "application/json", Charset: "utf-8",
		ContentType: "Application/JSON; charset=UTF-8", Encoding: "gzip", Bytes: 50, SHA256: hex.EncodeToString(sum[:]),
		ETag: `"v1"`, LastModified: "Sat, 01 Jan 2000 00:00:00 GMT", Date: "Sun, 02 Jan 2000 00:00:00 GMT", Age: "5", Expires: "0",
		CacheControl: []string{"max-age=60", "public"}, Outcome: Found,
	}
	want.At, want.WireBytes, want.TLSLeaf, want.Timings = got.At, got.WireBytes, got.TLSLeaf, got.Timings
	diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b }), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b }))
	if diff != "" {
		t.Error(diff)
	}
}

func TestHeadersSent(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"pub", "h2"} {
		web := start(t, evidenceWeb)
		client := clientOf(web, func(c *Config, _ *limits) { c.Contact = "mailto:ops@example.com" })
		url := "https://" + host + ".example/f"
		// Twice, to see that a cookie does not come back.
		client.Get(t.Context(), Request{URL: url})
		client.Get(t.Context(), Request{URL: url, IfNoneMatch: `"v0"`, IfModifiedSince: "Sat, 01 Jan 2000 00:00:00 GMT", NoCache: true})
		client.Get(t.Context(), Request{URL: url, Post: []byte(`{"x":1}`), MediaTypes: []string{"application/json", "text/event-stream"}})
		plain := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {client.UserAgent()}}
		conditional := plain.Clone()
		conditional.Set("If-None-Match", `"v0"`)
		conditional.Set("If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
		conditional.Set("Cache-Control", "no-cache")
		post := plain.Clone()
		post.Set("Accept", "application/json, text/event-stream")
		post.Set("Content-Type", "application/json")
		post.Set("Content-Length", "7")
		for i, want := range []http.Header{plain, conditional, post} {
			got := web.Requests()[i]
			got.Header.Del("Connection")
			if diff := cmp.Diff(want, got.Header); diff != "" {
				t.Errorf("%s, request %d: %s", host, i, diff)
			}
			if got.URL != url || got.Host != host+".example" || got.ServerName != got.Host {
				t.Errorf("%+v", got)
			}
		}
		if last := web.Requests()[2]; last.Method != http.MethodPost || string(last.Body) != `{"x":1}` {
			t.Errorf("%s %q", last.Method, last.Body)
		}
	}
}

func TestConditional(t *testing.T) {
	t.Parallel()
	client := clientOf(start(t, evidenceWeb))
	url := "https://same.example/f"
	is(t, client.Get(t.Context(), Request{URL: url, IfNoneMatch: `"v1"`}), NotModified)
	is(t, client.Get(t.Context(), Request{URL: url, IfNoneMatch: `"v2"`}), Found)
	r := client.Get(t.Context(), Request{URL: url, IfModifiedSince: "Sat, 01 Jan 2000 00:00:00 GMT"})
	is(t, r, NotModified)
	if r.Body != nil || r.PublicError() != "" || r.Last().ETag != `"v1"` {
		t.Errorf("%q %q %q", r.Body, r.PublicError(), r.Last().ETag)
	}
	// Conditions that would end the header are not sent.
	is(t, client.Get(t.Context(), Request{URL: url, IfNoneMatch: "\"v1\"\r\nX: y", IfModifiedSince: "x\x00"}), Found)
}

func TestObserve(t *testing.T) {
	t.Parallel()
	web := start(t, `
-- https://pub.example/f --
503 times=1

-- https://pub.example/f --
301
Location: /g

-- https://pub.example/g --
200
Content-Type: application/json

{}
`)
	var mu sync.Mutex
	var seen []string
	client := clientOf(web, func(c *Config, _ *limits) {
		c.Observe = func(e *Exchange) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, e.URL+" "+e.Outcome.String())
		}
	})
	is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f", Redirects: SameSite}), Found)
	is(t, client.Get(t.Context(), Request{URL: "https://10.0.0.1/"}), GuardedAddress)
	want := []string{"https://pub.example/f server_error", "https://pub.example/f redirected", "https://pub.example/g found", "https://10.0.0.1/ guarded_address"}
	if !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}

func TestUserAgent(t *testing.T) {
	t.Parallel()
	for contact, want := range map[string]string{
		"": buildinfo.Home(), "https://ops.example/bot": "https://ops.example/bot", "ops@example.com": "ops@example.com",
		"a\r\nX: y": buildinfo.Home(), "a)b": buildinfo.Home(), "é": buildinfo.Home(),
	} {
		got := New(Config{Contact: contact}).UserAgent()
		if !strings.HasPrefix(got, "avow/") || !strings.HasSuffix(got, " (+"+want+")") || strings.ContainsAny(got, "\r\n") {
			t.Errorf("%q: %q", contact, got)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	e := Exchange{
		URL: "https://pub.example/f", Method: "GET", Attempt: 2, Status: 301, Location: "https://o\u202e.example/", Bytes: 7,
		Dialled: netip.MustParseAddrPort("93.184.216.34:443"), Timings: Timings{Total: 1500 * time.Millisecond},
		Outcome: RedirectRefused, Reason: CrossSite, Detail: "x\x1b[0m",
	}
	want := `GET https://pub.example/f: redirect_refused (cross_registrable_domain), status 301, location "https://o\u202e.example/", 7 bytes, from 93.184.216.34:443, 1.5s, attempt 2: "x\x1b[0m"`
	if got := e.Explain(); got != want {
		t.Errorf("%s", got)
	}
	if got := (&Exchange{URL: "https://a.example/", Method: "GET", Outcome: BadURL}).Explain(); got != "GET https://a.example/: bad_url, 0s" {
		t.Errorf("%s", got)
	}
}

func TestPublicError(t *testing.T) {
	t.Parallel()
	for outcome := range Outcome(len(outcomeNames)) {
		r := resultOf(Exchange{URL: "https://pub.example/secret?token", Outcome: outcome, Status: 503, Detail: "10.0.0.1: connection refused"})
		text := r.PublicError()
		if (text == "") != (outcome.Public() == PublicOK) {
			t.Errorf("%s: %q", outcome, text)
		}
		if strings.Contains(text, "10.0.0.1") || strings.Contains(text, "secret") || strings.Contains(text, "token") {
			t.Errorf("%s tells too much: %q", outcome, text)
		}
		if outcome.Public() == PublicStatus && !strings.Contains(text, "503") {
			t.Errorf("%s: %q", outcome, text)
		}
		name, err := outcome.MarshalText()
		if err != nil || string(name) != outcome.String() || len(name) == 0 {
			t.Errorf("outcome %d has the name %q", outcome, name)
		}
	}
	if got := resultOf(Exchange{URL: "https://pub.example", Outcome: Timeout, Status: 200}).PublicError(); got != "the answer of pub.example did not come in time" {
		t.Error(got)
	}
}
