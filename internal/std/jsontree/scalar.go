package jsontree

// scalar reads true, false, null or a number.
func (p *parser) scalar(i int) (int, *Error) {
	n := node{off: uint32(i)}
	var end int
	var err *Error
	switch p.src[i] {
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

func (p *parser) literal(i int, word string) (int, *Error) {
	end := i + len(word)
	if end > len(p.src) || p.text[i:end] != word || end < len(p.src) && isWordByte(p.src[end]) {
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
			return i, p.syntax(k, "a digit must follow the decimal point")
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
			return i, p.syntax(k, "a digit must follow the exponent")
		}
		j = m
	}
	if j < len(src) && isWordByte(src[j]) {
		return i, p.syntax(j, "this is not a JSON number")
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
