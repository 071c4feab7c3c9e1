package lenient

import (
	"bytes"
	"unicode"
)

// token is a text in the file: a name or a string, with quotes or without, or a word that may
// stand for a number.
type token struct {
	from, to int // with quotes
	in, out  int // without
}

// text reads a name, a string or a word.
func (r *reader) text() {
	r.closeDedented()
	f := r.top()
	name := f.state == wantName || f.state == afterMember
	_, quote := quoteAt(r.src, r.at)
	var t token
	switch {
	case quote > 0:
		t = r.quoted(r.at, name)
	case name || !f.object && r.nameAhead(r.at):
		t = r.word(r.at)
	default:
		r.bare()
		return
	}
	if !f.object && r.colonAt(r.skip(t.to)) {
		name = r.leaveList()
	} else if name && quote > 0 && f.items == 0 && r.listed(t.to) {
		r.swap()
		name = false
	}
	if r.failed {
		return
	}
	r.separate()
	f = r.top()
	f.bare = quote == 0
	r.quote(t)
	r.take(t.to, true)
	if !name {
		r.settle()
		return
	}
	r.members++
	f.state = wantColon
	if sign, _ := r.sign(r.skip(r.at)); f.bare && sign != ':' && sign != '=' && !r.valueAhead() {
		r.failed = true
	}
}

// leaveList handles a name in a list: if it is the first thing there, then the list should be
// an object, and else it should have ended before. It reports whether the name is one now.
func (r *reader) leaveList() bool {
	parent := r.parent()
	switch {
	case r.top().items == 0:
		r.swap()
	case parent != nil && parent.object:
		r.closeMissing()
	default:
		r.failed = true
	}
	return true
}

// listed reports whether what follows the text that ends at i shows that it is an element of a
// list.
func (r *reader) listed(i int) bool {
	i = r.skip(i)
	sign, _ := r.sign(i)
	return sign == ',' || i < len(r.src) && (r.src[i] == '}' || r.src[i] == ']')
}

// valueAhead reports whether a value follows that cannot be taken for more words.
func (r *reader) valueAhead() bool {
	i := r.skip(r.at)
	if i >= len(r.src) {
		return false
	}
	_, n := quoteAt(r.src, i)
	return n > 0 || r.bracketAt(i)
}

// closeDedented closes objects whose closing bracket is missing, if the indentation of the
// name at the current place says that it belongs further out.
func (r *reader) closeDedented() {
	f := r.top()
	if !r.byIndent || !f.object || !r.fresh() || f.state != wantName && f.state != afterMember {
		return
	}
	indent := r.indent()
	if f.child >= 0 && indent >= f.child || f.child < 0 && indent > f.indent {
		return
	}
	for i := len(r.stack) - 2; i >= 0; i-- {
		if outer := &r.stack[i]; outer.object && outer.child == indent {
			r.closeAbove(i)
			return
		}
	}
}

// nameAhead reports whether a name with a colon is at i.
func (r *reader) nameAhead(i int) bool {
	if i >= len(r.src) {
		return false
	}
	if _, n := quoteAt(r.src, i); n > 0 {
		for j := i + n; j < len(r.src) && r.src[j] != '\n' && r.budget > 0; r.budget-- {
			if r.src[j] == '\\' {
				j += 2
				continue
			}
			_, size, _ := runeAt(r.src, j)
			if r.closes(i, j) {
				return r.colonAt(r.skip(j + size))
			}
			j += size
		}
		return false
	}
	end := wordEnd(r.src, i)
	r.budget -= end - i
	if end == i || r.src[i]-'0' <= 9 {
		return false
	}
	return r.colonAt(r.skip(end))
}

// colonAt reports whether there is a sign between name and value at i. That of a URL is none.
func (r *reader) colonAt(i int) bool {
	sign, n := r.sign(i)
	return (sign == ':' || sign == '=') && !bytes.HasPrefix(r.src[i+n:], []byte("//"))
}

// word reads a name without quotes, or with one at its end.
func (r *reader) word(i int) token {
	end := wordEnd(r.src, i)
	if end == i {
		r.failed = true
		return token{i, i + 1, i, i + 1}
	}
	if end < len(r.src) && r.src[end] == '"' && r.colonAt(r.skip(end+1)) {
		return token{i, end + 1, i, end}
	}
	return token{i, end, i, end}
}

