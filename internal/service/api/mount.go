package api

import (
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// New returns an API.
func New(c Config) *API {
	a := &API{baseURL: strings.TrimSuffix(c.BaseURL, "/"), known: c.Known, frame: c.Frame, log: c.Log, now: c.Now,
		mux: http.NewServeMux(), others: http.NewServeMux(), infos: map[string]edge.Route{}, exact: map[methodPath]*route{}}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.answers = newKeptAnswers()
	if a.frame == nil {
		a.frame = bare
	}
	if c.Operations == nil {
		c.Operations = ops.New(ops.Config{BaseURL: c.BaseURL})
	}
	a.service = c.Operations.Service()
	if a.service != nil {
		a.reader = ops.NewReader(a.service, nil)
	}
	for _, op := range c.Operations.All {
		if op.HTTP != "" {
			a.routes = append(a.routes, a.routeOf(op))
		}
	}
	a.routes = append(a.routes, a.staticRoutes()...)
	a.static = sync.OnceValue(func() *static { return newStatic(a) })
	a.mount()
	return a
}

// find returns the route of a request if it has no variable part, nil when the mux has to
// look: every request is looked up twice, for its limits and for its answer, which takes
// the mux a good part of the time of a quick answer. A path with escapes in it may be
// another one than it seems.
func (a *API) find(r *http.Request) *route {
	if r.URL.RawPath != "" {
		return nil
	}
	return a.exact[methodPath{r.Method, r.URL.Path}]
}

// mount puts the routes into the mux. A path that exists and is asked with another
// method gets an answer that lists those it knows.
func (a *API) mount() {
	methods := map[string][]string{}
	for i := range a.routes {
		rt := &a.routes[i]
		if rt.Class == nil {
			panic("the route " + rt.Name + " has no class")
		}
		pattern := rt.method + " " + rt.path
		rt.known = rt.info()
		a.infos[pattern] = rt.known
		if !strings.Contains(rt.path, "{") {
			a.exact[methodPath{rt.method, rt.path}] = rt
		}
		a.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { a.serveRoute(rt, w, r) })
		methods[rt.path] = append(methods[rt.path], rt.method)
	}
	for p, list := range methods {
		known := a.infos[list[0]+" "+p]
		a.infos[p] = edge.Route{Class: edge.Static, Program: known.Program, Enveloped: known.Enveloped}
		if slices.Contains(list, http.MethodGet) {
			list = append(list, http.MethodHead)
		}
		slices.Sort(list)
		allow := strings.Join(list, ", ")
		a.others.HandleFunc(p, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", allow)
			a.tell(nil, w, &registry.Error{Kind: registry.NoMethod, Code: "method", Message: "Method not allowed",
				Hint: "use " + strings.Join(list, " or ")}, ops.ErrorExtras{})
		})
	}
	a.mux.Handle("/", a.others)
	a.others.HandleFunc("/", a.notFound)
}

// notFound answers for paths that do not exist.
func (a *API) notFound(w http.ResponseWriter, _ *http.Request) {
	a.tell(nil, w, edge.NoPath, ops.ErrorExtras{})
}

// Handler returns the handler of all paths that Mounts lists.
func (a *API) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case a.Answer(w, r):
		case unclean(r.URL.EscapedPath()):
			// The mux would redirect, and clients of this API follow no redirects.
			a.notFound(w, r)
		default:
			a.mux.ServeHTTP(w, r)
		}
	})
}

// Answer answers a request whose path has no variable part, and reports whether it is one.
func (a *API) Answer(w http.ResponseWriter, r *http.Request) bool {
	exact := a.find(r)
	if exact != nil {
		a.serveRoute(exact, w, r)
	}
	return exact != nil
}

// unclean reports whether a path has parts that lead nowhere, such as two slashes in a
// row.
func unclean(p string) bool {
	clean := path.Clean(p)
	return p == "" || p != clean && p != clean+"/"
}

// mounts are the patterns under which a server mounts the Handler.
var mounts = []string{"/api", "/api/", "/docs", "/openapi.yaml", "/openapi.json", "/schemas/", "/translated/", "/v1/"}

// Mounts returns the patterns under which a server mounts the Handler.
func (a *API) Mounts() []string { return mounts }

// Lookup returns what is known about a request before it is answered.
func (a *API) Lookup(r *http.Request) edge.Route {
	exact := a.find(r)
	if exact != nil {
		return exact.known
	}
	_, pattern := a.mux.Handler(r)
	if pattern == "/" {
		_, pattern = a.others.Handler(r)
	}
	info, ok := a.infos[pattern]
	if !ok || unclean(r.URL.EscapedPath()) {
		below := func(mount string) bool { return strings.HasSuffix(mount, "/") && strings.HasPrefix(r.URL.Path, mount) }
		return edge.Route{Class: edge.Static, Program: slices.ContainsFunc(mounts, below)}
	}
	return info
}
