package api

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// quotedSize returns how many bytes appendQuoted needs for a text without control
// characters other than line feeds: what it writes, and some that it writes over.
func quotedSize(text []byte) int {
	const quotes, over = 2, 8
	return len(text) + bytes.Count(text, []byte{'"'}) + bytes.Count(text, []byte{'\\'}) + bytes.Count(text, []byte{'\n'}) + quotes + over
}

// appendQuoted appends UTF-8 as a JSON string, escaped as little as JSON allows. It is
// for long texts: eight bytes are looked at and copied at once, and the copy is cut where
// one of them needs an escape.
func appendQuoted(dst, text []byte) []byte {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	dst = append(dst, '"')
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
		dst = appendEscaped(dst[:len(dst)-8+n], text[n])
		text = text[n+1:]
	}
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendEscaped(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendEscaped appends a character that cannot stand in a string as it is.
func appendEscaped(dst []byte, c byte) []byte {
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
