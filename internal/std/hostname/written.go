package hostname

import (
	"strings"
	"unicode"
)

// Written returns a canonical domain as people write it, with letters outside ASCII; it is empty for a
// domain without any. Doubtful names are those that may be taken for another: a label mixes scripts that no
// language writes together, or all of its letters look like Latin ones.
func Written(domain string) (string, bool) {
	if !strings.Contains(domain, "xn--") {
		return "", false
	}
	name, err := lookupProfile.ToUnicode(domain)
	if err != nil || name == domain {
		return "", false
	}
	doubtful := false
	for label := range strings.SplitSeq(name, ".") {
		doubtful = doubtful || !isASCII(label) && (mixed(label) || lookalike(label))
	}
	return name, doubtful
}

// together are scripts that languages write in one word.
var together = [][]*unicode.RangeTable{
	{unicode.Latin}, {unicode.Cyrillic}, {unicode.Greek}, {unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Han, unicode.Hangul}, {unicode.Han, unicode.Bopomofo},
}

// mixed reports whether the letters of a label are of scripts that are not written together.
func mixed(label string) bool {
	for _, scripts := range together {
		if only(label, scripts) {
			return false
		}
	}
	for _, script := range unicode.Scripts {
		if only(label, []*unicode.RangeTable{script}) {
			return false
		}
	}
	return true
}

func only(label string, scripts []*unicode.RangeTable) bool {
	return !strings.ContainsFunc(label, func(c rune) bool {
		return unicode.IsLetter(c) && !unicode.Is(unicode.Common, c) && !unicode.In(c, scripts...)
	})
}

// latinLike are letters of other scripts that look like Latin ones.
const latinLike = "аеорсухіјѕһԁԛԝӏցհոսօοανικρτυωχγ"

func lookalike(label string) bool {
	return !strings.ContainsFunc(label, func(c rune) bool {
		return unicode.IsLetter(c) && !strings.ContainsRune(latinLike, c)
	})
}
