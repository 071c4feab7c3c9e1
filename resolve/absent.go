package resolve

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

func newAbsentTable(f *adagents.File) *absentTable {
	t := &absentTable{byID: make([]uint32, len(f.Properties))}
	var hosts hostname.Memo
	type valued struct {
		value string
		valuedIdentifier
	}
	var all []valued
	for i := range f.Properties {
		t.byID[i] = uint32(i)
		p := &f.Properties[i]
		if p.Raw.Get("identifiers").Len() != len(p.Identifiers) {
			t.odd = append(t.odd, uint32(i))
		}
		for k := range p.Identifiers {
			if value, _, ok := lookupForm(p, &p.Identifiers[k], &hosts); ok {
				all = append(all, valued{value, valuedIdentifier{uint32(i), uint32(k)}})
			}
		}
	}
	slices.SortFunc(t.byID, func(a, b uint32) int {
		return cmp.Or(strings.Compare(f.Properties[a].ID, f.Properties[b].ID), cmp.Compare(a, b))
	})
	slices.SortFunc(all, func(a, b valued) int { return strings.Compare(a.value, b.value) })
	t.byValue = make([]valuedIdentifier, len(all))
	for i := range all {
		t.byValue[i] = all[i].valuedIdentifier
	}
	t.readLeft(f)
	return t
}

// readLeft notes what is written and left out.
func (t *absentTable) readLeft(f *adagents.File) {
	section := f.Raw.Get("properties")
	t.numbered = section.Len() == len(f.Properties)
	if t.numbered {
		return
	}
	next := 0
	for _, v := range section.Elems() {
		if next < len(f.Properties) && f.Properties[next].Raw.Node() == v.Node() {
			next++
			continue
		}
		t.left = append(t.left, v)
	}
}

// candidates returns the properties that a question may be about, in the order of the
// file, and false when it names neither an id nor an identifier.
func (t *absentTable) candidates(f *adagents.File, q *Question) ([]uint32, bool) {
	var out []uint32
	switch {
	case q.Property != "":
		id := func(i int) string { return f.Properties[t.byID[i]].ID }
		for i := sort.Search(len(t.byID), func(i int) bool {
			return id(i) >= q.Property
		}); i < len(t.byID) && id(i) == q.Property; i++ {
			out = append(out, t.byID[i])
		}
	case q.Identifier != Identifier{}:
		out = t.identified(f, q.Identifier)
	default:
		return nil, false
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// identified looks for a value and, as the domain of a website may stand for hosts below
// it, for what is above it.
func (t *absentTable) identified(f *adagents.File, asked Identifier) []uint32 {
	var hosts hostname.Memo
	var out []uint32
	at := func(i int) string {
		p := &f.Properties[t.byValue[i].property]
		value, _, _ := lookupForm(p, &p.Identifiers[t.byValue[i].identifier], &hosts)
		return value
	}
	value, below := asked.Value, true
	for below {
		for i := sort.Search(len(t.byValue), func(i int) bool {
			return at(i) >= value
		}); i < len(t.byValue) && at(i) == value; i++ {
			out = append(out, t.byValue[i].property)
		}
		if asked.Type != "domain" {
			break
		}
		_, value, below = strings.Cut(value, ".")
	}
	return out
}
