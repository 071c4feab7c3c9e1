package fetch

import (
	"errors"
	"strings"
)

// A mediaType is a Content-Type taken apart, in lower case.
type mediaType struct {
	essence string // type and subtype
	charset string
}

var (
	errNoType    = errors.New("the answer has no content type")
	errManyTypes = errors.New("the answer has more than one content type")
	errType      = errors.New("the content type is malformed")
)

// parseContentType reads the Content-Type headers of an answer. It is stricter than
// package mime where a lenient reading could hide a second type (a comma, a second
// header), and more lenient about unneeded parameters: those without a value, and those
// that repeat a name, of which the first is used.
func parseContentType(values []string) (mediaType, error) {
	switch len(values) {
	case 0:
		return mediaType{}, errNoType
	case 1:
	default:
		return mediaType{}, errManyTypes
	}
	essence, rest, _ := strings.Cut(values[0], ";")
	essence = trim(essence)
	major, minor, found := strings.Cut(essence, "/")
	if !found || !isToken(major) || !isToken(minor) {
		return mediaType{}, errType
	}
	m := mediaType{essence: strings.ToLower(essence)}
	for rest = trim(rest); rest != ""; rest = trim(rest) {
		name, value, tail, ok := parameter(rest)
		if !ok {
			return mediaType{}, errType
		}
		if m.charset == "" && strings.EqualFold(name, "charset") {
			m.charset = strings.ToLower(value)
		}
		rest = tail
	}
	return m, nil
}

// parameter reads one parameter and the semicolon after it. An empty one, and one
// that is a name alone, have no value.
func parameter(s string) (string, string, string, bool) {
	end := strings.IndexAny(s, ";=")
	if end < 0 {
		end = len(s)
	}
	name := trim(s[:end])
	if end == len(s) || s[end] == ';' {
		return "", "", s[min(end+1, len(s)):], name == "" || isToken(name)
	}
	if !isToken(name) {
		return "", "", "", false
	}
	s = trim(s[end+1:])
	if strings.HasPrefix(s, `"`) {
		return quoted(name, s[1:])
	}
	value, tail, _ := strings.Cut(s, ";")
	value = trim(value)
	return name, value, tail, value == "" || isToken(value)
}

// quoted reads a quoted value whose first quote is already gone.
func quoted(name, s string) (string, string, string, bool) {
	var value strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			before, tail, _ := strings.Cut(s[i+1:], ";")
			return name, value.String(), tail, trim(before) == ""
		case c == '\\' && i+1 < len(s):
			i++
			value.WriteByte(s[i])
		default:
			value.WriteByte(c)
		}
	}
	return "", "", "", false
}

// trim removes the white space that header fields may have between their parts.
func trim(s string) string { return strings.Trim(s, " \t") }
