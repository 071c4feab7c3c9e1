package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// statuses is the one table from what is wrong to what HTTP calls it.
var statuses = map[registry.Kind]int{
	registry.Invalid:       http.StatusBadRequest,
	registry.Unauthorized:  http.StatusUnauthorized,
	registry.Forbidden:     http.StatusForbidden,
	registry.NotFound:      http.StatusNotFound,
	registry.Conflict:      http.StatusConflict,
	registry.TooLarge:      http.StatusRequestEntityTooLarge,
	registry.Limited:       http.StatusTooManyRequests,
	registry.NotConfigured: http.StatusServiceUnavailable,
	registry.Upstream:      http.StatusBadGateway,
	registry.Unavailable:   http.StatusServiceUnavailable,
}

// errorBody is the body of every error. Clients read the member error, which is always
// a string; the others are there where they help.
type errorBody struct {
	Success *bool  `json:"success,omitzero" doc:"False; for the routes below /api/adagents only."`
	Error   string `json:"error" doc:"What is wrong, in a sentence for people."`
	Code    string `json:"code,omitempty" doc:"A stable word for programs."`
	Hint    string `json:"hint,omitempty" doc:"What to do about it."`
	ErrorExtras
	Details []string `json:"details,omitempty" doc:"Findings about what was sent, one line each."`
	// Clients look for one spelling or the other. The description of the API has the first
	// alone: programs that make clients from it give both the same name.
	RetryAfter    int    `json:"retry_after,omitzero" doc:"Seconds to wait before trying again; also in the header Retry-After."`
	RetryAfterToo int    `json:"retryAfter,omitzero" hidden:"true" doc:"The same, for clients that read this spelling; not in the OpenAPI document."`
	RequestID     string `json:"request_id,omitempty" doc:"Names the call in the log of the service; for internal errors."`
	Timestamp     string `json:"timestamp,omitempty" format:"date-time" doc:"For the routes below /api/adagents only."`
}

// ErrorExtras are members of an error's body that only some routes know.
type ErrorExtras struct {
	Type     string    `json:"type,omitempty" doc:"entity.parse.failed when the body is not JSON."`
	Field    string    `json:"field,omitempty" doc:"The parameter or member concerned."`
	Line     int       `json:"line,omitzero" doc:"Where in the body, from 1."`
	Column   int       `json:"column,omitzero" doc:"Where in the line, from 1, in characters."`
	Domain   string    `json:"domain,omitempty" doc:"The domain asked about."`
	AgentURL string    `json:"agent_url,omitempty" doc:"The agent asked about."`
	Errors   []finding `json:"errors,omitempty" doc:"What is wrong with the file that was to be made."`
	Warnings []finding `json:"warnings,omitempty" doc:"What is doubtful about it."`
}

// A failure is an error with more to say in its body.
type failure struct {
	error
	extras ErrorExtras
}

func (f *failure) Unwrap() error { return f.error }

// withExtras adds members to the body of an error.
func withExtras(err error, x ErrorExtras) error { return &failure{err, x} }

// invalid is the error of a call that cannot be answered as it is put.
func invalid(code, message, hint string) *registry.Error {
	return &registry.Error{Kind: registry.Invalid, Code: code, Message: message, Hint: hint}
}

// errUnsupported is the error of a body in an encoding that is not read; the table has no
// kind for it, since no use case sees it.
var errUnsupported = errors.New("content encoding")

// known returns the error that is shown for err, or nil when it is none of the
// caller's business.
func known(err error) *registry.Error {
	var shown *registry.Error
	var input *discover.InputError
	var limit *resolve.LimitError
	switch {
	case errors.As(err, &shown):
		return shown
	case errors.As(err, &input):
		return invalid("input", input.Message, input.Hint)
	case errors.As(err, &limit):
		return invalid("too_much", limit.Problem, limit.Hint)
	case errors.Is(err, context.DeadlineExceeded):
		return &registry.Error{
			Kind: registry.Unavailable, Code: "timeout", RetryAfter: 5 * time.Second,
			Message: "The answer took too long", Hint: "try again in a few seconds",
		}
	}
	return nil
}

// fail answers with an error.
func (a *API) fail(rt *route, w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, errUnsupported) {
		body := errorBody{Error: "Content-Encoding is not supported", Code: "request.encoding", Hint: "send the body as it is"}
		a.sendError(rt, w, http.StatusUnsupportedMediaType, body)
		return
	}
	shown := known(err)
	if shown == nil {
		a.hide(rt, w, r, err)
		return
	}
	if shown.Kind == registry.Unavailable {
		// The caller is told to come back; the operator is told why.
		a.log.WarnContext(r.Context(), "unavailable", "code", shown.Code, "request_id", w.Header().Get("X-Request-Id"), "error", err)
	}
	body := errorBody{Error: shown.Message, Code: shown.Code, Hint: shown.Hint, Details: shown.Details}
	var more *failure
	if errors.As(err, &more) {
		body.ErrorExtras = more.extras
	}
	if shown.RetryAfter > 0 {
		body.RetryAfter = int((shown.RetryAfter + time.Second - 1) / time.Second)
		body.RetryAfterToo = body.RetryAfter
		w.Header().Set("Retry-After", strconv.Itoa(body.RetryAfter))
	}
	if shown.Kind == registry.Unauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	a.sendError(rt, w, statuses[shown.Kind], body)
}

// hide answers with an internal error, which is for the operator alone. A caller who
// has gone away is no error of anybody.
func (a *API) hide(rt *route, w http.ResponseWriter, r *http.Request, err error) {
	id := w.Header().Get("X-Request-Id")
	level := slog.LevelError
	if r.Context().Err() != nil {
		level = slog.LevelDebug
	}
	a.log.Log(r.Context(), level, "internal error", "route", rt.method+" "+rt.path, "request_id", id, "error", err)
	a.sendError(rt, w, http.StatusInternalServerError, errorBody{Error: "Internal server error", Code: "internal", RequestID: id})
}

// sendError writes the body of an error.
func (a *API) sendError(rt *route, w http.ResponseWriter, status int, body errorBody) {
	if rt != nil && rt.enveloped {
		body.Success = new(bool)
		body.Timestamp = wireTime(a.now())
	}
	a.send(w, status, &body)
}
