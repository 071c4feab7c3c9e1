package resolve

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An absentTable finds properties at the top level of a file whoever they belong to, and
// those that are left out. It serves to say why a property is not known, and is made when
// that is asked for the first time.
type absentTable struct {
	byID    []uint32      // properties, by id
	byValue []valuedPlace // identifiers, by value
	left    []adagents.Value
	// odd are properties with identifiers that are left out.
	odd []uint32
	// numbered: the places of properties are those in the file as it is written.
	numbered bool
}

// A valuedPlace is an identifier of a property.
type valuedPlace struct{ property, identifier uint32 }

// absent returns the table of the file, which is the one that was prepared.
func (p *Prepared) absent(f *adagents.File) *absentTable {
	p.lost.Do(func() { p.table = newAbsentTable(f) })
	return p.table
}

func newAbsentTable(f *adagents.File) *absentTable {
	t := &absentTable{byID: make([]uint32, len(f.Properties))}
	var hosts hostname.Memo
	type valued struct {
		value string
		valuedPlace
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
				all = append(all, valued{value, valuedPlace{uint32(i), uint32(k)}})
			}
		}
	}
	slices.SortFunc(t.byID, func(a, b uint32) int {
		return cmp.Or(strings.Compare(f.Properties[a].ID, f.Properties[b].ID), cmp.Compare(a, b))
	})
	slices.SortFunc(all, func(a, b valued) int { return strings.Compare(a.value, b.value) })
	t.byValue = make([]valuedPlace, len(all))
	for i := range all {
		t.byValue[i] = all[i].valuedPlace
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
		for i := sort.Search(len(t.byID), func(i int) bool { return id(i) >= q.Property }); i < len(t.byID) && id(i) == q.Property; i++ {
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
		for i := sort.Search(len(t.byValue), func(i int) bool { return at(i) >= value }); i < len(t.byValue) && at(i) == value; i++ {
			out = append(out, t.byValue[i].property)
		}
		if asked.Type != "domain" {
			break
		}
		_, value, below = strings.Cut(value, ".")
	}
	return out
}

// sayWhoseElse is sayWhose for the properties at the top level.
func (c *explanation) sayWhoseElse() bool {
	f := c.doc.File
	t := c.said.absent(f)
	list, ok := t.candidates(f, c.q)
	if !ok {
		return c.sayWhose(f.Properties)
	}
	for _, i := range list {
		pointer := ""
		if t.numbered {
			pointer = pointerTo("properties", i)
		}
		if c.sayWhoseOne(&f.Properties[i], pointer) {
			return true
		}
	}
	return false
}

// sayLeftOutTop is sayLeftOut for the properties at the top level.
func (c *explanation) sayLeftOutTop() bool {
	f := c.doc.File
	t := c.said.absent(f)
	left := t.left
	if len(c.view().revoked) > 0 {
		list, _ := t.candidates(f, c.q)
		left = slices.Clone(left)
		for _, i := range append(list, t.odd...) {
			if c.v.holdsBack(&f.Properties[i]) {
				left = append(left, f.Properties[i].Raw)
			}
		}
		slices.SortFunc(left, func(a, b adagents.Value) int { return cmp.Compare(a.Node(), b.Node()) })
	}
	return c.sayFirst(left)
}

// ownProperties returns the properties at the top level that are the publisher's.
func (c *explanation) ownProperties() []*adagents.Property {
	whole := c.evaluation
	q := Question{Publisher: c.q.Publisher}
	whole.q, whole.found, whole.asked = &q, false, buffer[uint32]{}
	whole.findAsked(true)
	out := make([]*adagents.Property, 0, whole.asked.n)
	for _, p := range whole.asked.all() {
		out = append(out, c.property(p))
	}
	return out
}
