package api

import (
	"context"
	"net/http"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/schemas"
)

// static are the documents that the program carries along or makes once. To describe all routes
// takes longer than the rest of the start.
type static struct {
	yaml, json, schema *document
	// page is the reference, with exampleBase in its examples, and pageHeader what it needs.
	page       []byte
	pageHeader http.Header
	self       selfDescription
}

// aDay and anHour are how long documents may be kept by caches. Whoever asks with the
// entity tag gets a short answer.
const (
	anHour = "public, max-age=3600"
	aDay   = "public, max-age=86400"
)

type noInput struct{}

// selfDescription is what GET /api says.
type selfDescription struct {
	Name          string            `json:"name" doc:"The name of the service."`
	Version       string            `json:"version" doc:"The version of the program."`
	Documentation string            `json:"documentation" doc:"Where the reference for people is."`
	OpenAPI       string            `json:"openapi" doc:"Where the OpenAPI document is."`
	Schema        string            `json:"schema" doc:"Where the JSON Schema of the file is."`
	Endpoints     map[string]string `json:"endpoints" doc:"Method and path of every route, with what it is for."`
}

func (a *API) staticRoutes() []route {
	return []route{
		handle(route{
			method: http.MethodGet, path: "/api", id: "describe", tag: "service", class: edge.Static, cache: anHour,
			summary: "Describe the service", description: "Lists the routes and where their description is.",
		}, func(context.Context, *noInput) (*selfDescription, error) { return &a.static().self, nil }),
		a.fixed(route{
			path: "/openapi.yaml", id: "openapi_yaml", media: mediaYAML, cache: anHour,
			summary: "OpenAPI document", description: "This API as an OpenAPI 3.1 document in YAML.",
		}, func(s *static) *document { return s.yaml }),
		a.fixed(route{
			path: "/openapi.json", id: "openapi_json", media: mediaJSON, cache: anHour,
			summary: "OpenAPI document as JSON", description: "The same document in JSON.",
		}, func(s *static) *document { return s.json }),
		a.referenceRoute(),
		a.fixed(route{
			path: "/schemas/v3/adagents.json", id: "schema", media: "application/schema+json", cache: aDay,
			summary: "JSON Schema of the file", description: "The JSON Schema of adagents.json, for editors. It is weaker than the check.",
		}, func(s *static) *document { return s.schema }),
	}
}

// fixed completes a route that gives a document as it is.
func (a *API) fixed(rt route, which func(*static) *document) route {
	rt.method, rt.tag, rt.class, rt.success = http.MethodGet, "service", edge.Static, []int{http.StatusOK, http.StatusNotModified}
	return handle(rt, func(context.Context, *noInput) (*document, error) { return which(a.static()), nil })
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
		yaml: &document{Body: yaml, ETag: edge.TagOf(yaml)}, json: &document{Body: asJSON, ETag: edge.TagOf(asJSON)},
		schema: &document{Body: schemas.Adagents(), ETag: edge.TagOf(schemas.Adagents())},
		self: selfDescription{
			Name: "avow registry", Version: buildinfo.Get().Version, Documentation: a.baseURL + "/docs",
			OpenAPI: a.baseURL + "/openapi.yaml", Schema: a.baseURL + "/schemas/v3/adagents.json", Endpoints: map[string]string{},
		},
	}
	s.page, s.pageHeader = a.frame(referenceContent(a.Reference()))
	for i := range a.routes {
		s.self.Endpoints[a.routes[i].method+" "+a.routes[i].path] = a.routes[i].summary
	}
	return s
}

// OpenAPI returns the OpenAPI document in YAML. It must not be changed.
func (a *API) OpenAPI() []byte { return a.static().yaml.Body }
