package web

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// stranger is a service that has never checked anything.
type stranger struct{ checker }

func (*stranger) LastFile(context.Context, string) (*resolve.Document, error) {
	return &resolve.Document{}, nil
}

// TestCheckAgainNamesThePublisher: the page in the place of another check shows what is known of the publisher, so the
// address has to say which one it is.
func TestCheckAgainNamesThePublisher(t *testing.T) {
	t.Parallel()
	_, body := get(t, new(checker), "/check/example.com")
	const before = `<form id="again" action="`
	_, after, ok := strings.Cut(body, before)
	if !ok {
		t.Fatalf("no %s in %s", before, body)
	}
	action, _, _ := strings.Cut(after, `"`)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, html.UnescapeString(action), http.NoBody)
	if got := publisherNamed(r); got != "example.com" {
		t.Errorf("%s names %q", action, got)
	}
}

// TestRetryPages: a page that has to wait says for how long, shows the last known result of the publisher
// that it is about, and leads to the same again.
func TestRetryPages(t *testing.T) {
	t.Parallel()
	limited, busy := edge.OverRate(edge.Validate, 150*time.Second), edge.Busy
	const result, again, back = "Last known result for example.com", `>Try again</a>`, "Go back to the form"
	for _, tc := range []struct {
		name, method, target string
		problem              *registry.Error
		service              Service
		known                bool
		status               int
		want, wantNot        []string
	}{
		{"limited", "GET", "/check/example.com?tab=sell", limited, new(checker), true, 429, []string{"<h1>Too many requests</h1>", `data-wait="150">Try again in <strong>3 minutes</strong>`, `href="/check/example.com?tab=sell">Try again`, result, "Checked 12 seconds ago", "example.com has no file", `href="mailto:ops@registry.example">ops@`, "/guide/operating#keys"}, []string{back}},
		{"busy", "GET", "/ask?publisher=Example.com", busy, new(checker), true, 503, []string{"<h1>Service is busy</h1>", `data-wait="2">Try again in <strong>2 seconds</strong>`, result, again}, nil},
		{"publisher and domain", "GET", "/ask?domain=example.com&publisher=other.example", busy, new(checker), true, 503, []string{result}, nil},
		{"check again", "POST", "/check?domain=example.com", limited, new(checker), true, 429, []string{back, result}, []string{again}},
		{"form", "POST", "/check/example.com/fix", limited, new(checker), true, 429, []string{back, result}, []string{again}},
		{"nothing may be looked up", "GET", "/check/example.com", busy, new(checker), false, 503, []string{again}, []string{result}},
		{"never checked", "GET", "/check/example.com", busy, new(stranger), true, 503, []string{again}, []string{"Last known"}},
		{"store away", "GET", "/check/example.com", busy, &checker{fail: registry.Soon("x", "x")}, true, 503, []string{again}, []string{"Last known"}},
		{"no publisher", "GET", "/find?q=x", limited, new(checker), true, 429, []string{`href="/find?q=x">Try again`}, []string{"Last known"}},
		{"hostile", "GET", "/check/%22%3E%3Cscript%3E", limited, new(checker), true, 429, []string{again}, []string{"Last known", "<script>"}},
		{"another host", "GET", "//evil.example/", limited, new(checker), true, 429, []string{back}, []string{`href="//evil`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			pages := newPages(Config{Service: tc.service, Contact: "ops@registry.example", Now: func() time.Time { return noon.Add(12 * time.Second) }})
			r := httptest.NewRequestWithContext(t.Context(), tc.method, "http://registry.example"+tc.target, http.NoBody)
			pages.Refused(w, r, tc.problem, tc.known)
			body := w.Body.String()
			if w.Code != tc.status || w.Header().Get("Retry-After") == "" || w.Header().Get("Content-Security-Policy") != policy || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%d %v", w.Code, w.Header())
			}
			for _, want := range tc.want {
				if !strings.Contains(body, want) {
					t.Errorf("no %q in %s", want, body)
				}
			}
			for _, text := range tc.wantNot {
				if strings.Contains(body, text) {
					t.Errorf("%q in %s", text, body)
				}
			}
		})
	}
}
