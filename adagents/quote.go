package adagents

import (
	"encoding/binary"
	"math/bits"
)

// appendQuoted appends UTF-8 as it stands between the quotes of a JSON string, escaped as
// little as JSON allows. It is for long texts: eight bytes are looked at and copied at
// once, and the copy is cut where one of them needs an escape.
func appendQuoted(dst, text []byte) []byte {
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
		dst = appendEscape(dst[:len(dst)-8+n], rune(text[n]))
		text = text[n+1:]
	}
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendEscape(dst, rune(c))
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
