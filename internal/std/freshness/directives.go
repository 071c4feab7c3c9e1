package freshness

import (
	"strings"
	"time"
)

// MaxSeconds is where numbers of seconds stop. RFC 9111 names this value for
// caches that cannot count further; it is 68 years.
const MaxSeconds = 1 << 31

// A Delta is a number of seconds that a directive may give.
type Delta struct {
	// Set reports whether the directive is there. A directive whose argument is
	// missing or broken is there, with zero seconds.
	Set bool
	// Seconds is from 0 to MaxSeconds.
	Seconds int64
}

// Duration returns the seconds as a duration, which cannot overflow.
func (d Delta) Duration() time.Duration {
	return time.Duration(d.Seconds) * time.Second
}

// lower keeps the smaller of two arguments of the same directive.
func (d Delta) lower(argument string) Delta {
	seconds, ok := parseSeconds(argument)
	if !ok {
		seconds = 0
	}
	if d.Set {
		seconds = min(seconds, d.Seconds)
	}
	return Delta{Set: true, Seconds: seconds}
}

// Directives are the parts of Cache-Control that say how an answer may be used
// again. Directives for shared caches are read, so that they can be shown, but
// Lifetime does not follow them.
type Directives struct {
	// NoStore and NoCache forbid use without asking again. Forms with a list of
	// field names count like those without: the narrower reading is optional, and
	// hardly any cache has it.
	NoStore, NoCache bool
	// MustRevalidate forbids use after the lifetime, even when the origin fails.
	MustRevalidate bool
	// Private and Public are about shared caches.
	Private, Public bool
	// MaxAge is the lifetime; SMaxAge is that of shared caches.
	MaxAge, SMaxAge Delta
}

// ParseCacheControl reads the values of all Cache-Control headers of a response.
// It accepts what real caches accept: names in any case, quoted arguments, white
// space around the equals sign, empty list elements. A directive given twice
// counts with its smallest argument, and a broken argument is treated as zero.
func ParseCacheControl(values []string) Directives {
	var d Directives
	for _, value := range values {
		for value != "" {
			var element string
			element, value = cutElement(value)
			d.add(element)
		}
	}
	return d
}

// add enters one element of the list.
func (d *Directives) add(element string) {
	name, argument, _ := strings.Cut(element, "=")
	argument = unquote(trim(argument))
	switch lower(trim(name)) {
	case "no-store":
		d.NoStore = true
	case "no-cache":
		d.NoCache = true
	case "must-revalidate":
		d.MustRevalidate = true
	case "private":
		d.Private = true
	case "public":
		d.Public = true
	case "max-age":
		d.MaxAge = d.MaxAge.lower(argument)
	case "s-maxage":
		d.SMaxAge = d.SMaxAge.lower(argument)
	}
}

// cutElement splits off the first element of a list. A comma inside a quoted
// argument does not end it. A quote elsewhere, or one that is never closed, is an
// ordinary character: otherwise it would hide the directives after it.
func cutElement(list string) (string, string) {
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case ',':
			return list[:i], list[i+1:]
		case '"':
			// Trimmed on the right alone: the left end is far away for most quotes.
			if strings.HasSuffix(strings.TrimRight(list[:i], " \t"), "=") {
				i += quotedLen(list[i:])
			}
		}
	}
	return list, ""
}

// quotedLen returns the distance from an opening quote to the closing one, or
// zero when there is none.
func quotedLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return 0
}

// unquote returns the content of a text that is a quoted string as a whole, and
// any other text as it is.
func unquote(text string) string {
	if len(text) < 2 || text[0] != '"' || quotedLen(text) != len(text)-1 {
		return text
	}
	text = text[1 : len(text)-1]
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		// The closing quote was found past every escape, so one octet follows.
		if text[i] == '\\' {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// parseSeconds reads a number of seconds: digits and nothing else. Numbers above
// MaxSeconds are MaxSeconds.
func parseSeconds(text string) (int64, bool) {
	if text == "" {
		return 0, false
	}
	var n int64
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = min(n*10+int64(text[i]-'0'), MaxSeconds)
	}
	return n, true
}

// trim removes the white space that HTTP allows around the parts of a value.
func trim(text string) string { return strings.Trim(text, " \t") }

// lower folds ASCII letters only: no letter outside ASCII stands for one of a
// directive.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, text)
}
