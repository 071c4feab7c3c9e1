package api

import (
	"net/http"
	"net/url"
)

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
