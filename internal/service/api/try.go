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
	t := ReferenceTry{Keyed: r.scope != "", HasBody: r.input.body != nil, Changes: r.scope != "" && r.method != http.MethodGet}
	given := r.exampleParameters()
	for i := range r.input.params {
		p := &r.input.params[i]
		f := ReferenceField{Name: p.names[0], In: p.in, Required: p.in == "path" || p.limits.required}
		for _, name := range p.names {
			if f.Value == "" {
				f.Value = given.Get(name)
			}
		}
		if p.in == "path" {
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
		t.Body = r.example
	case r.method == http.MethodGet && !t.Keyed:
		t.Open = examplePath(r.path)
		if len(given) > 0 {
			t.Open += "?" + r.example
		}
	}
	return t
}
