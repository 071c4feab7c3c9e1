package jsontree

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// The texts of syntax errors, written for the person who has to fix the file.

func syntaxAt(i int, msg string) *Error { return &Error{Kind: Syntax, Offset: i, Msg: msg} }

func (p *parser) syntax(i int, msg string) *Error { return syntaxAt(i, msg) }

// cut is the end of the source inside a value.
func (p *parser) cut(i int) *Error {
	if p.depth == 0 {
		return syntaxAt(i, "the file ends before a value")
	}
	c := p.nodes[p.open]
	return syntaxAt(i, fmt.Sprintf("the file ends inside %s that starts at byte %d", c.kind, c.off))
}

func (p *parser) wantComma(i int, closing byte) *Error {
	if isComment(p.src[i:]) {
		return syntaxAt(i, "comments are not allowed in JSON")
	}
	what := "element"
	if closing == '}' {
		what = "member"
	}
	return syntaxAt(i, fmt.Sprintf("expected ',' or '%c' after the %s, found %s", closing, what, p.show(i)))
}

func (p *parser) badName(i int) string {
	switch c := p.src[i]; {
	case c == '\'':
		return "a member name must stand in double quotes, not single ones"
	case isComment(p.src[i:]):
		return "comments are not allowed in JSON"
	case c == ',':
		return "a comma without a member before it"
	case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$':
		return "a member name must stand in double quotes"
	}
	return "expected a member name in double quotes, found " + p.show(i)
}

func (p *parser) badValue(i int) string {
	rest := p.src[i:]
	switch {
	case isComment(rest):
		return "comments are not allowed in JSON"
	case rest[0] == '<':
		return "this is an HTML or XML page, not JSON"
	case rest[0] == '\'':
		return "a string must stand in double quotes, not single ones"
	case bytes.HasPrefix(rest, []byte("NaN")), bytes.HasPrefix(rest, []byte("Infinity")),
		bytes.HasPrefix(rest, []byte("-Infinity")):
		return "NaN and Infinity are not JSON numbers"
	case bytes.HasPrefix(rest, []byte("True")), bytes.HasPrefix(rest, []byte("False")),
		bytes.HasPrefix(rest, []byte("None")), bytes.HasPrefix(rest, []byte("undefined")):
		return "only true, false and null are JSON words"
	}
	return "expected a value, found " + p.show(i)
}

func (p *parser) trailing(i int) *Error {
	if isComment(p.src[i:]) {
		return syntaxAt(i, "comments are not allowed in JSON")
	}
	return syntaxAt(i, "unexpected "+p.show(i)+" after the end of the document")
}

func isComment(b []byte) bool {
	return len(b) > 1 && b[0] == '/' && (b[1] == '/' || b[1] == '*') || len(b) > 0 && b[0] == '#'
}

// show quotes the character at i, with everything unprintable escaped.
func (p *parser) show(i int) string {
	r, _ := utf8.DecodeRune(p.src[i:])
	return fmt.Sprintf("%+q", r)
}
