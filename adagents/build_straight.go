package adagents

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// A rootMember is a member of a file that is being written: one of the request, or one
// that Build adds.
type rootMember struct {
	rankedMember
	added addedMember
}

// straight writes the file in canonical form from the tree of the request, and makes its
// tree at the same time, which spares writing, reading and formatting a draft and reading
// the result.
func (b *builder) straight(etag string) *Tree {
	l, from := layoutOf(b.root), b.root.Tree()
	members := b.rootMembers(l, etag)
	f := &b.memory.format
	f.begin(from)
	if b.opt.Quoted {
		f.quote(b.opt.Room)
	}
	f.made = jsontree.NewRewriter(from, 2*mostAdded, b.memory.made)
	opened := f.open(Object, '{')
	for i := range members {
		m := &members[i]
		if m.added.name != "" {
			f.newLine(1, i > 0)
			f.added(m.added)
			continue
		}
		f.member(m.node, 1, i > 0)
		f.value(m.node+1, l.member(m.rank, nil), 1)
	}
	if len(members) > 0 {
		f.newLine(0, false)
	}
	f.close(opened, len(members), '}')
	if f.quoting {
		b.built.Quoted, f.quoted = f.quoted, nil // it is the caller's
	}
	f.dst = append(f.dst, '\n')
	b.memory.made = f.made.Tree(f.dst)
	return b.memory.made
}

// mostAdded is how many members Build adds at most.
const mostAdded = 3

// rootMembers returns the members of the file in canonical order.
func (b *builder) rootMembers(l *layout, etag string) []rootMember {
	list := slices.Grow(b.memory.members[:0], b.root.Len()+mostAdded)
	for m := range b.root.Members() {
		if !b.dropped(m.Name(), etag) {
			list = append(list, rootMember{rankedMember: rankedMember{l.rank(m.NameID()), m.Node()}})
		}
	}
	added := b.added()
	if etag != "" {
		added = append([]addedMember{{"catalog_etag", etag}}, added...)
	}
	for _, a := range added {
		list = append(list, rootMember{rankedMember{rank: l.rank(names.ID(a.name))}, a})
	}
	b.memory.members = list
	slices.SortStableFunc(list, func(a, b rootMember) int { return cmp.Compare(a.rank, b.rank) })
	return list
}
