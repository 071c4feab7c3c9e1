package keypin

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/std/sfv"
)

// A component is a part of a message that a signature covers, as RFC 9421 section 2
// names them.
type component struct {
	// id is the canonical text, by which components are told apart.
	id string
	// name is that of a field in lower case, or begins with an at sign.
	name string
	// key names a member of a dictionary, param a parameter of the query.
	key, param           string
	sf, bs, req, isParam bool
	hasKey               bool
}

// readComponent checks one item of the list of covered components.
func readComponent(x *sfv.Item) (component, *fault) {
	c := component{id: string(x.Append(nil)), name: x.Text}
	if x.Kind != sfv.String {
		return c, malformed("a covered component is not a string")
	}
	if c.name != strings.ToLower(c.name) || !fieldName(strings.TrimPrefix(c.name, "@")) {
		return c, malformed("the name of a covered component is not in lower case or not a name")
	}
	for i := range x.Params {
		f := c.flag(&x.Params[i])
		if f != nil {
			return c, f
		}
	}
	derived := strings.HasPrefix(c.name, "@")
	switch {
	case c.bs && (c.sf || c.hasKey):
		return c, malformed("the component " + c.id + " asks for two forms at once")
	case derived && (c.bs || c.sf || c.hasKey), c.isParam != (c.name == "@query-param"):
		return c, malformed("the component " + c.id + " has a parameter that it cannot have")
	}
	return c, nil
}

// flag takes note of a parameter of a component.
func (c *component) flag(p *sfv.Param) *fault {
	on := p.Value.Kind == sfv.Boolean && p.Value.Int == 1
	text := p.Value.Kind == sfv.String
	switch {
	case p.Name == "sf" && on:
		c.sf = true
	case p.Name == "bs" && on:
		c.bs = true
	case p.Name == "req" && on:
		c.req = true
	case p.Name == "key" && text:
		c.key, c.hasKey = p.Value.Text, true
	case p.Name == "name" && text:
		c.param, c.isParam = p.Value.Text, true
	default:
		// That includes tr: trailers are no part of a Message.
		return &fault{"signature.component_unsupported", "the component " + c.id + " has a parameter that is not supported"}
	}
	return nil
}

// fieldName reports whether s is a token, as names of fields are.
func fieldName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// unresolved is the fault of a message that lacks what its signature covers.
func unresolved(c *component, why string) *fault {
	return &fault{"signature.component_missing", "the signature covers " + c.id + ", " + why}
}

// A reader resolves components of one message.
type reader struct {
	m         *Message
	canonical bool
	// own and asked are the addresses of a request, and of the one that a response
	// answers; read when first needed.
	own, asked *target
}

// value returns the value of a component in the signature base.
func (r *reader) value(c *component) (string, *fault) {
	m := r.m
	if c.req {
		if m.Status == 0 || m.Request == nil {
			return "", unresolved(c, "and the request that was answered is not at hand")
		}
		m = m.Request
	}
	if strings.HasPrefix(c.name, "@") {
		return r.derived(c, m)
	}
	return fieldValue(c, m)
}

// derived returns the value of a component that no field has.
func (r *reader) derived(c *component, m *Message) (string, *fault) {
	switch {
	case c.name == "@status" && m.Status != 0:
		return strconv.Itoa(m.Status), nil
	case c.name == "@status" || m.Status != 0:
		return "", unresolved(c, "which this kind of message does not have")
	case c.name == "@method":
		return m.Method, nil
	}
	t, f := r.target(c, m)
	if f != nil {
		return "", f
	}
	switch c.name {
	case "@target-uri":
		return t.uri, nil
	case "@authority":
		return t.authority, nil
	case "@scheme":
		return t.scheme, nil
	case "@request-target":
		return t.requestTarget(), nil
	case "@path":
		return t.path, nil
	case "@query":
		return "?" + t.query, nil
	case "@query-param":
		return queryParam(c, t.query)
	}
	return "", &fault{"signature.component_unsupported", "the component " + c.id + " is not known"}
}

// target returns the address of a request, read once.
func (r *reader) target(c *component, m *Message) (*target, *fault) {
	known := &r.own
	if c.req {
		known = &r.asked
	}
	if *known == nil {
		t, ok := targetOf(m, r.canonical)
		if !ok {
			return nil, targetInvalid()
		}
		*known = &t
	}
	return *known, nil
}

// dictionaries are the fields that are known to be dictionaries. The strict form of a
// field can be written only when its type is known.
var dictionaries = map[string]bool{
	"content-digest": true, "repr-digest": true, "want-content-digest": true, "want-repr-digest": true,
	"priority": true, "signature": true, "signature-input": true, "accept-signature": true,
}

// fieldValue returns the value of a field, as RFC 9421 section 2.1 puts it together.
func fieldValue(c *component, m *Message) (string, *fault) {
	values := m.values(c.name)
	if len(values) == 0 {
		return "", unresolved(c, "and the message does not have the field")
	}
	if c.bs {
		return wrapped(values), nil
	}
	text := strings.Join(values, ", ")
	if c.hasKey || c.sf {
		return strictValue(c, text)
	}
	for i := range len(text) {
		if text[i] < ' ' && text[i] != '\t' || text[i] > '~' {
			return "", unresolved(c, "and the field has characters that cannot be signed as they are")
		}
	}
	return text, nil
}

// wrapped encodes each line of a field as bytes.
func wrapped(values []string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = ":" + base64.StdEncoding.EncodeToString([]byte(v)) + ":"
	}
	return strings.Join(parts, ", ")
}

// strictValue returns a structured field, or a member of it, in canonical form.
func strictValue(c *component, text string) (string, *fault) {
	if c.sf && !dictionaries[c.name] {
		return "", &fault{"signature.component_unsupported",
			"the component " + c.id + " asks for the strict form of a field whose type is not known"}
	}
	members, err := sfv.ParseDictionary(text, sfv.Options{})
	if err != nil {
		return "", unresolved(c, "and the field is not a dictionary")
	}
	if !c.hasKey {
		return string(sfv.AppendDictionary(nil, members)), nil
	}
	member := sfv.Find(members, c.key)
	if member == nil {
		return "", unresolved(c, "and the field has no such member")
	}
	return string(member.AppendValue(nil)), nil
}

// queryParam returns the value of a parameter of the query. One that is there twice
// cannot be signed by itself.
func queryParam(c *component, query string) (string, *fault) {
	found, value := 0, ""
	for part := range strings.SplitSeq(query, "&") {
		name, v, _ := strings.Cut(part, "=")
		if formEncode(formDecode(name)) == c.param && part != "" {
			found++
			value = formEncode(formDecode(v))
		}
	}
	if found != 1 {
		return "", unresolved(c, "and the query does not have the parameter exactly once")
	}
	return value, nil
}

// formDecode undoes the encoding of forms. What is not encoded properly stays.
func formDecode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b.WriteByte(' ')
		case s[i] == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			b.WriteByte(byte(unhex(s[i+1])<<4 | unhex(s[i+2])))
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// formEncode encodes a text as forms are, with spaces as %20.
func formEncode(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("*-._", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}
