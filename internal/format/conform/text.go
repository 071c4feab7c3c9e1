package conform

import (
	"strings"

	"github.com/avow-project/avow/internal/std/spell"
)

// MaxHints bounds the suggestions made for one file. More is useless, and a file with a
// hundred thousand wrong ids must not cost a search for each.
const MaxHints = 1000

// Quote shows a string from the file in a message, shortened and without the
// credentials of a URL: a report must not spread a password. Output layers
// escape what is dangerous to show.
func Quote(s string) string {
	return `"` + Shorten(WithoutUser(s)) + `"`
}

// QuoteWhole shows a string that the author is to write, which must not be shortened.
func QuoteWhole(s string) string { return `"` + Whole(WithoutUser(s)) + `"` }

// Whole cuts a text only where no format allows one so long.
func Whole(s string) string {
	const limit = 4_000
	if len(s) <= limit {
		return s
	}
	return Shorten(s)
}

// Shorten cuts a long text. It looks at the part it keeps and no further: the
// text may be as long as the file.
func Shorten(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	n, cut := 0, 0
	for i := range s {
		if n == limit-1 {
			cut = i
		}
		if n == limit {
			return s[:cut] + "…"
		}
		n++
	}
	return s
}

// WithoutUser hides what may be a password in a URL that is shown. A malformed
// URL may have it anywhere before an at sign, so a colon in front of that is
// enough; mail addresses and an at sign in a path may stay.
func WithoutUser(text string) string {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return text
	}
	scheme, user, absolute := strings.Cut(text[:at], "//")
	if !absolute {
		scheme, user = "", scheme
	} else {
		scheme += "//"
	}
	if strings.Contains(user, ":") || absolute && !strings.ContainsAny(user, "/?#") {
		return scheme + "…" + text[at:]
	}
	return text
}

// Suggest proposes the known value nearest to s, or lists a short set.
func Suggest(s string, known []string) string {
	hint := ""
	if len(s) <= spell.MaxLength {
		hint = DidYouMean(strings.ToLower(s), known)
	}
	if hint == "" && len(known) <= 8 {
		return "known values: " + Listed(known)
	}
	return hint
}

// KnownMembers is Suggest for the names of members.
func KnownMembers(name string, known []string) string {
	return strings.Replace(Suggest(name, known), "known values", "known members", 1)
}

// Listed joins a few values of an enumeration, or of the file, for a message.
func Listed(values []string) string {
	short := make([]string, len(values))
	for i, v := range values {
		short[i] = strings.Trim(Quote(v), `"`)
	}
	return strings.Join(short, ", ")
}

// DidYouMean proposes the known value nearest to s, or nothing.
func DidYouMean(s string, known []string) string {
	near, ok := spell.Nearest(s, known, spell.MaxDistance)
	if !ok {
		return ""
	}
	return "did you mean " + QuoteWhole(near) + "?"
}

// SuggestWith proposes the value a known alias stands for, or the nearest one.
func SuggestWith(aliases map[string]string, s string, known []string) string {
	if to, ok := aliases[strings.ToLower(strings.TrimSpace(s))]; ok {
		return "did you mean " + QuoteWhole(to) + "?"
	}
	return Suggest(s, known)
}

// ShortNumber cuts a number with very many digits.
func ShortNumber(s string) string {
	const limit = 24
	if len(s) <= limit {
		return s
	}
	return s[:limit-1] + "…"
}
