package batch

import (
	"unsafe"
)

// readPlain reads a line of JSON as programs write most of them: an object of different
// known names with plain strings. It reports false, and leaves the question as it was,
// for anything else, be it right or wrong: the parser decides about that. For the rest
// it takes a small part of the parser's time and allocates nothing.
func (w *written) readPlain() bool {
	// Nobody writes to the line any more.
	line := unsafe.String(unsafe.SliceData(w.raw), len(w.raw))
	var cells [parts]string
	seen := 0
	at := skipBlank(line, 0)
	if at == len(line) || line[at] != '{' || len(line) > longestQuestion {
		return false
	}
	for {
		name, next := plainString(line, skipBlank(line, at+1))
		part := plainPart(name)
		next = skipBlank(line, next)
		if part < 0 || seen&(1<<part) != 0 || next >= len(line) || line[next] != ':' {
			return false
		}
		seen |= 1 << part
		value, next := plainString(line, skipBlank(line, next+1))
		at = skipBlank(line, next)
		if next == 0 || at >= len(line) || blankText(value) {
			return false
		}
		cells[part] = value
		switch line[at] {
		case ',':
		case '}':
			if skipBlank(line, at+1) != len(line) {
				return false
			}
			w.cells = cells
			return true
		default:
			return false
		}
	}
}

// plainPart finds a part by its name as it is written most often, or returns -1.
func plainPart(name string) int {
	for i, known := range partNames {
		if known == name {
			return i
		}
	}
	return -1
}

// blankText reports whether a string has nothing but blanks.
func blankText(s string) bool { return skipBlank(s, 0) == len(s) }

// skipBlank returns where what is not white space begins.
func skipBlank(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\t') {
		at++
	}
	return at
}

// plainString returns the string in quotation marks that begins at a place, and where
// it ends. It returns 0 for the end if there is none, or one with an escape or a
// character outside ASCII.
func plainString(s string, at int) (string, int) {
	if at >= len(s) || s[at] != '"' {
		return "", 0
	}
	for i := at + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[at+1 : i], i + 1
		case c < ' ' || c > '~' || c == '\\':
			return "", 0
		}
	}
	return "", 0
}
