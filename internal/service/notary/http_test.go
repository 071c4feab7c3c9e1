package notary_test

import (
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/internal/translog"
)

// served is a log of 301 leaves behind HTTP, of which 300 are signed.
func served(t *testing.T) (*httptest.Server, *translog.Policy) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	keys, err := notary.NewKeys("registry.example/log")
	ok(t, err)
	now := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	first := keys.First()
	first.At = now
	ok(t, s.Log().Begin(t.Context(), "registry.example/log", first))
	for i := range 299 {
		ok(t, s.Custody().Commit(t.Context(), storetest.LoggedChange(i%7, now)))
	}
	n := notary.New(notary.Config{Store: s.Log(), Keys: keys, Now: func() time.Time { return now }})
	ok(t, n.Flush(t.Context()))
	ok(t, s.Custody().Commit(t.Context(), storetest.LoggedChange(3, now)))
	_, err = s.Log().Sequence(t.Context(), 10)
	ok(t, err)
	h := &notary.Handler{Prover: notary.Prover{Store: s.Log()}, URL: "https://registry.example/log", Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	policy, err := translog.ParsePolicy(get(t, server, "policy", http.StatusOK))
	ok(t, err)
	return server, policy
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *httptest.Server, path string, status int) []byte {
	t.Helper()
	r, err := http.Get(s.URL + notary.Prefix + path)
	ok(t, err)
	body, err := io.ReadAll(r.Body)
	ok(t, err)
	ok(t, r.Body.Close())
	if r.StatusCode != status {
		t.Errorf("%s: status %d, want %d: %s", path, r.StatusCode, status, body)
	}
	return body
}

// webTiles reads tiles as a stranger would.
type webTiles struct {
	t    *testing.T
	s    *httptest.Server
	size int64
}

func (w webTiles) Tile(level int, n int64) ([]byte, error) {
	tile := translog.Tile{Level: level, N: n}
	tile.Width = tile.WidthAt(w.size)
	return get(w.t, w.s, tile.Path(), http.StatusOK), nil
}

// TestStranger follows a log with nothing but its policy: the head, all leaves, and the tree.
func TestStranger(t *testing.T) {
	t.Parallel()
	s, policy := served(t)
	head, err := policy.Check(get(t, s, "checkpoint", http.StatusOK))
	ok(t, err)
	if head.Head.Size != 300 {
		t.Fatalf("%d leaves are signed", head.Head.Size)
	}
	audit := notary.NewAudit()
	for _, path := range []string{"tile/entries/000", "tile/entries/001.p/44"} {
		leaves, err := translog.Unbundle(get(t, s, path, http.StatusOK))
		ok(t, err)
		for _, l := range leaves {
			_, err := audit.Add(l)
			ok(t, err)
		}
	}
	root, err := audit.Root()
	ok(t, err)
	if root != head.Head.Root {
		t.Error("the leaves have another root")
	}
	hashes := notary.Hashes(webTiles{t, s, 300})
	for _, old := range []int64{1, 44, 255, 256, 257, 299} {
		p, err := tlog.ProveTree(300, old, hashes)
		ok(t, err)
		before, err := tlog.TreeHash(old, hashes)
		ok(t, err)
		ok(t, tlog.CheckTree(p, 300, head.Head.Root, old, before))
	}
}

