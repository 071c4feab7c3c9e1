package ops

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A BodyPlan says where the body of a request goes.
type BodyPlan struct {
	// Field is the field that it fills, Limit its size in bytes.
	Field reflect.StructField
	Limit int64
	// object is nil for a body that is passed on as it is; unread ones are not even
	// parsed, since the receiver does that.
	object *objectPlan
	unread bool
}

// An objectPlan says which members of a JSON object go where.
type objectPlan struct {
	members []memberPlan
}

type memberPlan struct {
	name   string
	field  int
	limits limits
	// object is that of a struct, or of the structs in a list; nil for other types.
	object *objectPlan
}

// planObject makes the plan of a struct, or of the structs in a list.
func planObject(t reflect.Type) *objectPlan {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	plan := new(objectPlan)
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			plan.members = append(plan.members, memberPlan{name, i, limitsOf(f), planObject(f.Type)})
		}
	}
	return plan
}

// JSON fills an input from the text of its body; none is an empty object.
func (p *Plan) JSON(in any, src []byte) error {
	if len(src) == 0 {
		src = []byte("{}")
	}
	return p.Body.decode(src, reflect.ValueOf(in).Elem().FieldByIndex(p.Body.Field.Index))
}

// decode reads JSON into a struct or into bytes.
func (p *BodyPlan) decode(src []byte, to reflect.Value) error {
	if p.unread {
		to.SetBytes(bytes.TrimPrefix(src, []byte("\ufeff")))
		return nil
	}
	return p.parse(src, to)
}

// checkObject returns the error of a body that is not a JSON object.
func checkObject(src []byte) error {
	return new(BodyPlan).parse(src, reflect.ValueOf(new([]byte)).Elem())
}

func (p *BodyPlan) parse(src []byte, to reflect.Value) error {
	opt := jsontree.Options{MaxBytes: len(src)}
	if len(src) > smallestFile {
		opt.Names = knownNames()
	}
	tree, err := jsontree.Parse(src, opt)
	if err != nil {
		return malformed(src, err)
	}
	root := tree.Root()
	if !root.Is(jsontree.Object) {
		return WithExtras(invalid("request.parse", "Malformed request body", "send a JSON object"),
			ErrorExtras{Type: parseFailed})
	}
	if p.object == nil {
		to.SetBytes(bytes.TrimPrefix(src, []byte("\ufeff")))
		return nil
	}
	d := decoder{src: src, repeated: len(tree.Duplicates()) > 0}
	return d.object("", p.object, root, to)
}

// smallestFile is the size from which a body is read as one that may hold a file: to know the names of its members
// takes more memory than a smaller body.
const smallestFile = 1 << 10

// knownNames are those of the members of a file: most of a large body is one.
var knownNames = sync.OnceValue(func() *jsontree.Names { return jsontree.NewNames(model.KnownNames()) })

// parseFailed is the code that clients know for a body that is not JSON.
const parseFailed = "entity.parse.failed"

// malformed is the error of a body that is not JSON.
func malformed(src []byte, err error) error {
	extras := ErrorExtras{Type: parseFailed}
	hint := ""
	var fault *jsontree.Error
	if errors.As(err, &fault) {
		at := jsontree.Positions(src, []int{fault.Offset})[0]
		extras.Line, extras.Column = at.Line, at.Column
		hint = fault.Msg
	}
	return WithExtras(invalid("request.parse", "Malformed request body", hint), extras)
}

// A decoder fills Go values from parsed JSON. It exists because the sentence about what
// is wrong is the product: it names the member, what it must be and what it is.
type decoder struct {
	src []byte
	// repeated is set when a member occurs twice somewhere. Inside what is passed on
	// unchanged, the receiver checks that.
	repeated bool
}

// object fills a struct. Null stands for an absent member.
func (d *decoder) object(path string, plan *objectPlan, v jsontree.Value, to reflect.Value) error {
	err := d.once(path, v)
	if err != nil {
		return err
	}
	for i := range plan.members {
		m := &plan.members[i]
		err := d.member(path, v, m, to.Field(m.field))
		if err != nil {
			return err
		}
	}
	return nil
}

