package iso3166

import (
	"slices"
	"strings"
	"sync"
)

// Kind says why a value is not an assigned code.
type Kind uint8

// The kinds of answer [Suggest] gives.
const (
	// Unknown means there is nothing useful to propose.
	Unknown Kind = iota
	// None means the value already is an assigned code.
	None
	// CaseOnly means the value is a code apart from letter case or
	// surrounding space.
	CaseOnly
	// Replacement means the value is a reserved or withdrawn code whose
	// country has another one. Code is set when there is one successor, and
	// Members lists all of them.
	Replacement
	// Regional means the value names a group of countries. Members lists them
	// when the group has an agreed membership.
	Regional
	// UserAssigned means ISO leaves the code to private agreement: AA, QM to
	// QZ, XA to XZ and ZZ. Kosovo's XK is one of these.
	UserAssigned
	// Alpha3 means the value is the three-letter code of Code.
	Alpha3
	// EnglishName means the value is a country's name.
	EnglishName
	// Subdivision means the value is a code of ISO 3166-2 such as US-CA, or a
	// locale such as en-US; Code is the country in it.
	Subdivision
)

// String gives the kind as a short word for test output.
func (k Kind) String() string {
	names := [...]string{
		"unknown", "none", "case only", "replacement", "regional",
		"user-assigned", "alpha-3", "name", "subdivision",
	}
	if int(k) >= len(names) {
		return "invalid"
	}
	return names[k]
}

// Suggestion is what to write instead of a value that is not an assigned code.
type Suggestion struct {
	// Kind says what the value appears to be.
	Kind Kind
	// Code is the single code to write instead, or "" when there is none or
	// the choice is the publisher's.
	Code string
	// Members are the codes a group or a divided country stands for, sorted.
	// The slice is the caller's own.
	Members []string
	// Text is advice for a reader, lower case and without a final period. It
	// never repeats the value, so it is safe to print.
	Text string
}

// maxValue bounds the values looked at; the longest name in the table has 44
// bytes, and anything much longer is not a country.
const maxValue = 64

// Suggest says what code probably means. It is meant for values that failed
// [Assigned]; an assigned code gives the kind [None].
func Suggest(code string) Suggestion {
	if Assigned(code) {
		return Suggestion{Kind: None, Code: code}
	}
	if len(code) > maxValue {
		return Suggestion{Kind: Unknown}
	}
	trimmed := strings.TrimSpace(code)
	upper := strings.ToUpper(trimmed)
	if Assigned(upper) {
		return Suggestion{Kind: CaseOnly, Code: upper, Text: "write " + upper + " in upper case, without spaces"}
	}
	if r, ok := replacements[upper]; ok {
		return replaced(r)
	}
	for _, try := range []func(string) (Suggestion, bool){alpha3, regional, userAssigned} {
		if s, ok := try(upper); ok {
			return s
		}
	}
	if s, ok := named(trimmed); ok {
		return s
	}
	return subdivision(trimmed)
}

func replaced(r replacement) Suggestion {
	s := Suggestion{Kind: Replacement, Members: slices.Clone(r.successors), Text: r.text}
	if len(r.successors) == 1 {
		s.Code = r.successors[0]
	}
	return s
}

// joiners drops what people put between the words of a region.
var joiners = strings.NewReplacer(" ", "", "-", "", "_", "", "/", "")

func regional(upper string) (Suggestion, bool) {
	r, ok := regions[joiners.Replace(upper)]
	if !ok {
		return Suggestion{}, false
	}
	members := slices.Clone(r.members)
	slices.Sort(members)
	return Suggestion{Kind: Regional, Members: members, Text: r.text}, true
}

func userAssigned(upper string) (Suggestion, bool) {
	if position(upper) < 0 {
		return Suggestion{}, false
	}
	private := upper == "AA" || upper == "ZZ" || upper[0] == 'X' || upper[0] == 'Q' && upper[1] >= 'M'
	if !private {
		return Suggestion{}, false
	}
	text := "the code is set aside for private use and names no country to other readers"
	if upper == "XK" {
		text = "XK for Kosovo is a private-use code that not every reader knows; ISO has assigned none"
	}
	return Suggestion{Kind: UserAssigned, Text: text}, true
}

// byAlpha3 is built on first use: files without mistakes never need it.
var byAlpha3 = sync.OnceValue(func() map[string]string {
	codes := make(map[string]string, len(countries))
	for _, c := range countries {
		codes[c.alpha3] = c.alpha2
	}
	return codes
})

func alpha3(upper string) (Suggestion, bool) {
	code, ok := byAlpha3()[upper]
	if !ok {
		return Suggestion{}, false
	}
	return Suggestion{Kind: Alpha3, Code: code, Text: "write the two-letter code " + code}, true
}

// byName maps folded names to codes, built on first use like byAlpha3.
var byName = sync.OnceValue(func() map[string]string {
	codes := make(map[string]string, len(countries)+len(aliases))
	for _, c := range countries {
		codes[fold(c.name)] = c.alpha2
	}
	for name, code := range aliases {
		codes[fold(name)] = code
	}
	return codes
})

func named(value string) (Suggestion, bool) {
	code, ok := byName()[fold(value)]
	if !ok {
		return Suggestion{}, false
	}
	return Suggestion{Kind: EnglishName, Code: code, Text: "write the two-letter code " + code}, true
}

// accents flattens the accented letters that occur in country names.
var accents = strings.NewReplacer(
	"å", "a", "á", "a", "ã", "a", "ä", "a", "é", "e", "è", "e", "í", "i", "î", "i",
	"ô", "o", "ó", "o", "ö", "o", "ü", "u", "ç", "c", "ñ", "n", "'", "", "’", "",
)

// fold reduces a name to its telling words: lower case, no accents, no
// punctuation, and none of the small words people add or drop.
func fold(name string) string {
	flat := accents.Replace(strings.ToLower(name))
	words := strings.FieldsFunc(flat, func(r rune) bool { return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 0x80 })
	kept := words[:0]
	for _, w := range words {
		switch w {
		case "the", "of", "and":
			continue
		case "st":
			w = "saint"
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

// subdivision reads US-CA as the country US and en-US as the same. Letter case
// tells the two apart: de-AT is German as written in Austria.
func subdivision(value string) Suggestion {
	head, tail, found := strings.Cut(strings.ReplaceAll(value, "_", "-"), "-")
	switch {
	case !found:
		return Suggestion{Kind: Unknown}
	case isLower(head) && Assigned(tail):
		return Suggestion{Kind: Subdivision, Code: tail, Text: "write the country " + tail + " without a language"}
	case Assigned(head) && len(tail) >= 1 && len(tail) <= 3:
		return Suggestion{Kind: Subdivision, Code: head, Text: "write the country " + head + " without a subdivision"}
	}
	return Suggestion{Kind: Unknown}
}

// isLower reports whether s has the shape of a language subtag.
func isLower(s string) bool {
	if len(s) < 2 || len(s) > 3 {
		return false
	}
	for _, c := range []byte(s) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
