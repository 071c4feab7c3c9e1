package lenient

// closer reads a closing bracket.
func (r *reader) closer(c byte) {
	f := r.top()
	if r.byIndent && r.fresh() {
		i := r.opposite(c)
		if i >= 0 && f.indent != r.indent() {
			r.closeAbove(i)
			f = r.top()
		}
	}
	if c == f.closing() || f.swapped {
		r.closeTop()
		return
	}
	if r.byIndent && r.fresh() && f.indent == r.indent() {
		r.closeTop()
		return
	}
	below := r.below(c)
	switch r.misfit(below >= 0) {
	case missingBracket:
		r.closeAbove(below)
		r.closeTop()
	case otherBracket:
		r.closeTop()
	default:
		r.replace(surplusBracket, r.at, r.at+1, "")
		r.take(r.at+1, false)
	}
}

// opposite returns the innermost bracket that c closes and whose line is indented like the
// current one, or -1.
func (r *reader) opposite(c byte) int {
	for i := len(r.stack) - 1; i >= 0; i-- {
		f := &r.stack[i]
		if f.closing() == c && f.indent == r.indent() && f.line != r.lineStart {
			return i
		}
	}
	return -1
}

// below returns the innermost bracket that c closes, or -1.
func (r *reader) below(c byte) int {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].closing() == c {
			return i
		}
	}
	return -1
}

// closeAbove closes what is open inside of the i-th bracket.
func (r *reader) closeAbove(i int) {
	for len(r.stack) > i+1 {
		r.closeMissing()
	}
}

// closeTop closes the innermost bracket with the one at the current place.
func (r *reader) closeTop() {
	f := r.top()
	r.fill()
	if len(r.stack) == 1 && f.object && r.goesOn(r.at+1) {
		r.replace(surplusBracket, r.at, r.at+1, "")
		r.take(r.at+1, false)
		return
	}
	r.dropComma()
	if r.src[r.at] != f.closing() {
		r.replace(otherBracket, r.at, r.at+1, string(f.closing()))
	}
	r.take(r.at+1, true)
	r.pop()
}

// goesOn reports whether more members follow at i, so that the bracket before it is surplus.
func (r *reader) goesOn(i int) bool {
	i = r.skip(i)
	if c, n := r.sign(i); c == ',' {
		i = r.skip(i + n)
	}
	return r.nameAhead(i)
}

// closeMissing closes the innermost bracket where its last item ends. A comma after that
// belongs to what is outside then.
func (r *reader) closeMissing() {
	f := *r.top()
	r.fill()
	text := string(f.closing())
	if f.line != r.endLine && f.open >= 0 {
		text = r.eol + string(r.src[f.line:f.line+f.indent]) + text
	}
	r.insert(missingBracket, r.end, text)
	r.pop()
	if len(r.stack) == 0 || f.comma.from == f.comma.to {
		return
	}
	outer := r.top()
	outer.comma = f.comma
	outer.state = wantElement
	if outer.object {
		outer.state = wantName
	}
}

// misfit decides about a closing bracket that does not fit the innermost open one: one before
// it is missing, it is of the wrong kind, or it is surplus. What follows tells: after the
// brackets in a row from here on, as many as are open should be closed at the end of the file,
// and elsewhere a name can only follow inside an object, and other things inside a list.
func (r *reader) misfit(below bool) kind {
	n, i := 1, r.skip(r.at+1)
	for i < len(r.src) && (r.src[i] == '}' || r.src[i] == ']') && n <= 2*len(r.stack) {
		n++
		i = r.skip(i + 1)
	}
	depth := len(r.stack)
	sign, size := r.sign(i)
	if i >= len(r.src) || sign == ';' || r.src[i] == ')' || isFence(r.src[i:]) {
		switch {
		case n > depth:
			return surplusBracket
		case n == depth || !below:
			return otherBracket
		}
		return missingBracket
	}
	if sign == ',' {
		i = r.skip(i + size)
	}
	object := r.nameAhead(i)
	fits := func(open int) bool { return open > 0 && open <= depth && r.stack[open-1].object == object }
	switch {
	case fits(depth - n):
		return otherBracket
	case below && fits(depth-n-1):
		return missingBracket
	case fits(depth - n + 1):
		return surplusBracket
	case below:
		return missingBracket
	}
	return otherBracket
}
