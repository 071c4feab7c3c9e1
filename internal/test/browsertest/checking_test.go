package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/web"
)

// A slowWeb is a web some of whose files come when they may.
type slowWeb struct {
	fetch.Getter
	may   map[string]chan struct{} // by URL
	asked atomic.Int64             // how often for these
}

func (s *slowWeb) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	if may := s.may[r.URL]; may != nil {
		s.asked.Add(1)
		select {
		case <-may:
		case <-ctx.Done():
		}
	}
	return s.Getter.Get(ctx, r)
}

// A spy calls a function when a text is written.
type spy struct {
	http.ResponseWriter
	text string
	seen func()
}

func (s *spy) Write(b []byte) (int, error) {
	n, err := s.ResponseWriter.Write(b)
	if bytes.Contains(b, []byte(s.text)) {
		s.seen()
	}
	return n, err
}

// Unwrap is for http.ResponseController.
func (s *spy) Unwrap() http.ResponseWriter { return s.ResponseWriter }

const never, later = "https://cdn.example/never.json", "https://cdn.example/later.json"

// slowService is a service on a web with two publishers whose files come when they may.
func slowService(t *testing.T) (*slowWeb, *web.Pages, http.Handler, *registry.Service) {
	t.Helper()
	archive := string(internet(nil))
	for domain, target := range map[string]string{"never.example": never, "later.example": later} {
		archive += "-- " + wellKnown(domain) + " --\n" + served("application/json", `{"authoritative_location": "`+target+`", "last_updated": "2026-01-02T00:00:00Z"}`) + "\n"
	}
	archive += "-- " + later + " --\n" + served("application/json", goodFile) + "\n"
	slow := &slowWeb{may: map[string]chan struct{}{never: make(chan struct{}), later: make(chan struct{})}}
	pages, handler, known := serviceOn(t, []byte(archive), func(g fetch.Getter) fetch.Getter {
		slow.Getter = g
		return slow
	})
	return slow, pages, handler, known
}

// TestProgressStream: a client sees the requests of a check as they are made, and following it adds none; it may go away, and has no more streams than its rate permits.
func TestProgressStream(t *testing.T) {
	t.Parallel()
	slow, pages, handler, _ := slowService(t)
	base := runLimited(t, handler, pages, map[*edge.Class]edge.Rate{edge.Read: {N: 2, Per: 24 * time.Hour}})
	get := func(ctx context.Context, path string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
		if err != nil {
			return nil, err
		}
		return http.DefaultClient.Do(r)
	}
	page := make(chan string, 1)
	go func() {
		answer, err := get(t.Context(), checkPage("later.example"))
		if err != nil {
			page <- err.Error()
			return
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		page <- string(text)
	}()
	for slow.asked.Load() == 0 { // a stream waits a few seconds for a check to begin
		time.Sleep(time.Millisecond)
	}
	stream, err := get(t.Context(), "/progress?q=later.example")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	var events []string
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		events = append(events, lines.Text())
		if strings.Contains(lines.Text(), `"Authoritative file","host":"cdn.example","status":""`) {
			close(slow.may[later])
		}
	}
	got := strings.Join(events, "\n")
	for _, want := range []string{`"host":"later.example","status":"200"`, `"host":"cdn.example","status":"200"`, "event: end"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if text := <-page; !strings.Contains(text, "2 agents may sell") {
		t.Error(text)
	}
	if slow.asked.Load() != 1 {
		t.Errorf("%s was requested %d times", later, slow.asked.Load())
	}
	gone, leave := context.WithCancel(t.Context())
	stream, err = get(gone, "/progress?q=good.example")
	leave()
	if err != nil || stream.Body.Close() != nil {
		t.Errorf("a client that goes away: %v", err)
	}
	stream, err = get(t.Context(), "/progress?q=good.example")
	if err != nil || stream.Body.Close() != nil || stream.StatusCode != http.StatusTooManyRequests {
		t.Errorf("beyond the rate: %v %v", stream, err)
	}
}

// TestChecking has checks made that take long: what they are doing is shown until the page is there, and can
// be stopped.
func TestChecking(t *testing.T) {
	t.Parallel()
	slow, pages, handler, known := slowService(t)
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	release := sync.OnceFunc(func() { close(slow.may[later]) })
	// A browser that waits for a page cannot be asked about the page before. So the check goes on here, and the
	// browser is told to stay where it is.
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	mux.HandleFunc("GET /check/never.example", func(w http.ResponseWriter, _ *http.Request) {
		go func() {
			_, err := known.Validate(ctx, registry.ValidateRequest{Domain: "never.example"})
			if ctx.Err() == nil {
				t.Error(err)
			}
		}()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /check/good.example", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /progress", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("q") == "later.example" {
			w = &spy{w, "Authoritative file", release}
		}
		pages.ServeHTTP(w, r)
	})
	begin := func(domain string) []step {
		return []step{{Fill: "#q", Text: domain}, {Press: "Enter"}, {Expect: ".checking h2", Text: "Checking " + domain + " …"}}
	}
	under := append(begin("never.example"), step{Expect: ".hops li:first-child strong", Text: "200"}, step{Expect: ".hops li:nth-child(2) .quiet", Text: "cdn.example"}, step{Focus: "#checking"})
	see(t, run(t, mux, pages), only([]visit{
		{Name: "checking", URL: "/", Axe: true, Shot: true, Still: true, Looks: everyLook, Text: true, Steps: under, shows: []string{"200 Well-known file never.example", "… Authoritative file cdn.example", "second"}},
		{Name: "checking-stop", URL: "/rules", Steps: append(under[:len(under):len(under)], step{Press: "Tab"}, step{Focus: ".checking button"}, step{Press: "Enter"}, step{Gone: ".checking"}, step{Expect: "h1", Text: "Rules"})},
		{Name: "checking-stop-go", URL: "/go?q=a+b", Status: http.StatusBadRequest, Refused: true, Steps: append(under[:len(under):len(under)], step{Open: ".checking button"}, step{Gone: ".checking"}, step{Press: "Tab"}, step{Gone: ".checking"}, step{Expect: "#q"})},
		{Name: "checking-aside", URL: "/", Steps: []step{{Fill: "#q", Text: "never.example"}, {Aside: "form.ask button"}, {Gone: ".checking"}}},
		{Name: "checking-escape", URL: "/", Steps: append(under[:len(under):len(under)], step{Press: "Escape"}, step{Gone: ".checking"}, step{Expect: "#q"})},
		{Name: "checking-link", URL: "/badge/good.example", Steps: []step{{Open: ".path a"}, {Expect: ".checking h2", Text: "Checking good.example …"}, {Press: "Escape"}, {Gone: ".checking"}}},
		{Name: "checking-done", URL: "/", Text: true, Lands: checkPage("later.example"), Steps: []step{{Fill: "#q", Text: "later.example"}, {Enter: "#q"}, {Gone: ".checking"}}, shows: []string{"2 agents may sell"}},
	}))
}