// once refuses an object that has a member twice: two readers could take different ones.
func (d *decoder) once(path string, v jsontree.Value) error {
	if !d.repeated {
		return nil
	}
	seen := make(map[string]bool, v.Len())
	for m := range v.Members() {
		if seen[m.Name()] {
			name := inside(path, m.Name())
			return d.at(v, name, "request.repeated", "Member "+quoted(name)+" is given more than once")
		}
		seen[m.Name()] = true
	}
	return nil
}

// member fills one field of a struct.
func (d *decoder) member(path string, owner jsontree.Value, m *memberPlan, to reflect.Value) error {
	full := inside(path, m.name)
	v := owner.Get(m.name)
	for _, other := range m.limits.also {
		if !v.Exists() {
			v = owner.Get(other)
		}
	}
	blank := !v.Exists() || v.Is(jsontree.Null) || v.Is(jsontree.String) && to.Kind() == reflect.String &&
		strings.TrimSpace(v.Str()) == ""
	if blank {
		if m.limits.required {
			return d.at(owner, full, "request.missing", m.limits.missingOr("Missing required field: "+full))
		}
		if m.limits.filled && v.Is(jsontree.String) {
			return d.at(v, full, "request.value", full+" is empty: leave it out if nothing is meant")
		}
		return nil
	}
	err := d.value(full, m.object, v, to)
	if err != nil {
		return err
	}
	return m.limits.check(full, to)
}

// value fills one value.
func (d *decoder) value(path string, plan *objectPlan, v jsontree.Value, to reflect.Value) error {
	wrong := func(want string) error {
		return d.at(v, path, "request.type", path+" must be "+want+", not "+v.Kind().String())
	}
	switch to.Kind() {
	case reflect.String:
		s, ok := v.AsString()
		if !ok {
			return wrong("a string")
		}
		// A name that is remembered must not keep the whole body in memory.
		to.SetString(strings.Clone(s))
	case reflect.Bool:
		if !v.IsBool() {
			return wrong("true or false")
		}
		to.SetBool(v.Bool())
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(v.Text(), 10, 64)
		if !v.Is(jsontree.Number) || err != nil {
			return wrong("a whole number")
		}
		to.SetInt(n)
	case reflect.Slice:
		return d.list(path, plan, v, to)
	case reflect.Struct:
		if !v.Is(jsontree.Object) {
			return wrong("an object")
		}
		return d.object(path, plan, v, to)
	default:
		return fmt.Errorf("the route table has a member %s of type %s", path, to.Type())
	}
	return nil
}

// list fills a slice: of values, or of the bytes of any JSON.
func (d *decoder) list(path string, plan *objectPlan, v jsontree.Value, to reflect.Value) error {
	if to.Type().Elem().Kind() == reflect.Uint8 {
		raw := v.Source()
		if len(raw) < len(d.src)/2 {
			raw = bytes.Clone(raw) // it must not keep the whole body in memory
		}
		to.SetBytes(slices.Clip(raw))
		return nil
	}
	if !v.Is(jsontree.Array) {
		return d.at(v, path, "request.type", path+" must be an array, not "+v.Kind().String())
	}
	to.Set(reflect.MakeSlice(to.Type(), v.Len(), v.Len()))
	for i, e := range v.Elems() {
		err := d.value(path+"["+strconv.Itoa(i)+"]", plan, e, to.Index(i))
		if err != nil {
			return err
		}
	}
	return nil
}

// at is the error about a member, with its place.
func (d *decoder) at(v jsontree.Value, name, code, message string) error {
	at := jsontree.Positions(d.src, []int{v.Offset()})[0]
	return WithExtras(invalid(code, message, ""), ErrorExtras{Field: name, Line: at.Line, Column: at.Column})
}

// inside returns the path of a member.
func inside(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// quoted returns a name from outside for a message, shortened.
func quoted(name string) string { return `"` + textsafe.Line(name, 60) + `"` }
