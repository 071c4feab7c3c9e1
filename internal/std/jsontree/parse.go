package jsontree

// parser holds the state of one pass.
type parser struct {
	src    []byte
	text   string
	opt    Options
	nodes  []node
	budget int // values that may follow
	depth  int
	open   uint32 // innermost open container, valid while depth > 0
	dups   []duplicate

	seen []uint32 // per name id: the object that last had it, plus one
	// follow predicts names: follow[a] is the name that came after name a the
	// last time, and follow[len+a] the first name inside its value. Entries
	// of a list have the same members in the same order, so most names are
	// confirmed by one comparison instead of being scanned and looked up;
	// that was a third of the parsing time.
	follow []uint16
	last   uint16
	// unknown, notable and crowds become those of the tree.
	unknown, notable []uint32
	crowds           []crowd
}

// newParser returns a parser of a tree. Tables are not part of it: on the stack of each of ten thousand
// connections they would take more memory than anything else.
func newParser(t *Tree, opt Options) parser {
	known := opt.Names.Len()
	return parser{
		src: t.src, text: t.text, opt: opt, budget: opt.MaxValues, nodes: make([]node, 0, estimate(t.src, opt)),
		seen: make([]uint32, known+1), follow: make([]uint16, 2*known+2), notable: make([]uint32, 0, 16),
	}
}

func (p *parser) run(start int) *Error {
	i := skipSpace(p.src, start)
	if i == len(p.src) {
		return &Error{Kind: Empty, Offset: i, Msg: "the file is empty"}
	}
	i, err := p.value(i)
	if err != nil {
		return err
	}
	i = skipSpace(p.src, i)
	if i < len(p.src) {
		return p.trailing(i)
	}
	return nil
}

// value reads the value that starts at i, with everything inside it, and
// returns the offset after it. The depth is bounded, so recursion is safe.
func (p *parser) value(i int) (int, *Error) {
	if i >= len(p.src) {
		return i, p.cut(i)
	}
	if p.budget--; p.budget < 0 {
		return i, &Error{Kind: TooMany, Offset: i, Msg: "the file has too many values"}
	}
	switch p.src[i] {
	case '"':
		end, flag, err := scanString(p.src, i)
		if err != nil {
			return end, err
		}
		if flag != 0 || end-i >= Notable {
			p.notable = append(p.notable, uint32(len(p.nodes)))
		}
		p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), form: form{String, flag}})
		return end, nil
	case '{':
		return p.object(i)
	case '[':
		return p.array(i)
	}
	return p.scalar(i)
}

// array reads an array.
func (p *parser) array(i int) (int, *Error) {
	outer := p.open
	i, more, err := p.enter(i, Array)
	n := 0
	for ; more; n++ {
		i, err = p.value(i)
		if err != nil {
			return i, err
		}
		i, more, err = p.next(i, ']')
	}
	if err != nil {
		return i, err
	}
	p.leave(n, outer)
	return i, nil
}

// object reads an object.
func (p *parser) object(i int) (int, *Error) {
	outer := p.open
	i, more, err := p.enter(i, Object)
	n := 0
	for ; more; n++ {
		i, err = p.name(i)
		if err != nil {
			return i, err
		}
		name := p.last
		p.last += uint16(p.opt.Names.Len())
		i, err = p.value(i)
		if err != nil {
			return i, err
		}
		p.last = name
		i, more, err = p.next(i, '}')
	}
	if err != nil {
		return i, err
	}
	if n > 1 {
		p.findDuplicates(p.open, uint32(len(p.nodes)))
	}
	p.leave(n, outer)
	return i, nil
}

// enter opens the container at i and goes to what stands first in it. It
// reports whether there is something.
func (p *parser) enter(i int, kind Kind) (int, bool, *Error) {
	if p.depth >= p.opt.MaxDepth {
		return i, false, &Error{Kind: TooDeep, Offset: i, Msg: "the values are nested too deeply"}
	}
	p.depth++
	p.open = uint32(len(p.nodes))
	p.nodes = append(p.nodes, node{off: uint32(i), form: form{kind: kind}})
	i = skipSpace(p.src, i+1)
	if i >= len(p.src) {
		return i, false, p.cut(i)
	}
	if p.src[i] == closing(kind) {
		return i + 1, false, nil
	}
	return i, true, nil
}

// leave closes the innermost container, which has n children.
func (p *parser) leave(n int, outer uint32) {
	c := &p.nodes[p.open]
	c.end = uint32(len(p.nodes))
	c.n = uint16(min(n, manyChildren))
	if n >= manyChildren {
		p.crowds = append(p.crowds, crowd{p.open, n})
	}
	p.open = outer
	p.depth--
}

