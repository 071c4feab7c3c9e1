package redact

import (
	"bytes"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
)

// likelySecrets finds what looks like a secret: members by their names, private keys
// by their first line, credentials in URLs. It is for what the rules do not get to
// see, such as a file with a missing comma, so it must not depend on where strings
// begin and end: every quotation mark is tried as the beginning of a name. The tree, if
// the text is one, only says which of them can be. It errs on the side of hiding.
func likelySecrets(src []byte, tree *adagents.Tree) []span {
	names := everyQuote(src, 0, len(src))
	if tree != nil && bytes.Equal(tree.Source(), src) {
		names = slices.Values(likelyNames(tree))
	}
	return joined(slices.Concat(secretMembers(src, names), privatePEMs(src), urlSecrets(src)))
}

// longestName bounds the names that are looked at.
const longestName = 96

// everyQuote iterates over the offsets behind the quotation marks of a part of a text.
func everyQuote(src []byte, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := from; ; {
			next := bytes.IndexByte(src[i:to], '"')
			if next < 0 {
				return
			}
			i += next + 1
			if !yield(i) {
				return
			}
		}
	}
}

// likelyNames returns, in order, the offsets in a document at which the name of a member
// that holds a secret may begin: those of the members that the format does not know, as it
// has none for secrets, and those in texts with quotation marks.
func likelyNames(tree *adagents.Tree) []int {
	var list []int
	for m := range tree.UnknownMembers() {
		name := tree.At(m.Node())
		list = slices.AppendSeq(list, everyQuote(tree.Source(), name.Offset(), name.End()))
	}
	for v := range tree.NotableStrings() {
		if strings.Contains(v.Text(), `\"`) {
			list = slices.AppendSeq(list, everyQuote(tree.Source(), v.Offset(), v.End()))
		}
	}
	slices.Sort(list)
	return list
}

// secretMembers finds the secrets of members whose names begin at the given offsets.
func secretMembers(src []byte, names iter.Seq[int]) []span {
	var list []span
	seen, done := nameJudge{}, 0
	for i := range names {
		if i <= done {
			continue // it is in what is hidden already
		}
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
			done = value.to
		}
	}
	return list
}

// memberName reads a name that begins at i, behind its quotation mark, and returns
// where its value begins, or 0 if this is not a name. A name inside a text, where
// quotation marks are escaped, is one as well.
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
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-' || b == '.' ||
		b == ' '
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
func urlCredentials(src []byte) []span {
	const longest, ends = 512, "/?#\" \t\r\n"
	var list []span
	for i := 0; ; {
		next := bytes.IndexByte(src[i:], '@')
		if next < 0 {
			return list
		}
		at := i + next
		begin := max(i, at-longest+1)
		begin += bytes.LastIndexAny(src[begin:at], ends) + 1
		i = at + 1
		if !bytes.HasSuffix(src[:begin], []byte("://")) && !bytes.HasSuffix(src[:begin], []byte(`:\/\/`)) {
			continue
		}
		rest := src[begin:min(begin+longest, len(src))]
		end := bytes.IndexAny(rest, ends)
		if end >= 0 {
			rest = rest[:end]
		}
		list = append(list, span{begin, begin + bytes.LastIndexByte(rest, '@')}) // one of nothing is left out later
		i = begin + len(rest)
	}
}

// urlSecrets finds what is secret in the URLs of a text.
func urlSecrets(src []byte) []span { return append(urlCredentials(src), urlParameters(src)...) }

// urlParameters finds the values of parameters of URLs whose names announce a secret.
func urlParameters(src []byte) []span {
	var list []span
	names := nameJudge{}
	for i := 0; ; {
		next := bytes.IndexByte(src[i:], '=')
		if next < 0 {
			return list
		}
		at := i + next
		name := parameterName(src[max(i, at-longestName):at])
		i = at + 1
		if name == nil || names.judge(name) != secret && !bytes.EqualFold(name, []byte("key")) {
			continue
		}
		end := parameterEnd(src[i:])
		if end > 0 {
			list = append(list, span{i, i + end})
		}
		i += end
	}
}

// ampersand is the character as some programs write it in JSON.
const ampersand = `\u0026`

// parameterName returns the name of a parameter that a text ends with; nil when it does not.
func parameterName(src []byte) []byte {
	begin := bytes.LastIndexAny(src, "?&#") + 1
	escaped := bytes.LastIndex(src, []byte(ampersand))
	if escaped >= 0 {
		begin = max(begin, escaped+len(ampersand))
	}
	if begin == 0 {
		return nil
	}
	name, err := url.QueryUnescape(string(src[begin:]))
	if err != nil {
		return nil
	}
	return []byte(name)
}

// parameterEnd returns where the value of a parameter ends that a text begins with.
func parameterEnd(src []byte) int {
	end := bytes.IndexAny(src, "&#\"<> \t\r\n")
	if end < 0 {
		end = len(src)
	}
	escaped := bytes.Index(src[:end], []byte(ampersand))
	if escaped >= 0 {
		end = escaped
	}
	return end
}
