package pinhttp

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/keypin"
)

const (
	agent = "https://agent.example/mcp"
	nonce = "KXYnfEfJ0PBRZXQyVXfVQA"
	body  = `{"status":"completed"}`
)

var now = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

func key() ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("one"))
	return ed25519.NewKeyFromSeed(seed[:])
}

// source is a publisher that pins the key, or none.
type source struct {
	doc *keypin.Document
	err error
}

func (s source) Pins(context.Context, string) (*keypin.Document, error)    { return s.doc, s.err }
func (s source) Refresh(context.Context, string) (*keypin.Document, error) { return s.doc, s.err }

func file(t testing.TB, pin bool) *keypin.Document {
	t.Helper()
	keys := ""
	if pin {
		keys = `, "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + base64.RawURLEncoding.EncodeToString(key()[32:]) + `"}]`
	}
	f, err := adagents.Parse([]byte(`{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
"authorized_agents": [{"url": "` + agent + `", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]` + keys + `}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return &keypin.Document{State: keypin.Usable, File: f, FetchedAt: now, KeysUntil: now.Add(time.Hour)}
}

func verifier(t testing.TB, pin bool) *keypin.Verifier {
	t.Helper()
	return keypin.New(keypin.Config{Source: source{doc: file(t, pin)}, Now: func() time.Time { return now }})
}

// sign adds a signature to a head.
func sign(t testing.TB, h http.Header, m *keypin.Message, p *keypin.Profile) {
	t.Helper()
	m.Fields = fieldsOf(h)
	added, err := keypin.Sign(m, keypin.Signing{Profile: p, KeyID: "k1", Key: key(), Created: now, Nonce: nonce})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range added {
		h.Set(f.Name, f.Value)
	}
}

// incoming is a signed request as a server gets it.
func incoming(t testing.TB, target string) *http.Request {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	full := target
	if strings.HasPrefix(target, "/") {
		full = "https://example.com" + target
	}
	sign(t, r.Header, &keypin.Message{Method: r.Method, Target: full, Body: []byte(body)}, nil)
	return r
}

func TestHandler(t *testing.T) {
	t.Parallel()
	usual := Options{Publisher: "pub.example", Agent: agent, Authority: []string{"other.example:8443", "Example.COM:443"}}
	broken := keypin.New(keypin.Config{Source: source{err: errors.New("lost")}, Now: func() time.Time { return now }})
	own, _ := keypin.NewKey("k1", "OKP", "Ed25519", base64.RawURLEncoding.EncodeToString(key()[32:]), "")
	with := func(f func(*Options)) Options {
		o := usual
		f(&o)
		return o
	}
	old := keypin.Requests31(keypin.DigestEither)
	unbound := func(r *http.Request) {
		r.Header = http.Header{"Content-Type": {"application/json"}}
		sign(t, r.Header, &keypin.Message{Method: r.Method, Target: "https://example.com" + r.RequestURI, Body: []byte(body)}, old)
	}
	tests := []struct {
		name    string
		v       *keypin.Verifier
		o       Options
		change  func(*http.Request)
		target  string
		status  int
		verdict string
	}{
		{name: "signed", target: "/hooks?a=%20", status: 200, verdict: "accepted"},
		{name: "an absolute target", target: "https://example.com/hooks", status: 200, verdict: "accepted"},
		{name: "identified", o: with(func(o *Options) {
			o.Publisher, o.Agent = "", ""
			o.Identify = func(r *http.Request) (string, string, bool) { return "pub.example", agent, r.URL.Path == "/hooks" }
		}), status: 200, verdict: "accepted"},
		{name: "not identified", o: with(func(o *Options) {
			o.Identify = func(*http.Request) (string, string, bool) { return "", "", false }
		}), status: 401},
		{name: "unsigned", change: func(r *http.Request) { r.Header.Del("Signature"); r.Header.Del("Signature-Input") }, status: 401, verdict: "rejected"},
		{name: "another host", change: func(r *http.Request) { r.Host = "evil.example" }, status: 401, verdict: "rejected"},
		{name: "no host", change: func(r *http.Request) { r.Host = "" }, status: 401, verdict: "rejected"},
		{name: "signed for another receiver", target: "https://evil.example/hooks", status: 401, verdict: "rejected"},
		{name: "signed for another port", target: "https://example.com:8443/hooks", status: 401, verdict: "rejected"},
		{name: "signed for another scheme", target: "http://example.com/hooks", status: 401},
		{name: "signed for the other host", target: "https://other.example:8443/hooks", status: 200, verdict: "accepted"},
		{name: "another scheme", o: with(func(o *Options) { o.Scheme = "http" }), status: 401, verdict: "rejected"},
		{name: "another body", change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("{}")) }, status: 401, verdict: "rejected"},
		{name: "a large body", o: with(func(o *Options) { o.MaxBody = int64(len(body)) - 1 }), status: 413},
		{name: "as large as may be", o: with(func(o *Options) { o.MaxBody = int64(len(body)) }), status: 200, verdict: "accepted"},
		{name: "a broken body", change: func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(errors.New("gone"))) }, status: 413},
		{name: "unpinned", v: verifier(t, false), status: 401, verdict: "unpinned"},
		{name: "unpinned and allowed", v: verifier(t, false), o: with(func(o *Options) { o.UnsafeUnpinned = []*keypin.Key{own} }), status: 200, verdict: "verified_unpinned"},
		{name: "a body that is not bound", o: with(func(o *Options) { o.Profile = old }), change: unbound, status: 401, verdict: "accepted"},
		{name: "a body that is not bound and allowed", o: with(func(o *Options) { o.Profile, o.UnsafeUnboundBody = old, true }), change: unbound, status: 200, verdict: "accepted"},
		{name: "a source out of order", v: broken, status: 503},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o, v := tc.o, tc.v
			if o.Authority == nil {
				o = usual
			}
			if v == nil {
				v = verifier(t, true)
			}
			if tc.target == "" {
				tc.target = "/hooks"
			}
			r := incoming(t, tc.target)
			if tc.change != nil {
				tc.change(r)
			}
			verdict := ""
			reports := 0
			o.Report = func(_ *http.Request, result *keypin.Result, err error) {
				reports++
				if (result == nil) == (err == nil) {
					t.Errorf("%+v and %v", result, err)
				}
				if result != nil {
					verdict = result.Verdict.String()
				}
			}
			w := httptest.NewRecorder()
			Handler(v, o, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				b, err := io.ReadAll(r.Body)
				if err != nil || string(b) != body || From(r.Context()) == nil {
					t.Errorf("passed on %q %v", b, err)
				}
			})).ServeHTTP(w, r)
			if w.Code != tc.status || verdict != tc.verdict || reports != 1 {
				t.Errorf("%d %q, %d reports, want %d %q", w.Code, verdict, reports, tc.status, tc.verdict)
			}
			if w.Code == http.StatusUnauthorized && (w.Body.String() != `{"error":"signature_rejected"}`+"\n" || w.Header().Get("WWW-Authenticate") == "") {
				t.Errorf("%q %v", w.Body, w.Header())
			}
		})
	}
	if From(t.Context()) != nil {
		t.Error("a result from nowhere")
	}
}

// answer is a signed response to a request.
func answer(t testing.TB, p *keypin.Profile) *http.Response {
	t.Helper()
	req := httptest.NewRequest(http.MethodPost, "https://agent.example/mcp", nil)
	req.RequestURI = ""
	resp := &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: req,
	}
	m := &keypin.Message{Status: 200, Body: []byte(body), Request: &keypin.Message{Method: "POST", Target: "https://agent.example/mcp"}}
	sign(t, resp.Header, m, p)
	return resp
}

func TestCheck(t *testing.T) {
	t.Parallel()
	o := Options{Publisher: "pub.example", Agent: agent}
	resp := answer(t, keypin.Responses())
	r, err := Check(resp, verifier(t, true), o)
	if err != nil || !r.OK() {
		t.Fatalf("%+v %v", r, err)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil || string(b) != body {
		t.Errorf("%q %v", b, err)
	}
	resp = answer(t, keypin.Responses())
	resp.Request.Method = ""
	resp.Request.URL = &url.URL{Scheme: "https", Host: "agent.example", Path: "/other"}
	r, err = Check(resp, verifier(t, true), o)
	if err != nil || r.Code != "signature.invalid" {
		t.Errorf("%+v %v", r, err)
	}
	resp = answer(t, keypin.UnsafeUnboundResponses())
	resp.Request = nil
	o.Profile = keypin.UnsafeUnboundResponses()
	r, err = Check(resp, verifier(t, true), o)
	if err != nil || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
	for name, change := range map[string]func(*http.Response, *Options){
		"decompressed": func(r *http.Response, _ *Options) { r.Uncompressed = true },
		"too large":    func(_ *http.Response, o *Options) { o.MaxBody = 1 },
		"not identified": func(_ *http.Response, o *Options) {
			o.Identify = func(*http.Request) (string, string, bool) { return "", "", false }
		},
		"no publisher": func(_ *http.Response, o *Options) { o.Publisher = "" },
	} {
		resp := answer(t, keypin.Responses())
		o := Options{Publisher: "pub.example", Agent: agent}
		change(resp, &o)
		r, err := Check(resp, verifier(t, true), o)
		_ = resp.Body.Close()
		if err == nil || r != nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	resp = answer(t, keypin.Responses())
	resp.Body = nil
	r, err = Check(resp, verifier(t, true), Options{Publisher: "pub.example", Agent: agent})
	if err != nil || r.Code != "signature.digest_mismatch" {
		t.Errorf("%+v %v", r, err)
	}
}

// TestHandlerNeedsHosts: a handler that cannot tell whether a message is meant for it does
// not come to be.
func TestHandlerNeedsHosts(t *testing.T) {
	t.Parallel()
	for _, hosts := range [][]string{nil, {}, {""}, {"example.com", "https://example.com"}, {"me@example.com"}, {"*.example.com"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q will do", hosts)
				}
			}()
			Handler(verifier(t, true), Options{Publisher: "pub.example", Agent: agent, Authority: hosts}, http.NotFoundHandler())
		}()
	}
}

// TestServer sends signed requests through a real connection: one, the same again, and
// what another receiver got and passes on in each form of the target.
func TestServer(t *testing.T) {
	t.Parallel()
	var reported string
	o := Options{Publisher: "pub.example", Agent: agent, Scheme: "http", Report: func(_ *http.Request, r *keypin.Result, _ error) { reported = r.Code }}
	s := httptest.NewUnstartedServer(nil)
	host := s.Listener.Addr().String()
	o.Authority = []string{host}
	s.Config.Handler = Handler(verifier(t, true), o, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, From(r.Context()).KeyID)
	}))
	s.Start()
	defer s.Close()
	for _, tc := range []struct {
		first, host, signed string
		status              int
		code                string
	}{
		{"/hooks?x=1", host, "http://" + host + "/hooks?x=1", 200, "signature.accepted"},
		{"/hooks?x=1", host, "http://" + host + "/hooks?x=1", 401, "signature.replayed"},
		{"/hooks", "buyer.example", "http://buyer.example/hooks", 401, "signature.receiver_mismatch"},
		{"http://buyer.example/hooks", host, "http://buyer.example/hooks", 401, "signature.receiver_mismatch"},
		{"http://buyer.example/hooks", "buyer.example", "http://buyer.example/hooks", 401, "signature.receiver_mismatch"},
	} {
		h := http.Header{"Content-Type": {"application/json"}}
		sign(t, h, &keypin.Message{Method: "POST", Target: tc.signed, Body: []byte(body)}, nil)
		if got := send(t, s.Listener.Addr().String(), tc.first, tc.host, h); got != tc.status || reported != tc.code {
			t.Errorf("%s at %s: %d %s, want %d %s", tc.first, tc.host, got, reported, tc.status, tc.code)
		}
	}
}

// send writes a request to a connection as it is, and returns the status of the answer.
func send(t *testing.T, address, target, host string, h http.Header) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var head strings.Builder
	err = h.Write(&head)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n%s\r\n%s", target, host, len(body), head.String(), body)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}
