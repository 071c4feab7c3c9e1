package lenient

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// quote writes a text in double quotes and what is inside as JSON has it.
func (r *reader) quote(t token) {
	first, last := string(r.src[t.from:t.in]), string(r.src[t.out:t.to])
	switch {
	case first == `"` && last == `"`:
	case first == "" && last == "":
		k := bareText
		if f := r.top(); f.object && f.state != wantValue && f.state != wantColon {
			k = bareName
		}
		r.insert(k, t.from, `"`)
	case first == "" || last == "":
		if first != `"` {
			r.replace(missingQuote, t.from, t.in, `"`)
		}
	default:
		r.said.add(otherQuotes, t.from)
		if first != `"` {
			r.edit(t.from, t.in, `"`)
		}
	}
	r.content(t, first == `"` && last == `"`)
	switch {
	case last == `"`:
	case first == `"` && last == "":
		r.cutOff = r.cutOff || t.to == len(r.src)
		r.insert(missingQuote, t.to, `"`)
	default:
		r.edit(t.out, t.to, `"`)
	}
}

// content escapes what has to be escaped in a text. With plain the text is in double quotes.
func (r *reader) content(t token, plain bool) {
	for i := t.in; i < t.out && !r.failed; {
		c := r.src[i]
		switch {
		case c == '"':
			if plain {
				r.said.add(innerQuote, i)
			}
			r.edit(i, i, `\`)
			i++
		case c == '\\':
			i += r.escape(i, t.out)
		case c < ' ':
			n := 1
			if c == '\r' && i+1 < t.out && r.src[i+1] == '\n' {
				n = 2
			}
			r.replace(control, i, i+n, controlText(r.src[i+n-1]))
			i += n
		case c < utf8.RuneSelf:
			i++
		default:
			character, size, valid := runeAt(r.src, i)
			if !valid {
				r.replace(badEncoding, i, i+size, string(character))
			}
			i += size
		}
	}
}

// controlText returns the escape of a control character.
func controlText(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// escape reads the escape at i in a text that ends at end, and returns how many bytes are done
// with.
func (r *reader) escape(i, end int) int {
	if i+1 >= end {
		r.replace(badEscape, i, i, `\`)
		return 1
	}
	switch c := r.src[i+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		return r.unicodeEscape(i, end)
	case 'x':
		n, digits := hex(r.src[i+2 : min(i+4, end)])
		if digits == 2 {
			r.replace(badEscape, i, i+4, character(n))
			return 4
		}
	case '0', 'a', 'v', 'e':
		if c == '0' && i+2 < end && r.src[i+2]-'0' <= 9 {
			break
		}
		r.replace(badEscape, i, i+2, controlText(map[byte]byte{'0': 0, 'a': 7, 'v': 0xb, 'e': 0x1b}[c]))
		return 2
	case '\n', '\r':
		n := lineBreak(r.src[:end], i+1)
		r.replace(badEscape, i, i+1+n, "")
		return 1 + n
	}
	if c := r.src[i+1]; c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' {
		// A path of Windows, most likely.
		r.replace(badEscape, i, i, `\`)
		return 2
	}
	r.replace(badEscape, i, i+1, "")
	return 1
}

// unicodeEscape reads an escape with a u.
func (r *reader) unicodeEscape(i, end int) int {
	if i+2 < end && r.src[i+2] == '{' {
		n, digits := hex(r.src[i+3 : min(i+9, end)])
		close := i + 3 + digits
		if digits > 0 && close < end && r.src[close] == '}' {
			r.replace(badEscape, i, close+1, character(n))
			return close + 1 - i
		}
	}
	n, digits := hex(r.src[i+2 : min(i+6, end)])
	switch {
	case digits < 4:
		r.replace(badEscape, i, i, `\`)
		return 2
	case !utf16.IsSurrogate(n):
		return 6
	}
	if i+12 <= end && r.src[i+6] == '\\' && r.src[i+7] == 'u' {
		low, digits := hex(r.src[i+8 : i+12])
		if digits == 4 && utf16.DecodeRune(n, low) != utf8.RuneError {
			return 12
		}
	}
	r.replace(badEscape, i, i+6, `\ufffd`)
	return 6
}

// character writes a character inside a string.
func character(c rune) string {
	switch {
	case c < ' ':
		return controlText(byte(c))
	case c == '"' || c == '\\':
		return `\` + string(c)
	}
	return string(c)
}

// hex reads the hexadecimal digits at the start of b, and returns how many there are.
func hex(b []byte) (rune, int) {
	var n rune
	for i, c := range b {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return n, i
		}
		n = n<<4 | rune(c)
	}
	return n, len(b)
}
