package lenient

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 are the characters that Windows-1252 has from 0x80 to 0x9f; from 0xa0 on it has
// those of Unicode.
var windows1252 = []rune("€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ")

// fromWindows returns the character that a byte which is not UTF-8 stands for.
func fromWindows(c byte) rune {
	if c < 0xa0 {
		return windows1252[c-0x80]
	}
	return rune(c)
}

// runeAt returns the character at i, its length, and whether it is UTF-8. A byte that is not is
// read as Windows-1252.
func runeAt(src []byte, i int) (rune, int, bool) {
	if src[i] < utf8.RuneSelf {
		return rune(src[i]), 1, true
	}
	c, size := utf8.DecodeRune(src[i:])
	if c == utf8.RuneError && size == 1 {
		return fromWindows(src[i]), 1, false
	}
	return c, size, true
}

// decodeWide decodes UTF-16 and UTF-32 with or without a byte order mark, and names the
// encoding. The text is nil when the bytes are neither.
func decodeWide(src []byte) ([]byte, string) {
	var order binary.ByteOrder = binary.LittleEndian
	width := 2
	switch {
	case bytes.HasPrefix(src, []byte("\x00\x00\xfe\xff")), bytes.HasPrefix(src, []byte("\x00\x00\x00")):
		order, width = binary.BigEndian, 4
	case bytes.HasPrefix(src, []byte("\xff\xfe\x00\x00")), len(src) >= 4 && src[1] == 0 && src[2] == 0 && src[3] == 0:
		width = 4
	case src[0] == 0xfe || src[0] == 0:
		order = binary.BigEndian
	}
	if len(src)%width != 0 {
		return nil, ""
	}
	text := make([]byte, 0, len(src)/width)
	for i := 0; i < len(src); i += width {
		var c rune
		if width == 4 {
			c = rune(order.Uint32(src[i:]))
		} else {
			c = rune(order.Uint16(src[i:]))
			if utf16.IsSurrogate(c) && i+4 <= len(src) {
				c = utf16.DecodeRune(c, rune(order.Uint16(src[i+2:])))
				i += 2
			}
		}
		if c == 0 {
			return nil, ""
		}
		text = utf8.AppendRune(text, c)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if width == 4 {
		return text, "UTF-32"
	}
	return text, "UTF-16"
}