// wordEnd returns the end of the characters from i on that a name without quotes may have.
func wordEnd(src []byte, i int) int {
	for i < len(src) {
		c, size, _ := runeAt(src, i)
		if c != '_' && c != '$' && c != '-' && c != '.' && c != '@' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		i += size
	}
	return i
}

// bare reads a value without quotes: a constant, or text up to the end of the line or the next
// sign of JSON.
func (r *reader) bare() {
	first, size, _ := runeAt(r.src, r.at)
	if size == 1 && bytes.IndexByte([]byte("+-._$/@*"), byte(first)) < 0 && !unicode.IsLetter(first) &&
		!unicode.IsDigit(first) {
		r.failed = true
		return
	}
	end := r.fieldEnd(r.at)
	text, k, ok := constant(string(r.src[r.at:min(end, r.at+longestConstant)]))
	if !ok || end-r.at > longestConstant || !r.standsAlone(end) {
		r.separate()
		t := r.phrase()
		r.top().bare = true
		r.quote(t)
		r.take(t.to, true)
		r.settle()
		return
	}
	r.separate()
	if text != string(r.src[r.at:end]) {
		r.replace(k, r.at, end, text)
	}
	r.take(end, true)
	r.settle()
}

// longestConstant is the length of the longest number that is taken for one.
const longestConstant = 400

// fieldEnd returns the end of the word of a value at i.
func (r *reader) fieldEnd(i int) int {
	for i < len(r.src) && r.src[i] > ' ' && !r.endsPhrase(i) {
		if _, n := blank(r.src, i); n > 0 {
			break
		}
		_, size, _ := runeAt(r.src, i)
		i += size
	}
	return i
}

// endsPhrase reports whether text without quotes ends before i.
func (r *reader) endsPhrase(i int) bool {
	c := r.src[i]
	switch c {
	case ',', '{', '}', '[', ']', '"', '\n', '\r':
		return true
	case ';':
		return i+1 == len(r.src) || bytes.IndexByte([]byte(" \t\r\n}]\"'"), r.src[i+1]) >= 0
	case '#':
		return i > r.at && r.src[i-1] <= ' '
	case '/':
		return commentEndsPhrase(r.src, i)
	}
	if c < 0x80 {
		return false
	}
	sign, _ := r.sign(i)
	return sign == ','
}

func commentEndsPhrase(src []byte, i int) bool {
	rest := src[i:]
	return bytes.HasPrefix(rest, []byte("/*")) || bytes.HasPrefix(rest, []byte("//")) && (i == 0 || src[i-1] != ':')
}

// standsAlone reports whether the constant that ends at i is a value of its own, and not the
// beginning of a text: nothing follows in the line, or the next value or name does.
func (r *reader) standsAlone(i int) bool {
	next := blanks(r.src, i)
	for next < len(r.src) {
		_, n := blank(r.src, next)
		if n == 0 {
			break
		}
		next = blanks(r.src, next+n)
	}
	if next == len(r.src) || r.endsPhrase(next) || r.src[next] == '#' || r.nameAhead(next) {
		return true
	}
	if _, n := quoteAt(r.src, next); n > 0 && next > i {
		return true
	}
	end := r.fieldEnd(next)
	_, _, ok := constant(string(r.src[next:min(end, next+longestConstant)]))
	return ok && next > i
}

// phrase returns the text without quotes at the current place.
func (r *reader) phrase() token {
	end := r.at
	for end < len(r.src) && !r.endsPhrase(end) {
		_, size, _ := runeAt(r.src, end)
		end += size
	}
	if end < len(r.src) && r.src[end] == '"' && r.endsText(end+1) {
		return token{r.at, end + 1, r.at, end}
	}
	out := max(r.trimRight(r.at, end), r.at+1)
	return token{r.at, out, r.at, out}
}

// trimRight returns the end of from..to without the blanks there.
func (r *reader) trimRight(from, to int) int {
	for to > from && r.src[to-1] <= ' ' {
		to--
	}
	return to
}
