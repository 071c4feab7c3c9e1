// Package sfv reads dictionaries of structured fields (RFC 9651) as the fields of a
// signature need it.
//
// Signatures are made over the canonical form of a field, so every value here can be
// written again in that form. The reading is stricter than the standard asks for: a name
// that is there twice is an error and not a correction of the first, because two programs
// that choose differently would check two different signatures; and base64 has one
// spelling for each sequence of bytes. Which of the two alphabets of base64 is meant is
// said by the caller and never guessed.
//
// The package is pure and knows nothing of signatures.
package sfv

import (
	"encoding/base64"
	"strconv"
)

// A Kind is the type of a bare value.
type Kind uint8

// The kinds, in the order of RFC 9651.
const (
	Integer Kind = iota + 1
	Decimal
	String
	Token
	Bytes
	Boolean
	Date
	Display
)

// A Bare is a value without parameters.
type Bare struct {
	Kind Kind
	// Text is that of a String, a Token or a Display, the canonical form of a Decimal, and
	// Bytes as they are written, between the colons, if they were left raw.
	Text string
	// Int is the value of an Integer or a Date, and 1 for true.
	Int int64
	// Bytes are those of Bytes.
	Bytes []byte
}

// A Param is a parameter of an item or a list.
type Param struct {
	Name  string
	Value Bare
}

// Params are parameters in the order in which they are written.
type Params []Param

// Get returns a parameter.
func (p Params) Get(name string) (Bare, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return Bare{}, false
}

// An Item is a value with parameters.
type Item struct {
	Bare
	Params Params
}

// A Member is a named part of a dictionary: an item, or a list of items with parameters
// of its own.
type Member struct {
	Name string
	// List has the items when IsList is set; otherwise Value is the item's value.
	IsList bool
	List   []Item
	Value  Bare
	Params Params
}

// Find returns the member with a name.
func Find(dictionary []Member, name string) *Member {
	for i := range dictionary {
		if dictionary[i].Name == name {
			return &dictionary[i]
		}
	}
	return nil
}

// Append writes the canonical form of a value.
func (b *Bare) Append(dst []byte) []byte {
	switch b.Kind {
	case Integer:
		return strconv.AppendInt(dst, b.Int, 10)
	case Date:
		return strconv.AppendInt(append(dst, '@'), b.Int, 10)
	case String:
		return appendString(dst, b.Text)
	case Bytes:
		dst = append(append(dst, ':'), b.Text...)
		dst = base64.StdEncoding.AppendEncode(dst, b.Bytes)
		return append(dst, ':')
	case Boolean:
		return append(dst, '?', '0'+byte(b.Int))
	case Display:
		return appendDisplay(dst, b.Text)
	}
	return append(dst, b.Text...)
}

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

func appendDisplay(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '%', '"')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == '%' || c == '"' {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
			continue
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// Append writes the canonical form of parameters.
func (p Params) Append(dst []byte) []byte {
	for i := range p {
		dst = append(append(dst, ';'), p[i].Name...)
		if p[i].Value.Kind == Boolean && p[i].Value.Int == 1 {
			continue
		}
		dst = p[i].Value.Append(append(dst, '='))
	}
	return dst
}

// Append writes the canonical form of an item.
func (x *Item) Append(dst []byte) []byte { return x.Params.Append(x.Bare.Append(dst)) }

// AppendValue writes the canonical form of a member without its name, as a list or an
// item stands by itself.
func (m *Member) AppendValue(dst []byte) []byte {
	if !m.IsList {
		return m.Params.Append(m.Value.Append(dst))
	}
	dst = append(dst, '(')
	for i := range m.List {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = m.List[i].Append(dst)
	}
	return m.Params.Append(append(dst, ')'))
}

// AppendDictionary writes the canonical form of a dictionary.
func AppendDictionary(dst []byte, dictionary []Member) []byte {
	for i := range dictionary {
		m := &dictionary[i]
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		dst = append(dst, m.Name...)
		if !m.IsList && m.Value.Kind == Boolean && m.Value.Int == 1 {
			dst = m.Params.Append(dst)
			continue
		}
		dst = m.AppendValue(append(dst, '='))
	}
	return dst
}
