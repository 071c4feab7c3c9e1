package lenient

import (
	"bytes"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// A state is what an open bracket waits for.
type state int

const (
	wantName state = iota
	wantColon
	wantValue
	afterMember
	wantElement
	afterElement
)

// frame is an open bracket.
type frame struct {
	object  bool
	swapped bool // it stands as the other bracket in the file
	bare    bool // the last name had no quotes
	state   state
	open    int // where it is
	line    int // where its line starts
	indent  int // by how much that line is indented
	child   int // by how much the first line inside is indented, or -1
	items   int
	// comma is a separator that nothing has followed yet, or has no length.
	comma struct{ from, to int }
}

func (f *frame) closing() byte {
	if f.object {
		return '}'
	}
	return ']'
}

// reader goes through a file and notes edits. It is at a token at a time, and has no tree:
// what comes before is settled, except for a comma that may turn out to be the last.
type reader struct {
	src      []byte
	byIndent bool // believe the indentation where brackets do not fit
	edits    []textedit.Edit
	said     notes
	stack    []frame

	at        int // the next byte
	lineStart int // where its line starts
	last      int // the end of the last token
	cut       int // the end of the last removed comment or character
	end       int // the end of the last token that is not a comma: where something may be added
	endLine   int // where the line of that token starts

	budget   int // how many bytes may still be looked at ahead of time
	brackets int // how many brackets were added, removed or replaced
	members  int
	failed   bool
	cutOff   bool // the file ends inside a text, or between a name and its value
	fenced   bool // the text is in a Markdown code fence
	eol      string
	start    int // where the first value starts
}

func newReader(src []byte, byIndent bool) *reader {
	r := &reader{src: src, byIndent: byIndent, budget: 2*len(src) + 1<<12, eol: "\n"}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		r.eol = "\r\n"
	}
	return r
}

// run reads the whole file.
func (r *reader) run() {
	if !r.head() {
		r.failed = true
		return
	}
	r.start = r.at
	r.body()
	r.tail()
	// A word in brackets with text around it is prose or another format.
	if r.members == 0 && r.said[otherText].count > 0 {
		r.failed = true
	}
}

// edit notes an edit of which was said what it is for.
func (r *reader) edit(from, to int, text string) {
	if len(r.edits) >= maxEdits {
		r.failed = true
		return
	}
	r.edits = append(r.edits, textedit.Edit{Start: from, End: to, New: text})
}

func (r *reader) replace(k kind, from, to int, text string) {
	r.edit(from, to, text)
	r.said.add(k, from)
	switch k {
	case missingBracket, missingOpening, surplusBracket, otherBracket:
		r.brackets++
	}
}

func (r *reader) insert(k kind, at int, text string) { r.replace(k, at, at, text) }

func (r *reader) top() *frame { return &r.stack[len(r.stack)-1] }

// parent returns the frame below the top one, or nil.
func (r *reader) parent() *frame {
	if len(r.stack) < 2 {
		return nil
	}
	return &r.stack[len(r.stack)-2]
}

// fresh reports whether the token at the current place is the first of its line.
func (r *reader) fresh() bool { return r.last <= r.lineStart }

func (r *reader) indent() int { return r.at - r.lineStart }

// take passes over a token. With settled, something may be added after it.
func (r *reader) take(to int, settled bool) {
	if i := bytes.LastIndexByte(r.src[r.at:to], '\n'); i >= 0 {
		r.lineStart = r.at + i + 1
	}
	r.at, r.last = to, to
	if settled {
		r.end, r.endLine = to, r.lineStart
	}
}

// body reads from an opening bracket to the end of what is inside.
func (r *reader) body() {
	if len(r.stack) == 0 {
		r.push(r.src[r.at] == '{', 1)
	}
	for len(r.stack) > 0 && !r.failed {
		r.trivia()
		if r.at >= len(r.src) || r.fenced && r.fresh() && isFence(r.src[r.at:]) {
			if f := r.top(); f.state == wantColon && !f.bare || f.state == wantValue {
				r.cutOff = true
			}
			for len(r.stack) > 0 {
				r.dropComma()
				r.closeMissing()
			}
			return
		}
		r.step()
	}
}

// step reads one token.
func (r *reader) step() {
	c := r.src[r.at]
	if c == '}' || c == ']' {
		r.closer(c)
		return
	}
	sign, n := r.sign(r.at)
	switch {
	case sign == ',' || sign == ';':
		r.comma(n)
	case sign == ':' || sign == '=':
		r.colon(n)
	case c == '{' || c == '[':
		r.opener(c)
	default:
		r.text()
	}
}

