package adagents

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// sample writes a value of a type with every member it can have. With wrong
// set, every member of the objects in it is null instead, which no member of
// the model may be.
func sample(t *model.Type, wrong bool) string {
	switch t.Kind {
	case model.Bool:
		return "true"
	case model.Integer, model.Number:
		return "7"
	case model.Array:
		return "[" + sample(t.Elem, wrong) + "]"
	case model.Map:
		return `{"key":` + sample(t.Elem, wrong) + `}`
	case model.Object:
		return sampleObject(t.Object, wrong)
	}
	return `"text"`
}

func sampleObject(o *model.ObjectType, wrong bool) string {
	if o == nil {
		return `{"free":1}`
	}
	var members []string
	for i := range o.Fields {
		value := "null"
		if !wrong {
			value = sample(&o.Fields[i].Type, false)
		}
		members = append(members, fmt.Sprintf("%q:%s", o.Fields[i].Name, value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func parseSample(t *testing.T, text string) Value {
	t.Helper()
	tree, err := jsontree.Parse([]byte(text), jsontree.Options{Names: names()})
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return tree.Root()
}

// TestDecodeEverything decodes a file that has every member of the model and
// looks for members that did not arrive.
func TestDecodeEverything(t *testing.T) {
	t.Parallel()
	var d decoder
	f := new(File)
	d.decodeFile(parseSample(t, sampleObject(model.File, false)), f)
	wantFilled(t, "File", reflect.ValueOf(f).Elem())
	p := new(Pointer)
	d.decodePointer(parseSample(t, sampleObject(model.Pointer, false)), p)
	wantFilled(t, "Pointer", reflect.ValueOf(p).Elem())
	if len(d.wrong)+len(d.unknown) > 0 {
		t.Errorf("%d members of a wrong type, %d unknown ones", len(d.wrong), len(d.unknown))
	}
}

// wantFilled reports the exported fields of a struct that are empty, and those
// of the structs inside it.
func wantFilled(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch {
	case v.Type() == reflect.TypeFor[Value]():
		return
	case v.Kind() == reflect.Pointer:
		wantFilled(t, path, v.Elem())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			wantFilled(t, path, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if v.Field(i).IsZero() {
				t.Errorf("%s.%s is empty", path, field.Name)
				continue
			}
			wantFilled(t, path+"."+field.Name, v.Field(i))
		}
	}
}

// TestDecodeWrongTypes gives every object type null for every member, and
// counts the members that are noted.
func TestDecodeWrongTypes(t *testing.T) {
	t.Parallel()
	for _, o := range model.Typed() {
		decode := reflect.ValueOf(decoders[o.Name])
		if !decode.IsValid() {
			t.Errorf("no decoder for %s", o.Name)
			continue
		}
		var d decoder
		x := reflect.New(decode.Type().In(2).Elem())
		root := parseSample(t, strings.TrimSuffix(sampleObject(o, true), "}")+`,"surely unknown":1}`)
		decode.Call([]reflect.Value{reflect.ValueOf(&d), reflect.ValueOf(root), x})
		free := 0
		for i := range o.Fields {
			if o.Fields[i].Type.Kind == model.Any {
				free++
			}
		}
		if len(d.wrong) != len(o.Fields)-free || len(d.unknown) != 1 {
			t.Errorf("%s: %d of %d members noted as wrong, %d unknown", o.Name, len(d.wrong), len(o.Fields)-free, len(d.unknown))
		}
	}
}
