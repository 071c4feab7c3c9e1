package jsontree

// parser holds the state of one pass. There is no separate stack: while a
// container is open, its node's end field holds the index of its parent.
type parser struct {
	src   []byte
	text  string
	opt   Options
	nodes []node
	depth int
	open  uint32 // innermost open container, valid while depth > 0
	dups  []duplicate

	seen []uint32 // per name id: the object that last had it, plus one
	// follow predicts names: follow[a] is the name that came after name a the
	// last time, and follow[len+a] the first name inside its value. Entries
	// of a list have the same members in the same order, so most names are
	// confirmed by one comparison instead of being scanned and looked up;
	// that was a third of the parsing time.
	follow []uint16
	last   uint16
	// unknown and notable become those of the tree.
	unknown, notable []uint32
}

func newParser(t *Tree, opt Options) parser {
	known := opt.Names.Len()
	return parser{
		src: t.src, text: t.text, opt: opt, nodes: make([]node, 0, estimate(t.src, opt)),
		seen: make([]uint32, known+1), follow: make([]uint16, 2*known+2),
	}
}

func (p *parser) run(start int) *Error {
	i := skipSpace(p.src, start)
	if i == len(p.src) {
		return &Error{Kind: Empty, Offset: i, Msg: "the file is empty"}
	}
	i, err := p.document(i)
	if err != nil {
		return err
	}
	i = skipSpace(p.src, i)
	if i < len(p.src) {
		return p.trailing(i)
	}
	return nil
}

// document reads one value with everything inside it. Each turn of the loop
// starts at the first byte of a value.
func (p *parser) document(i int) (int, *Error) {
	src := p.src
	budget := p.opt.MaxValues
	for {
		if i >= len(src) {
			return i, p.cut(i)
		}
		if budget--; budget < 0 {
			return i, &Error{Kind: TooMany, Offset: i, Msg: "the file has too many values"}
		}
		var err *Error
		entered := false
		switch c := src[i]; c {
		case '"':
			end, flag, err := scanString(src, i)
			if err != nil {
				return end, err
			}
			if flag != 0 || end-i >= Notable {
				p.notable = append(p.notable, uint32(len(p.nodes)))
			}
			p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), kind: String, flag: flag})
			i = end
		case '{', '[':
			err = p.enter(i, c)
			entered = true
			i++
		default:
			i, err = p.scalar(i, c)
		}
		if err != nil {
			return i, err
		}
		i, err = p.advance(i, entered)
		if err != nil || p.depth == 0 {
			return i, err
		}
	}
}

// advance goes from the end of a value, or from just inside a container, to
// the first byte of the next value, closing containers on its way. It returns
// with depth 0 when the outermost value is complete.
func (p *parser) advance(i int, entered bool) (int, *Error) {
	src := p.src
	for p.depth > 0 {
		if i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
		}
		if i >= len(src) {
			return i, p.cut(i)
		}
		c := &p.nodes[p.open]
		switch {
		case src[i] == closing(c.kind):
			p.close()
			entered = false
			i++
			continue
		case entered:
		case src[i] == ',':
			comma := i
			i++
			if i < len(src) && src[i] <= ' ' {
				i = skipSpace(src, i)
			}
			if i < len(src) && src[i] == closing(c.kind) {
				return i, p.syntax(comma, "a comma before the closing bracket is not allowed")
			}
		default:
			return i, p.wantComma(i, closing(c.kind))
		}
		if c.n < manyChildren {
			c.n++
		}
		if c.kind == Array {
			return i, nil
		}
		return p.name(i)
	}
	return i, nil
}

func closing(k Kind) byte {
	if k == Array {
		return ']'
	}
	return '}'
}

// name reads a member name and the colon, up to the first byte of the value.
func (p *parser) name(i int) (int, *Error) {
	src := p.src
	if i >= len(src) {
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
	if end < len(src) && src[end] <= ' ' {
		end = skipSpace(src, end)
	}
	if end >= len(src) {
		return end, p.cut(end)
	}
	if src[end] != ':' {
		return end, p.syntax(end, "expected ':' after the member name")
	}
	end++
	if end < len(src) && src[end] <= ' ' {
		end = skipSpace(src, end)
	}
	return end, nil
}

// expected takes the member name at i if it is the predicted one, and returns
// the offset after it, or 0.
func (p *parser) expected(i int) int {
	id := p.follow[p.last]
	if id == 0 {
		return 0
	}
	name := p.opt.Names.quoted[id-1]
	end := i + len(name)
	if end > len(p.text) || p.text[i:end] != name {
		return 0
	}
	p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), kind: key, n: id})
	p.last = id
	return end
}

// unexpected scans and looks up the member name at i.
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
	p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), kind: key, flag: flag, n: id})
	p.follow[p.last] = id
	p.last = id
	return end, nil
}

// enter opens a container.
func (p *parser) enter(i int, bracket byte) *Error {
	if p.depth >= p.opt.MaxDepth {
		return &Error{Kind: TooDeep, Offset: i, Msg: "the values are nested too deeply"}
	}
	kind := Object
	if bracket == '[' {
		kind = Array
	}
	p.depth++
	at := uint32(len(p.nodes))
	if at > 0 && p.nodes[at-1].kind == key {
		p.last = p.nodes[at-1].n + uint16(p.opt.Names.Len())
	}
	p.nodes = append(p.nodes, node{off: uint32(i), end: p.open, kind: kind})
	p.open = at
	return nil
}

// close ends the innermost container.
func (p *parser) close() {
	at := p.open
	c := &p.nodes[at]
	p.open = c.end
	c.end = uint32(len(p.nodes))
	p.depth--
	if at > 0 && p.nodes[at-1].kind == key {
		p.last = p.nodes[at-1].n
	}
	if c.kind == Object && c.n > 1 {
		p.findDuplicates(at, c.end)
	}
}
