package api

import (
	"log/slog"
	"net/http"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// errorBody is the body of every error.
type errorBody struct {
	wire.Error
	ops.ErrorExtras
}

// fail answers with an error. What is none of the caller's business is for the operator
// alone; a client that has gone away is not an error.
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
	a.tell(rt, w, shown, ops.ExtrasOf(err))
}

// tell writes what is wrong. rt is nil where there is no route.
func (a *API) tell(rt *route, w http.ResponseWriter, e *registry.Error, extras ops.ErrorExtras) {
	status, body := edge.Answer(w.Header(), e)
	if rt != nil && rt.Enveloped {
		body.Envelop(a.now())
	}
	a.send(w, status, &errorBody{body, extras})
}
