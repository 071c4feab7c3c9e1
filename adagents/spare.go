package adagents

import (
	"reflect"
	"unsafe"
)

// A Builder checks one file after the other. This file lets a check use the memory of the
// one before: to ask for it anew, and to have it collected, is a tenth of the time for a
// small file.

// spare is a list whose memory is used again.
type spare[T any] struct {
	list []T
	used int // of list; the rest are zero values
}

// take returns a list of n zero values, which is not nil, in the memory that the one before
// had if that is large enough.
func (s *spare[T]) take(n int) []T {
	if s.list == nil || n > len(s.list) {
		s.list, s.used = make([]T, n), n
		return s.list
	}
	clear(s.list[:min(n, s.used)])
	s.used = max(s.used, n)
	return s.list[:n:n]
}

// again lets go of what the list refers to.
func (s *spare[T]) again() {
	clear(s.list[:s.used])
	s.used = 0
}

func (s *spare[T]) held() int { return sizeOf(s.list) }

// sizeOf returns the bytes of a list, with what is not used of them.
func sizeOf[T any](list []T) int {
	var one T
	return cap(list) * int(unsafe.Sizeof(one))
}

// spares are the lists of a check that are long when the file is.
type spares struct {
	properties  spare[Property]
	glances     spare[glance]
	hashes      spare[uint32]
	ids         spare[idSlot]
	identifiers spare[identifierSlot]
}

func (s *spares) again() {
	s.properties.again()
	s.glances.again()
	s.hashes.again()
	s.ids.again()
	s.identifiers.again()
}

func (s *spares) held() int {
	return s.properties.held() + s.glances.held() + s.hashes.held() + s.ids.held() + s.identifiers.held()
}

// A pool has the lists of one kind of entry.
type pool[T any] struct {
	all         []T
	used, asked int // entries of all that are in use, and of all lists together
}

// take returns a list of n zero values, which is not nil.
func (p *pool[T]) take(n int) []T {
	p.asked += n
	if n == 0 || p.used+n > len(p.all) {
		return make([]T, n)
	}
	p.used += n
	return p.all[p.used-n : p.used : p.used]
}

// again makes all lists free, with room for as many as there were.
func (p *pool[T]) again() {
	if p.asked > len(p.all) {
		p.all = make([]T, p.asked)
	} else {
		clear(p.all[:p.used])
	}
	p.used, p.asked = 0, 0
}

// held counts what was asked for: so much is in use, or will be next time.
func (p *pool[T]) held() int {
	var one T
	return max(p.asked, len(p.all)) * int(unsafe.Sizeof(one))
}

// pools are those of all kinds of entries, by their type.
type pools map[reflect.Type]renewable

type renewable interface {
	again()
	held() int
}

// listOf returns a list of n zero values, from a pool if the decoder has any.
func listOf[T any](d *decoder, n int) []T {
	if d.pools == nil {
		return make([]T, n)
	}
	kind := reflect.TypeFor[T]()
	p, ok := d.pools[kind].(*pool[T])
	if !ok {
		p = new(pool[T])
		d.pools[kind] = p
	}
	return p.take(n)
}

// bytesPerNode is what a JSON value takes in a tree.
const bytesPerNode = 12

// Held returns about how many bytes of memory the Builder keeps for the next file. It is a
// few times the size of the largest file so far; whoever has many builders may want to drop
// one with a lot.
func (m *Builder) Held() int {
	d := &m.run.dec
	n := sizeOf(m.members) + sizeOf(m.format.dst) + d.held() +
		sizeOf(d.stringSlab.last) + sizeOf(d.identifierSlab.last) + sizeOf(m.run.found) + m.keys.Held()
	if m.request != nil {
		n += sizeOf(m.request.Source()) + m.request.Len()*bytesPerNode
	}
	if m.made != nil {
		n += m.made.Len() * bytesPerNode // its text is that of the formatter
	}
	for _, p := range d.pools {
		n += p.held()
	}
	return n
}

// check is Check for a file whose tree is at hand, in the memory of the check before. The
// tree must know names.
func (m *Builder) check(tree *Tree, opt Options) *Report {
	c := &m.run
	c.again()
	c.opt, c.report = opt, new(Report)
	c.agents.keys.memo = &m.keys
	c.prepare()
	return c.judge(tree)
}

// checkText is Check for a file that has to be read. What was checked before is not held
// any longer.
func (m *Builder) checkText(src []byte, opt Options) *Report {
	m.run.again()
	return Check(src, opt)
}

// mostFound is how many findings and the like are kept room for.
const mostFound = 256

// renew empties a list and lets go of what it refers to. A long one is not kept.
func renew[T any](list []T) []T {
	if cap(list) > mostFound {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// again makes a run like a new one, but for the memory that it has. It lets go of
// everything about the file before.
func (c *run) again() {
	d := &c.dec
	d.again()
	d.stringSlab.again()
	d.identifierSlab.again()
	if d.pools == nil {
		d.pools = pools{}
	}
	for _, p := range d.pools {
		p.again()
	}
	fresh := run{found: renew(c.found), idents: renew(c.idents)}
	fresh.dec.pools, fresh.dec.spares, fresh.dec.stringSlab, fresh.dec.identifierSlab = d.pools, d.spares, d.stringSlab, d.identifierSlab
	fresh.agents.keys.members = renew(c.agents.keys.members)
	*c = fresh
}
