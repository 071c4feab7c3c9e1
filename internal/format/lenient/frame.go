package lenient

import (
	"bytes"
	"regexp"
	"sync"
)

// wrapper is program code in front of a value: an assignment, an export, or a call with the
// value as its argument.
var wrapper = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:"use strict";?|'use strict';?|\)\]\}',?|return\b|export\s+default\b|export\s*=|` +
		`(?:export\s+)?(?:var|let|const)\s+[\w$]+\s*(?::\s*[\w$.]+\s*)?=|` +
		`[A-Za-z_$][\w$]*(?:\.[\w$]+|\[(?:"[\w$.-]*"|'[\w$.-]*')\])*\s*(?:=|\()|\()\s*`)
})

// Limits of what stands before a value: real wrappers are short and few.
const (
	longestWrapper = 512 // bytes
	longestHead    = 8   // wrappers, fences and texts
)

// head finds the first bracket and removes what stands before it. It reports whether there is
// one.
func (r *reader) head() bool {
	if bytes.HasPrefix(r.src, []byte("\xef\xbb\xbf")) {
		r.replace(bom, 0, 3, "")
		r.at, r.lineStart, r.last, r.cut = 3, 3, 3, 3
	}
	searched := false
	for range longestHead {
		r.trivia()
		if r.at >= len(r.src) || r.failed {
			return false
		}
		rest := r.src[r.at:]
		if rest[0] == '{' || rest[0] == '[' {
			return true
		}
		if isFence(rest) {
			r.remove(codeFence, r.lineAfter(r.at))
			r.fenced = true
			continue
		}
		if n := len(wrapper().Find(rest[:min(len(rest), longestWrapper)])); n > 0 && r.atValue(r.at+n) {
			r.remove(programCode, r.at+n)
			continue
		}
		_, quote := quoteAt(r.src, r.at)
		if quote > 0 && r.nameAhead(r.at) {
			r.open()
			return true
		}
		start := r.search()
		if searched || start < 0 {
			return false
		}
		searched = true
		r.remove(otherText, start)
	}
	return false
}

// atValue reports whether a bracket, or more that leads to one, is at i.
func (r *reader) atValue(i int) bool {
	i = r.skip(i)
	return i < len(r.src) && bytes.IndexByte([]byte("{[("), r.src[i]) >= 0 ||
		i < len(r.src) && wrapper().Match(r.src[i:min(len(r.src), i+longestWrapper)])
}

// open begins an object whose opening bracket is not there.
func (r *reader) open() {
	r.insert(missingOpening, r.at, "{")
	r.push(true, 0)
	r.top().open = -1
}

// search returns where JSON starts after text that is not: at a code fence, or at a line that
// begins with an object or a list of objects. It is -1 for text without any, and for a page of
// markup, which has other things to say.
func (r *reader) search() int {
	if r.src[r.at] == '<' {
		return -1
	}
	for i := r.lineAfter(r.at); i < len(r.src); i = r.lineAfter(i) {
		rest := r.src[blanks(r.src, i):]
		if isFence(rest) {
			return i
		}
		if len(rest) == 0 || rest[0] != '{' && rest[0] != '[' {
			continue
		}
		inside := bytes.TrimLeft(rest[1:min(len(rest), longestWrapper)], " \t\r\n")
		if rest[0] == '{' && bytes.HasPrefix(inside, []byte{'"'}) || rest[0] == '[' && bytes.HasPrefix(inside, []byte{'{'}) {
			return i
		}
	}
	return -1
}

// lineAfter returns where the line after the one of i starts.
func (r *reader) lineAfter(i int) int { return after(r.src, i, "\n") }

// remove removes what is from the current place up to to.
func (r *reader) remove(k kind, to int) {
	r.replace(k, r.at, to, "")
	r.take(to, false)
	r.cut = to
}

// tail removes what stands after the first value, or puts it into a list with further values.
func (r *reader) tail() {
	several, comma := false, false
	for !r.failed {
		r.trivia()
		if r.at >= len(r.src) {
			break
		}
		c := r.src[r.at]
		sign, n := r.sign(r.at)
		switch {
		case c == '{' || c == '[':
			if !several {
				several = true
				r.insert(severalValues, r.start, "[")
			}
			if !comma {
				r.insert(missingComma, r.end, ",")
			}
			comma = false
			r.body()
		case c == '}' || c == ']':
			r.remove(surplusBracket, r.at+1)
		case sign == ',' && !comma && r.bracketAt(r.skip(r.at+n)):
			comma = true
			r.take(r.at+n, false)
		case sign == ',':
			r.remove(surplusComma, r.at+n)
		case sign == ';' || c == ')':
			r.remove(programCode, r.at+1)
		case r.fenced && isFence(r.src[r.at:]):
			r.remove(codeFence, r.lineAfter(r.at))
			r.fenced = false
		default:
			r.removeRest()
		}
	}
	if several {
		r.edit(r.end, r.end, "]")
	}
}

func (r *reader) bracketAt(i int) bool {
	return i < len(r.src) && (r.src[i] == '{' || r.src[i] == '[')
}

// removeRest removes the rest of the file, from the first line break after the value on.
func (r *reader) removeRest() {
	from := r.at
	if i := bytes.IndexByte(r.src[r.end:r.at], '\n'); i >= 0 {
		from = max(r.end+i+1, r.cut)
	}
	text := ""
	if from == r.at && from > r.lineStart && r.src[len(r.src)-1] == '\n' {
		text = r.eol
	}
	r.replace(otherText, from, len(r.src), text)
	r.at = len(r.src)
}
