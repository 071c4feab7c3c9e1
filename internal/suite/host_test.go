package suite

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestHost reads the page of a case, by the proxy and without it.
func TestHost(t *testing.T) {
	t.Parallel()
	h, err := NewHost(load(t))
	if err != nil {
		t.Fatal(err)
	}
	if h.Len() < 100 {
		t.Errorf("only %d cases have pages", h.Len())
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(h.Authority())
	through := func(id, page string) (int, string, string, error) {
		proxy, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		if id != "" {
			proxy.User = url.User(id)
		}
		transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: roots}}
		t.Cleanup(transport.CloseIdleConnections)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		return read(transport.RoundTrip(req)) //nolint:bodyclose // read does
	}
	const page = "https://pub.example/.well-known/adagents.json"
	status, kind, text, err := through("discovery/pointer_to_www", page)
	if err != nil || status != http.StatusOK || kind != "application/json" || !strings.Contains(text, "authoritative_location") {
		t.Errorf("got %d %q %s: %v", status, kind, text, err)
	}
	status, _, _, err = through("discovery/pointer_to_www", "https://pub.example/other")
	if err != nil || status != http.StatusNotFound {
		t.Errorf("another path: %d", status)
	}
	for _, bad := range [][2]string{{"discovery/none", page}, {"discovery/pointer_to_www", "https://stranger.example/"}} {
		status, _, _, err := through(bad[0], bad[1])
		if err == nil {
			t.Errorf("%s: got %d", bad, status)
		}
	}
	site, ok := SiteOf(pick(t, "authorize/scope_pointer_unnamed"))
	if !ok {
		t.Fatal("the case has no site")
	}
	for i := range site.Case.Files {
		status, _, text, err := through("", site.Case.Files[i].Name)
		if err != nil || status != http.StatusOK || text != site.Case.Files[i].Text {
			t.Errorf("%s: %d %v", site.Case.Files[i].Name, status, err)
		}
	}
	status, _, _, err = through("", "https://other"+site.tag+"/ads.txt")
	if err != nil || status != http.StatusNotFound {
		t.Errorf("a publisher without a file: %d %v", status, err)
	}
	status, _, _, err = through("", "https://other-00000000.example/ads.txt")
	if err == nil {
		t.Errorf("the site of no case: %d", status)
	}
	get := func(path string) (int, string, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		status, kind, text, err := read(http.DefaultClient.Do(req)) //nolint:bodyclose // read does
		if err != nil {
			t.Fatal(err)
		}
		return status, kind, text
	}
	if status, _, direct := get("/discovery/pointer_to_www/pub.example/.well-known/adagents.json"); status != http.StatusOK || direct != text {
		t.Errorf("without the proxy: %d %s", status, direct)
	}
	if status, _, text := get("/"); status != http.StatusOK || !strings.Contains(text, `<a href="/discovery/pointer_to_www/pub.example/.well-known/adagents.json">`) {
		t.Errorf("the list: %d %s", status, text)
	}
	if status, _, _ := get("/discovery/none/pub.example/"); status != http.StatusNotFound {
		t.Errorf("no such case: %d", status)
	}
}

func pick(t *testing.T, id string) *Case {
	t.Helper()
	found, unknown := Select(load(t), []string{id})
	if unknown != "" {
		t.Fatalf("there is no case %s", unknown)
	}
	return found[0]
}

// TestSites: each site has names of its own, for its pages, its texts and its question, and the names
// of the case in answers.
func TestSites(t *testing.T) {
	t.Parallel()
	s, ok := SiteOf(pick(t, "authorize/scope_pointer_unnamed"))
	if !ok {
		t.Fatal("the case has no site")
	}
	if got, want := s.Case.Question["publisher"], "pub"+s.tag; got != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if !slices.ContainsFunc(s.Case.Files, func(f File) bool { return strings.Contains(f.Text, "authoritative_location") }) {
		t.Error("nothing points to the file")
	}
	for i := range s.Case.Files {
		f := &s.Case.Files[i]
		if plain := s.Plain([]byte(f.Text)); !strings.Contains(f.Text, s.tag) || strings.Contains(string(plain), s.tag) {
			t.Errorf("%s: %s", f.Name, plain)
		}
	}
	for _, id := range []string{"check/agent.url_missing", "discovery/host_public_suffix", "authorize/revoked_held", "supply_path/website-needs-ads"} {
		_, ok := SiteOf(pick(t, id))
		if ok {
			t.Errorf("%s has a site", id)
		}
	}
}

// read reads a response: its status, its type and its body.
func read(resp *http.Response, err error) (int, string, string, error) {
	if err != nil {
		return 0, "", "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(text), err
}
