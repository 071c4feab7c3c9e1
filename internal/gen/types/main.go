// Command types writes the Go types of package adagents, and the code that
// fills them from a JSON tree, from the tables of package model.
//
// It is run by go generate in the adagents directory; with -check it writes
// nothing and fails when a file is out of date.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"strings"

	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/model"
)

func main() { genfile.Main("types", ".", Generate) }

const header = "// Code generated from internal/model by internal/gen/types. DO NOT EDIT.\n\npackage adagents\n\n"

// Generate returns the generated files by name.
func Generate() (map[string][]byte, error) {
	parts := map[string]func(*bytes.Buffer){
		"names_gen.go":  writeNames,
		"types_gen.go":  writeTypes,
		"decode_gen.go": writeDecoders,
	}
	files := make(map[string][]byte)
	for name, write := range parts {
		var b bytes.Buffer
		b.WriteString(header)
		write(&b)
		src, err := format.Source(b.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = src
	}
	return files, nil
}

// writeNames writes the ids of the member names that decoders switch on. The names
// of the parameters of formats have ids too, which nothing mentions by name.
func writeNames(b *bytes.Buffer) {
	typed := make(map[string]bool)
	for _, o := range model.Typed() {
		for _, n := range o.Names() {
			typed[n] = true
		}
	}
	b.WriteString("// Ids of known member names: their places in model.KnownNames, from 1.\nconst (\n")
	for i, n := range model.KnownNames() {
		if typed[n] {
			fmt.Fprintf(b, "\t%s uint16 = %d\n", nameConst(n), i+1)
		}
	}
	b.WriteString(")\n")
}

func nameConst(name string) string { return "name" + goName(name) }

// goName derives an exported Go identifier from a member name.
func goName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(strings.TrimPrefix(name, "$"), "_") {
		switch word {
		case "id", "url", "uri", "kid", "dts":
			b.WriteString(strings.ToUpper(word))
		case "ids":
			b.WriteString("IDs")
		case "etag":
			b.WriteString("ETag")
		default:
			if word != "" {
				b.WriteString(strings.ToUpper(word[:1]) + word[1:])
			}
		}
	}
	return b.String()
}

func fieldName(f *model.Field) string { return f.GoName() }

// fieldType returns the Go type of a member.
func fieldType(f *model.Field) string { return cmp.Or(f.GoType, goType(&f.Type)) }

func goType(t *model.Type) string {
	switch t.Kind {
	case model.String:
		if t.Format == model.DateTime {
			return "Timestamp"
		}
		return "string"
	case model.Bool:
		return "bool"
	case model.Integer, model.Number:
		return "Number"
	case model.Array:
		return "[]" + strings.TrimPrefix(goType(t.Elem), "*")
	case model.Map:
		return "[]" + strings.TrimPrefix(goType(t.Elem), "*")
	case model.Object:
		if t.Object != nil {
			return "*" + t.Object.Name
		}
	}
	return "Value"
}

// inMap reports whether the object is the value type of a map, and therefore
// carries its member name as a key.
func inMap(o *model.ObjectType) bool {
	for _, other := range model.Typed() {
		for i := range other.Fields {
			t := &other.Fields[i].Type
			if t.Kind == model.Map && t.Elem.Object == o {
				return true
			}
		}
	}
	return false
}

func writeTypes(b *bytes.Buffer) {
	for _, o := range model.Typed() {
		fmt.Fprintf(b, "// %s is %s.\ntype %s struct {\n\tentry\n", o.Name, o.Doc, o.Name)
		if inMap(o) {
			b.WriteString("\t// Key is the member name the object stands under.\n\tKey string\n")
		}
		for i := range o.Fields {
			f := &o.Fields[i]
			fmt.Fprintf(b, "\t// %s %s\n\t%s %s\n", fieldName(f), fieldDoc(f), fieldName(f), fieldType(f))
		}
		fmt.Fprintf(b, "\tpos [%d]uint32\n}\n\n", max(len(o.Fields), 1))
		writePositions(b, o)
	}
}

// fieldDoc makes a doc comment that begins with a verb.
func fieldDoc(f *model.Field) string {
	return fmt.Sprintf("is the member %s: %s", f.Name, f.Doc)
}

// writePositions writes the indexes into pos and the accessor for members.
func writePositions(b *bytes.Buffer, o *model.ObjectType) {
	b.WriteString("const (\n")
	for i := range o.Fields {
		suffix := ""
		if i == 0 {
			suffix = " = iota"
		}
		fmt.Fprintf(b, "\tat%s%s%s\n", o.Name, fieldName(&o.Fields[i]), suffix)
	}
	b.WriteString(")\n\n")
	fmt.Fprintf(b, "func (x *%s) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }\n\n", o.Name)
}
