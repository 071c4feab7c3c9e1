package api

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/ops"
)

// A Reference describes the API for people, in the order it is read in.
type Reference struct {
	Groups []ReferenceGroup
	// Types are the objects that several routes use, in alphabetical order.
	Types []ReferenceType
}

// A ReferenceGroup are the routes about one thing.
type ReferenceGroup struct {
	ID, Title, About string
	Routes           []ReferenceRoute
}

// A ReferenceRoute describes one route.
type ReferenceRoute struct {
	Method, Path, ID     string
	Summary, Description string
	// Key says whether a key is needed, Limit how large a body may be; empty without
	// one.
	Key, Limit string
	// Parameters are those of path and query, Body the members of the request body.
	Parameters, Body []ReferenceMember
	// BodyNote is what there is to say about a body that is passed on as it is.
	BodyNote string
	// Answer has the members of the answer; Media is its content type.
	Answer   []ReferenceMember
	Media    string
	Statuses []ReferenceStatus
	// Example is a command line that makes the call, and Try the same for the page.
	Example string
	Try     ReferenceTry
}

// A ReferenceStatus is one that a route answers with.
type ReferenceStatus struct {
	Code int
	Name string
}

// A ReferenceType describes an object.
type ReferenceType struct {
	Name    string
	Members []ReferenceMember
}

// A ReferenceMember is a parameter, or a member of an object.
type ReferenceMember struct {
	Name string
	// Type is the type in words; Of is the name of the object in it, empty when there
	// is none.
	Type, Of string
	// Required: always there, or always to be given.
	Required bool
	About    string
}

// A referenceBuilder collects the objects that routes refer to.
type referenceBuilder struct {
	seen map[reflect.Type]bool
	todo []reflect.Type
	done []ReferenceType
}

func (b *referenceBuilder) route(rt *route) ReferenceRoute {
	doc := ReferenceRoute{
		Method: rt.method, Path: rt.path, ID: rt.Name, Summary: rt.Summary,
		Description: joinSentences(rt.Description, rt.Elsewhere()), Key: rt.keyNeeded(),
		Media: rt.mediaType(), Example: rt.commandLine(), Try: rt.try(),
	}
	for i := range rt.Input.Params {
		p := &rt.Input.Params[i]
		f := rt.Input.Field(p)
		m := b.member(p.Names[0], f, p.Required)
		m.About = joinSentences(m.About, repeatedWords(f.Type), defaultWords(p.Default))
		doc.Parameters = append(doc.Parameters, m)
	}
	if rt.Input.Body != nil {
		f := rt.Input.Body.Field
		doc.Limit = strconv.FormatInt(rt.Input.Body.Limit, 10) + " bytes"
		doc.BodyNote = f.Tag.Get("doc")
		if f.Type.Kind() == reflect.Struct {
			doc.Body = b.members(f.Type, true)
		}
	}
	out := rt.Output
	if out != reflect.TypeFor[*ops.Document]() {
		doc.Answer = b.members(out.Elem(), false)
	}
	for _, code := range slices.Concat(rt.successes(), rt.errorStatuses()) {
		doc.Statuses = append(doc.Statuses, ReferenceStatus{code, http.StatusText(code)})
	}
	return doc
}

func repeatedWords(t reflect.Type) string {
	if t.Kind() != reflect.Slice {
		return ""
	}
	return "May be repeated."
}

func defaultWords(fallback string) string {
	if fallback == "" {
		return ""
	}
	return "The default is " + fallback + "."
}

func joinSentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}

// members describes the members of a struct, embedded structs included.
func (b *referenceBuilder) members(t reflect.Type, request bool) []ReferenceMember {
	var list []ReferenceMember
	for i := range t.NumField() {
		f := t.Field(i)
		tag, hasTag := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && !hasTag:
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			list = append(list, b.members(embedded, request)...)
		case name != "" && name != "-":
			required := f.Tag.Get("required") == "true" || !request && !strings.Contains(options, "omit")
			list = append(list, b.member(name, f, required))
		}
	}
	return list
}

func (b *referenceBuilder) member(name string, f reflect.StructField, required bool) ReferenceMember {
	m := ReferenceMember{Name: name, Required: required, About: f.Tag.Get("doc")}
	m.Type, m.Of = b.typeWords(f.Type)
	if enum := f.Tag.Get("enum"); enum != "" {
		m.About = joinSentences(m.About, "One of "+strings.ReplaceAll(enum, ",", ", ")+".")
	}
	return m
}

