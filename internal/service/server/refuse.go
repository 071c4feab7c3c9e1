package server

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// A refusal is an answer that the server gives by itself.
type refusal struct {
	status int
	// reason is one word for metrics and logs.
	reason string
	// error and message are for the caller.
	error, message, hint string
	retry                time.Duration
}

// refusalBody is a refusal on the wire. The routes below /api/adagents wrap their
// errors in an envelope.
type refusalBody struct {
	Success    *bool  `json:"success,omitzero"`
	Error      string `json:"error"`
	Message    string `json:"message,omitempty"`
	Code       string `json:"code,omitempty"`
	Hint       string `json:"hint,omitempty"`
	RetryAfter int    `json:"retryAfter,omitzero"`
	RequestID  string `json:"request_id,omitempty"`
	Timestamp  string `json:"timestamp,omitempty"`
}

// seconds rounds up: who comes back a moment early is refused again.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// refuse answers with a refusal.
func (s *server) refuse(x *exchange, r *http.Request, f *refusal) {
	x.refused = f.reason
	h := x.Header()
	if f.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds(f.retry)))
	}
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	body := refusalBody{
		Error: f.error, Message: f.message, Code: f.reason, Hint: f.hint, RetryAfter: seconds(f.retry),
	}
	if f.status == http.StatusInternalServerError {
		body.RequestID = x.id
	}
	if !isAPI(r.URL.Path) {
		s.refuseText(x, f)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/adagents/") {
		body.Success, body.Timestamp = new(bool), s.now().UTC().Format("2006-01-02T15:04:05.000Z")
	}
	text, err := json.Marshal(&body)
	if err != nil {
		text = []byte(`{"error":"Internal server error"}`)
	}
	x.answer(f.status, "application/json", text)
}

// refuseText is for people at a browser.
func (s *server) refuseText(x *exchange, f *refusal) {
	text := f.error
	if f.message != "" {
		text += "\n\n" + f.message
	}
	if f.status == http.StatusInternalServerError {
		text += "\n\nRequest " + x.id
	}
	x.answer(f.status, "text/plain; charset=utf-8", []byte(text+"\n"))
}

// answer writes a short answer.
func (x *exchange) answer(status int, media string, body []byte) {
	h := x.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.WriteHeader(status)
	_, _ = x.Write(body) // the caller may have gone away
}

// isAPI reports whether a path is for programs.
func isAPI(path string) bool {
	for _, p := range []string{"/api/", "/openapi.", "/schemas/", "/translated/"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return path == "/api"
}

// busyFor is how long to wait when there is no room.
const busyFor = 2 * time.Second

var (
	errBusy = &refusal{
		status: http.StatusServiceUnavailable, reason: "busy", error: "Service is busy",
		message: "There are more requests than can be answered now. Please try again shortly.", retry: busyFor,
	}
	errTooLarge = &refusal{
		status: http.StatusRequestEntityTooLarge, reason: "body_too_large", error: "Request body too large",
	}
	errCrossOrigin = &refusal{
		status: http.StatusForbidden, reason: "cross_origin", error: "Cross-origin request refused",
		message: "A page of another origin must not change anything here.", hint: "call the API from a server, or from a page of this service",
	}
	errInternal = &refusal{status: http.StatusInternalServerError, reason: "internal", error: "Internal server error"}
)

// limitWords are what the classes are called in refusals.
var limitWords = map[Class]string{
	Read: "Registry read", Lookup: "Registry lookup", Validate: "Validation", Create: "File creation", Enrich: "Brand enrichment",
	Write: "Submission", Denied: "Failed authentication",
}

// errLimited is the refusal of a request beyond the rate of its class.
func errLimited(c Class, retry time.Duration) *refusal {
	return &refusal{
		status: http.StatusTooManyRequests, reason: "rate_limited", error: "Too many requests",
		message: limitWords[c] + " rate limit exceeded. Please try again later.", retry: max(retry, time.Second),
	}
}
