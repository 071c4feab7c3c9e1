package sfv

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Error says what is wrong with a field and where.
type Error struct {
	// Offset is the byte at which reading ended.
	Offset int
	// Text is in lower case and quotes nothing of the field.
	Text string
}

// Error returns the text with the offset.
func (e *Error) Error() string { return e.Text + " at byte " + strconv.Itoa(e.Offset) }

// Options say how a field is read.
type Options struct {
	// URLBytes means that sequences of bytes are written in base64url without padding,
	// as some protocols do against the standard.
	URLBytes bool
	// RawBytes means that sequences of bytes are left as they are written, in whichever
	// alphabet, for a field whose members come from several hands. DecodeBytes reads the
	// one that matters.
	RawBytes bool
}

// Limits of what is read. Fields with a few members are the rule.
const (
	// maxMembers is the number of members, of items in a list and of parameters. Names are
	// compared with all earlier ones, so it also bounds the time.
	maxMembers = 256
)

// The two spellings of bytes. The strict form refuses stray bits at the end.
var (
	standard = base64.StdEncoding.Strict()
	urlSafe  = base64.RawURLEncoding.Strict()
)

// parser reads a field from left to right.
type parser struct {
	s   string
	i   int
	opt Options
}

func (p *parser) fail(text string) error { return &Error{p.i, text} }

func (p *parser) end() bool { return p.i == len(p.s) }

// at reports whether the next byte is c.
func (p *parser) at(c byte) bool { return p.i < len(p.s) && p.s[p.i] == c }

// skip passes over bytes of a set.
func (p *parser) skip(set string) {
	for !p.end() && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
	}
}

// ParseDictionary reads a dictionary. An empty field is one without members. The error
// is an *Error.
func ParseDictionary(field string, o Options) ([]Member, error) {
	p := &parser{s: field, opt: o}
	var members []Member
	p.skip(" ")
	for !p.end() {
		m, err := p.member()
		if err != nil {
			return nil, err
		}
		if Find(members, m.Name) != nil {
			return nil, p.fail("a name is there twice")
		}
		if len(members) == maxMembers {
			return nil, p.fail("there are too many members")
		}
		members = append(members, m)
		p.skip(" \t")
		if p.end() {
			return members, nil
		}
		if !p.at(',') {
			return nil, p.fail("a comma is missing between members")
		}
		p.i++
		p.skip(" \t")
		if p.end() {
			return nil, p.fail("nothing follows the last comma")
		}
	}
	return members, nil
}

func (p *parser) member() (Member, error) {
	var m Member
	var err error
	m.Name, err = p.key()
	if err != nil {
		return m, err
	}
	switch {
	case !p.at('='):
		m.Value = Bare{Kind: Boolean, Int: 1}
	case strings.HasPrefix(p.s[p.i:], "=("):
		p.i += 2
		m.IsList = true
		m.List, err = p.items()
	default:
		p.i++
		m.Value, err = p.bare()
	}
	if err != nil {
		return m, err
	}
	m.Params, err = p.params()
	return m, err
}

// items reads a list after its opening parenthesis.
func (p *parser) items() ([]Item, error) {
	items := []Item{}
	for {
		p.skip(" ")
		if p.at(')') {
			p.i++
			return items, nil
		}
		if len(items) == maxMembers {
			return nil, p.fail("there are too many items")
		}
		var x Item
		var err error
		x.Bare, err = p.bare()
		if err != nil {
			return nil, err
		}
		x.Params, err = p.params()
		if err != nil {
			return nil, err
		}
		if !p.at(' ') && !p.at(')') {
			return nil, p.fail("a space or a parenthesis is missing after an item")
		}
		items = append(items, x)
	}
}

func (p *parser) params() (Params, error) {
	var params Params
	for p.at(';') {
		p.i++
		p.skip(" ")
		name, err := p.key()
		if err != nil {
			return nil, err
		}
		value := Bare{Kind: Boolean, Int: 1}
		if p.at('=') {
			p.i++
			value, err = p.bare()
			if err != nil {
				return nil, err
			}
		}
		_, twice := params.Get(name)
		switch {
		case twice:
			return nil, p.fail("a parameter is there twice")
		case len(params) == maxMembers:
			return nil, p.fail("there are too many parameters")
		}
		params = append(params, Param{name, value})
	}
	return params, nil
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return isLower(c | 0x20) }

