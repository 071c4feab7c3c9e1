package keypin

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Limits of a message in a file.
const (
	maxHeadBytes = 64 << 10
	maxFields    = 256
)

// A SyntaxError says what is wrong with a message in a file.
type SyntaxError struct {
	// Line counts from 1; 0 is for the message as a whole.
	Line int
	Text string
}

// Error returns the text with the line.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}

// ParseOptions complete what a request in a file does not say.
type ParseOptions struct {
	// Scheme is the request's, https when empty; Authority is the host it was sent to, if
	// that is not what its Host field says.
	Scheme, Authority string
}

// ParseMessage reads a request or a response of HTTP/1.1 as it stands in a file: the first
// line, the fields, an empty line, and the body as it is. Lines end in LF, with or without
// a CR. It does not guess: whatever programs read in different ways is refused. The error
// is a *SyntaxError.
func ParseMessage(raw []byte, o ParseOptions) (*Message, error) {
	lines, body, err := splitHead(raw)
	if err != nil {
		return nil, err
	}
	m := new(Message)
	for i, line := range lines[1:] {
		f, err := parseField(line)
		if err != nil {
			return nil, &SyntaxError{i + 2, err.Error()}
		}
		m.Fields = append(m.Fields, f)
	}
	err = m.setBody(body)
	if err != nil {
		return nil, err
	}
	first := strings.SplitN(lines[0], " ", 3)
	if isVersion(first[0]) {
		err = m.setStatus(first)
	} else {
		err = m.setRequest(first, o)
	}
	if err != nil {
		return nil, &SyntaxError{1, err.Error()}
	}
	return m, nil
}

// splitHead returns the lines of the head and the body.
func splitHead(raw []byte) ([]string, []byte, error) {
	var lines []string
	rest := raw
	for {
		line, after, found := bytes.Cut(rest, []byte("\n"))
		switch {
		case len(raw)-len(after) > maxHeadBytes || len(lines) > maxFields:
			return nil, nil, &SyntaxError{0, "the head of the message is too long"}
		case !found && len(line) > 0:
			return nil, nil, &SyntaxError{len(lines) + 1, "an empty line must follow the head of the message"}
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		rest = after
		if len(line) > 0 {
			lines = append(lines, string(line))
			continue
		}
		if len(lines) == 0 {
			return nil, nil, &SyntaxError{1, "the message does not begin with a request or status line"}
		}
		return lines, rest, nil
	}
}

// parseField reads a line of the head.
func parseField(line string) (Field, error) {
	name, value, found := strings.Cut(line, ":")
	if !found || !fieldName(name) {
		return Field{}, fmt.Errorf("a field is written Name: value, on one line")
	}
	value = strings.Trim(value, " \t")
	for i := range len(value) {
		if value[i] < ' ' && value[i] != '\t' || value[i] == 0x7f {
			return Field{}, fmt.Errorf("the field %s has a control character", name)
		}
	}
	return Field{name, value}, nil
}

func isVersion(s string) bool {
	switch s {
	case "HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/2.0", "HTTP/3", "HTTP/3.0":
		return true
	}
	return false
}

func (m *Message) setStatus(first []string) error {
	if len(first) > 1 && len(first[1]) == 3 {
		n, err := strconv.ParseUint(first[1], 10, 16)
		if err == nil && n >= 100 && n <= 599 {
			m.Status = int(n)
			return nil
		}
	}
	return fmt.Errorf("the status is not a number from 100 to 599")
}

func (m *Message) setRequest(first []string, o ParseOptions) error {
	if len(first) != 3 || !isVersion(first[2]) || !fieldName(first[0]) {
		return fmt.Errorf("a message begins with a line such as POST /path HTTP/1.1 or HTTP/1.1 200 OK")
	}
	m.Method, m.Target = first[0], first[1]
	m.Authority = o.Authority
	if !strings.HasPrefix(m.Target, "/") {
		if strings.Contains(m.Target, "://") {
			return nil
		}
		return fmt.Errorf("the target is neither a path nor an absolute URL")
	}
	host := o.Authority
	hosts := m.values("host")
	switch {
	case host != "":
	case len(hosts) == 1 && hosts[0] != "":
		host = hosts[0]
	default:
		return fmt.Errorf("the host of the request is not known: the message has not exactly one Host field")
	}
	if o.Authority != "" {
		// The caller knows better than a field that a proxy may have changed.
		m.Fields = without(m.Fields, "host")
	}
	scheme := o.Scheme
	if scheme == "" {
		scheme = "https"
	}
	m.Target = scheme + "://" + host + m.Target
	return nil
}

func without(fields []Field, name string) []Field {
	var out []Field
	for _, f := range fields {
		if !strings.EqualFold(f.Name, name) {
			out = append(out, f)
		}
	}
	return out
}

// setBody takes the body. When the message says how long it is, a line end that an editor
// put behind it is ignored.
func (m *Message) setBody(body []byte) error {
	if len(m.values("transfer-encoding")) > 0 {
		return &SyntaxError{0,
			"the body has a Transfer-Encoding: save the message with its plain body, and leave out that field"}
	}
	lengths := m.values("content-length")
	if len(lengths) == 0 {
		m.Body = body
		return nil
	}
	n, err := strconv.ParseUint(lengths[0], 10, 31)
	if err != nil || len(lengths) > 1 {
		return &SyntaxError{0, "Content-Length is not one number"}
	}
	if uint64(len(body)) < n {
		return &SyntaxError{0, fmt.Sprintf("the body has %d bytes, Content-Length says %d", len(body), n)}
	}
	rest := string(body[n:])
	if rest != "" && rest != "\n" && rest != "\r\n" {
		return &SyntaxError{0, fmt.Sprintf("the body has %d bytes, Content-Length says %d", len(body), n)}
	}
	m.Body = body[:n]
	return nil
}
