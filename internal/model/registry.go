package model

import (
	"slices"
	"strings"
)

// Typed returns the object types that have a Go type in package adagents: those that
// File and Pointer lead to. The parameters of formats have none, they are read as
// the values they are, with the tables of Params.
func Typed() []*ObjectType { return visit(visit(nil, File), Pointer) }

// Objects returns every object type that a file can contain, each once, in the
// order a reader meets them: File, Pointer, then the params of every kind.
func Objects() []*ObjectType {
	found := Typed()
	for _, kind := range FormatKinds {
		found = visit(found, Params()[kind])
	}
	return found
}

// Below returns an object type and those that it leads to, without the parameters of formats.
func Below(o *ObjectType) []*ObjectType { return visit(nil, o) }

// visit appends o and the types below it, parents first, skipping the ones
// already found: an Agent leads back to Property, which File lists too.
func visit(found []*ObjectType, o *ObjectType) []*ObjectType {
	if o == nil || slices.Contains(found, o) {
		return found
	}
	found = append(found, o)
	for i := range o.Fields {
		t := &o.Fields[i].Type
		for t.Elem != nil {
			t = t.Elem
		}
		found = visit(found, t.Object)
	}
	return found
}

// KnownNames returns the member names of all objects, sorted, each once, so
// that a misspelt name can be compared against everything the format knows.
func KnownNames() []string {
	var names []string
	for _, o := range Objects() {
		names = append(names, o.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// GoName returns the field name used in generated Go types: Go when it is
// set, otherwise the member name in camel case with the usual initialisms.
func (f *Field) GoName() string {
	if f.Go != "" {
		return f.Go
	}
	var b strings.Builder
	for word := range strings.SplitSeq(f.Name, "_") {
		b.WriteString(capitalise(word))
	}
	return b.String()
}

func capitalise(word string) string {
	switch word {
	case "id", "url", "uri":
		return strings.ToUpper(word)
	case "etag":
		return "ETag"
	case "":
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
