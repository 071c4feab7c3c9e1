package lenient

import (
	"strconv"
	"strings"
)

// constant says how JSON writes a word that stands for a number, a truth value or nothing. The
// kind is meaningful when the result differs from the word. It is not ok for other words.
func constant(word string) (string, kind, bool) {
	lower := strings.ToLower(word)
	switch lower {
	case "true", "false", "null":
		return lower, literal, true
	case "none", "nil", "undefined", "nan", "infinity", "-infinity", "+infinity", "inf", "-inf":
		return "null", literal, true
	}
	text, ok := numeral(lower)
	if ok && isNumber(word) {
		text = word
	}
	return text, number, ok
}

// numeral rewrites a number in the notation of a programming language.
func numeral(s string) (string, bool) {
	if s == "" || !strings.ContainsAny(s[:1], "+-.0123456789") {
		return "", false
	}
	sign, signed := "", s[0] == '-' || s[0] == '+'
	switch s[0] {
	case '-':
		sign = "-"
		s = s[1:]
	case '+':
		s = s[1:]
	}
	if len(s) > 2 && s[0] == '0' && strings.ContainsAny(s[1:2], "xob") {
		n, err := strconv.ParseUint(s, 0, 64)
		return sign + strconv.FormatUint(n, 10), err == nil
	}
	s = strings.TrimSuffix(s, "n")
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".e"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	whole, ok := separated(whole)
	if !ok || whole == "" && !strings.HasPrefix(rest, ".") {
		return "", false
	}
	if !signed && rest == "" && len(whole) > 1 && whole[0] == '0' {
		return "", false // an id such as 00123, which is another without its zeros
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	switch {
	case rest == "." && s != ".":
		rest = ""
	case strings.HasPrefix(rest, ".e"):
		rest = rest[1:]
	}
	s = sign + whole + rest
	return s, isNumber(s)
}

// separated takes the underscores out of digits.
func separated(s string) (string, bool) {
	if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// isNumber reports whether s is a number as JSON writes it.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := leadingDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := leadingDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[n+1:]
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := leadingDigits(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}
