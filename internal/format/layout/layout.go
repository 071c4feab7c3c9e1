package layout

import (
	"sync"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// A layout is the type of a value as the formatter needs it: in which order members come
// and what they are in turn. It is nil for a value that the format does not describe.
type layout struct {
	kind   model.Kind
	ranks  []int32   // of the members of an object, by the id of their name
	fields []*layout // by rank
	values *layout   // elements of an array, or values of a map

	paramsRank   int32              // of the params of a format; -1 when there are none
	paramsByKind map[string]*layout // theirs, by its format_kind
}

// unknownRank is the rank of a member its object does not know.
const unknownRank = 1 << 30

// layouts are those of a file and of a pointer, made when the first one is written.
var layouts = sync.OnceValue(func() *rootLayouts {
	m := layoutMaker{objects: map[*model.ObjectType]*layout{}, params: map[string]*layout{}}
	for kind, o := range model.Params() {
		if o != nil { // those of some kinds are free
			m.params[kind] = m.object(o)
		}
	}
	return &rootLayouts{file: m.object(model.File), pointer: m.object(model.Pointer)}
})

type rootLayouts struct{ file, pointer *layout }

// layoutOf returns the layout of a document.
func layoutOf(root jsontree.Value) *layout {
	if root.Has("authoritative_location") {
		return layouts().pointer
	}
	return layouts().file
}

// layoutMaker makes one layout of each object.
type layoutMaker struct {
	objects map[*model.ObjectType]*layout
	params  map[string]*layout
}

func (m *layoutMaker) value(t *model.Type) *layout {
	switch {
	case t == nil:
		return nil
	case t.Kind == model.Object && t.Object != nil:
		return m.object(t.Object)
	case t.Kind == model.Array || t.Kind == model.Map:
		return &layout{kind: t.Kind, values: m.value(t.Elem)}
	}
	return nil
}

func (m *layoutMaker) object(o *model.ObjectType) *layout {
	l := m.objects[o]
	if l != nil {
		return l
	}
	l = &layout{kind: model.Object, ranks: make([]int32, Names().Len()+1), fields: make([]*layout, len(o.Fields)),
		paramsRank: -1}
	m.objects[o] = l // an object may hold others of its kind
	for id := range l.ranks {
		l.ranks[id] = unknownRank
	}
	for i := range o.Fields {
		field := &o.Fields[i]
		l.ranks[Names().ID(field.Name)] = int32(i)
		l.fields[i] = m.value(&field.Type)
		if field.Name == "params" {
			l.paramsRank, l.paramsByKind = int32(i), m.params
		}
	}
	return l
}

// rank returns the position of a member among those of the object.
func (l *layout) rank(id uint16) int32 {
	if l == nil || int(id) >= len(l.ranks) {
		return unknownRank
	}
	return l.ranks[id]
}

// params returns the layout that the params of an object have, which depends on its
// format_kind.
func (l *layout) params(v jsontree.Value) *layout {
	if l == nil || l.paramsByKind == nil {
		return nil
	}
	return l.paramsByKind[v.Get("format_kind").Str()]
}

// member returns the layout of a member; params is that of its params.
func (l *layout) member(rank int32, params *layout) *layout {
	switch {
	case l == nil:
		return nil
	case l.kind == model.Map:
		return l.values
	case rank == unknownRank:
		return nil
	case rank == l.paramsRank:
		return params
	}
	return l.fields[rank]
}

// elem returns the layout of the elements of an array.
func (l *layout) elem() *layout {
	if l == nil || l.kind != model.Array {
		return nil
	}
	return l.values
}
