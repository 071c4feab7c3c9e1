package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

// followTime is how long a visitor follows a check at most: longer than a check takes.
const followTime = 20 * time.Second

// errStreams is for one stream more than there may be.
var errStreams = &registry.Error{Kind: registry.Limited, Code: "streams",
	Message: "Too many checks are being followed", RetryAfter: 30 * time.Second}

// A progressStep is a request on the way to a file. Status is empty until it has ended.
type progressStep struct {
	Step   string `json:"step"`
	Host   string `json:"host"`
	Status string `json:"status"`
	Class  string `json:"class"`
}

// progress answers with the steps of the check that the text in the box leads to, as server-sent events:
// check with the domain, step for each step when it begins and when it ends, and end. There is nothing to
// follow where the text is not a publisher's. It makes no request: the page that is on its way does.
func (p *Pages) progress(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", notKept)
	domain := domainMeant(strings.TrimSpace(r.URL.Query().Get("q")))
	if domain == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	done := p.streams.Open(registry.CallerOf(r.Context()))
	if done == nil {
		p.failed(w, r, errStreams, domainForm{})
		return
	}
	defer done()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the request has been read
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), followTime)
	defer cancel()
	tell := func(event string, data any) {
		text, err := json.Marshal(data)
		if err == nil {
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
		}
		if err != nil || out.Flush() != nil {
			cancel() // the visitor has gone away
		}
	}
	tell("check", map[string]string{"domain": safe(domain)})
	_ = p.service.Follow(ctx, domain, func(h discover.Hop) { tell("step", stepOf(&h)) }) // the page says what is wrong
	tell("end", struct{}{})
}

// domainMeant returns the publisher that a text in the box is about; empty if it is something else.
func domainMeant(text string) string {
	if text == "" || len(text) > longestDomain || looksLikeDocument(text) {
		return ""
	}
	name := whatIsMeant(text)
	if name.agent != "" || name.file != "" {
		return ""
	}
	return boxDomain(text, name.host)
}

// stepOf shows a request that is under way, or has ended.
func stepOf(h *discover.Hop) progressStep {
	x := progressStep{Step: shortSteps[h.Step], Class: "none"}
	u, err := url.Parse(h.URL)
	if err == nil {
		x.Host = safe(u.Hostname())
	}
	if h.Result != nil {
		x.Status, x.Class = statusOf(h.Result), classOf(h.Result)
	}
	return x
}
