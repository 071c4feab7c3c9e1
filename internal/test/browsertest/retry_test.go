package browsertest

import (
	"net/http"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
)

// TestRetry looks at the pages for those who have to come back later.
func TestRetry(t *testing.T) {
	t.Parallel()
	pages, handler, known := service(t, internet(nil))
	for _, domain := range []string{"good.example", "down.example"} {
		_, err := known.Custody(t.Context(), domain, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("GET /check/soon.example", func(w http.ResponseWriter, r *http.Request) {
		pages.Refused(w, r, edge.OverRate(edge.Validate, time.Second), true)
	})
	mux.HandleFunc("GET /busy", func(w http.ResponseWriter, r *http.Request) { pages.Refused(w, r, edge.Busy, true) })
	const day = 24 * time.Hour
	base := runLimited(t, mux, pages, map[*edge.Class]edge.Rate{edge.Lookup: {N: 1, Per: day}})
	answer, err := http.Get(base + "/ask") // which is all that is permitted
	if err != nil || answer.Body.Close() != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	looks := append([]string{"plain"}, everyLook...)
	list := []visit{
		{
			Name: "retry-limited", URL: "/ask?publisher=good.example", Status: http.StatusTooManyRequests, Axe: true, Shot: true, Text: true, Outline: true,
			shows: []string{"Too many requests", "24 hours", "Last known result for good.example", "2 agents may sell", "How to get a key"},
		},
		{Name: "retry-form", URL: "/ask", Status: http.StatusTooManyRequests, Axe: true, Shot: true},
		{Name: "retry-busy", URL: "/busy?publisher=down.example", Status: http.StatusServiceUnavailable, Axe: true, Shot: true, Text: true, shows: []string{"Service is busy", "ry again"}},
	}
	for i := range list {
		list[i].Refused, list[i].Looks = true, looks[1:]
	}
	list = append(list,
		visit{
			Name: "retry-countdown", URL: "/check/soon.example", Status: http.StatusTooManyRequests, Refused: true, Lands: "/check/soon.example",
			Steps: []step{{Expect: ".wait", Text: "You can try again now."}, {Submit: "a.button:has-text('Try again')"}, {Expect: ".wait"}},
		},
		visit{
			Name: "retry-plain", URL: "/check/soon.example", Status: http.StatusTooManyRequests, Refused: true, Looks: looks[:1], Lands: "/check/soon.example",
			Steps: []step{{Expect: ".wait", Text: "Try again in 1 second."}, {Submit: "a.button:has-text('Try again')"}, {Expect: ".wait"}},
		})
	see(t, base, only(list))
}
