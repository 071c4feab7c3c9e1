package lenient

import "bytes"

// quoteAt returns the kind of the quote at i and its length: 2 for double quotes, 1 for single
// ones, and 0 when there is none.
func quoteAt(src []byte, i int) (int, int) {
	c, size, _ := runeAt(src, i)
	switch c {
	case '"', '“', '”', '„', '‟', '″', '«', '»', '＂':
		return 2, size
	case '\'', '`', '‘', '’', '‚', '‛', '′', '´', '＇':
		return 1, size
	}
	return 0, 0
}

// closes reports whether the character at j may close the text that the quote at i opens. A
// plain double quote and a back quote are closed by their own kind alone, because others are
// often inside.
func (r *reader) closes(i, j int) bool {
	if c := r.src[i]; c == '"' || c == '`' {
		return r.src[j] == c
	}
	c := r.src[j]
	if c < 0x80 && c != '"' && c != '\'' {
		return false
	}
	want, _ := quoteAt(r.src, i)
	kind, _ := quoteAt(r.src, j)
	return kind == want
}

// quoted reads the text that starts with the quote at i.
func (r *reader) quoted(i int, name bool) token {
	_, n := quoteAt(r.src, i)
	inner, lines := 0, false
	for j := i + n; j < len(r.src); {
		switch r.src[j] {
		case '\\':
			j = min(j+2, len(r.src))
			continue
		case '\n', '\r':
			if !lines && !r.continues(i, j) {
				return r.unclosed(i, n, j, name)
			}
			lines = true
			j++
			continue
		}
		_, size, _ := runeAt(r.src, j)
		if r.closes(i, j) {
			t := token{i, j + size, i + n, j}
			if name {
				return r.cutName(t)
			}
			if r.isEnd(i, j, size, inner) {
				return t
			}
			inner++
		}
		j += size
	}
	return r.unclosed(i, n, len(r.src), name)
}

// cutName looks at a name whose closing quote may be missing, so that it reaches up to the
// opening one of its value.
func (r *reader) cutName(t token) token {
	if r.colonAt(r.skip(t.to)) {
		return t
	}
	end := r.trimRight(t.in, t.out)
	if end == t.in || r.src[end-1] != ':' {
		return t
	}
	return r.unclosed(t.from, t.in-t.from, t.out, true)
}

// isEnd decides whether the quote at j, of size bytes, ends the text that starts at i. A quote
// that is a part of a text is followed by more of it in the same line, and by a quote that can
// be the end. The number of such quotes before it is inner.
func (r *reader) isEnd(i, j, size, inner int) bool {
	open := inner%2 == 1
	next := blanks(r.src, j+size)
	if next == len(r.src) {
		return true
	}
	if open && r.src[next] == ',' {
		// "he said "yes", and left" goes on in the same line.
		k := blanks(r.src, next+1)
		return k == len(r.src) || r.src[k] < '0' || r.src[k] > 'z' || r.src[k] == '[' || r.src[k] == ']' || r.nameAhead(k)
	}
	if r.endsText(next) {
		return true
	}
	if _, n := quoteAt(r.src, next); n > 0 {
		return !open || next > j+size
	}
	if r.src[next] == '{' || r.src[next] == '[' || r.nameAhead(next) {
		return true
	}
	for k := next; k < len(r.src) && r.src[k] != '\n' && r.budget > 0; r.budget-- {
		_, size, _ := runeAt(r.src, k)
		if r.src[k] == '\\' {
			size = 2
		} else if r.closes(i, k) && r.endsText(k+size) {
			return false
		}
		k += size
	}
	return true
}

// endsText reports whether what is at i can only come after the end of a text.
func (r *reader) endsText(i int) bool {
	i = blanks(r.src, i)
	if i >= len(r.src) || bytes.IndexByte([]byte(",}]:;=\r\n#"), r.src[i]) >= 0 {
		return true
	}
	sign, _ := r.sign(i)
	return sign != 0 || r.src[i] == '/' && commentEnd(r.src, i) > i
}

// continues reports whether the text that the quote at i opens goes on after the line break at
// j: the next quote is one that can end it. If its closing quote is missing, then the next one
// opens another text.
func (r *reader) continues(i, j int) bool {
	for k := j; k < len(r.src) && r.budget > 0; r.budget-- {
		if r.src[k] == '\\' {
			k += 2
			continue
		}
		_, size, _ := runeAt(r.src, k)
		if r.closes(i, k) {
			return r.endsText(k + size)
		}
		k += size
	}
	return false
}

// unclosed returns the text whose closing quote is missing in the line that ends at end. The
// quote that opens it has n bytes.
func (r *reader) unclosed(i, n, end int, name bool) token {
	in := i + n
	end = r.trimRight(in, end)
	if name {
		if k := bytes.IndexByte(r.src[in:end], ':'); k >= 0 {
			end = r.trimRight(in, in+k)
		}
		return r.typographic(i, in, end)
	}
	if end > in && (r.src[end-1] == ',' || r.src[end-1] == ';') {
		end = r.trimRight(in, end-1)
	}
	end = r.beforeClosers(in, end)
	if end-in >= 2 && r.src[end-1] == '"' && r.src[end-2] == '\\' {
		return token{i, end, in, end - 1}
	}
	return r.typographic(i, in, end)
}

// typographic returns the text in..end, which may end with a quote of another kind.
func (r *reader) typographic(i, in, end int) token {
	for size := 1; size <= 3 && end-size >= in; size++ {
		if r.src[end-size] < 0x80 {
			break
		}
		kind, n := quoteAt(r.src, end-size)
		want, _ := quoteAt(r.src, i)
		if kind == want && n == size {
			return token{i, end, in, end - size}
		}
	}
	return token{i, end, in, end}
}

// beforeClosers returns the end of the text in..end without the closing brackets there, if
// they are those of the open brackets.
func (r *reader) beforeClosers(in, end int) int {
	from := end
	for from > in && bytes.IndexByte([]byte("}] \t"), r.src[from-1]) >= 0 {
		from--
	}
	depth := len(r.stack)
	for k := from; k < end; k++ {
		c := r.src[k]
		if c == ' ' || c == '\t' {
			continue
		}
		depth--
		if depth < 0 || r.stack[depth].closing() != c {
			return end
		}
	}
	return r.trimRight(in, from)
}
