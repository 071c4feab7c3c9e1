package api

import (
	"context"
	"net/http"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/schemas"
)

// static are the documents that the program carries along or makes once. To describe all routes
// takes longer than the rest of the start.
type static struct {
	yaml, json, schema *ops.Document
	reference          Reference
	self               selfDescription
}

// aDay and anHour are how long documents may be kept by caches. A request with the
// entity tag gets a short answer.
const (
	anHour = "public, max-age=3600"
	aDay   = "public, max-age=86400"
)

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

func (a *API) staticRoutes() []route {
	return []route{
		a.routeOf(ops.Define(ops.Operation{
			HTTP: "GET /api", Name: "describe", Tag: "service", Class: edge.Static, Cache: anHour,
			Summary: "Describe the service", Description: "Lists the routes and where their description is.",
		}, func(context.Context, *ops.NoInput) (*selfDescription, error) { return &a.static().self, nil })),
		a.fixed(ops.Operation{
			HTTP: "GET /openapi.yaml", Name: "openapi_yaml", Media: mediaYAML, Cache: anHour,
			Summary: "OpenAPI document", Description: "This API as an OpenAPI 3.1 document in YAML.",
		}, func(s *static) *ops.Document { return s.yaml }),
		a.fixed(ops.Operation{
			HTTP: "GET /openapi.json", Name: "openapi_json", Media: mediaJSON, Cache: anHour,
			Summary: "OpenAPI document as JSON", Description: "The same document in JSON.",
		}, func(s *static) *ops.Document { return s.json }),
		a.referenceRoute(),
		a.fixed(ops.Operation{
			HTTP: "GET /schemas/v3/adagents.json", Name: "schema", Media: "application/schema+json", Cache: aDay,
			Summary:     "JSON Schema of the file",
			Description: "The JSON Schema of adagents.json, for editors. It is weaker than the check.",
		}, func(s *static) *ops.Document { return s.schema }),
	}
}

// fixed returns the route of a document as it is.
func (a *API) fixed(op ops.Operation, which func(*static) *ops.Document) route {
	op.Tag, op.Class, op.Success = "service", edge.Static, []int{http.StatusOK, http.StatusNotModified}
	return a.routeOf(ops.Define(op, func(context.Context, *ops.NoInput) (*ops.Document, error) {
		return which(a.static()), nil
	}))
}

// newStatic makes the documents. That they can be made depends on the route table
// alone, so whatever is wrong is a mistake in the program, which tests find.
func newStatic(a *API) *static {
	doc := openAPI(a.baseURL, a.routes)
	yaml, err := doc.YAML()
	if err != nil {
		panic("the routes cannot be described: " + err.Error())
	}
	asJSON, err := doc.MarshalJSON()
	if err != nil {
		panic("the routes cannot be described: " + err.Error())
	}
	s := &static{
		yaml: &ops.Document{Body: yaml, ETag: edge.TagOf(yaml)}, json: &ops.Document{Body: asJSON, ETag: edge.TagOf(asJSON)},
		schema: &ops.Document{Body: schemas.Adagents(), ETag: edge.TagOf(schemas.Adagents())},
		self: selfDescription{
			Name: "avow registry", Version: buildinfo.Get().Version, AdCP: model.AdCPRelease, Documentation: a.baseURL + "/docs",
			OpenAPI: a.baseURL + "/openapi.yaml", Schema: a.baseURL + "/schemas/v3/adagents.json",
			Endpoints: map[string]string{},
		},
	}
	s.reference = a.Reference()
	for i := range a.routes {
		s.self.Endpoints[a.routes[i].method+" "+a.routes[i].path] = a.routes[i].Summary
	}
	return s
}

// OpenAPI returns the OpenAPI document in YAML. It must not be changed.
func (a *API) OpenAPI() []byte { return a.static().yaml.Body }
