package cli

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// here starts a server on this machine.
func here(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

const localFile = `{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "one.example",
"identifiers": [{"type": "domain", "value": "one.example"}]}], "authorized_agents": [{"url": "https://agent.example/mcp",
"authorized_for": "all", "authorization_type": "property_ids", "property_ids": ["site"]}]}`

func TestLocalServer(t *testing.T) {
	t.Parallel()
	url := here(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), "avow/") || r.Method != http.MethodGet {
			t.Errorf("%s from %q", r.Method, r.UserAgent())
		}
		switch r.URL.Path {
		case "/good":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "max-age=600")
			fmt.Fprint(w, localFile)
		case "/text":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, localFile)
		case "/latin":
			w.Header().Set("Content-Type", "application/json; charset=iso-8859-1")
			fmt.Fprint(w, localFile)
		case "/fail":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			http.NotFound(w, r)
		}
	})
	port := url[strings.LastIndexByte(url, ':'):]
	tests := []struct {
		args []string
		code int
		want []string
	}{
		{[]string{url + "/good"}, 0, []string{"/good  file  200  ", "served as application/json, to be cached for 10m0s", "inline  1 agent, 1 property usable"}},
		{[]string{"http://localhost" + port + "/good"}, 0, []string{"valid"}},
		{[]string{"HTTP://LocalHost" + port + "/good#x"}, 0, []string{"valid"}},
		{[]string{url + "/good", "--format", "json"}, 0, []string{`"cache_control":["max-age=600"]`, `"content_type":"application/json"`, `"valid":true`}},
		{[]string{url + "/good", "--as", "two.example"}, 0, []string{"[property.foreign_domain]"}},
		{[]string{url + "/text"}, 1, []string{"[fetch.content_type]", "served as text/plain"}},
		{[]string{url + "/latin"}, 0, []string{"[fetch.charset]"}},
		{[]string{url + "/fail"}, 3, []string{"[fetch.server_error]"}},
		{[]string{url + "/none"}, 3, []string{"[fetch.not_found]"}},
	}
	for _, tc := range tests {
		got := run(t, nil, append([]string{"validate", "--local"}, tc.args...)...)
		for _, want := range tc.want {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%v: no %q in\n%s%s", tc.args, want, got.stdout, got.stderr)
			}
		}
		if got.code != tc.code {
			t.Errorf("%v: exit code %d, want %d\n%s%s", tc.args, got.code, tc.code, got.stdout, got.stderr)
		}
	}
}

// TestLocalAsksOneURL has a server do what it can to have another one asked.
func TestLocalAsksOneURL(t *testing.T) {
	t.Parallel()
	var victim, asked atomic.Int32
	other := here(t, func(http.ResponseWriter, *http.Request) { victim.Add(1) })
	url := here(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Refresh", "0; url="+other)
		w.Header().Set("Link", "<"+other+">; rel=preload")
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, other+"/a", http.StatusFound)
		case "/itself":
			http.Redirect(w, r, "/good", http.StatusMovedPermanently)
		case "/pointer":
			fmt.Fprintf(w, `{"authoritative_location": "https://one.example/file.json", "last_updated": "2026-01-01T00:00:00Z"}`)
		case "/here":
			fmt.Fprintf(w, `{"authoritative_location": %q, "last_updated": "2026-01-01T00:00:00Z"}`, other)
		case "/successor":
			fmt.Fprint(w, strings.Replace(localFile, "{", `{"superseded_by": "https://one.example/file.json", `, 1))
		default:
			fmt.Fprint(w, localFile)
		}
	})
	web, change := inWeb(t, served("one.example", "", emptyFile))
	for path, want := range map[string]string{
		"/redirect": "fetch.redirect_unasked", "/itself": "fetch.redirect_unasked", "/pointer": "pointer to https://one.example/file.json",
		"/here": "unusable", "/successor": "superseded", "/good": "valid",
	} {
		before := asked.Load()
		got := run(t, change, "validate", "--local", url+path, "--verbose")
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s: no %q in\n%s%s", path, want, got.stdout, got.stderr)
		}
		if n := asked.Load() - before; n != 1 {
			t.Errorf("%s: %d requests", path, n)
		}
	}
	if n := victim.Load(); n > 0 {
		t.Errorf("the other server was asked %d times", n)
	}
	if names := web.Lookups(); len(names) > 0 {
		t.Errorf("names were looked up: %v", names)
	}
}

// TestLocalIsThisMachine tries hosts that are not, or may not be, this machine. One that
// resolves to a loopback address is refused like any other: no name is looked up.
func TestLocalIsThisMachine(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	url := here(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	port := url[strings.LastIndexByte(url, ':'):]
	web, change := inWeb(t, served("one.example", "", emptyFile)+"-- dns --\nloop.example 127.0.0.1\n")
	for _, host := range []string{
		"loop.example", "one.example", "localhost.one.example", "app.localhost", "localhost.", "127.1", "127.0.0.2", "2130706433", "0x7f.0.0.1", "0177.0.0.1",
		"[::ffff:127.0.0.1]", "[::]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1%25lo]", "one.example@localhost", "localhost@one.example", "ⓛocalhost", "",
	} {
		got := run(t, change, "validate", "--local", "http://"+host+port+"/x")
		if got.code != 2 || !strings.Contains(got.stderr, "--local") {
			t.Errorf("%s: %d\n%s%s", host, got.code, got.stdout, got.stderr)
		}
	}
	for _, args := range [][]string{
		{"--local", "https://localhost/x"}, {"--local", "ftp://localhost/x"}, {"--local", "localhost:3000"}, {"--local", "http://localhost:22/"}, {"--local", "http://localhost:99999/"},
		{"--local", url, "one.example"}, {"--local", url, "--from", "x"}, {"--local", url, "--agents"},
	} {
		got := run(t, change, append([]string{"validate"}, args...)...)
		if got.code != 2 {
			t.Errorf("%v: %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	// Without the flag the guard is as it was.
	got := run(t, nil, "validate", url+"/x")
	if got.code != 3 || !strings.Contains(got.stderr, "not reachable from outside") {
		t.Errorf("without --local: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if asked.Load() > 0 || len(web.Lookups()) > 0 {
		t.Errorf("%d requests, names looked up: %v", asked.Load(), web.Lookups())
	}
}

// TestLocalWithoutServer names a port that nobody listens on, and nobody else can meanwhile: a
// connection has it at its near end.
func TestLocalWithoutServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was sent
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // nothing was sent
	url := "http://" + conn.LocalAddr().String() + "/"
	got := run(t, nil, "validate", "--local", url)
	if got.code != 3 || !strings.Contains(got.stdout, "no server answers at "+url) {
		t.Errorf("%d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
