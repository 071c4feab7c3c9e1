// Package textsafe makes text from outside safe to show.
//
// A declaration file is written by a stranger. Its strings end up in terminals,
// log lines, spreadsheets, test reports and the log of a build service, and each
// of these obeys some characters instead of showing them: escape sequences that
// write to the clipboard, carriage returns that overwrite a line, direction
// marks that make a host name read backwards, line feeds that start a workflow
// command, a leading equals sign that starts a formula. Everything from outside
// passes through one function of this package on its way out.
//
// [Terminal] is the general one. Each of the others knows one target format.
// All return their argument unchanged, without allocating, when it is clean.
package textsafe

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const hex = "0123456789abcdef"

// Terminal returns s with everything a terminal would obey or hide written out:
// \t, \n and \r for these three, \u{200b} for any other character that is not
// visible, and \xff for a byte that is not UTF-8. Hidden are control
// characters, direction marks, zero-width and other format characters, line
// separators, spaces other than U+0020 and U+3000, tag characters, variation
// selectors other than the two for emoji, private-use characters, and code
// points that are not assigned.
//
// A backslash stays as it is, so the result is for reading and cannot be turned
// back; in exchange a second pass changes nothing.
func Terminal(s string) string {
	clean := cleanPrefix(s)
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:clean])
	for rest := s[clean:]; rest != ""; {
		n := cleanPrefix(rest)
		b.WriteString(rest[:n])
		rest = rest[n:]
		if rest == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(rest)
		var buf [escapeSize]byte
		b.Write(appendEscape(buf[:0], r, size, rest[0]))
		rest = rest[size:]
	}
	return b.String()
}

// Lines is Terminal for each line of a text, with two spaces for a tab.
func Lines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "  "), "\n")
	for i := range lines {
		lines[i] = Terminal(lines[i])
	}
	return strings.Join(lines, "\n")
}

// cleanPrefix is the length of the longest beginning of s that shows as it is.
func cleanPrefix(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || !visible(r) {
			return i
		}
		i += size
	}
	return len(s)
}

// escapeSize is the room the longest escape, \u{10ffff}, needs.
const escapeSize = 10

// appendEscape writes out one character. A size of one with RuneError is how
// utf8 reports a broken sequence, and then the byte itself is shown.
func appendEscape(b []byte, r rune, size int, first byte) []byte {
	switch {
	case r == utf8.RuneError && size == 1:
		return append(b, '\\', 'x', hex[first>>4], hex[first&15])
	case r == '\t':
		return append(b, `\t`...)
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	}
	b = append(b, `\u{`...)
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		digit := r >> shift & 15
		started = started || digit != 0 || shift <= 4
		if started {
			b = append(b, hex[digit])
		}
	}
	return append(b, '}')
}

// hidden lists graphic characters that nevertheless draw nothing: fillers,
// joiners, selectors and the blank Braille pattern.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0d, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfffc, Hi: 0xfffc, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0xe0100, Hi: 0xe01ef, Stride: 1},
	},
}

// visible reports whether a character shows as itself. The rule names what is allowed,
// so an unexpected character is escaped.
func visible(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f
	case r == 0x3000:
		return true
	case !unicode.IsGraphic(r):
		// Number signs of Arabic and Indic scripts are format characters
		// in name only: they draw.
		return unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return !unicode.Is(unicode.Zs, r) && !unicode.Is(hidden, r)
}

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
