package textsafe

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width is the approximate number of terminal cells s takes: two for wide East
// Asian characters and emoji, none for combining marks, one for the rest. It is
// meant for text that [Terminal] has been over. Terminals disagree about emoji
// made of several code points, so use it for lining up columns, not for
// positioning.
func Width(s string) int {
	cells := 0
	for _, r := range s {
		cells += runeWidth(r)
	}
	return cells
}

func runeWidth(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1160 && r <= 0x11ff:
		// Vowels and final consonants stack onto a leading Hangul letter.
		return 0
	}
	kind := width.LookupRune(r).Kind()
	if kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// bytesPerCell bounds the output of Line, so that a million combining marks on
// one letter do not pass as one cell.
const bytesPerCell = 16

// Line makes s safe as [Terminal] does and cuts it to at most max cells, with …
// in place of what was cut. An escape is never cut in two. A max below one gives
// the empty string. Line stops reading once the line is full, so its cost does
// not depend on the length of s.
func Line(s string, max int) string {
	if max < 1 {
		return ""
	}
	if len(s) <= max*bytesPerCell && cleanPrefix(s) == len(s) && Width(s) <= max {
		return s
	}
	var b strings.Builder
	cells, keep := 0, 0
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		piece, w := rest[:size], runeWidth(r)
		if cleanPrefix(piece) == 0 {
			var buf [escapeSize]byte
			piece = string(appendEscape(buf[:0], r, size, rest[0]))
			w = len(piece)
		}
		if cells+w > max || b.Len()+len(piece) > max*bytesPerCell {
			return b.String()[:keep] + "…"
		}
		b.WriteString(piece)
		cells += w
		if cells < max {
			keep = b.Len()
		}
		rest = rest[size:]
	}
	return b.String()
}
