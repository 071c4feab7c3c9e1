package server

import (
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// aboutBody are the headers of a handler that would be wrong on a refusal in its place.
var aboutBody = []string{"ETag", "Content-Encoding", "Content-Disposition", "Last-Modified", "Link"}

// refuse answers in the place of a handler, as JSON for programs and as text for people at a
// browser.
func (s *server) refuse(x *exchange, e *registry.Error) {
	x.refused = e.Code
	h := x.Header()
	h.Set("Cache-Control", "no-store")
	for _, name := range aboutBody {
		h.Del(name)
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
