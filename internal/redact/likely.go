package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// likelySecrets finds what looks like a secret without parsing: members by
// their names, private keys by their first line, credentials in URLs. It is for
// what the rules do not get to see, such as a file with a missing comma, so it
// must not depend on where strings begin and end: every quotation mark is tried
// as the beginning of a name. It errs on the side of hiding.
func likelySecrets(src []byte) []span {
	list := slices.Concat(secretMembers(src), privatePEMs(src), urlCredentials(src, "://"), urlCredentials(src, `:\/\/`))
	return joined(list)
}

// longestName bounds the names that are looked at.
const longestName = 96

func secretMembers(src []byte) []span {
	var list []span
	seen := nameJudge{}
	for i := 0; i < len(src); {
		next := bytes.IndexByte(src[i:], '"')
		if next < 0 {
			break
		}
		i += next + 1
		name, at := memberName(src, i)
		if at == 0 {
			continue
		}
		suspicion := seen.judge(name)
		if suspicion == harmless {
			continue
		}
		value := span{at, looseEnd(src, at)}
		if suspicion.confirmed(src[value.from:value.to]) {
			list = append(list, value)
			i = value.to
		}
	}
	return list
}

// memberName reads a name that begins at i, behind its quotation mark, and
// returns where its value begins, or 0 when this is no name. A name inside a
// text, where quotation marks are escaped, is one as well.
func memberName(src []byte, i int) ([]byte, int) {
	end := i
	for end < len(src) && end-i <= longestName && (nameByte(src[end]) || src[end] == '\\') {
		end++
	}
	name := bytes.TrimRight(src[i:end], `\`)
	if len(name) == 0 || end >= len(src) || src[end] != '"' {
		return nil, 0
	}
	end = skipSpace(src, end+1)
	if end >= len(src) || src[end] != ':' {
		return nil, 0
	}
	end = skipSpace(src, end+1)
	if end >= len(src) {
		return nil, 0
	}
	return name, end
}

func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-' || b == '.' || b == ' '
}

// looseEnd is valueEnd for a text that may be broken: a string ends with its
// line at the latest.
func looseEnd(src []byte, i int) int {
	start := i
	for i < len(src) && src[i] == '\\' {
		i++
	}
	if i < len(src) && src[i] != '"' {
		return valueEnd(src, start)
	}
	end := stringEnd(src, i)
	if i > start {
		end = nextQuote(src, i+1)
	}
	line := bytes.IndexByte(src[i:end], '\n')
	if line >= 0 {
		end = i + line
	}
	return end
}

// nextQuote ends a string inside a text: at the next quotation mark, however
// that one is escaped.
func nextQuote(src []byte, i int) int {
	n := bytes.IndexByte(src[min(i, len(src)):], '"')
	if n < 0 {
		return len(src)
	}
	return i + n
}

// secretWords in the name of a member announce a secret.
var secretWords = []string{
	"secret", "password", "passwd", "passphrase", "privatekey", "credential", "apikey", "accesskey", "hmackey",
	"authheader", "authorizationheader", "basicauth",
}

// A suspicion is what the name of a member says about its value.
type suspicion uint8

const (
	harmless suspicion = iota
	secret
	// keyPart is a name that private keys use and others may use as well.
	keyPart
)

// confirmed reports whether a value bears a suspicion out. What holds nothing
// gives nothing away.
func (s suspicion) confirmed(value []byte) bool {
	switch string(bytes.Trim(value, `\"`)) {
	case "", "null", "true", "false", "{}", "[]":
		return false
	}
	return s == secret || keyMaterial(bytes.Trim(value, `\"[] `))
}

// nameJudge remembers what it thinks of names: a large file repeats a few of
// them a million times.
type nameJudge map[string]suspicion

func (j nameJudge) judge(name []byte) suspicion {
	const most = 1000
	s, ok := j[string(name)]
	if ok {
		return s
	}
	s = suspect(string(name))
	if len(j) < most {
		j[string(name)] = s
	}
	return s
}

func suspect(name string) suspicion {
	plain, err := jsontext.AppendUnquote(nil, `"`+name+`"`)
	if err == nil {
		name = string(plain)
	}
	folded := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	switch folded {
	case "d", "p", "q", "dp", "dq", "qi", "k":
		return keyPart
	case "oth", "pwd", "bearer", "deliverymappings":
		return secret
	}
	if strings.HasSuffix(folded, "token") ||
		slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(folded, w) }) {
		return secret
	}
	return harmless
}

// keyMaterial reports whether a text could be a part of a private key.
func keyMaterial(b []byte) bool {
	const shortest = 16
	return len(b) >= shortest && !bytes.ContainsFunc(b, func(r rune) bool {
		return !keyRune(r)
	})
}

// keyRune reports whether a character occurs in encoded keys: base64 in both
// alphabets, and the backslash of an escape.
func keyRune(r rune) bool {
	switch r {
	case '+', '/', '=', '\\':
		return true
	case ' ', '.':
		return false
	}
	return r < 0x80 && nameByte(byte(r))
}

// privatePEMs finds private keys in PEM form, up to the end of their string.
func privatePEMs(src []byte) []span {
	var list []span
	begin, kind := []byte("-----BEGIN "), []byte("PRIVATE KEY")
	for i := 0; ; {
		next := bytes.Index(src[i:], begin)
		if next < 0 {
			return list
		}
		i += next
		head := src[i:min(i+64, len(src))]
		end := bytes.IndexByte(src[i:], '"')
		if end < 0 {
			end = len(src) - i
		}
		if bytes.Contains(head, kind) {
			list = append(list, span{i, i + end})
		}
		i += end
	}
}

// urlCredentials finds what stands between the scheme and the @ of a URL.
func urlCredentials(src []byte, mark string) []span {
	const longest = 512
	var list []span
	for i := 0; ; {
		next := bytes.Index(src[i:], []byte(mark))
		if next < 0 {
			return list
		}
		i += next + len(mark)
		rest := src[i:min(i+longest, len(src))]
		end := bytes.IndexAny(rest, "/?#\" \t\r\n")
		if end >= 0 {
			rest = rest[:end]
		}
		at := bytes.LastIndexByte(rest, '@')
		if at > 0 {
			list = append(list, span{i, i + at})
		}
	}
}
