package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// aboutBody are the headers of a handler that would be wrong on a refusal in its place.
var aboutBody = []string{"ETag", "Content-Encoding", "Content-Disposition", "Last-Modified", "Link"}

// hasPage reports whether a refusal is a page: that a visitor has to come back later.
func (s *server) hasPage(x *exchange, e *registry.Error) bool {
	return s.config.Page != nil && !x.route.Program && e.RetryAfter > 0 &&
		strings.Contains(x.request.Header.Get("Accept"), "text/html")
}

// mayShowKnown reports whether the page of a refusal may look up what is known about the publisher that its
// address names. That costs the client as much as any other reading.
func (s *server) mayShowKnown(x *exchange, e *registry.Error) bool {
	if !s.hasPage(x, e) || !s.config.Named(x.request) {
		return false
	}
	_, over := s.take(x, edge.Read)
	return over == nil
}

// page answers in the place of a handler with a page.
func (s *server) page(x *exchange, r *http.Request, e *registry.Error, known bool) {
	x.refused = e.Code
	x.Header().Set("Cache-Control", "no-store")
	s.config.Page(x, r, e, known)
}

// refuse answers in the place of a handler: with JSON for programs, with a page or text for people at a
// browser.
func (s *server) refuse(x *exchange, e *registry.Error) {
	x.refused = e.Code
	h := x.Header()
	h.Set("Cache-Control", "no-store")
	for _, name := range aboutBody {
		h.Del(name)
	}
	if s.hasPage(x, e) {
		s.page(x, x.request, e, false)
		return
	}
	status, body := edge.Answer(h, e)
	if !x.route.Program {
		text := body.Error
		if body.Message != "" {
			text += "\n\n" + body.Message
		}
		if body.RequestID != "" {
			text += "\n\nRequest " + body.RequestID
		}
		x.answer(status, "text/plain; charset=utf-8", []byte(text+"\n"))
		return
	}
	if x.route.Enveloped {
		body.Envelop(s.now())
	}
	text, err := json.Marshal(&body)
	if err != nil {
		text = []byte(`{"error":"Internal server error"}`)
	}
	x.answer(status, "application/json", text)
}

// answer writes a short answer.
func (x *exchange) answer(status int, media string, body []byte) {
	h := x.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.WriteHeader(status)
	_, _ = x.Write(body) // the caller may have gone away
}
