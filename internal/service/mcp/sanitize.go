package mcp

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/textsafe"
)

const (
	// mostWords is the length of a text from outside, in characters.
	mostWords = 300
	// mostText is the length of any other text.
	mostText = 2048
	// mostID is the length of an id.
	mostID = 64
	// mostDomain is the length of a domain.
	mostDomain = 253
	// mostListed is the length of a list in an answer.
	mostListed = 100
)

// quoted returns a text from outside: in one line, without passwords, without what a terminal
// or a reader would obey, and cut to a length.
func quoted(s string, longest int) string { return textsafe.Line(redact.Credentials(s), longest) }

// notShown stands for what a publisher wrote where an id belongs.
const notShown = "[not shown: not an id]"

// identifier returns an id or a name of a key from outside, if it looks like one: prose of a
// publisher has no place where a model does not expect any.
func identifier(s string, longest int) string {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("-_.:/#@+=~%", r)
	}
	if len(s) > longest || strings.ContainsFunc(s, odd) {
		return notShown
	}
	return quoted(s, longest)
}

// The origins of a text, which the tag named from of a member says. Ours is that of all others.
const (
	// words are a publisher's: the name of the member says so.
	words = "publisher"
	// ids are a publisher's, and shown if they look like ids.
	ids = "id"
	// file is the text of a whole file, which is what was asked for.
	file = "file"
	// verbatim is a text of ours that has to stay as it is.
	verbatim = "verbatim"
)

// nameOf returns the name of a member: one with a publisher's text begins with publisher_.
func nameOf(m *ops.Member) string {
	if (m.From == words || m.From == file) && !strings.HasPrefix(m.Name, "publisher_") {
		return "publisher_" + m.Name
	}
	return m.Name
}

// A sanitizer writes an answer again, with the texts that are not ours made safe and marked. The
// type of the answer says which they are.
type sanitizer struct {
	from *jsontext.Decoder
	to   *jsontext.Encoder
}

// sanitized returns an answer of a type as JSON that a model may read.
func sanitized(out any, of reflect.Type) ([]byte, error) {
	text, err := json.Marshal(out, ops.EncodeOptions)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	options := jsontext.AllowDuplicateNames(true)
	s := sanitizer{jsontext.NewDecoder(bytes.NewReader(text), options, jsontext.AllowInvalidUTF8(true)),
		jsontext.NewEncoder(&b, options, jsontext.AllowInvalidUTF8(true))}
	err = s.value(of, "")
	return bytes.TrimSpace(b.Bytes()), err
}

// value writes one value. The type is nil in JSON from outside.
func (s *sanitizer) value(of reflect.Type, origin string) error {
	of = ops.Plain(of)
	token, err := s.from.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		return s.to.WriteToken(jsontext.String(text(token.String(), origin)))
	case '[':
		return s.list(token, of, origin)
	case '{':
		return s.object(token, of, origin)
	}
	return s.to.WriteToken(token)
}

// text makes a string safe.
func text(t, origin string) string {
	switch origin {
	case words:
		return quoted(t, mostWords)
	case ids:
		domain, id, found := strings.Cut(t, "/")
		if found && len(domain) > 0 {
			return identifier(domain, mostDomain) + "/" + identifier(id, mostID) // such as DOMAIN/ID
		}
		return identifier(t, mostID)
	case file, verbatim:
		return t
	}
	return quoted(t, mostText)
}

func (s *sanitizer) list(begin jsontext.Token, of reflect.Type, origin string) error {
	var elem reflect.Type
	if of != nil && of.Kind() == reflect.Slice {
		elem = of.Elem()
	}
	err := s.to.WriteToken(begin)
	for n := 0; err == nil && s.from.PeekKind() != ']'; n++ {
		if n < mostListed {
			err = s.value(elem, origin)
		} else {
			err = s.from.SkipValue()
		}
	}
	return s.end(err)
}

func (s *sanitizer) object(begin jsontext.Token, of reflect.Type, origin string) error {
	err := s.to.WriteToken(begin)
	for err == nil && s.from.PeekKind() != '}' {
		var name jsontext.Token
		name, err = s.from.ReadToken()
		if err == nil {
			err = s.member(name.String(), of, origin)
		}
	}
	return s.end(err)
}

// member writes a member of an object. The names in a map are from outside. What is in a publisher's words
// stays that.
func (s *sanitizer) member(name string, of reflect.Type, origin string) error {
	shown, inner := identifier(name, mostID), reflect.Type(nil)
	switch {
	case of == nil:
		if origin != words {
			origin = ""
		}
	case of.Kind() == reflect.Map:
		inner = of.Elem()
	default:
		m, ok := ops.MemberOf(of, name)
		if ok {
			if origin != words {
				shown, origin = nameOf(m), m.From
			}
			inner = m.Field.Type
		}
	}
	err := s.to.WriteToken(jsontext.String(shown))
	if err != nil {
		return err
	}
	return s.value(inner, origin)
}

// end copies the end of a list or an object.
func (s *sanitizer) end(err error) error {
	if err != nil {
		return err
	}
	token, err := s.from.ReadToken()
	if err != nil {
		return err
	}
	return s.to.WriteToken(token)
}
