package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
)

// transferred asks as a browser does, and returns the answer as it was sent and as it is read.
func transferred(t *testing.T, c Service, target, encodings string) (*received, []byte, []byte) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody)
	r.Header.Set("Accept-Encoding", encodings)
	a, body := call(t, c, r)
	sent := []byte(body)
	if got := a.Header.Get("Content-Length"); got != strconv.Itoa(len(sent)) {
		t.Errorf("%s: Content-Length %s of %d", target, got, len(sent))
	}
	if a.Header.Get("Content-Encoding") == "" {
		return a, sent, sent
	}
	z, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return a, sent, plain
}

func TestCompression(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/", "/assets/" + styleSheet().name, scriptPath("island")} {
		_, _, plain := transferred(t, new(checker), target, "identity")
		for encodings, want := range map[string]string{
			"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "deflate, gzip;q=1.0, *;q=0.5": "gzip",
			"": "", "br": "", "gzip;q=0": "", "gzip;q=x": "", "x-gzip": "",
		} {
			a, sent, read := transferred(t, new(checker), target, encodings)
			if a.Header.Get("Content-Encoding") != want || a.Header.Get("Vary") != "Accept-Encoding" || !bytes.Equal(read, plain) {
				t.Errorf("%s with %q: %v", target, encodings, a.Header)
			}
			if want != "" && len(sent) >= len(plain) {
				t.Errorf("%s: %d bytes of %d", target, len(sent), len(plain))
			}
		}
	}
}

// Sizes of what a browser loads, in bytes as transferred.
const (
	largestIsland     = 8_000
	largestFirstPaint = 60_000
)

// TestSizes: a page is on the screen soon, also on a slow connection.
func TestSizes(t *testing.T) {
	t.Parallel()
	_, island, _ := transferred(t, new(checker), scriptPath("island"), "gzip")
	t.Logf("island: %d bytes", len(island))
	if len(island) > largestIsland {
		t.Errorf("the island has %d bytes, more than %d", len(island), largestIsland)
	}
	doc := []byte(`{"authorized_agents": [` + strings.TrimSuffix(strings.Repeat("\n{\"url\": \"http://agent.example/\"},", 40), ",") + "\n]}")
	c := &checker{found: &discover.Discovery{Domain: "example.com", Answer: discover.Usable, Found: true, URL: "https://example.com/.well-known/adagents.json", Body: doc, Report: adagents.Check(doc, adagents.Options{Fixes: true})}}
	_, page, html := transferred(t, c, "/check/example.com", "gzip")
	total := len(page)
	loaded := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`).FindAllSubmatch(html, -1) {
		if name := string(m[1]); !loaded[name] {
			loaded[name] = true
			_, sent, _ := transferred(t, c, name, "gzip")
			total += len(sent)
		}
	}
	t.Logf("first paint of a report: %d bytes", total)
	if total > largestFirstPaint {
		t.Errorf("the first paint takes %d bytes, more than %d", total, largestFirstPaint)
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	a, body := get(t, new(checker), scriptPath("island"))
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%+v %s", a, body)
	}
	for _, target := range []string{"/assets/script/0123/island.js", scripts().path + "nothing.js", "/assets/script/x"} {
		a, _ := get(t, new(checker), target)
		if a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", target, a.StatusCode)
		}
	}
	_, page := get(t, new(checker), "/")
	if strings.Count(page, "<script") != 1 || !strings.Contains(page, `<script type="module" src="`+scriptPath("island")+`"></script>`) {
		t.Error(page)
	}
}
