package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// slabbed are the types of which a large file has very many; their slices come
// from slabs so that decoding costs few allocations.
var slabbed = map[string]bool{"Identifier": true}

func writeDecoders(b *bytes.Buffer) {
	b.WriteString("import \"github.com/avow-project/avow/internal/model\"\n\n")
	b.WriteString("// decoder fills the typed model from a tree.\ntype decoder struct {\n\tdecoderState\n")
	for _, o := range model.Typed() {
		if slabbed[o.Name] {
			fmt.Fprintf(b, "\t%sSlab slab[%s]\n", lowerName(o.Name), o.Name)
		}
	}
	b.WriteString("}\n\n")
	for _, o := range model.Typed() {
		fmt.Fprintf(b, "func (x *%s) subject() subject { return subject{x, x.Raw, model.%s.Fields, x.pos[:]} }\n\n",
			o.Name, o.Name)
		writeDecoder(b, o)
		writeListDecoder(b, o)
	}
}

func lowerName(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func writeDecoder(b *bytes.Buffer, o *model.ObjectType) {
	fmt.Fprintf(b, "func (d *decoder) decode%s(v Value, x *%s) {\n\tx.Raw = v\n", o.Name, o.Name)
	b.WriteString("\tfor m, ok := v.FirstMember(); ok; m, ok = m.Next() {\n\t\tw := m.Value()\n\t\tswitch m.NameID() {\n")
	for i := range o.Fields {
		f := &o.Fields[i]
		fmt.Fprintf(b, "\t\tcase %s:\n\t\t\tx.pos[at%s%s] = w.Node()\n", nameConst(f.Name), o.Name, fieldName(f))
		fmt.Fprintf(b, "\t\t\t%s\n", assign(o, i))
	}
	fmt.Fprintf(b, "\t\tdefault:\n\t\t\td.addUnknown(model.%s, v, m)\n\t\t}\n\t}\n}\n\n", o.Name)
}

// assign returns the statements that store the member's value in the struct,
// or note that it has the wrong type.
func assign(o *model.ObjectType, i int) string {
	f := &o.Fields[i]
	wrong := fmt.Sprintf("d.mistyped(model.%s, %d, w)", o.Name, i)
	if f.Type.Kind == model.String {
		value := "s"
		if of := fieldType(f); of != "string" {
			value = of + "(s)"
		}
		return fmt.Sprintf("if s, ok := w.AsString(); ok {\nx.%s = %s\n} else {\n%s\n}", fieldName(f), value, wrong)
	}
	store, test := stored(o, f)
	if test == "" {
		return store
	}
	return fmt.Sprintf("%s\nif %s {\n%s\n}", store, test, wrong)
}

// stored returns the assignment, and the condition under which the value has
// the wrong type.
func stored(o *model.ObjectType, f *model.Field) (string, string) {
	dst := "x." + fieldName(f)
	t := &f.Type
	switch t.Kind {
	case model.Bool:
		return dst + " = w.Bool()", "!w.IsBool()"
	case model.Integer, model.Number:
		return dst + " = numberOf(w)", "!w.Is(NumberKind)"
	case model.Object:
		if t.Object == nil {
			return dst + " = w", "!w.Is(Object)"
		}
		return fmt.Sprintf("if w.Is(Object) {\n%s = part[%s](d)\nd.decode%s(w, %s)\n}", dst, t.Object.Name, t.Object.Name,
			dst), "!w.Is(Object)"
	case model.Map:
		return fmt.Sprintf("%s = d.map%s(w)", dst, t.Elem.Object.Name), "!w.Is(Object)"
	case model.Array:
		if dst == "x.Properties" && o == model.File {
			// Large files have very many; see adagents/fastpath.go.
			return dst + " = d.properties(w)", "!w.Is(Array)"
		}
		return assignList(dst, t.Elem), "!w.Is(Array)"
	}
	return dst + " = w", ""
}

func assignList(dst string, elem *model.Type) string {
	switch {
	case elem.Kind == model.String:
		return dst + " = d.strings(w)"
	case elem.Kind == model.Object && elem.Object != nil:
		return fmt.Sprintf("%s = d.list%s(w)", dst, elem.Object.Name)
	}
	panic("no decoder for the elements of " + dst)
}

func writeListDecoder(b *bytes.Buffer, o *model.ObjectType) {
	if inMap(o) {
		fmt.Fprintf(b, "func (d *decoder) map%s(v Value) []%s {\n\tlist := mapEntries[%s](d, v)\n", o.Name, o.Name, o.Name)
		b.WriteString("\tfor m, ok := v.FirstMember(); ok && len(list) < cap(list); m, ok = m.Next() {\n")
		fmt.Fprintf(b,
			"\t\tlist = append(list, %s{Key: m.Name()})\n\t\td.decode%s(m.Value(), &list[len(list)-1])\n\t}\n\treturn "+
				"list\n}\n\n", o.Name, o.Name)
		return
	}
	if !inList(o) {
		return
	}
	fmt.Fprintf(b, "func (d *decoder) list%s(v Value) []%s {\n\tif !v.Is(Array) {\n\t\treturn nil\n\t}\n", o.Name, o.Name)
	if slabbed[o.Name] {
		fmt.Fprintf(b, "\tlist := d.%sSlab.take(d.allowed, v.Len())\n", lowerName(o.Name))
	} else {
		fmt.Fprintf(b, "\tlist := entries[%s](d, v)\n", o.Name)
	}
	fmt.Fprintf(b,
		"\ti := 0\n\tfor e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {\n\t\td.decode%s(e.Value(), "+
			"&list[i])\n\t\ti++\n\t}\n\treturn list\n}\n\n", o.Name)
}

func inList(o *model.ObjectType) bool {
	for _, other := range model.Typed() {
		for i := range other.Fields {
			t := &other.Fields[i].Type
			if t.Kind == model.Array && t.Elem.Object == o {
				return true
			}
		}
	}
	return false
}
