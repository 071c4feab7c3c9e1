package calltest

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/service/api/answertest"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata/calls")

// steady replaces what a test cannot know: how long something took, and when bytes came
// in, for which the client of the web has a clock of its own.
func steady(src []byte) []byte {
	src = regexp.MustCompile(`("response_time_ms": )\d+`).ReplaceAll(src, []byte("${1}0"))
	return regexp.MustCompile(`("fetched_at": )"[^"]+"`).ReplaceAll(src, []byte(`${1}"2026-03-01T12:00:00.000Z"`))
}

// TestCalls makes the calls in testdata/calls. A file is an internet for package
// fakeweb with calls in it: a section "METHOD /path" has the body of a request, and the
// section "answer" after it what comes back, first the status, then the JSON.
func TestCalls(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no calls: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(src)
			makeCalls(t, newWorld(t, string(src)), archive)
			if *update {
				err := os.WriteFile(name, txtar.Format(archive), 0o600)
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func makeCalls(t *testing.T, w *world, archive *txtar.Archive) {
	t.Helper()
	calls := 0
	for i := range archive.Files {
		f := &archive.Files[i]
		method, path, ok := strings.Cut(f.Name, " ")
		if !ok || !strings.HasPrefix(path, "/") {
			continue
		}
		calls++
		if i+1 == len(archive.Files) || archive.Files[i+1].Name != "answer" {
			t.Fatalf("no answer after %s", f.Name)
		}
		got := w.call(method, path, string(bytes.TrimSpace(f.Data)))
		conforms(t, w, method, path, got)
		text := steady(pretty(t, got.body))
		answer := fmt.Appendf(nil, "%d %s\n%s\n", got.status, http.StatusText(got.status), text)
		want := archive.Files[i+1].Data
		if *update {
			archive.Files[i+1].Data = answer
		} else if diff := cmp.Diff(string(want), string(answer)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if calls == 0 {
		t.Error("no calls")
	}
}

// conforms compares an answer with what the OpenAPI document says about it.
func conforms(t *testing.T, w *world, method, path string, got answered) {
	t.Helper()
	err := answertest.Conforms(w.call(http.MethodGet, "/openapi.json", "").body, method, path, got.status, got.body)
	if err != nil {
		t.Error(err)
	}
}
