// Package langtag checks language tags.
//
// The format wants locale tags in the canonical case of BCP 47: en-GB, zh-Hant,
// es-419. A tag in another case is refused, not repaired, so that two systems
// comparing tags byte for byte agree. [Valid] is that test. [LooksLikeBCP47] is
// a looser one for members where the format says no more than "language", and
// [Covers] is the matching rule for language ranges.
package langtag

import "strings"

const (
	minTag = 2
	maxTag = 63
	// maxSubtag is the longest subtag BCP 47 allows.
	maxSubtag = 8
)

// Valid reports whether tag is a locale tag in canonical case: a language in
// lower case, then optionally a script (Latn), a region (GB or 419), variants,
// extensions behind a single letter or digit, and a private part behind x; or a
// private part alone. The range * is not a tag.
func Valid(tag string) bool {
	if len(tag) < minTag || len(tag) > maxTag {
		return false
	}
	first, rest, more := strings.Cut(tag, "-")
	if first == "x" {
		return more && private(rest)
	}
	if len(first) < 2 || len(first) > maxSubtag || !all(first, isLower) {
		return false
	}
	if !more {
		return true
	}
	return afterLanguage(rest)
}

// part is a position in the fixed order of subtags after the language.
type part uint8

const (
	atScript part = iota
	atRegion
	atVariant
	atExtension
)

// afterLanguage reads the subtags that follow the language. Their lengths and
// case tell them apart, so one pass without backtracking is enough.
func afterLanguage(s string) bool {
	at := atScript
	for more := true; more; {
		var sub string
		sub, s, more = strings.Cut(s, "-")
		switch {
		case sub == "x":
			return more && private(s)
		case len(sub) == 1:
			if !isLowerOrDigit(sub[0]) || !more {
				return false
			}
			var ok bool
			s, more, ok = extension(s)
			if !ok {
				return false
			}
			at = atExtension
		case at <= atScript && isScript(sub):
			at = atRegion
		case at <= atRegion && isRegion(sub):
			at = atVariant
		case at <= atVariant && isVariant(sub):
			at = atVariant
		default:
			return false
		}
	}
	return true
}

// extension reads the subtags of an extension, at least one, up to the next
// single-character subtag. It returns what follows, whether anything does, and
// whether the extension was well formed.
func extension(s string) (string, bool, bool) {
	for n := 0; ; n++ {
		sub, rest, more := strings.Cut(s, "-")
		if len(sub) == 1 && n > 0 {
			return s, true, true
		}
		if len(sub) < 2 || len(sub) > maxSubtag || !all(sub, isLowerOrDigit) {
			return "", false, false
		}
		if !more {
			return "", false, true
		}
		s = rest
	}
}

// private reads the subtags behind x.
func private(s string) bool {
	for sub := range strings.SplitSeq(s, "-") {
		if len(sub) < 1 || len(sub) > maxSubtag || !all(sub, isLowerOrDigit) {
			return false
		}
	}
	return true
}

func isScript(s string) bool {
	return len(s) == 4 && isUpper(s[0]) && all(s[1:], isLower)
}

func isRegion(s string) bool {
	return len(s) == 2 && all(s, isUpper) || len(s) == 3 && all(s, isDigit)
}

func isVariant(s string) bool {
	if len(s) == 4 {
		return isDigit(s[0]) && all(s, isLowerOrDigit)
	}
	return len(s) >= 5 && len(s) <= maxSubtag && all(s, isLowerOrDigit)
}

// Covers reports whether a language range covers a tag, by the basic filtering
// of RFC 4647 section 3.3.1: letter case aside, they are equal, or the range is
// a beginning of the tag that ends where a subtag does. The range * covers every
// tag.
func Covers(rangeTag, tag string) bool {
	if rangeTag == "" || tag == "" {
		return false
	}
	if rangeTag == "*" {
		return true
	}
	if len(tag) < len(rangeTag) || !equalFold(tag[:len(rangeTag)], rangeTag) {
		return false
	}
	return len(tag) == len(rangeTag) || tag[len(rangeTag)] == '-'
}

// LooksLikeBCP47 reports whether s is plausible as a language tag in any letter
// case: subtags of one to eight letters and digits behind a language of two or
// three letters, or behind x or i. BCP 47 leaves room for longer languages but
// none has been registered, and accepting them would accept "english".
func LooksLikeBCP47(s string) bool {
	if len(s) < minTag || len(s) > maxTag {
		return false
	}
	n, last := 0, 0
	for sub := range strings.SplitSeq(s, "-") {
		if len(sub) < 1 || len(sub) > maxSubtag || !all(sub, isAlphanumeric) {
			return false
		}
		if n == 0 && !looksLikeLanguage(sub) {
			return false
		}
		n, last = n+1, len(sub)
	}
	// A single character announces something, except inside a private part.
	return last > 1 || strings.Contains(strings.ToLower("-"+s), "-x-")
}

func looksLikeLanguage(sub string) bool {
	switch len(sub) {
	case 1:
		return sub[0]|0x20 == 'x' || sub[0]|0x20 == 'i'
	case 2, 3:
		return all(sub, isLetter)
	}
	return false
}

// equalFold compares ASCII text of equal length without regard to case.
func equalFold(a, b string) bool {
	for i := range len(a) {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || !isLetter(x)) {
			return false
		}
	}
	return true
}

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isLower(c byte) bool        { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool        { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isLetter(c byte) bool       { return isLower(c | 0x20) }
func isLowerOrDigit(c byte) bool { return isLower(c) || isDigit(c) }
func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }

// Narrow returns the ranges of languages that two lists both accept, and false when
// there are none. Where one list is empty, the other decides. A range covers the longer
// tags that start with it.
func Narrow(a, b []string) ([]string, bool) {
	if len(a) == 0 {
		return b, true
	}
	if len(b) == 0 {
		return a, true
	}
	var out []string
	add := func(tag string) {
		for _, s := range out {
			if s == tag {
				return
			}
		}
		out = append(out, tag)
	}
	for _, x := range a {
		for _, y := range b {
			switch {
			case Covers(x, y):
				add(y)
			case Covers(y, x):
				add(x)
			}
		}
	}
	return out, len(out) > 0
}
