package fakeweb

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// start starts an archive for the length of a test.
func start(t *testing.T, archive string) *Web {
	t.Helper()
	w, err := Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// dialHost resolves a name and dials the first address, as a careless client does.
func dialHost(ctx context.Context, w *Web, address string) (net.Conn, error) {
	n := w.Network()
	host, port := splitHost(address)
	addrs, err := n.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	return n.Dial(ctx, netip.AddrPortFrom(addrs[0], port))
}

// client is an ordinary HTTP client in the web.
func client(t *testing.T, w *Web) *http.Client {
	t.Helper()
	tr := &http.Transport{
		DialContext:        func(ctx context.Context, _, address string) (net.Conn, error) { return dialHost(ctx, w, address) },
		TLSClientConfig:    &tls.Config{RootCAs: w.Network().Roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
		DisableKeepAlives:  true,
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: time.Hour}
}

// seen is what a client got.
type seen struct {
	status int
	proto  string
	header http.Header
	body   string
	length int64
	err    error // of the request or of the body
}

func get(t *testing.T, c *http.Client, url string) seen {
	t.Helper()
	return do(t, c, http.MethodGet, url, nil, nil)
}

func do(t *testing.T, c *http.Client, method, url string, header http.Header, body io.Reader) seen {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	resp, err := c.Do(r)
	if err != nil {
		return seen{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return seen{resp.StatusCode, resp.Proto, resp.Header, string(text), resp.ContentLength, err}
}

func TestPlainAnswers(t *testing.T) {
	t.Parallel()
	w := start(t, `A comment.
-- dns --
pub.example   93.184.216.34
alias.example CNAME pub.example # an alias
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"a": 1}
-- https://pub.example/query?x=1 --
201

one
-- https://pub.example/query --
202

any
-- https://alias.example:8443 --
204
-- https://moved.example/a --
301
Location: https://pub.example/b
-- POST https://moved.example/rpc --
200

posted
-- want --
anything
`)
	c := client(t, w)
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, tt := range []struct {
		method, url string
		status      int
		body        string
	}{
		{"GET", "https://pub.example/.well-known/adagents.json", 200, "{\"a\": 1}\n"},
		{"GET", "https://pub.example/.well-known/adagents.json?q", 200, "{\"a\": 1}\n"},
		{"HEAD", "https://pub.example/.well-known/adagents.json", 200, ""},
		{"GET", "https://pub.example/query?x=1", 201, "one\n"},
		{"GET", "https://pub.example/query?x=2", 202, "any\n"},
		{"GET", "https://alias.example:8443/", 204, ""},
		{"GET", "https://moved.example/a", 301, ""},
		{"POST", "https://moved.example/rpc", 200, "posted\n"},
		{"GET", "https://moved.example/rpc", 405, "<!doctype html><title>405 Method Not Allowed</title>\n"},
		{"GET", "https://moved.example/other", 404, "<!doctype html><title>404 Not Found</title>\n"},
	} {
		got := do(t, c, tt.method, tt.url, nil, nil)
		if got.err != nil || got.status != tt.status || got.body != tt.body {
			t.Errorf("%s %s = %d %q %v, want %d %q", tt.method, tt.url, got.status, got.body, got.err, tt.status, tt.body)
		}
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	w := start(t, `
-- dns --
a.example 93.184.216.34 2606:2800:220:1::1
-- https://a.example/x --
200

-- https://b.example:8443/y --
200
`)
	c := client(t, w)
	do(t, c, http.MethodPost, "https://a.example/x?q=1", http.Header{"X-Mine": {"yes"}}, strings.NewReader("hello"))
	get(t, c, "https://b.example:8443/y")
	get(t, c, "https://nowhere.example/")
	got := w.Requests()
	if len(got) != 2 || got[0].Header.Get("X-Mine") != "yes" {
		t.Fatalf("requests: %+v", got)
	}
	for i := range got {
		got[i].Header = nil
	}
	own := w.Spec().Addrs("b.example")[0]
	want := []Request{
		{Host: "a.example", Method: "POST", URL: "https://a.example/x?q=1", Body: []byte("hello"), Addr: netip.MustParseAddrPort("93.184.216.34:443"), ServerName: "a.example", Proto: "HTTP/1.1"},
		{Host: "b.example", Method: "GET", URL: "https://b.example:8443/y", Body: []byte{}, Addr: netip.AddrPortFrom(own, 8443), ServerName: "b.example", Proto: "HTTP/1.1"},
	}
	compare := cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })
	if diff := cmp.Diff(want, got, compare); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]netip.AddrPort{want[0].Addr, want[1].Addr}, w.Dials(), compare); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.example", "b.example", "nowhere.example"}, w.Lookups()); diff != "" {
		t.Error(diff)
	}
}

func TestDialErrors(t *testing.T) {
	t.Parallel()
	w := start(t, `
-- dns --
unserved.example 93.184.216.99
-- tls --
refused.example refused
filtered.example filtered
-- https://refused.example/ --
200
-- https://a.example/ --
200
`)
	for _, at := range []netip.AddrPort{
		netip.MustParseAddrPort("93.184.216.99:443"),
		netip.MustParseAddrPort("127.0.0.1:443"),
		netip.AddrPortFrom(w.Spec().Addrs("a.example")[0], 80),
		netip.AddrPortFrom(w.Spec().Addrs("refused.example")[0], 443),
	} {
		_, err := w.Dial(t.Context(), at)
		if !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%v: %v", at, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := w.Dial(ctx, netip.AddrPortFrom(w.Spec().Addrs("filtered.example")[0], 443))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("filtered: %v", err)
	}
	if len(w.Dials()) != 5 {
		t.Errorf("dials: %v", w.Dials())
	}
}
