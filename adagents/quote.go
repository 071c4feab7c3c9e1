package adagents

import (
	"encoding/binary"
	"math/bits"
)

// appendQuoted appends UTF-8 as it stands between the quotes of a JSON string, escaped as
// little as JSON allows. It is for long texts: eight bytes are looked at and copied at
// once, and the copy is cut where one of them needs an escape.
func appendQuoted(dst, text []byte) []byte {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	for len(text) >= 8 {
		w := binary.LittleEndian.Uint64(text)
		quote, backslash := w^'"'*ones, w^'\\'*ones
		hit := ((w-' '*ones)&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops
		dst = binary.LittleEndian.AppendUint64(dst, w)
		if hit == 0 {
			text = text[8:]
			continue
		}
		n := bits.TrailingZeros64(hit) >> 3
		dst = appendLeastEscape(dst[:len(dst)-8+n], text[n])
		text = text[n+1:]
	}
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendLeastEscape(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendLeastEscape appends a character that cannot stand in a string as it is.
func appendLeastEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
