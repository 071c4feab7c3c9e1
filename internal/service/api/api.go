package api

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// Config configures an API.
type Config struct {
	// Operations are what can be asked; nil means those without anything to answer from.
	Operations *ops.Set
	// BaseURL is where the service is reached from outside, without a slash at the end;
	// empty means that links are relative.
	BaseURL string
	// Known is set when the operator has said that BaseURL is where others reach the
	// service. Otherwise the examples in the reference lead to where a visitor reached it.
	Known bool
	// Frame makes the page of the reference; nil means one without any look.
	Frame Frame
	// Log is for the operator; nil for none.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// An API answers HTTP requests. It is safe for concurrent use.
type API struct {
	service *registry.Service
	answers *keptAnswers
	baseURL string
	known   bool
	frame   Frame
	log     *slog.Logger
	now     func() time.Time
	routes  []route
	mux     *http.ServeMux
	// others answers methods that a path does not know, and paths that do not exist. It is apart from mux,
	// where a path for all methods and a less exact one for a single method exclude each other.
	others *http.ServeMux
	infos  map[string]edge.Route // by the pattern of the mux
	exact  map[methodPath]*route // those without a variable part
	// reader knows what examples ask about; nil without a service.
	reader *ops.Reader
	// static makes its documents on the first request for one of them.
	static func() *static
}

const (
	// keptBytes is how much memory decisions may take that are kept to be given again.
	keptBytes = 32 << 20
	// keptEach is what else each of them takes, about.
	keptEach = 1 << 10
)

// A keptKey is a question as it was put to the operation with a name.
type keptKey struct{ operation, question string }

// keptAnswers has decisions.
type keptAnswers = flight.Cache[keptKey, any]

func newKeptAnswers() *keptAnswers {
	return flight.NewCache(flight.Limits[keptKey, any]{Name: "decisions", Weight: keptBytes})
}

// methodPath is what a route without a variable part is found by.
type methodPath struct{ method, path string }

// static are the documents that the program carries along or makes once. To describe all routes
// takes longer than the rest of the start.
type static struct {
	yaml, json, schema *ops.Document
	reference          Reference
	self               selfDescription
}

// selfDescription is what GET /api says.
type selfDescription struct {
	Name          string            `json:"name" doc:"The name of the service."`
	Version       string            `json:"version" doc:"The version of the program."`
	AdCP          string            `json:"adcp" doc:"The AdCP release that the rules follow."`
	Documentation string            `json:"documentation" doc:"Where the reference for people is."`
	OpenAPI       string            `json:"openapi" doc:"Where the OpenAPI document is."`
	Schema        string            `json:"schema" doc:"Where the JSON Schema of the file is."`
	Endpoints     map[string]string `json:"endpoints" doc:"Method and path of every route, with what it is for."`
}
