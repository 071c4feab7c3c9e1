// Command schema writes schemas/v3/adagents.json, the JSON Schema for editors,
// from the tables of package model.
//
// It is run by go generate in the schemas directory; with -check it writes
// nothing and fails when the file is out of date.
package main

import (
	"bytes"
	"strings"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/model"
)

func main() {
	genfile.Main("schema", "v3", files)
}

func files() (map[string][]byte, error) {
	return map[string][]byte{"adagents.json": Generate()}, nil
}

const domainPattern = `^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`

// Generate returns the schema.
func Generate() []byte {
	var root object
	root.set("$schema", "https://json-schema.org/draft/2020-12/schema")
	root.set("$id", buildinfo.Home()+"/schemas/v3/adagents.json")
	root.set("title", "adagents.json")
	root.set("description",
		"A publisher's declaration of its properties, placements, formats and signals, and of the agents allowed to sell "+
			"them; or a pointer to the file that declares them. "+
			"Follows AdCP "+model.AdCPRelease+" (schemas "+model.AdCPSchemas+").")
	root.set("type", "object")
	root.set("properties", members())
	root.set("if", object{{"required", []string{"authoritative_location"}}})
	root.set("then", ref("Pointer"))
	root.set("else", ref("File"))
	var defs object
	for _, o := range model.Objects() {
		defs.set(o.Name, definition(o))
	}
	root.set("$defs", defs)
	var b bytes.Buffer
	write(&b, root, "")
	b.WriteByte('\n')
	return b.Bytes()
}

// members names the members of both kinds of file, for readers of the schema and for
// editors. What they must be is said under File and Pointer.
func members() object {
	var all object
	for _, o := range []*model.ObjectType{model.Pointer, model.File} {
		for i := range o.Fields {
			if f := &o.Fields[i]; f.Name == "authoritative_location" || o == model.File {
				all.set(f.Name, object{{"description", f.Doc}})
			}
		}
	}
	return all
}

func ref(name string) object { return object{{"$ref", "#/$defs/" + name}} }

// definition describes one object type.
func definition(o *model.ObjectType) object {
	var d object
	d.set("description", strings.ToUpper(o.Doc[:1])+o.Doc[1:]+".")
	d.set("type", "object")
	var properties object
	var required []string
	for i := range o.Fields {
		f := &o.Fields[i]
		properties.set(f.Name, fieldSchema(o, f))
		if f.Required {
			required = append(required, f.Name)
		}
	}
	if len(properties) > 0 {
		d.set("properties", properties)
	}
	if required != nil {
		d.set("required", required)
	}
	if o.MinMembers > 0 {
		d.set("minProperties", o.MinMembers)
	}
	if o.Closed {
		d.set("additionalProperties", false)
	}
	if all := conditions(o); len(all) > 0 {
		d.set("allOf", all)
	}
	return d
}

// fieldSchema describes one member, its help first.
func fieldSchema(o *model.ObjectType, f *model.Field) object {
	s := object{{"description", f.Doc}}
	if f.Default != "" {
		s.set("default", raw(f.Default))
	}
	t := f.Type
	if loose[o.Name+"."+f.Name] {
		t.Format, t.Pattern, t.Enum = model.Text, "", nil
	} else if f.Required && plainText(&t) {
		t.Pattern = notBlank
	}
	return append(s, typeSchema(&t)...)
}

// plainText reports whether nothing but its being a text is said of a value.
func plainText(t *model.Type) bool {
	return t.Kind == model.String && (t.Format == model.Text || t.Format == model.URI) &&
		t.Pattern == "" && t.Enum == nil && t.Const == ""
}

// notBlank is the pattern of texts that must say something.
const notBlank = `\S`

// raw is JSON text that stands as it is.
type raw string

// loose names members whose form the check corrects or only warns about, in
// either profile: the schema must not call a valid file invalid.
var loose = map[string]bool{
	"Property.publisher_domain":   true,
	"Revocation.publisher_domain": true,
	"Signal.relationship":         true,
	"SigningKey.kid":              true,
	"SigningKey.kty":              true,
}

func typeSchema(t *model.Type) object {
	var s object
	switch t.Kind {
	case model.String:
		s = stringSchema(t)
	case model.Bool:
		s.set("type", "boolean")
	case model.Integer:
		s = numberSchema("integer", t)
	case model.Number:
		s = numberSchema("number", t)
	case model.Array:
		s = arraySchema(t)
	case model.Map:
		s.set("type", "object")
		s.set("additionalProperties", typeSchema(t.Elem))
	case model.Object:
		if t.Object != nil {
			return ref(t.Object.Name)
		}
		s.set("type", "object")
	}
	if t.Nullable {
		return object{{"anyOf", []any{s, object{{"type", "null"}}}}}
	}
	return s
}

func stringSchema(t *model.Type) object {
	s := object{{"type", "string"}}
	if t.Const != "" {
		s.set("const", t.Const)
	}
	if t.Enum != nil {
		s.set("enum", t.Enum)
	}
	for _, m := range formats[t.Format] {
		s.set(m.name, m.value)
	}
	if t.MinLen > 0 {
		s.set("minLength", t.MinLen)
	}
	if t.MaxLen > 0 {
		s.set("maxLength", t.MaxLen)
	}
	if t.Pattern != "" {
		s.set("pattern", t.Pattern)
	}
	return s
}

// formats are the schema keywords of each lexical form. "format" is advice to
// editors; patterns hold everywhere.
var formats = map[model.Format]object{
	model.URI:       {{"format", "uri"}},
	model.HTTPS:     {{"format", "uri"}, {"pattern", `^[Hh][Tt][Tt][Pp][Ss]://\S+$`}},
	model.DateTime:  {{"format", "date-time"}},
	model.Email:     {{"format", "email"}},
	model.Domain:    {{"format", "hostname"}, {"maxLength", 253}, {"pattern", domainPattern}},
	model.Hostname:  {{"format", "hostname"}, {"maxLength", 253}},
	model.Country:   {{"pattern", `^[A-Z]{2}$`}},
	model.Digest:    {{"pattern", `^sha256:[a-f0-9]{64}$`}},
	model.Aspect:    {{"pattern", `^[0-9]+(\.[0-9]+)?:[0-9]+(\.[0-9]+)?$`}},
	model.SemVer:    {{"pattern", `^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$`}},
	model.MinorVer:  {{"pattern", `^[1-9]\d*\.(0|[1-9]\d*)$`}},
	model.Base64URL: {{"pattern", `^[A-Za-z0-9_-]+$`}},
	model.Locale:    {{"minLength", 2}, {"maxLength", 63}},
}

func numberSchema(kind string, t *model.Type) object {
	s := object{{"type", kind}}
	if t.HasMin && t.ExclusiveMin {
		s.set("exclusiveMinimum", t.Min)
	} else if t.HasMin {
		s.set("minimum", t.Min)
	}
	if t.HasMax {
		s.set("maximum", t.Max)
	}
	return s
}

func arraySchema(t *model.Type) object {
	s := object{{"type", "array"}, {"items", typeSchema(t.Elem)}}
	if t.MinItems > 0 {
		s.set("minItems", t.MinItems)
	}
	if t.MaxItems > 0 {
		s.set("maxItems", t.MaxItems)
	}
	if t.Unique {
		s.set("uniqueItems", true)
	}
	return s
}