// sign returns the separator at i as its ASCII character, and its length in the file.
func (r *reader) sign(i int) (byte, int) {
	if i >= len(r.src) {
		return 0, 0
	}
	rest := r.src[i:]
	switch c := rest[0]; c {
	case ',', ';':
		return c, 1
	case ':', '=':
		if len(rest) > 1 && (c == ':' && rest[1] == '=' || c == '=' && rest[1] == '>') {
			return '=', 2
		}
		return c, 1
	}
	if len(rest) < 3 {
		return 0, 0
	}
	switch string(rest[:3]) {
	case "\uff0c", "\u3001":
		return ',', 3
	case "\uff1b":
		return ';', 3
	case "\uff1a":
		return ':', 3
	}
	return 0, 0
}

// push opens the bracket at the current place, of which n bytes stand there.
func (r *reader) push(object bool, n int) {
	if len(r.stack) >= jsontree.DefaultMaxDepth {
		r.failed = true
		return
	}
	f := frame{object: object, state: wantElement, open: r.at, line: r.lineStart, child: -1}
	f.indent = blanks(r.src, r.lineStart) - r.lineStart
	if object {
		f.state = wantName
	}
	r.stack = append(r.stack, f)
	r.take(r.at+n, true)
}

// pop removes the innermost bracket, which is complete.
func (r *reader) pop() {
	r.stack = r.stack[:len(r.stack)-1]
	if len(r.stack) > 0 {
		r.settle()
	}
}

// settle notes that the value which the innermost bracket waited for is there.
func (r *reader) settle() {
	f := r.top()
	f.state = afterElement
	if f.object {
		f.state = afterMember
	}
}

// comma reads a separator of n bytes.
func (r *reader) comma(n int) {
	f := r.top()
	switch f.state {
	case wantName, wantElement:
		r.replace(surplusComma, r.at, r.at+n, "")
		r.take(r.at+n, false)
		return
	case wantColon, wantValue:
		r.fill()
	}
	f.comma.from, f.comma.to = r.at, r.at+n
	f.state = wantElement
	if f.object {
		f.state = wantName
	}
	r.take(r.at+n, false)
}

// dropComma removes a comma that nothing follows.
func (r *reader) dropComma() {
	f := r.top()
	if f.comma.to > f.comma.from {
		r.replace(surplusComma, f.comma.from, f.comma.to, "")
		f.comma.to = f.comma.from
	}
}

// fill completes a member without a value.
func (r *reader) fill() {
	f := r.top()
	switch f.state {
	case wantColon:
		if f.bare {
			r.failed = true // a mere word in braces is not a member
		}
		r.insert(noValue, r.end, ": null")
	case wantValue:
		r.insert(noValue, r.end, " null")
	default:
		return
	}
	f.state = afterMember
}

// colon reads a sign of n bytes between a name and its value.
func (r *reader) colon(n int) {
	f := r.top()
	switch f.state {
	case wantColon:
		if n > 1 || r.src[r.at] != ':' {
			r.replace(otherColon, r.at, r.at+n, ":")
		}
		f.state = wantValue
		r.take(r.at+n, true)
	case wantValue:
		r.replace(surplusColon, r.at, r.at+n, "")
		r.take(r.at+n, false)
	default:
		r.failed = true
	}
}

// separate makes sure that a comma or colon is before the item that is about to be read.
func (r *reader) separate() {
	f := r.top()
	switch {
	case f.state == wantColon:
		r.insert(missingColon, r.end, ":")
	case f.state == afterMember || f.state == afterElement:
		r.insert(missingComma, r.end, ",")
	case f.comma.to > f.comma.from:
		if f.comma.to-f.comma.from > 1 || r.src[f.comma.from] != ',' {
			r.replace(otherComma, f.comma.from, f.comma.to, ",")
		}
		f.comma.to = f.comma.from
	}
	if f.child < 0 && r.fresh() {
		f.child = r.indent()
	}
	if f.state != wantColon && f.state != wantValue {
		f.items++
	}
}

// opener reads an opening bracket.
func (r *reader) opener(c byte) {
	f := r.top()
	if f.state == wantName || f.state == afterMember {
		parent := r.parent()
		switch {
		case f.items == 0:
			r.swap()
		case c == '{' && parent != nil && !parent.object:
			// The object before it in the list was not closed.
			r.closeMissing()
		default:
			r.failed = true
			return
		}
	}
	r.separate()
	r.push(c == '{', 1)
}

// swap makes the innermost bracket, in which nothing is yet, one of the other kind.
func (r *reader) swap() {
	f := r.top()
	f.object = !f.object
	f.swapped = !f.swapped
	f.state = wantElement
	bracket := "["
	if f.object {
		f.state = wantName
		bracket = "{"
	}
	if f.open < 0 {
		r.failed = true
		return
	}
	r.replace(otherBracket, f.open, f.open+1, bracket)
}