func (p *parser) key() (string, error) {
	start := p.i
	if p.end() || !isLower(p.s[p.i]) && p.s[p.i] != '*' {
		return "", p.fail("a name must begin with a lower-case letter or an asterisk")
	}
	for !p.end() {
		c := p.s[p.i]
		if !isLower(c) && !isDigit(c) && strings.IndexByte("_-.*", c) < 0 {
			break
		}
		p.i++
	}
	return p.s[start:p.i], nil
}

func (p *parser) bare() (Bare, error) {
	if p.end() {
		return Bare{}, p.fail("a value is missing")
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return p.text()
	case c == ':':
		return p.bytes()
	case c == '?':
		return p.boolean()
	case c == '-' || isDigit(c):
		return p.number()
	case c == '@':
		return p.date()
	case c == '%':
		return p.display()
	case c == '*' || isAlpha(c):
		return p.token(), nil
	}
	return Bare{}, p.fail("a value cannot begin like this")
}

func (p *parser) token() Bare {
	start := p.i
	for !p.end() {
		c := p.s[p.i]
		if !isAlpha(c) && !isDigit(c) && strings.IndexByte("!#$%&'*+-.^_`|~:/", c) < 0 {
			break
		}
		p.i++
	}
	return Bare{Kind: Token, Text: p.s[start:p.i]}
}

func (p *parser) text() (Bare, error) {
	p.i++
	start := p.i
	var b []byte
	escaped := false
	for !p.end() {
		c := p.s[p.i]
		switch {
		case c == '"' && !escaped:
			text := p.s[start:p.i]
			p.i++
			return Bare{Kind: String, Text: text}, nil
		case c == '"':
			p.i++
			return Bare{Kind: String, Text: string(b)}, nil
		case c == '\\':
			if !escaped {
				escaped, b = true, append(b, p.s[start:p.i]...)
			}
			p.i++
			if !p.at('"') && !p.at('\\') {
				return Bare{}, p.fail("a backslash stands before something else than a quote or a backslash")
			}
			c = p.s[p.i]
		case c < ' ' || c > '~':
			return Bare{}, p.fail("a string has a character outside ASCII or a control character")
		}
		if escaped {
			b = append(b, c)
		}
		p.i++
	}
	return Bare{}, p.fail("a string has no end")
}

func (p *parser) bytes() (Bare, error) {
	p.i++
	n := strings.IndexByte(p.s[p.i:], ':')
	if n < 0 {
		return Bare{}, p.fail("a sequence of bytes has no end")
	}
	text := p.s[p.i : p.i+n]
	x := Bare{Kind: Bytes, Text: text}
	if !p.opt.RawBytes {
		b, ok := DecodeBytes(text, p.opt.URLBytes)
		if !ok {
			return Bare{}, p.fail("a sequence of bytes is not base64 as it is used here")
		}
		x = Bare{Kind: Bytes, Bytes: b}
	} else if strings.ContainsFunc(text, notBase64) {
		return Bare{}, p.fail("a sequence of bytes is not base64 of any kind")
	}
	p.i += n + 1
	return x, nil
}

// notBase64 reports a character that is in neither alphabet of base64.
func notBase64(r rune) bool {
	return r > '~' || !isAlpha(byte(r)) && !isDigit(byte(r)) && strings.IndexByte("+/-_=", byte(r)) < 0
}

// DecodeBytes reads a sequence of bytes, without its colons, in base64, or with urlBytes in
// base64url without padding. It reports false for anything else.
func DecodeBytes(text string, urlBytes bool) ([]byte, bool) {
	encoding := standard
	if urlBytes {
		encoding = urlSafe
	}
	// The decoder skips line ends.
	if strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	b, err := encoding.DecodeString(text)
	return b, err == nil
}

