package keypin

import (
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// A Field is a line of a message's head.
type Field struct{ Name, Value string }

// A Message is a request or a response as it was received. The body is as received on
// the connection, before decompression.
type Message struct {
	// Method and Target belong to a request. Target is the absolute URI, put together
	// from the scheme, the authority and the request target.
	Method, Target string
	// Authority is what the Host field or the :authority of the request says, if it is
	// known apart from Target. The two must agree.
	Authority string
	// Status belongs to a response; a message with a status is one.
	Status int
	// Fields are the lines of the head, in order. Names are compared without case.
	Fields []Field
	Body   []byte
	// Request is the request that a response answers; its body is not looked at.
	Request *Message
}

// values returns the values of a field, without the white space around them.
func (m *Message) values(name string) []string {
	var out []string
	for i := range m.Fields {
		if strings.EqualFold(m.Fields[i].Name, name) {
			out = append(out, unfolded(m.Fields[i].Value))
		}
	}
	return out
}

// value returns the value of a field as if its lines were one, and whether there is any.
func (m *Message) value(name string) (string, bool) {
	values := m.values(name)
	if len(values) == 1 {
		return values[0], true
	}
	return strings.Join(values, ", "), len(values) > 0
}

// unfolded trims a value and turns the obsolete folding of lines into spaces. A line that does
// not begin with white space is not folded: such a value stays as it is, and cannot be read.
func unfolded(value string) string {
	value = strings.Trim(value, " \t\r\n")
	if !strings.Contains(value, "\n") {
		return value
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		if i > 0 && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			return value
		}
		lines[i] = strings.Trim(line, " \t\r")
	}
	return strings.Join(lines, " ")
}

// A target is the address of a request in its parts.
type target struct {
	uri, scheme, authority, path, query string
	hasQuery                            bool
}

// requestTarget is what stands in the first line of a request.
func (t *target) requestTarget() string {
	if !t.hasQuery {
		return t.path
	}
	return t.path + "?" + t.query
}

// targetOf reads the address of a request. With canonical set, it is brought into the
// form that agent URLs are compared in; otherwise only the host is. It reports false for
// an address that cannot be signed: one that is not absolute, has a user or a fragment,
// is not plain ASCII, or differs from the authority of the message.
func targetOf(m *Message, canonical bool) (target, bool) {
	uri, info, err := hostname.CanonicalURL(m.Target)
	if err != nil || info.HasUserinfo || info.HasFragment || !printable(m.Target) {
		return target{}, false
	}
	t := target{
		uri: m.Target, scheme: info.Scheme, authority: authorityOf(&info),
		path: info.Path, query: info.Query, hasQuery: info.Query != "" || info.EmptyQuery,
	}
	if canonical {
		t.uri = uri
	} else {
		t.path = writtenPath(m.Target)
	}
	for _, host := range m.values("host") {
		if !sameAuthority(&t, host) {
			return t, false
		}
	}
	return t, m.Authority == "" || sameAuthority(&t, m.Authority)
}

func targetInvalid() *fault {
	return &fault{"signature.target_invalid",
		"the target of the request is not a plain absolute address, or it disagrees with the authority"}
}

func authorityOf(info *hostname.URLInfo) string {
	host := info.Host
	if info.IPLiteral.Is6() {
		host = "[" + host + "]"
	}
	if info.Port != "" {
		host += ":" + info.Port
	}
	return host
}

// sameAuthority compares what the connection said with the target.
func sameAuthority(t *target, authority string) bool {
	_, info, err := hostname.CanonicalURL(t.scheme + "://" + authority + "/")
	return err == nil && !info.HasUserinfo && printable(authority) && !strings.ContainsAny(authority, "/?#") &&
		authorityOf(&info) == t.authority
}

// writtenPath cuts the path out of an absolute URI, as it is written.
func writtenPath(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	rest, _, _ = strings.Cut(rest, "?")
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return "/"
	}
	return rest[slash:]
}

// printable reports whether a text is ASCII without spaces and control characters.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
