package textsafe

import (
	"strings"
	"unicode/utf8"
)

// XML returns s without the characters XML 1.0 forbids even when escaped:
// controls other than tab, line feed and carriage return, and U+FFFE and
// U+FFFF. Bytes that are not UTF-8 become U+FFFD. Markup characters are left to
// the encoder that writes the document.
func XML(s string) string {
	if strings.IndexFunc(s, forbiddenInXML) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if forbiddenInXML(r) {
			return -1
		}
		return r
	}, s)
}

func forbiddenInXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// Annotation prepares s as the message of a GitHub workflow command. Percent
// signs and line ends are encoded as that format wants, so that a line of s
// cannot start a command of its own; a multi-line message stays multi-line.
// Everything else that [Terminal] writes out is written out, since the message
// is also shown in the build log.
func Annotation(s string) string {
	return encodeCommand(s, "%\r\n")
}

// AnnotationProperty prepares s as a property of a GitHub workflow command, such
// as its title or file. There the colon and the comma are syntax as well.
func AnnotationProperty(s string) string {
	return encodeCommand(s, "%\r\n:,")
}

func encodeCommand(s, syntax string) string {
	if !strings.ContainsAny(s, syntax) {
		return Terminal(s)
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for {
		at := strings.IndexAny(s, syntax)
		if at < 0 {
			b.WriteString(Terminal(s))
			return b.String()
		}
		b.WriteString(Terminal(s[:at]))
		const upper = "0123456789ABCDEF"
		b.WriteByte('%')
		b.WriteByte(upper[s[at]>>4])
		b.WriteByte(upper[s[at]&15])
		s = s[at+1:]
	}
}

// Markdown prepares s as text in a Markdown document: what Markdown or HTML would obey gets a
// backslash in front. Line breaks stay; use [Terminal] first where they may come from outside.
func Markdown(s string) string {
	const special = "\\`*_{}[]()<>#|!~&@:"
	if !strings.ContainsAny(s, special) {
		return s
	}
	out := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		if strings.IndexByte(special, s[i]) >= 0 {
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return string(out)
}

// CSV prepares s as the value of a spreadsheet cell: a value that a spreadsheet
// would take for a formula gets an apostrophe in front. That includes negative
// numbers, so pass text, not amounts. Quoting is left to the CSV writer, and
// control characters inside the value stay; use [Terminal] first when the table
// is shown rather than saved.
func CSV(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '=', '+', '-', '@', '\t', '\r', '\n', '|',
		'＝', '＋', '－', '＠': // full-width forms that some spreadsheets fold
		return "'" + s
	}
	return s
}
