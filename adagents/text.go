package adagents

import (
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// Short names for what nearly every message is made with.

func quote(s string) string { return conform.Quote(s) }

func listed(values []string) string { return conform.Listed(values) }

func suggest(s string, known []string) string { return conform.Suggest(s, known) }

func suggestWith(aliases map[string]string, s string, known []string) string {
	return conform.SuggestWith(aliases, s, known)
}

func didYouMean(s string, known []string) string { return conform.DidYouMean(s, known) }

// sayProblem reports the rule for a problem within the named member.
func (r reporter) sayProblem(name string, p conform.Problem) {
	if p.Missing != "" {
		r.missing(p.At, p.Missing, "%s", p.Sentence(name)).withHint("%s", p.MissingHint())
		return
	}
	r.say(p.At, "%s", p.Sentence(name)).withHint("%s", p.Hint)
}

// A charSet holds the ASCII characters some kind of identifier may consist of.
// Looking bytes up in it replaces regular expressions, which were most of the
// time of checking a large file.
type charSet [256]bool

func charsOf(s string) charSet {
	var set charSet
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

func (set *charSet) has(b byte) bool { return set[b] }

// spell reports whether s consists of characters of the set, at least one.
func (set *charSet) spell(s string) bool {
	for i := range len(s) {
		if !set.has(s[i]) {
			return false
		}
	}
	return s != ""
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimals     = "0123456789"
)

var (
	idChars        = charsOf(lowerLetters + decimals + "_")
	signalTagChars = charsOf(lowerLetters + decimals + "_-")
	signalIDChars  = charsOf(lowerLetters + upperLetters + decimals + "_-")
	decimalChars   = charsOf(decimals)
)

// isID reports whether s has the form of property ids and tags: ^[a-z0-9_]+$.
func isID(s string) bool { return idChars.spell(s) }

// isSignalTag is isID with hyphens: ^[a-z0-9_-]+$.
func isSignalTag(s string) bool { return signalTagChars.spell(s) }

// isSignalID is isSignalTag with capitals: ^[a-zA-Z0-9_-]+$.
func isSignalID(s string) bool { return signalIDChars.spell(s) }

// isDigits reports whether s is a decimal number without sign: ^[0-9]+$.
func isDigits(s string) bool { return decimalChars.spell(s) }

// blank reports whether s shows nothing: it is empty or all white space.
func blank(s string) bool {
	if s != "" && ' ' < s[0] && s[0] < utf8.RuneSelf {
		return false
	}
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// idFrom turns a text into the nearest id, for a hint: "Scope3-AEE" becomes
// "scope3_aee". It returns "" when nothing is left, and for a URL with a
// password, which would show up in the hint.
func idFrom(s string) string {
	const limit = 100
	if conform.WithoutUser(s) != s {
		return ""
	}
	out := make([]byte, 0, min(len(s), limit))
	gap := false
	for i := range min(len(s), limit) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if !idChars.has(b) {
			gap = len(out) > 0
			continue
		}
		if gap {
			out = append(out, '_')
			gap = false
		}
		out = append(out, b)
	}
	return string(out)
}

// snakeCase writes adUnitPath, Ad-Unit-Path and GAMAdUnit the way the format
// writes names. A name that already is written so is returned as it is.
func snakeCase(name string) string {
	// The lists above need no more than this of a name.
	const limit = 64
	name = name[:min(len(name), limit)]
	if isID(name) {
		return name
	}
	out := make([]byte, 0, 2*len(name))
	for i := range len(name) {
		switch b := name[i]; {
		case isCapital(b):
			if i > 0 && wordStart(name, i) {
				out = append(out, '_')
			}
			out = append(out, b+'a'-'A')
		case b == '-' || b == ' ' || b == '.':
			out = append(out, '_')
		default:
			out = append(out, b)
		}
	}
	return string(out)
}

// wordStart reports whether the capital at i, which is not the first byte,
// begins a word: it follows a small letter or a digit, or ends a run of
// capitals before a small letter.
func wordStart(name string, i int) bool {
	if idChars.has(name[i-1]) && name[i-1] != '_' {
		return true
	}
	return isCapital(name[i-1]) && i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'
}

func isCapital(b byte) bool { return 'A' <= b && b <= 'Z' }

// sayConform reports the rule for every way in which a value misses its type,
// and returns whether there is any.
func (r reporter) sayConform(name string, v Value, t *model.Type) bool {
	faulty := false
	conform.Check(v, t, func(p conform.Problem) {
		faulty = true
		r.sayProblem(name, p)
	})
	return faulty
}
