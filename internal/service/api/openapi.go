package api

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

const (
	schemaPrefix = "#/components/schemas/"
	securityName = "key"
)

// openAPI describes the routes as an OpenAPI document. It is made from the Go types
// that requests are read into and answers are written from.
func openAPI(baseURL string, routes []route) *huma.OpenAPI {
	types := huma.NewMapRegistry(schemaPrefix, schemaName)
	types.RegisterTypeAlias(reflect.TypeFor[jsontext.Value](), reflect.TypeFor[any]())
	for from, to := range optTypes {
		types.RegisterTypeAlias(from, to)
	}
	server := baseURL
	if server == "" {
		server = "/"
	}
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "avow registry", Version: buildinfo.Get().Version,
			Description: "Validates, makes and looks up adagents.json, the file in which a publisher says who may sell its " +
				"inventory. " +
				"All answers are JSON; members may be added, none goes away or changes its meaning.",
			License: &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"},
		},
		Servers: []*huma.Server{{URL: server}},
		Components: &huma.Components{
			Schemas: types,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				securityName: {Type: "http", Scheme: "bearer",
					Description: "An API key that the operator of the service has made."},
			},
		},
	}
	for _, g := range groups {
		doc.Tags = append(doc.Tags, &huma.Tag{Name: g.tag, Description: g.about})
	}
	for i := range routes {
		doc.AddOperation(operationOf(types, &routes[i]))
	}
	for _, s := range types.Map() {
		loosen(s)
	}
	for i := range routes {
		tighten(types, &routes[i])
	}
	return doc
}

// optTypes are the members that may be left out, with the types that they have in the document.
var optTypes = map[reflect.Type]reflect.Type{
	reflect.TypeFor[wire.Opt[string]]():  reflect.TypeFor[string](),
	reflect.TypeFor[wire.Opt[*string]](): reflect.TypeFor[string](),
	reflect.TypeFor[wire.Opt[int]]():     reflect.TypeFor[int](),
}

// schemaName is the name of a Go type in the document, without type parameters.
func schemaName(t reflect.Type, hint string) string {
	name, _, generic := strings.Cut(t.Name(), "[")
	if !generic {
		name = huma.DefaultSchemaNamer(t, hint)
	}
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// loosen takes back two things the generator assumes: that lists may be null, and that
// there are no members besides those described.
func loosen(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
		loosen(s.Items)
	}
	if s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		loosen(p)
	}
}

// tighten says what the tags of the types say and the generator does not: that a member
// which may be left out of an answer is not null, and which members of a request are
// needed.
func tighten(types huma.Registry, rt *route) {
	w := typeWalk{types: types, seen: map[reflect.Type]bool{}}
	w.walk(rt.Output)
	w.walk(reflect.TypeFor[errorBody]())
	if rt.Input.Body != nil {
		w.request = true
		w.walk(rt.Input.Body.Field.Type)
	}
}

// A typeWalk visits the structs of a type once.
type typeWalk struct {
	types   huma.Registry
	seen    map[reflect.Type]bool
	request bool
}

func (w *typeWalk) walk(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		w.walk(t.Elem())
	case reflect.Struct:
		schema := w.types.Map()[schemaName(t, "")]
		if w.seen[t] {
			return
		}
		w.seen[t] = true
		if w.request && schema != nil {
			schema.Required = nil
		}
		w.fields(t, schema)
	}
}

// fields adjusts the members that a struct gives to an object; schema is nil for an
// object that has none of its own.
func (w *typeWalk) fields(t reflect.Type, schema *huma.Schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			w.fields(ops.Plain(f.Type), schema)
			continue
		}
		if !f.IsExported() {
			continue
		}
		w.walk(f.Type)
		if schema == nil || schema.Properties[name] == nil {
			continue
		}
		switch {
		case strings.Contains(options, "omit"):
			schema.Properties[name].Nullable = false
		case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Slice:
			schema.Properties[name].Nullable = true // no list is not an empty one
		}
		if w.request && f.Tag.Get("required") == "true" {
			schema.Required = append(schema.Required, name)
		}
	}
}

// errorExamples are the bodies of errors, by their status.
var errorExamples = map[int]string{
	http.StatusBadRequest:            `{"error": "Missing required query param: domain", "code": "request.missing", "field": "domain"}`,
	http.StatusUnauthorized:          `{"error": "Authentication required", "code": "key_required"}`,
	http.StatusForbidden:             `{"error": "The key does not permit this", "code": "scope"}`,
	http.StatusNotFound:              `{"error": "Not found", "code": "not_found"}`,
	http.StatusConflict:              `{"error": "That is no longer so", "code": "conflict"}`,
	http.StatusGone:                  `{"error": "cursor_expired", "code": "cursor_expired", "message": "The cursor is older than 90 days, or of another registry."}`,
	http.StatusRequestEntityTooLarge: `{"error": "Request body too large", "code": "request.size"}`,
	http.StatusUnsupportedMediaType:  `{"error": "Content-Encoding is not supported", "code": "request.encoding", "hint": "send the body as it is"}`,
	http.StatusTooManyRequests:       `{"error": "Too many requests", "retry_after": 30}`,
	http.StatusInternalServerError:   `{"error": "Internal server error", "code": "internal", "request_id": "0123456789abcdef"}`,
	http.StatusBadGateway:            `{"error": "The brand data provider does not answer", "code": "provider"}`,
	http.StatusGatewayTimeout:        `{"error": "Connection timeout", "code": "agent.no_answer", "message": "Agent did not respond within 10 seconds"}`,
	http.StatusServiceUnavailable:    `{"error": "The answer took too long", "code": "timeout", "hint": "try again in a few seconds", "retry_after": 5}`,
}