// DecodeEither reads a sequence of bytes, without its colons, in base64 or in base64url, with
// or without padding, and reports false for a text that mixes the two. Padding belongs to
// base64 alone, unless urlPadding is set.
func DecodeEither(text string, urlPadding bool) ([]byte, bool) {
	url := strings.ContainsAny(text, "-_")
	bare := strings.TrimRight(text, "=")
	padded := len(bare) != len(text)
	if url && (strings.ContainsAny(text, "+/") || padded && !urlPadding) || padded && len(text)%4 != 0 ||
		len(text)-len(bare) > 2 {
		return nil, false
	}
	if !url {
		bare = strings.NewReplacer("+", "-", "/", "_").Replace(bare)
	}
	return DecodeBytes(bare, true)
}

func (p *parser) boolean() (Bare, error) {
	p.i++
	if !p.at('0') && !p.at('1') {
		return Bare{}, p.fail("a boolean is neither ?0 nor ?1")
	}
	p.i++
	return Bare{Kind: Boolean, Int: int64(p.s[p.i-1] - '0')}, nil
}

// digits passes over digits and returns them.
func (p *parser) digits() string {
	start := p.i
	for !p.end() && isDigit(p.s[p.i]) {
		p.i++
	}
	return p.s[start:p.i]
}

// Lengths of numbers, from RFC 9651 section 4.2.4.
const (
	maxInteger  = 15
	maxWhole    = 12
	maxFraction = 3
)

func (p *parser) number() (Bare, error) {
	start := p.i
	negative := p.at('-')
	if negative {
		p.i++
	}
	whole := p.digits()
	if whole == "" {
		return Bare{}, p.fail("a number has no digits")
	}
	if p.at('.') {
		return p.fraction(negative, whole)
	}
	if len(whole) > maxInteger {
		return Bare{}, p.fail("a number is too long")
	}
	// Fifteen digits cannot overflow.
	n, _ := strconv.ParseInt(p.s[start:p.i], 10, 64)
	return Bare{Kind: Integer, Int: n}, nil
}

// fraction reads the rest of a decimal and puts it into canonical form.
func (p *parser) fraction(negative bool, whole string) (Bare, error) {
	p.i++
	fraction := p.digits()
	if fraction == "" || len(whole) > maxWhole || len(fraction) > maxFraction {
		return Bare{}, p.fail("a decimal has too many digits or none after the point")
	}
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	negative = negative && (whole != "" || fraction != "")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		fraction = "0"
	}
	text := whole + "." + fraction
	if negative {
		text = "-" + text
	}
	return Bare{Kind: Decimal, Text: text}, nil
}

func (p *parser) date() (Bare, error) {
	p.i++
	n, err := p.number()
	if err != nil {
		return n, err
	}
	if n.Kind != Integer {
		return n, p.fail("a date is not a whole number of seconds")
	}
	n.Kind = Date
	return n, nil
}

func (p *parser) display() (Bare, error) {
	p.i++
	if !p.at('"') {
		return Bare{}, p.fail("a quote is missing after a percent sign")
	}
	p.i++
	var b []byte
	for !p.end() {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '"':
			if !utf8.Valid(b) {
				return Bare{}, p.fail("a display string is not UTF-8")
			}
			return Bare{Kind: Display, Text: string(b)}, nil
		case c < ' ' || c > '~':
			return Bare{}, p.fail("a display string has a character outside ASCII or a control character")
		case c == '%':
			high, low := p.hex(), p.hex()
			if high < 0 || low < 0 {
				return Bare{}, p.fail("a percent sign is not followed by two digits in lower case")
			}
			c = byte(high<<4 | low)
		}
		b = append(b, c)
	}
	return Bare{}, p.fail("a display string has no end")
}

// hex reads a hexadecimal digit in lower case, or returns -1.
func (p *parser) hex() int {
	if p.end() {
		return -1
	}
	n := strings.IndexByte("0123456789abcdef", p.s[p.i])
	p.i++
	return n
}