// typeWords names a Go type as JSON has it, and the object in it.
func (b *referenceBuilder) typeWords(t reflect.Type) (string, string) {
	known, ok := optTypes[t]
	switch {
	case ok:
		return b.typeWords(known)
	case t == reflect.TypeFor[jsontext.Value]():
		return "any", ""
	case t.Kind() == reflect.Pointer:
		return b.typeWords(t.Elem())
	}
	switch t.Kind() {
	case reflect.String:
		return "string", ""
	case reflect.Bool:
		return "boolean", ""
	case reflect.Int, reflect.Int64:
		return "integer", ""
	case reflect.Float64:
		return "number", ""
	case reflect.Slice:
		_, of := b.typeWords(t.Elem())
		words, _ := b.typeWords(t.Elem())
		return "array of " + words, of
	case reflect.Struct:
		b.note(t)
		return "object", schemaName(t, "")
	case reflect.Map:
		words, of := b.typeWords(t.Elem())
		return "object of " + words, of
	}
	return "any", ""
}

// note puts an object on the list of those to describe.
func (b *referenceBuilder) note(t reflect.Type) {
	if !b.seen[t] {
		b.seen[t] = true
		b.todo = append(b.todo, t)
	}
}

// finish describes the objects that were noted, and those they have in turn.
func (b *referenceBuilder) finish() []ReferenceType {
	for len(b.todo) > 0 {
		t := b.todo[0]
		b.todo = b.todo[1:]
		b.done = append(b.done, ReferenceType{schemaName(t, ""), b.members(t, false)})
	}
	slices.SortFunc(b.done, func(x, y ReferenceType) int { return strings.Compare(x.Name, y.Name) })
	return b.done
}

// exampleBase is where the service is in examples, unless it is known better.
const exampleBase = "http://127.0.0.1:8080"

// commandLine is a call with curl.
func (r *route) commandLine() string {
	const base = exampleBase
	line := "curl -s '" + base + examplePath(r.path)
	switch {
	case r.Input.Body != nil && r.Example != "":
		line = "curl -s -X " + r.method + " '" + base + examplePath(r.path) + "' \\\n"
		if r.Scope != "" {
			line += "  -H \"Authorization: Bearer $AVOW_KEY\" \\\n"
		}
		return line + "  -H 'Content-Type: application/json' -d '" + r.Example + "'"
	case r.method != "GET":
		return "curl -s -X " + r.method + " '" + base + examplePath(r.path) + "' -H \"Authorization: Bearer $AVOW_KEY\""
	case r.Example != "":
		line += "?" + r.Example
	}
	line += "'"
	if r.Scope != "" {
		line += " -H \"Authorization: Bearer $AVOW_KEY\""
	}
	return line
}

// A ReferenceTry is a call that can be made from the page of the reference.
type ReferenceTry struct {
	// Open is the example as an address: for what only reads and needs no key. Empty for others.
	Open   string
	Fields []ReferenceField
	// Body is the example of a body; HasBody tells whether there is one.
	Body    string
	HasBody bool
	// Keyed: a key is needed. Changes: more is done than reading.
	Keyed, Changes bool
}

// A ReferenceField is a parameter of a call, with the value of the example.
type ReferenceField struct {
	Name, In, Value string
	Required        bool
}

// try describes the call of a route that its example makes.
func (r *route) try() ReferenceTry {
	t := ReferenceTry{Keyed: r.Scope != "", HasBody: r.Input.Body != nil, Changes: r.Scope != "" &&
		r.method != http.MethodGet}
	given := r.exampleParameters()
	for i := range r.Input.Params {
		p := &r.Input.Params[i]
		f := ReferenceField{Name: p.Names[0], In: p.In, Required: p.Required}
		for _, name := range p.Names {
			if f.Value == "" {
				f.Value = given.Get(name)
			}
		}
		if p.In == "path" {
			// The page escapes what is written there.
			value, err := url.PathUnescape(pathExamples[f.Name])
			if err == nil {
				f.Value = value
			}
		}
		t.Fields = append(t.Fields, f)
	}
	switch {
	case t.HasBody:
		t.Body = r.Example
	case r.method == http.MethodGet && !t.Keyed:
		t.Open = examplePath(r.path)
		if len(given) > 0 {
			t.Open += "?" + r.Example
		}
	}
	return t
}
