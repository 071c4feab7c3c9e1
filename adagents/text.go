package adagents

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/iso3166"
)

// Short names for what nearly every message is made with.

func quote(s string) string { return conform.Quote(s) }

func listed(values []string) string { return conform.Listed(values) }

func suggest(s string, known []string) string { return conform.Suggest(s, known) }

func suggestWith(aliases map[string]string, s string, known []string) string {
	return conform.SuggestWith(aliases, s, known)
}

func didYouMean(s string, known []string) string { return conform.DidYouMean(s, known) }

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

// plainLetters writes letters outside ASCII as people do in ids.
var plainLetters = strings.NewReplacer(
	"ä", "ae", "ö", "oe", "ü", "ue", "Ä", "ae", "Ö", "oe", "Ü", "ue", "ß", "ss", "æ", "ae", "Æ", "ae", "œ", "oe", "ø", "o",
	"Ø", "o", "á", "a", "à", "a", "â", "a", "ã", "a", "å", "a", "Á", "a", "À", "a", "Å", "a", "ç", "c", "Ç", "c", "č", "c",
	"ć", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "É", "e", "È", "e", "í", "i", "ì", "i", "î", "i", "ï", "i", "ł", "l",
	"Ł", "l", "ñ", "n", "Ñ", "n", "ń", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "Ó", "o", "š", "s", "Š", "s", "ś", "s",
	"ú", "u", "ù", "u", "û", "u", "Ú", "u", "ý", "y", "ž", "z", "Ž", "z", "ż", "z",
)

// idFrom turns a text into the nearest id, for a hint: "Scope3-AEE" becomes
// "scope3_aee". It returns "" when nothing is left, and for a URL with a
// password, which would show up in the hint.
func idFrom(s string) string {
	const limit = 100
	if conform.WithoutUser(s) != s {
		return ""
	}
	s = plainLetters.Replace(s[:min(len(s), limit)])
	out := make([]byte, 0, min(len(s), limit))
	gap := false
	for i := range len(s) {
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

// repeats reports whether a string occurs twice. Short lists, which nearly all
// are, take no memory.
func repeats(list []string) bool {
	const few = 12
	if len(list) > few {
		seen := make(map[string]struct{}, len(list))
		for _, s := range list {
			seen[s] = struct{}{}
		}
		return len(seen) < len(list)
	}
	for i, s := range list {
		for _, t := range list[:i] {
			if s == t {
				return true
			}
		}
	}
	return false
}

var channelSet = setOf(model.Channels)

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, s := range words {
		set[s] = true
	}
	return set
}

func knownChannels(list []string) bool {
	for _, s := range list {
		if !channelSet[s] {
			return false
		}
	}
	return true
}

// textSet finds texts; a short one is searched, a long one indexed.
type textSet struct {
	list  []string
	index map[string]struct{}
}

func textsOf(list []string) textSet {
	s := textSet{list: slices.Clip(list)}
	if len(list) > few {
		s.index = make(map[string]struct{}, len(list))
		for _, t := range list {
			s.index[t] = struct{}{}
		}
	}
	return s
}

func (s *textSet) add(texts ...string) {
	if s.list == nil {
		*s = textsOf(texts)
		return
	}
	for _, t := range texts {
		switch {
		case s.has(t):
		case s.index != nil:
			s.index[t] = struct{}{}
		default:
			*s = textsOf(append(s.list, t))
		}
	}
}

func (s *textSet) has(t string) bool {
	if s.index == nil {
		return slices.Contains(s.list, t)
	}
	_, ok := s.index[t]
	return ok
}

func (s *textSet) meets(list []string) bool { return slices.ContainsFunc(list, s.has) }

// idHint proposes an id made from a text, or nothing when none can be made.
func idHint(text string) string {
	id := idFrom(text)
	if id == "" {
		return ""
	}
	return `write "` + id + `", for example`
}

// countryHint puts into words what a value was probably meant to be.
func countryHint(code string) string {
	s := iso3166.Suggest(code)
	switch {
	case s.Code != "" && s.Kind == iso3166.CaseOnly:
		return "write " + s.Code
	case len(s.Members) > 1 && len(s.Members) <= few:
		return s.Text + ": " + strings.Join(s.Members, ", ")
	}
	return s.Text
}

// counted writes a number with its noun: "1 agent", "2 agents".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// clip shortens a text from the file that stands in a message without quotes.
func clip(s string) string {
	const limit = 20
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}

// few is up to how many items a list is searched rather than indexed.
const few = 8

// isCountryForm reports whether s is two capital letters.
func isCountryForm(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}