func TestProofsOverHTTP(t *testing.T) {
	t.Parallel()
	s, policy := served(t)
	for _, path := range []string{"proof/0", "proof/255", "proof/256", "proof/299", "proof/number/2"} {
		_, err := translog.Verify(get(t, s, path, http.StatusOK), policy)
		ok(t, err)
	}
	if text := string(get(t, s, "leaf/0", http.StatusOK)); !strings.Contains(text, "kind log.begin\n") {
		t.Errorf("leaf 0 is %s", text)
	}
	text := string(get(t, s, "publisher/P1.example", http.StatusOK))
	if !strings.HasPrefix(text, `{"domain":"p1.example","pending":false,"publisher":[{"index":`) || !strings.HasSuffix(text, `"file":[]}`) {
		t.Errorf("got %s", text)
	}
	text = string(get(t, s, "publisher/p3.example", http.StatusOK))
	if !strings.HasPrefix(text, `{"domain":"p3.example","pending":true,"publisher":[{"index":`) || strings.Contains(text, `"index":300,`) {
		t.Errorf("with a leaf that is not signed: %s", text)
	}
	// What is not signed is not shown, and what does not exist is not there.
	for _, path := range []string{
		"proof/300", "leaf/300", "tile/entries/001.p/45", "tile/0/001.p/45", "tile/0/001", "tile/0/002", "tile/1/000.p/2", "tile/9/000.p/1",
		"proof/007", "proof/-1", "proof/x", "proof/number/99999", "leaf/", "publisher/nobody.example", "publisher/..", "publisher/p1.example/", "publisher/p1.example/foo", "publisher/p1.example:443", "history/p1.example/foo", "history/p1.example:443", "tile/0/../1", "x", "",
	} {
		get(t, s, path, http.StatusNotFound)
	}
	r, err := http.Post(s.URL+notary.Prefix+"checkpoint", "text/plain", nil)
	ok(t, err)
	ok(t, r.Body.Close())
	if r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a log can be written to: %s", r.Status)
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	s, _ := served(t)
	for path, want := range map[string]string{
		"checkpoint": "public, max-age=5", "tile/0/000": "public, max-age=31536000, immutable", "tile/entries/001.p/44": "public, max-age=31536000, immutable", "tile/0/077": "no-store",
	} {
		r, err := http.Get(s.URL + notary.Prefix + path)
		ok(t, err)
		ok(t, r.Body.Close())
		if got := r.Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestUnchanged: an answer that was not changed is not sent again, and one that was is, whatever
// the time of the last signature.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	s, _ := served(t)
	for path, changed := range map[string]bool{"checkpoint": false, "publisher/p3.example": false, "tile/0/000": true} {
		r, err := http.Get(s.URL + notary.Prefix + path)
		ok(t, err)
		ok(t, r.Body.Close())
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+notary.Prefix+path, nil)
		ok(t, err)
		request.Header.Set("If-None-Match", r.Header.Get("ETag"))
		request.Header.Set("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")
		if changed {
			request.Header.Set("If-None-Match", `"another"`)
		}
		r, err = http.DefaultClient.Do(request)
		ok(t, err)
		ok(t, r.Body.Close())
		if (r.StatusCode == http.StatusNotModified) == changed {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}

// TestGauges: what waits is what is not signed, whether or not it is a leaf.
func TestGauges(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	ok(t, err)
	h := &notary.Handler{Prover: notary.Prover{Store: s.Log()}}
	if !math.IsNaN(h.Waiting()) {
		t.Error("without a log something waits")
	}
	keys, err := notary.NewKeys("registry.example/log")
	ok(t, err)
	now := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	first := keys.First()
	first.At = now
	is := func(waiting float64, signed int64) {
		t.Helper()
		if h.Waiting() != waiting || h.SignedAt() != float64(signed) {
			t.Errorf("%v wait and it was signed at %v; want %v, %d", h.Waiting(), h.SignedAt(), waiting, signed)
		}
	}
	ok(t, s.Log().Begin(t.Context(), "registry.example/log", first))
	is(1, 0)
	ok(t, notary.New(notary.Config{Store: s.Log(), Keys: keys, Now: func() time.Time { return now }}).Flush(t.Context()))
	is(0, now.Unix())
	for i := range 3 {
		ok(t, s.Custody().Commit(t.Context(), storetest.LoggedChange(i, now)))
	}
	is(3, now.Unix())
	_, err = s.Log().Sequence(t.Context(), 2)
	ok(t, err)
	is(3, now.Unix())
	ok(t, s.Close())
	if !math.IsNaN(h.Waiting()) || !math.IsNaN(h.SignedAt()) {
		t.Error("a store that is closed has gauges")
	}
}

// TestHistory: everything about a publisher in one file.
func TestHistory(t *testing.T) {
	t.Parallel()
	s, policy := served(t)
	h, err := translog.ParseHistory(get(t, s, "history/p3.example", http.StatusOK))
	ok(t, err)
	v, earlier, err := h.Verify(policy)
	ok(t, err)
	if v.Leaf.Subject != translog.Publisher("p3.example") || len(earlier) != 42 || earlier[41].Previous != nil {
		t.Errorf("%+v and %d leaves before it", v.Leaf, len(earlier))
	}
	get(t, s, "history/nobody.example", http.StatusNotFound)
	get(t, s, "history/p3.example/file", http.StatusNotFound)
	get(t, s, "history/p3.example/other", http.StatusNotFound)
	get(t, s, "history/", http.StatusNotFound)
}
