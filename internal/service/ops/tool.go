package ops

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
)

// A Tool is how an operation is shown to language models.
type Tool struct{ Name, Title, Text string }

// An Argument is a part of an input as a tool takes it: a parameter, or a member of the body.
type Argument struct {
	// Name is the documented one.
	Name     string
	Field    reflect.StructField
	Required bool
	names    []string
	index    []int
	limits   limits
	object   *objectPlan
}

// Tool returns the arguments.
func (p *Plan) Tool() []Argument { return p.arguments }

// ToolNames returns the documented names of the arguments.
func (p *Plan) ToolNames() []string {
	names := make([]string, 0, len(p.arguments))
	for i := range p.arguments {
		names = append(names, p.arguments[i].Name)
	}
	return names
}

// planArguments makes arguments of the parameters and of the members of the body. Of their tags,
//
//	tool:"property_type"     is the name for tools, where it is another one; "-" leaves it out
//	toolDefault, toolMaximum are default and maximum for tools
func (p *Plan) planArguments() {
	add := func(f reflect.StructField, names []string, index []int, l limits, required bool, object *objectPlan) {
		switch name := f.Tag.Get("tool"); name {
		case "-":
			return
		case "":
		default:
			names = append([]string{name}, names...)
		}
		p.arguments = append(p.arguments, Argument{names[0], f, required, names, index, l.ofTool(f), object})
	}
	for i := range p.Params {
		q := &p.Params[i]
		add(p.Field(q), q.Names, q.field, q.limits, q.Required, planObject(p.Field(q).Type))
	}
	if p.Body == nil || p.Body.object == nil {
		return
	}
	for i := range p.Body.object.members {
		m := &p.Body.object.members[i]
		f := p.Body.Field.Type.Field(m.field)
		add(f, append([]string{m.name}, m.limits.also...), append(slices.Clone(p.Body.Field.Index), m.field), m.limits,
			m.limits.required, m.object)
	}
}

// Arguments fills an input from a JSON object of arguments. Unknown, empty and repeated ones are
// refused by name.
func (p *Plan) Arguments(in any, src []byte) error {
	if len(src) == 0 || string(src) == "null" {
		src = []byte("{}")
	}
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: len(src)})
	if err != nil || !tree.Root().Is(jsontree.Object) {
		return invalid("request.json", "the arguments are not a JSON object", "")
	}
	self, ok := in.(selfReader)
	if ok {
		return self.object(tree.Root())
	}
	d := decoder{src: src, repeated: len(tree.Duplicates()) > 0}
	err = d.once("", tree.Root())
	if err == nil {
		err = p.refuseArguments(tree.Root())
	}
	for i := 0; err == nil && i < len(p.arguments); i++ {
		a := &p.arguments[i]
		err = a.read(&d, tree.Root(), reflect.ValueOf(in).Elem().FieldByIndex(a.index))
	}
	return err
}

// refuseArguments returns the error of arguments that are not known.
func (p *Plan) refuseArguments(root jsontree.Value) error {
	var unknown []string
	for m := range root.Members() {
		if !slices.ContainsFunc(p.arguments, func(a Argument) bool { return slices.Contains(a.names, m.Name()) }) {
			unknown = append(unknown, strings.Clone(m.Name()))
		}
	}
	if unknown == nil {
		return nil
	}
	slices.Sort(unknown)
	wrong := invalid("request.unknown", quoted(unknown[0])+" is not an argument of this tool", "")
	near, ok := spell.Nearest(unknown[0], p.ToolNames(), 3)
	if ok {
		wrong.Hint = "write " + near + " instead of " + quoted(unknown[0])
	}
	return WithExtras(wrong, ErrorExtras{Field: unknown[0], Unknown: unknown[:min(len(unknown), 20)]})
}

// read fills the field of an argument.
func (a *Argument) read(d *decoder, root jsontree.Value, to reflect.Value) error {
	var v jsontree.Value
	for _, name := range a.names {
		one := root.Get(name)
		if one.Exists() && v.Exists() {
			return fieldError(a.Name, "request.repeated", a.Name+" is given more than once", "give it once")
		}
		if one.Exists() {
			v = one
		}
	}
	switch {
	case !v.Exists() || v.Is(jsontree.Null):
		if a.Required {
			return fieldError(a.Name, "request.missing", "Missing required parameter: "+a.Name, "")
		}
		return a.limits.preset(to)
	case v.Is(jsontree.String) && strings.TrimSpace(v.Str()) == "":
		return fieldError(a.Name, "request.value", a.Name+" is empty", "leave it out if nothing is meant")
	}
	err := d.value(a.Name, a.object, v, to)
	if err != nil {
		return err
	}
	return a.limits.check(a.Name, to)
}

// A Member is one of an answer.
type Member struct {
	Name  string
	Field reflect.StructField
	// Omit: it may be left out.
	Omit bool
	// From says whose text it is, by the tag of that name: publisher for words of a publisher, id for an id
	// that a publisher chose, file for the text of a file; empty for our own.
	From string
}

var (
	membersMu sync.Mutex
	membersOf = map[reflect.Type][]Member{}
)

// Members lists the members that a struct has in JSON, those of embedded structs included.
func Members(t reflect.Type) []Member {
	membersMu.Lock()
	defer membersMu.Unlock()
	list, ok := membersOf[t]
	if !ok {
		list = members(t)
		membersOf[t] = list
	}
	return list
}

func members(t reflect.Type) []Member {
	list := []Member{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, hasTag := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && !hasTag:
			list = append(list, members(Plain(f.Type))...)
		case name != "" && name != "-":
			list = append(list, Member{name, f, strings.Contains(options, "omit"), f.Tag.Get("from")})
		}
	}
	return list
}

// MemberOf returns a member of a struct by its name.
func MemberOf(t reflect.Type, name string) (*Member, bool) {
	list := Members(t)
	i := slices.IndexFunc(list, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return &list[i], true
}

// Plain returns a type as JSON shows it: without pointers, and nil for any JSON.
func Plain(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil || t == reflect.TypeFor[jsontext.Value]() || t.Kind() == reflect.Interface:
		return nil
	case strings.HasPrefix(t.Name(), "Opt["):
		return Plain(t.Field(0).Type)
	}
	return t
}
