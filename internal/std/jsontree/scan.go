package jsontree

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// scanString reads the string that starts with the quote at i and returns the
// offset after its closing quote. Eight bytes are tested at a time for the
// four things that need a closer look: a quote, a backslash, a control
// character, a byte outside ASCII.
func scanString(src []byte, i int) (int, uint8, *Error) {
	var flag uint8
	j := i + 1
	for {
		for j+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[j:])
			q := w ^ '"'*ones
			b := w ^ '\\'*ones
			hit := (w | (w-0x20*ones)&^w | (q-ones)&^q | (b-ones)&^b) & tops
			if hit != 0 {
				j += bits.TrailingZeros64(hit) >> 3
				break
			}
			j += 8
		}
		if j >= len(src) {
			return i, 0, syntaxAt(i, "the string that starts here has no closing quote")
		}
		switch c := src[j]; {
		case c == '"':
			return j + 1, flag, nil
		case c == '\\':
			flag = escaped
			n, err := scanEscape(src, j)
			if err != nil {
				return i, 0, err
			}
			j = n
		case c < 0x20:
			return i, 0, syntaxAt(j, "a control character in a string must be escaped")
		case c < utf8.RuneSelf:
			j++
		default:
			n, ok := scanRunes(src, j)
			if !ok {
				return i, 0, syntaxAt(n, "the string is not UTF-8")
			}
			j = n
		}
	}
}

// scanRunes passes over characters outside ASCII.
func scanRunes(src []byte, j int) (int, bool) {
	for j < len(src) && src[j] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(src[j:])
		if r == utf8.RuneError && size == 1 {
			return j, false
		}
		j += size
	}
	return j, true
}

// scanEscape passes over the escape that starts with the backslash at j. Half
// of a surrogate pair is refused: readers replace it by different things.
func scanEscape(src []byte, j int) (int, *Error) {
	if j+1 >= len(src) {
		return j, syntaxAt(j, "the string is cut off in an escape")
	}
	switch src[j+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return j + 2, nil
	case 'u':
	default:
		return j, syntaxAt(j, "unknown escape in a string")
	}
	r, ok := hex4(src, j+2)
	if !ok {
		return j, syntaxAt(j, `\u needs four hexadecimal digits`)
	}
	if !utf16.IsSurrogate(r) {
		return j + 6, nil
	}
	if j+7 < len(src) && src[j+6] == '\\' && src[j+7] == 'u' {
		low, ok := hex4(src, j+8)
		if ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return j + 12, nil
		}
	}
	return j, syntaxAt(j, "half of a surrogate pair in a string")
}

func hex4[T []byte | string](s T, i int) (rune, bool) {
	if i+4 > len(s) {
		return 0, false
	}
	var r rune
	for k := i; k < i+4; k++ {
		c := s[k]
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescape decodes the inside of a string that scanString has accepted.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b = append(b, s[i])
			i++
			continue
		}
		switch c := s[i+1]; c {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r, _ := hex4(s, i+2)
			i += 4
			if utf16.IsSurrogate(r) {
				low, _ := hex4(s, i+4)
				r = utf16.DecodeRune(r, low)
				i += 6
			}
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, c)
		}
		i += 2
	}
	return string(b)
}
