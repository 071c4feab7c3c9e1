package lenient

import "bytes"

// trivia passes over what is between tokens, and removes what JSON does not have there.
func (r *reader) trivia() {
	for r.at < len(r.src) && !r.failed {
		switch c := r.src[r.at]; {
		case c == '\n':
			r.at++
			r.lineStart = r.at
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '/' || c == '#' || c == '<':
			end := commentEnd(r.src, r.at)
			if end == r.at {
				return
			}
			r.removeComment(comment, end)
		case c == '.' && bytes.HasPrefix(r.src[r.at:], []byte("...")):
			r.removeComment(placeholder, r.at+3)
		case c < ' ' || c >= 0x7f:
			if bytes.HasPrefix(r.src[r.at:], []byte("…")) {
				r.removeComment(placeholder, r.at+len("…"))
				continue
			}
			text, n := blank(r.src, r.at)
			if n == 0 {
				return
			}
			r.replace(invisible, r.at, r.at+n, text)
			r.at += n
			r.cut = r.at
		default:
			return
		}
	}
}

// removeComment removes from the current place up to end: whole lines if nothing else is in
// them, and else with the blanks before it, or with those after it at the start of a line.
func (r *reader) removeComment(k kind, end int) {
	from, to := r.at, end
	after := blanks(r.src, end)
	eol := lineBreak(r.src, after)
	switch {
	case r.fresh() && (eol > 0 || after == len(r.src)):
		from, to = max(r.lineStart, r.cut), after+eol
	case r.fresh():
		to = after
	default:
		for from > max(r.last, r.cut) && (r.src[from-1] == ' ' || r.src[from-1] == '\t') {
			from--
		}
	}
	r.replace(k, from, to, "")
	if i := bytes.LastIndexByte(r.src[r.at:to], '\n'); i >= 0 {
		r.lineStart = r.at + i + 1
	}
	r.at, r.cut = to, to
}

// skip returns where the next token after i is, without noting anything. When the budget is
// used up it does not look.
func (r *reader) skip(i int) int {
	from := i
	for i < len(r.src) && r.budget > 0 {
		next := i
		switch c := r.src[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			next++
		case c == '/' || c == '#' || c == '<':
			next = commentEnd(r.src, i)
		case c < ' ' || c >= 0x7f:
			_, n := blank(r.src, i)
			next += n
		}
		if next == i {
			break
		}
		r.budget -= next - i
		i = next
	}
	if r.budget <= 0 {
		return from
	}
	return i
}

// commentEnd returns the end of the comment at i, or i when there is none. The line break
// after a comment is not a part of it.
func commentEnd(src []byte, i int) int {
	rest := src[i:]
	switch {
	case rest[0] == '#', bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexAny(rest, "\r\n")
		if n < 0 {
			return len(src)
		}
		return i + n
	case bytes.HasPrefix(rest, []byte("/*")):
		return after(src, i+2, "*/")
	case bytes.HasPrefix(rest, []byte("<!--")):
		return after(src, i+4, "-->")
	}
	return i
}

// after returns the offset after the next mark, or the end.
func after(src []byte, i int, mark string) int {
	n := bytes.Index(src[i:], []byte(mark))
	if n < 0 {
		return len(src)
	}
	return i + n + len(mark)
}

// blanks returns the offset of the first byte from i on that is not a space or tab.
func blanks(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	return i
}

// lineBreak returns the length of the line break at i, or 0.
func lineBreak(src []byte, i int) int {
	switch rest := src[i:]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return 2
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		return 1
	}
	return 0
}

// blank returns the length of a character at i that is seen as white space or not at all, and
// what to write for it. JSON has only four such characters.
func blank(src []byte, i int) (string, int) {
	c, n, _ := runeAt(src, i)
	switch c {
	case 0, '\v', '\f', 0x1a, 0x7f, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return " ", n
	case 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff:
		return "", n
	}
	if c >= 0x2000 && c <= 0x200a {
		return " ", n
	}
	return "", 0
}

// isFence reports whether a line that starts a Markdown code fence is there.
func isFence(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("```")) || bytes.HasPrefix(rest, []byte("~~~"))
}
