package registry

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// longestURL is the longest address that brand data may hold; longer ones are data in
// disguise.
const longestURL = 2048

// SafeURL returns the canonical form of an address in brand data and whether it may be
// passed on: https with a host name, without credentials, and without a character that
// ends an attribute or hides what follows.
func SafeURL(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if len(s) > longestURL || strings.ContainsAny(s, "\"'<>`\\") {
		return "", false
	}
	canonical, info, err := hostname.CanonicalURL(s)
	bad := err != nil || info.Scheme != "https" || info.HasUserinfo || info.IPLiteral.IsValid() ||
		len(canonical) > longestURL || textsafe.Terminal(canonical) != canonical
	if bad {
		return "", false
	}
	return canonical, true
}

// PlainText returns a text from outside without white space around it and without
// control characters and direction marks, which have no place in a name. A text of
// more than longest characters is left out as a whole: half of it may say the opposite.
func PlainText(s string, longest int) string {
	s = strings.TrimSpace(strings.Map(plainRune, s))
	if utf8.RuneCountInString(s) > longest {
		return ""
	}
	return s
}

// plainRune maps a character to itself, to a space, or to nothing.
func plainRune(r rune) rune {
	switch {
	case r == '\u2028', r == '\u2029', unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError, r == '\ufeff':
		return -1
	}
	return r
}

// Runnable reports whether a text is an address that a browser would run, or open from
// the reader's own machine, instead of fetching it.
func Runnable(s string) bool {
	// Browsers skip control characters in front of and inside a scheme.
	squeezed := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s[:min(len(s), longestURL)]))
	for _, prefix := range []string{"javascript:", "vbscript:", "data:text/", "data:image/", "data:application/", "data:,",
		"data:;", "file:/", "blob:"} {
		if strings.HasPrefix(squeezed, prefix) {
			return true
		}
	}
	return false
}
