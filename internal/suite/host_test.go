package suite

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
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
		proxy.User = url.User(id)
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

// read reads a response: its status, its type and its body.
func read(resp *http.Response, err error) (int, string, string, error) {
	if err != nil {
		return 0, "", "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(text), err
}
