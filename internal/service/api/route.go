package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/wire"
)

// The media types of answers.
const (
	mediaJSON = "application/json"
	mediaYAML = "application/yaml"
	mediaHTML = "text/html"
)

// A route is an operation as HTTP shows it.
type route struct {
	ops.Operation
	method, path string
	// known is what Lookup says about it, set by mount.
	known edge.Route
	serve func(w http.ResponseWriter, r *http.Request) (any, error)
}

// errorStatuses are those a caller may see, in ascending order.
func (r *route) errorStatuses() []int {
	list := append([]int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable},
		r.Statuses...)
	if r.Class == edge.Static {
		list = slices.Clone(r.Statuses)
	}
	if r.Input.Fallible() {
		list = append(list, http.StatusBadRequest)
	}
	if r.Input.Body != nil {
		list = append(list, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.Scope != "" {
		list = append(list, http.StatusUnauthorized, http.StatusForbidden)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tagged reports whether answers have an entity tag, so that who has one is told so: all JSON
// that is read does.
func (r *route) tagged() bool { return r.method == http.MethodGet && r.Media == "" }

// successes are the statuses of an answer.
func (r *route) successes() []int {
	switch {
	case r.tagged():
		return []int{http.StatusOK, http.StatusNotModified}
	case len(r.Success) == 0:
		return []int{http.StatusOK}
	}
	return r.Success
}

// errorBody is the body of every error.
type errorBody struct {
	wire.Error
	ops.ErrorExtras
}

// info is what Lookup says about a route.
func (r *route) info() edge.Route {
	info := edge.Route{
		Pattern: r.path, Class: r.Class, Open: r.Scope == "" && r.Class != edge.Write, NeedsKey: r.Scope != "",
		Program: r.mediaType() != mediaHTML, Enveloped: r.Enveloped,
	}
	if r.Input.Body != nil {
		info.MaxBody = r.Input.Body.Limit
	}
	return info
}

// mediaType is the content type of an answer, without parameters.
func (r *route) mediaType() string {
	if r.Media == "" {
		return mediaJSON
	}
	media, _, _ := strings.Cut(r.Media, ";")
	return media
}