// operationOf describes one route.
func operationOf(types huma.Registry, rt *route) *huma.Operation {
	op := &huma.Operation{
		OperationID: rt.Name, Method: rt.method, Path: rt.path, Summary: rt.Summary, Description: rt.Description,
		Tags: []string{rt.Tag}, Responses: map[string]*huma.Response{},
	}
	op.Security = []map[string][]string{} // none is needed, said in so many words
	switch {
	case rt.Scope != "":
		op.Security = []map[string][]string{{securityName: {}}}
	case rt.Keyed:
		op.Security = []map[string][]string{{}, {securityName: {}}}
	}
	describeInput(types, rt, op)
	for _, status := range rt.successes() {
		op.Responses[strconv.Itoa(status)] = successOf(types, rt, status)
	}
	for _, status := range rt.errorStatuses() {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content: map[string]*huma.MediaType{
				mediaJSON: {Schema: types.Schema(reflect.TypeFor[errorBody](), true, ""),
					Example: jsontext.Value(errorExamples[status])},
			},
		}
	}
	return op
}

// describeInput adds the parameters and the body.
func describeInput(types huma.Registry, rt *route, op *huma.Operation) {
	given := rt.exampleParameters()
	for i := range rt.Input.Params {
		p := &rt.Input.Params[i]
		f := rt.Input.Field(p)
		schema := huma.SchemaFromField(types, f, "")
		loosen(schema)
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: p.Names[0], In: p.In, Required: p.Required,
			Description: schema.Description, Schema: withoutDescription(schema),
			Example: parameterExample(given, p, schema.Type),
		})
	}
	if rt.Input.Body == nil {
		return
	}
	f := rt.Input.Body.Field
	media := &huma.MediaType{Schema: types.Schema(f.Type, true, "")}
	if rt.Example != "" {
		media.Example = jsontext.Value(rt.Example)
	}
	op.RequestBody = &huma.RequestBody{
		Description: f.Tag.Get("doc"), Content: map[string]*huma.MediaType{mediaJSON: media},
		Required: rt.method != http.MethodDelete,
	}
}

func withoutDescription(s *huma.Schema) *huma.Schema {
	bare := *s
	bare.Description = ""
	return &bare
}

// successOf describes an answer.
func successOf(types huma.Registry, rt *route, status int) *huma.Response {
	response := &huma.Response{Description: http.StatusText(status)}
	if status == http.StatusNotModified {
		return response
	}
	media := rt.mediaType()
	schema := &huma.Schema{Type: huma.TypeString}
	if rt.Output != reflect.TypeFor[*ops.Document]() {
		schema = types.Schema(rt.Output, true, "")
	} else if strings.HasSuffix(media, "json") {
		schema = &huma.Schema{Type: huma.TypeObject}
	}
	response.Content = map[string]*huma.MediaType{media: {Schema: schema}}
	response.Content[media].Example = answerExample(rt.Name, status)
	return response
}

// A group is a part of the reference.
type group struct{ tag, title, about string }

// groups are the tags of routes, in the order of the reference.
var groups = []group{
	{"tools", "Tools", "Check a file, make one."},
	{"publishers", "Publishers", "What is known about a publisher and its properties."},
	{"authorization", "Authorization", "Whether an agent may sell something, and how one knows."},
	{"directory", "Directory",
		"Stored records: the publishers of an agent, the agents of a property, and the state of publishers. No requests " +
			"are made, and reading needs no key."},
	{"subscriptions", "Subscriptions",
		"Be told of changes by signed requests to a URL. The operator has to have set up a key for that."},
	{"formats", "Formats", "Which creative formats can be bought."},
	{"brands", "Brands", "Brand data of a domain."},
	{"mirrors", "Community mirrors", "Catalogs that the community keeps for platforms without a file of their own."},
	{"custody", "Custody", "What is known about publishers and their files over time, for operators."},
	{"service", "Service", "Descriptions of the service itself."},
}

// keyNeeded says in words what key a route needs.
func (r *route) keyNeeded() string {
	switch {
	case r.Scope == registry.ScopeModerate:
		return "needed, with the scope moderate"
	case r.Scope != "":
		return "needed, with the scope " + string(r.Scope)
	case r.Keyed:
		return "optional; with one there is more in the answer"
	}
	return "not needed"
}
