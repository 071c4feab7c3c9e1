package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// smallBody is the limit of a request body that names a few things.
	smallBody = 64 << 10
	// fileBody is the limit of a request body that carries a declaration file.
	fileBody = 5_000_000
)

// A route is one row of the table.
type route struct {
	method, path string
	// id is the operation's name in the OpenAPI document, unique and stable.
	id string
	// summary is a few words, description some sentences for people.
	summary, description string
	tag                  string
	// class is what the work costs; a row without one is refused at the start.
	class *edge.Class
	// scope is what a key must permit; empty when no key is needed. keyed routes
	// answer more to callers with a key and need none: one that is ignored is
	// no error there.
	scope registry.Scope
	keyed bool
	// closed routes refuse query parameters that they do not know: to leave one out would
	// answer another question.
	closed bool
	// limit is that of the request body in bytes; zero means smallBody.
	limit int64
	// statuses are those of errors, as far as they do not follow from the rest: see
	// errorStatuses.
	statuses []int
	// success are the statuses of an answer; empty means 200.
	success []int
	// enveloped errors carry success and timestamp beside the error.
	enveloped bool
	// cache is the Cache-Control of an answer; empty means that of cacheControl.
	cache string
	// example is a request: the JSON of a body, or a query string without the question
	// mark.
	example string
	// media is the content type of an answer; empty means application/json.
	media string

	// output is the type of an answer; handle sets it unless it is set already, for an
	// answer that comes prepared.
	output reflect.Type
	// known is what Lookup says about it, set by mount.
	known edge.Route
	// The rest is set by handle.
	input *inputPlan
	serve func(w http.ResponseWriter, r *http.Request) (any, error)
}

// handle completes a route with the function that answers it. In is a struct whose
// fields carry the tags path, query or body; see inputPlan. Out becomes the JSON of the
// answer, unless it is a *document; it may say more by implementing withStatus or
// withHeader. The errors of f that are a *registry.Error, also wrapped by withExtras, are
// shown to the caller; any other is logged and hidden.
func handle[In, Out any](r route, f func(ctx context.Context, in *In) (Out, error)) route {
	r.input = planInput(reflect.TypeFor[In](), r.limit)
	r.input.closed = r.closed
	if r.output == nil {
		r.output = reflect.TypeFor[Out]()
	}
	r.serve = func(w http.ResponseWriter, req *http.Request) (any, error) {
		in := new(In)
		err := r.input.read(w, req, reflect.ValueOf(in).Elem())
		if err != nil {
			return nil, err
		}
		return f(req.Context(), in)
	}
	return r
}

// errorStatuses are those a caller may see, in ascending order.
func (r *route) errorStatuses() []int {
	list := append([]int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}, r.statuses...)
	if r.class == edge.Static {
		list = slices.Clone(r.statuses)
	}
	if r.input.fallible() {
		list = append(list, http.StatusBadRequest)
	}
	if r.input.body != nil {
		list = append(list, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.scope != "" {
		list = append(list, http.StatusUnauthorized, http.StatusForbidden)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tagged reports whether answers have an entity tag, so that who has one is told so: all JSON
// that is read does.
func (r *route) tagged() bool { return r.method == http.MethodGet && r.media == "" }

// successes are the statuses of an answer.
func (r *route) successes() []int {
	switch {
	case r.tagged():
		return []int{http.StatusOK, http.StatusNotModified}
	case len(r.success) == 0:
		return []int{http.StatusOK}
	}
	return r.success
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
	known := CallerOf(ctx)
	caller := known
	secret, given := bearer(r)
	if given && caller.Key == nil && (rt.keyed || rt.scope != "") {
		key, err := a.service.Authenticate(ctx, secret)
		if err != nil && rt.scope != "" {
			return nil, err
		}
		caller.Key, caller.KeyError = key, keyError(err)
	}
	if rt.scope != "" {
		err := caller.Require(rt.scope)
		if err != nil {
			return nil, err
		}
	}
	if caller == known {
		return ctx, nil
	}
	return WithCaller(ctx, caller), nil
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