// next goes from the end of a value to what stands next in its container, or
// behind the bracket that closes it. It reports whether there is something.
func (p *parser) next(i int, closing byte) (int, bool, *Error) {
	src := p.src
	if i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
	}
	if i >= len(src) {
		return i, false, p.cut(i)
	}
	if src[i] == closing {
		return i + 1, false, nil
	}
	if src[i] != ',' {
		return i, false, p.wantComma(i, closing)
	}
	comma := i
	i++
	if i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
	}
	if i < len(src) && src[i] == closing {
		return i, false, p.syntax(comma, "a comma before the closing bracket is not allowed")
	}
	return i, true, nil
}

func closing(k Kind) byte {
	if k == Array {
		return ']'
	}
	return '}'
}

// name reads a member name and the colon, up to the first byte of the value.
func (p *parser) name(i int) (int, *Error) {
	if i >= len(p.src) {
		return i, p.cut(i)
	}
	end := p.expected(i)
	if end == 0 {
		next, err := p.unexpected(i)
		if err != nil {
			return i, err
		}
		end = next
	}
	if end < len(p.src) && p.src[end] <= ' ' {
		end = skipSpace(p.src, end)
	}
	return end, nil
}

// expected takes the member name at i if it is the predicted one with a colon
// right behind it, and returns the offset after that, or 0.
func (p *parser) expected(i int) int {
	id := p.follow[p.last]
	if id == 0 {
		return 0
	}
	name := p.opt.Names.written[id-1]
	end := i + len(name)
	if end > len(p.text) || p.text[i:end] != name {
		return 0
	}
	p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end - 1), form: form{kind: key}, n: id})
	p.last = id
	return end
}

// unexpected scans and looks up the member name at i, and goes behind its colon.
func (p *parser) unexpected(i int) (int, *Error) {
	if p.src[i] != '"' {
		return i, p.syntax(i, p.badName(i))
	}
	end, flag, err := scanString(p.src, i)
	if err != nil {
		return end, err
	}
	name := p.text[i+1 : end-1]
	if flag&escaped != 0 {
		name = unescape(name)
	}
	id := p.opt.Names.ID(name)
	if id == 0 {
		p.unknown = append(p.unknown, uint32(len(p.nodes)))
	}
	p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), form: form{key, flag}, n: id})
	p.follow[p.last] = id
	p.last = id
	end = skipSpace(p.src, end)
	if end >= len(p.src) {
		return end, p.cut(end)
	}
	if p.src[end] != ':' {
		return end, p.syntax(end, "expected ':' after the member name")
	}
	return end + 1, nil
}

// findDuplicates lists the members of the object at..end whose name occurred
// before in it. Known names are stamped per object; unknown ones are compared
// in pairs while few, and through a map when many, so that no object costs
// more than its length.
func (p *parser) findDuplicates(at, end uint32) {
	var few [8]uint32
	unknown := 0
	for k := at + 1; k < end; k = p.after(k + 1) {
		id := p.nodes[k].n
		if id == 0 {
			if unknown < len(few) {
				few[unknown] = k
			}
			unknown++
			continue
		}
		if p.seen[id] == at+1 {
			p.dups = append(p.dups, duplicate{at, k})
		}
		p.seen[id] = at + 1
	}
	switch {
	case unknown > len(few):
		p.manyUnknown(at, end, unknown)
	case unknown > 1:
		p.fewUnknown(at, few[:unknown])
	}
}

func (p *parser) fewUnknown(at uint32, ks []uint32) {
	for i := 1; i < len(ks); i++ {
		name := p.nameAt(ks[i])
		for _, k := range ks[:i] {
			if p.nameAt(k) == name {
				p.dups = append(p.dups, duplicate{at, ks[i]})
				break
			}
		}
	}
}

func (p *parser) manyUnknown(at, end uint32, count int) {
	seen := make(map[string]struct{}, count)
	for k := at + 1; k < end; k = p.after(k + 1) {
		if p.nodes[k].n != 0 {
			continue
		}
		name := p.nameAt(k)
		if _, dup := seen[name]; dup {
			p.dups = append(p.dups, duplicate{at, k})
			continue
		}
		seen[name] = struct{}{}
	}
}

// after returns the index after the closed subtree at i.
func (p *parser) after(i uint32) uint32 {
	n := &p.nodes[i]
	if n.kind == Array || n.kind == Object {
		return n.end
	}
	return i + 1
}

func (p *parser) nameAt(k uint32) string {
	n := &p.nodes[k]
	s := p.text[n.off+1 : n.end-1]
	if n.flag&escaped != 0 {
		return unescape(s)
	}
	return s
}
