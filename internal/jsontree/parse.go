package jsontree

// parser holds the state of one pass. The container stack lives in the nodes
// themselves: while a container is open its end field holds its parent.
type parser struct {
	t     *Tree
	src   []byte
	opt   Options
	nodes []node
	keys  int
	depth int
	open  uint32 // innermost open container, valid while depth > 0
	dups  []uint32
	seen  []uint32 // per name id: the object that last had it, plus one
}

func (p *parser) run(start int) *Error {
	if p.opt.Names != nil {
		p.seen = make([]uint32, p.opt.Names.Len()+1)
	}
	i := skipSpace(p.src, start)
	if i == len(p.src) {
		return &Error{Kind: Empty, Offset: i, Msg: "the file is empty"}
	}
	i, err := p.value(i)
	for err == nil && p.depth > 0 {
		i, err = p.step(skipSpace(p.src, i))
	}
	if err != nil {
		return err
	}
	i = skipSpace(p.src, i)
	if i < len(p.src) {
		return p.trailing(i)
	}
	return nil
}

// step reads what follows a value or an opening bracket inside the innermost
// container: its end, or a separator and the next element. i is at a
// non-space byte or at the end of the source.
func (p *parser) step(i int) (int, *Error) {
	src := p.src
	if i >= len(src) {
		return i, p.cut(i)
	}
	c := &p.nodes[p.open]
	closing := byte('}')
	if c.kind == Array {
		closing = ']'
	}
	if src[i] == closing {
		return p.close(i)
	}
	if c.n > 0 {
		if src[i] != ',' {
			return i, p.wantComma(i, closing)
		}
		comma := i
		i = skipSpace(src, i+1)
		if i < len(src) && src[i] == closing {
			return i, p.syntax(comma, "a comma before the closing bracket is not allowed")
		}
	}
	if c.n < manyChildren {
		c.n++
	}
	if closing == ']' {
		return p.value(i)
	}
	return p.member(i)
}

// member reads a name, the colon and the value.
func (p *parser) member(i int) (int, *Error) {
	src := p.src
	if i >= len(src) {
		return i, p.cut(i)
	}
	if src[i] != '"' {
		return i, p.syntax(i, p.badName(i))
	}
	end, flag, err := scanString(src, i)
	if err != nil {
		return end, err
	}
	p.nodes = append(p.nodes, node{off: uint32(i), end: uint32(end), kind: key, flag: flag, n: p.nameID(i, end, flag)})
	p.keys++
	i = skipSpace(src, end)
	if i >= len(src) {
		return i, p.cut(i)
	}
	if src[i] != ':' {
		return i, p.syntax(i, "expected ':' after the member name")
	}
	return p.value(skipSpace(src, i+1))
}

// value reads a scalar, or opens a container. i is at a non-space byte or at
// the end of the source.
func (p *parser) value(i int) (int, *Error) {
	src := p.src
	if i >= len(src) {
		return i, p.cut(i)
	}
	if len(p.nodes)-p.keys >= p.opt.MaxValues {
		return i, &Error{Kind: TooMany, Offset: i, Msg: "the file has too many values"}
	}
	n := node{off: uint32(i)}
	var end int
	var err *Error
	switch c := src[i]; c {
	case '"':
		n.kind = String
		end, n.flag, err = scanString(src, i)
	case '{':
		return p.enter(i, Object)
	case '[':
		return p.enter(i, Array)
	case 't':
		n.kind = True
		end, err = p.literal(i, "true")
	case 'f':
		n.kind = False
		end, err = p.literal(i, "false")
	case 'n':
		n.kind = Null
		end, err = p.literal(i, "null")
	default:
		n.kind = Number
		end, err = p.number(i)
	}
	n.end = uint32(end)
	p.nodes = append(p.nodes, n)
	return end, err
}

// enter opens a container.
func (p *parser) enter(i int, kind Kind) (int, *Error) {
	if p.depth >= p.opt.MaxDepth {
		return i, &Error{Kind: TooDeep, Offset: i, Msg: "the values are nested too deeply"}
	}
	p.depth++
	at := uint32(len(p.nodes))
	p.nodes = append(p.nodes, node{off: uint32(i), end: p.open, kind: kind})
	p.open = at
	return i + 1, nil
}

// close ends the innermost container at its closing bracket.
func (p *parser) close(i int) (int, *Error) {
	at := p.open
	c := &p.nodes[at]
	p.open = c.end
	c.end = uint32(len(p.nodes))
	p.depth--
	if c.kind == Object && c.n > 1 {
		p.findDuplicates(at, c.end)
	}
	return i + 1, nil
}

func (p *parser) literal(i int, word string) (int, *Error) {
	end := i + len(word)
	if end > len(p.src) || string(p.src[i:end]) != word {
		return i, p.syntax(i, p.badValue(i))
	}
	if end < len(p.src) && isWordByte(p.src[end]) {
		return i, p.syntax(i, p.badValue(i))
	}
	return end, nil
}

// number reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (p *parser) number(i int) (int, *Error) {
	src := p.src
	j := i
	if src[j] == '-' {
		j++
	}
	switch {
	case j < len(src) && src[j] == '0':
		j++
	case j < len(src) && src[j] >= '1' && src[j] <= '9':
		j = digits(src, j)
	default:
		return i, p.syntax(i, p.badValue(i))
	}
	if j < len(src) && src[j] == '.' {
		k := digits(src, j+1)
		if k == j+1 {
			return i, p.numberFault(k, "a digit must follow the decimal point")
		}
		j = k
	}
	if j < len(src) && (src[j] == 'e' || src[j] == 'E') {
		k := j + 1
		if k < len(src) && (src[k] == '+' || src[k] == '-') {
			k++
		}
		m := digits(src, k)
		if m == k {
			return i, p.numberFault(k, "a digit must follow the exponent")
		}
		j = m
	}
	if j < len(src) && isWordByte(src[j]) {
		return i, p.numberFault(j, "this is not a JSON number")
	}
	return j, nil
}

func digits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

func isWordByte(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '_' || c == '+' || c == '-'
}

// skipSpace returns the offset of the first byte at or after i that is not
// white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) {
		c := src[i]
		if c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
			return i
		}
		i++
	}
	return i
}

// nameID returns the id of a known member name.
func (p *parser) nameID(off, end int, flag uint8) uint16 {
	if p.opt.Names == nil {
		return 0
	}
	if flag&escaped != 0 {
		return p.opt.Names.ID(unescape(string(p.src[off+1 : end-1])))
	}
	return p.opt.Names.id(p.src, off+1, end-1)
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
			p.dups = append(p.dups, k)
		}
		p.seen[id] = at + 1
	}
	switch {
	case unknown > len(few):
		p.manyUnknown(at, end, unknown)
	case unknown > 1:
		p.fewUnknown(few[:unknown])
	}
}

func (p *parser) fewUnknown(ks []uint32) {
	for i := 1; i < len(ks); i++ {
		name := p.name(ks[i])
		for _, k := range ks[:i] {
			if p.name(k) == name {
				p.dups = append(p.dups, ks[i])
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
		name := p.name(k)
		if _, dup := seen[name]; dup {
			p.dups = append(p.dups, k)
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

func (p *parser) name(k uint32) string {
	n := &p.nodes[k]
	s := p.t.text[n.off+1 : n.end-1]
	if n.flag&escaped != 0 {
		return unescape(s)
	}
	return s
}
