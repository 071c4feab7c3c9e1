package adstxt

import "strings"

// asciiFold compares a text with a word in lower case without regard to case.
// Only ASCII letters have a case here: folding by Unicode would take look-alikes
// such as U+0130, the dotted capital I, for the letters of the key.
func asciiFold(text, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := range len(text) {
		if lower(text[i]) != word[i] {
			return false
		}
	}
	return true
}

// hasWord looks for a word in lower case, in any case and with word boundaries:
// neither a letter, a digit nor an underscore may touch it. A hyphen is a
// boundary, as it is to the regular expressions of other readers.
func hasWord(text, word string) bool {
	text = strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, text)
	for {
		before, after, found := strings.Cut(text, word)
		if !found {
			return false
		}
		if !endsInWord(before) && (after == "" || !isWord(after[0])) {
			return true
		}
		// What was passed over ends in a word character, which is all that the
		// next round has to know about it.
		text = word[len(word)-1:] + after
	}
}

// endsInWord reports whether a word character ends a text.
func endsInWord(text string) bool {
	return text != "" && isWord(text[len(text)-1])
}

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' }

func isLetter(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' }

// lower folds one ASCII letter.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
