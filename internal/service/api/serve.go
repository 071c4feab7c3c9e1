package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// routeOf returns the route of an operation.
func (a *API) routeOf(op ops.Operation) route {
	rt := route{Operation: op, method: op.Method(), path: op.Path()}
	rt.serve = func(w http.ResponseWriter, r *http.Request) (any, error) {
		in := rt.Blank()
		err := read(rt.Input, w, r, in)
		var out any
		if err == nil {
			out, err = rt.Call(r.Context(), in)
		}
		if err != nil && rt.Issues {
			err = ops.WithIssues(err)
		}
		return out, err
	}
	if op.Again {
		return a.deciding(rt)
	}
	return rt
}

// serveRoute answers a request for a route.
func (a *API) serveRoute(rt *route, w http.ResponseWriter, r *http.Request) {
	ctx, err := a.admit(rt, r)
	if err != nil {
		a.fail(rt, w, r, err)
		return
	}
	if ctx != r.Context() {
		r = r.WithContext(ctx)
	}
	out, err := rt.serve(w, r)
	if err != nil {
		a.fail(rt, w, r, err)
		return
	}
	a.reply(rt, w, r, out)
}

// admit returns the context of the call with its caller in it, or the reason why the
// caller may not make it.
func (a *API) admit(rt *route, r *http.Request) (context.Context, error) {
	ctx := r.Context()
	known := registry.CallerOf(ctx)
	caller := known
	secret, given := bearer(r)
	if given && caller.Key == nil && (rt.Keyed || rt.Scope != "") {
		key, err := a.service.Authenticate(ctx, secret)
		if err != nil && rt.Scope != "" {
			return nil, err
		}
		caller.Key, caller.KeyError = key, keyError(err)
	}
	if rt.Scope != "" {
		err := caller.Require(rt.Scope)
		if err != nil {
			return nil, err
		}
	}
	if caller == known {
		return ctx, nil
	}
	return registry.WithCaller(ctx, caller), nil
}

// keyError says why a key is not valid; empty for a valid one.
func keyError(err error) string {
	switch {
	case err == nil:
		return ""
	case edge.Problem(err).Kind == registry.Unauthorized:
		return "the API key is unknown"
	}
	return "the API key could not be checked"
}

// bearer returns the secret of a request, if it has one.
func bearer(r *http.Request) (string, bool) {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(secret), ok && strings.EqualFold(scheme, "Bearer")
}
