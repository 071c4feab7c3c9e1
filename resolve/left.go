package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// What a section of the file has and consumers leave out because of a fault must not be
// taken for absent where absence means more: an entry that would be refused because of
// it stays refused.

// A leftOut has the entries of a section that are left out, by id.
type leftOut struct {
	ids map[string]adagents.Value
	// any is one whose id cannot be read, or a section that is not a list. It may be
	// whatever a question names.
	any adagents.Value
}

// find returns the entry that is left out and has an id, or may have it.
func (l *leftOut) find(id string) (adagents.Value, bool) {
	v, ok := l.ids[id]
	if !ok {
		v, ok = l.any, l.any.Exists()
	}
	return v, ok
}

// leftOutOf compares a section as it is written with its n usable entries, which are in
// the order of the file. The id of an entry is the member of that name, and optional
// reports whether an entry may do without one.
func leftOutOf(section adagents.Value, n int, usable func(i int) adagents.Value, member string,
	optional func(adagents.Value) bool) *leftOut {
	l := &leftOut{}
	switch {
	case !section.Exists(), section.Is(adagents.Null), section.Is(adagents.Array) && section.Len() == n:
		return l
	case !section.Is(adagents.Array):
		l.any = section
		return l
	}
	next := 0
	for _, v := range section.Elems() {
		if next < n && usable(next).Node() == v.Node() {
			next++
			continue
		}
		id := v.Get(member)
		switch name := id.Str(); {
		case strings.TrimSpace(name) != "":
			if l.ids == nil {
				l.ids = make(map[string]adagents.Value)
			}
			if _, ok := l.ids[name]; !ok {
				l.ids[name] = v
			}
		case !l.any.Exists() && (id.Exists() || !optional(v)):
			l.any = v
		}
	}
	return l
}

// always is for sections whose entries need an id.
func always(adagents.Value) bool { return false }

// placementsLeftOut returns the placements of a file that are left out.
func placementsLeftOut(f *adagents.File) *leftOut {
	return leftOutOf(f.Raw.Get("placements"), len(f.Placements), func(i int) adagents.Value {
		return f.Placements[i].Raw
	}, "placement_id", always)
}

// signalsLeftOut returns the signals of a file that are left out. An entry that refers
// to a catalog defines none.
func signalsLeftOut(f *adagents.File) *leftOut {
	refers := func(v adagents.Value) bool { return v.Has("catalog_url") }
	return leftOutOf(f.Raw.Get("signals"), len(f.Signals), func(i int) adagents.Value {
		return f.Signals[i].Raw
	}, "id", refers)
}

// propertiesLeftOut returns the properties at the top level of a file that are left out.
// A property needs no id.
func propertiesLeftOut(f *adagents.File) *leftOut {
	return leftOutOf(f.Raw.Get("properties"), len(f.Properties), func(i int) adagents.Value { return f.Properties[i].Raw },
		"property_id", func(v adagents.Value) bool { return v.Is(adagents.Object) })
}

// A topLevel knows the ids of the properties at the top level of a file, usable or not.
type topLevel struct {
	ids  map[string]struct{}
	left *leftOut
	// doubtful: one that counts has an id that cannot be read.
	doubtful bool
}

func newTopLevel(f *adagents.File) *topLevel {
	t := &topLevel{ids: make(map[string]struct{}, len(f.Properties)), left: propertiesLeftOut(f)}
	for i := range f.Properties {
		p := &f.Properties[i]
		t.ids[p.ID] = struct{}{}
		t.doubtful = t.doubtful || p.ID == "" && p.Raw.Has("property_id")
	}
	return t
}

// has reports whether a property at the top level has an id, or may have it.
func (t *topLevel) has(id string) bool {
	if _, ok := t.ids[id]; ok {
		return true
	}
	_, ok := t.left.find(id)
	return ok || t.doubtful
}

// unreadable reports whether a list that narrows an entry is written and comes to
// nothing. Such an entry is limited all the same, to an unknown set.
func unreadable(list []string, entry adagents.Value, member string) bool {
	return len(list) == 0 && entry.Has(member)
}

// hasCatalog reports whether signals are defined outside the file.
func hasCatalog(f *adagents.File) bool {
	return slices.ContainsFunc(f.Signals, func(s adagents.Signal) bool { return s.ID == "" && s.CatalogURL != "" })
}
