package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
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

// read reads the input of a request.
func read(p *ops.Plan, w http.ResponseWriter, r *http.Request, in any) error {
	err := p.Query(in, r.PathValue, r.URL.RawQuery)
	if err != nil || p.Body == nil {
		return err
	}
	src, err := body(p.Body.Limit, w, r)
	if err != nil {
		return err
	}
	return p.JSON(in, src)
}

// body reads the body of a request up to a limit. Its content type does not matter: clients send
// what their library sets, and what counts is whether it is JSON.
func body(limit int64, w http.ResponseWriter, r *http.Request) ([]byte, error) {
	encoding := r.Header.Get("Content-Encoding")
	if encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, edge.EncodedBody
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	src, err := readAll(limit, w, r)
	var over *http.MaxBytesError
	if errors.As(err, &over) || int64(len(src)) > limit {
		return nil, tooLarge(limit)
	}
	if err == nil || errors.Is(err, io.EOF) {
		return src, nil
	}
	return nil, &registry.Error{Kind: registry.Invalid, Code: "request.body", Message: "The request body did not arrive",
		Hint: "send it whole and without delay"}
}

// A wholeBody is one that has been read.
type wholeBody interface{ Whole() ([]byte, error) }

func readAll(limit int64, w http.ResponseWriter, r *http.Request) ([]byte, error) {
	whole, ok := r.Body.(wholeBody)
	if ok {
		return whole.Whole()
	}
	b := new(bytes.Buffer)
	b.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	return b.Bytes(), err
}

func tooLarge(limit int64) error {
	return &registry.Error{
		Kind: registry.TooLarge, Code: "request.size", Message: "Request body too large",
		Hint: "at most " + strconv.FormatInt(limit, 10) + " bytes are read",
	}
}
