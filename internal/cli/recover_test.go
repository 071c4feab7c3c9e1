package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/test/storetest"
)

// TestLogRecoverFromURL: an old copy of a store is put back, and the missing leaves come from a web
// server that has the exported log. Whatever else answers there changes nothing.
func TestLogRecoverFromURL(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, mirror := filepath.Join(dir, "reg.db"), filepath.Join(dir, "copy", "log")
	call := func(change func(*console.Env), code int, args ...string) outcome {
		t.Helper()
		got := run(t, change, append(append([]string{"log"}, args...), "--store", "sqlite:"+db)...)
		if got.code != code {
			t.Fatalf("%v: exit code %d, want %d: %s%s", args, got.code, code, got.stdout, got.stderr)
		}
		return got
	}
	key := filepath.Join(dir, "log.key")
	call(nil, 0, "init", "--origin", "example.com/log", "--key", key)
	old, err := os.ReadFile(db)
	must(t, err)
	s, err := store.Open(t.Context(), "sqlite:"+db)
	must(t, err)
	for i := range 299 { // more than a bundle has
		must(t, s.Custody().Commit(t.Context(), storetest.LoggedChange(i%7, time.Date(2026, 1, 2, 0, 0, i, 0, time.UTC))))
	}
	must(t, s.Close())
	call(nil, 0, "flush", "--key", key)
	call(nil, 0, "export", mirror)
	must(t, os.WriteFile(db, old, 0o600))

	folder := http.FileServer(http.Dir(filepath.Dir(mirror)))
	typed := func(kind string) http.HandlerFunc { // as servers do it that have one type for everything
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			folder.ServeHTTP(w, r)
		}
	}
	files := typed("application/octet-stream")
	const public = "93.184.216.34"
	fails := func(addr string, h http.HandlerFunc, why string) {
		t.Helper()
		got := call(servedAs(t, addr, h), 3, "recover", "--from", "https://example.com/log", "--timeout", "1m")
		if !strings.Contains(got.stderr, why) || !strings.Contains(got.stderr, "hint: call it again, or name another copy with --from") {
			t.Errorf("want %q: %s", why, got.stderr)
		}
		if got = call(nil, 3, "status"); !strings.Contains(got.stderr, "it is older than what was seen of it before") || !strings.Contains(got.stderr, "avow log recover --help") {
			t.Errorf("%s: the store was accepted: %s", why, got.stderr)
		}
	}
	fails("10.0.0.1", files, "10.0.0.1")
	fails(public, http.NotFound, "the log has no such thing")
	fails(public, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/tile/entries/001") {
			http.NotFound(w, r) // an interrupted copy, or somebody who keeps something back
			return
		}
		files(w, r)
	}, "the log has no such thing")
	fails(public, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://10.0.0.1/log", http.StatusFound)
	}, "302")
	fails(public, typed("text/html"), "text/html")
	got := call(servedAs(t, public, typed("text/plain")), 0, "recover", "--from", "https://example.com/log/")
	if got.stdout != "299 leaves are back: the log has 300\n" {
		t.Errorf("got %s%s", got.stdout, got.stderr)
	}
	got = call(nil, 0, "flush", "--key", key)
	if !strings.Contains(got.stdout, "leaves:   301\n") {
		t.Errorf("got %s%s", got.stdout, got.stderr)
	}
	call(nil, 0, "check")
}
