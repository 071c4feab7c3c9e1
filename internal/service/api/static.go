package api

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"reflect"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/schemas"
)

// aDay and anHour are how long documents may be kept by caches. A request with the
// entity tag gets a short answer.
const (
	anHour = "public, max-age=3600"
	aDay   = "public, max-age=86400"
)

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

// referenceRoute gives the reference, whose examples can be copied as they are.
func (a *API) referenceRoute() route {
	rt := a.fixed(ops.Operation{
		HTTP: "GET /docs", Name: "reference", Media: mediaHTML + "; charset=utf-8", Cache: anHour,
		Summary: "Reference",
		Description: "This reference as a page for people: with op=ID for an operation, object=NAME for an object, and " +
			"q=WORDS to find operations.",
	}, func(*static) *ops.Document { return nil })
	rt.Class = edge.Read // it is made for each request, and searched
	rt.serve = func(_ http.ResponseWriter, r *http.Request) (any, error) {
		base, certain := a.reachedAt(r)
		page, header := a.frame(referenceContent(a.static().reference.pageOf(r.URL.Query(), a.sample(r.Context()))))
		page = bytes.ReplaceAll(page, []byte(exampleBase), []byte(base))
		doc := &ops.Document{Body: page, ETag: edge.TagOf(page), Header: header}
		if !certain {
			// What one visitor wrote as the host must not get into the page of another.
			doc.Header.Set("Cache-Control", "private, max-age=300")
		}
		return doc, nil
	}
	return rt
}

// sample is what examples ask about.
func (a *API) sample(ctx context.Context) *ops.Sample {
	known := ops.Sample{}
	if a.reader != nil {
		known = a.reader.Sample(ctx, a.now())
	}
	return &known
}

// reachedAt returns where the service is reached, and whether that is certain.
func (a *API) reachedAt(r *http.Request) (string, bool) {
	base, certain := edge.Origin(r, a.baseURL, a.known)
	return cmp.Or(base, exampleBase), certain
}

// Reference describes the routes.
func (a *API) Reference() Reference {
	var ref Reference
	b := referenceBuilder{seen: map[reflect.Type]bool{}}
	for _, g := range groups {
		part := ReferenceGroup{ID: g.tag, Title: g.title, About: g.about}
		for i := range a.routes {
			if a.routes[i].Tag == g.tag {
				part.Routes = append(part.Routes, b.route(&a.routes[i]))
			}
		}
		if len(part.Routes) > 0 {
			ref.Groups = append(ref.Groups, part)
		}
	}
	b.members(reflect.TypeFor[errorBody](), false)
	b.note(reflect.TypeFor[errorBody]())
	ref.Types = b.finish()
	return ref
}
