package api

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// errorBody is the body of every error.
type errorBody struct {
	wire.Error
	ErrorExtras
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

// fail answers with an error. What is none of the caller's business is for the operator
// alone; a caller who has gone away is no error of anybody.
func (a *API) fail(rt *route, w http.ResponseWriter, r *http.Request, err error) {
	shown, id := edge.Problem(err), w.Header().Get("X-Request-Id")
	switch {
	case shown == edge.Internal:
		level := slog.LevelError
		if r.Context().Err() != nil {
			level = slog.LevelDebug
		}
		a.log.Log(r.Context(), level, "internal error", "route", rt.method+" "+rt.path, "request_id", id, "error", err)
	case shown.Kind == registry.Unavailable:
		// The caller is told to come back; the operator is told why.
		a.log.WarnContext(r.Context(), "unavailable", "code", shown.Code, "request_id", id, "error", err)
	}
	var extras ErrorExtras
	var more *failure
	if errors.As(err, &more) {
		extras = more.extras
	}
	a.tell(rt, w, shown, extras)
}

// tell writes what is wrong. rt is nil where there is no route.
func (a *API) tell(rt *route, w http.ResponseWriter, e *registry.Error, extras ErrorExtras) {
	status, body := edge.Answer(w.Header(), e)
	if rt != nil && rt.enveloped {
		body.Envelop(a.now())
	}
	a.send(w, status, &errorBody{body, extras})
}
