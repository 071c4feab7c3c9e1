package fakeweb

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An answer is what a section says. The fields after body are set by the words
// on the status line; faults.go has them.
type answer struct {
	status int
	header []field
	body   []byte
	words  []string

	times                    int
	delay, drip, dripHead    time.Duration
	stop                     stop
	framing                  framing
	length                   int64 // what Content-Length claims in framingLie
	coding                   coding
	bomb, pad, size          int64
	headers, trailers        int64
	chunkExt                 int64
	informational            int
	fold, nul                bool
	h2, http                 bool
	conditional, echo        bool
	escaped, base64, noFinal bool

	once   sync.Once
	entity entity
}

// A field is one header line, in the spelling of the archive.
type field struct{ name, value string }

// stop says where an answer ends early. Before the head counts as a place.
type stop struct {
	kind stopKind
	at   int64 // body bytes sent before it; beforeHead for none of the answer
}

type stopKind uint8

const (
	stopNever stopKind = iota
	stopStall
	stopReset
	stopClose
)

const beforeHead = -1

// A framing says how the end of a body is marked.
type framing uint8

const (
	framingLength framing = iota
	framingLie
	framingClose
	framingChunked
	framingBoth     // Content-Length and chunked
	framingTwo      // two different Content-Length
	framingTwoEqual // the same Content-Length twice
	framingRaw      // the section is the message
)

// parseAnswer reads the text of a section. The line belongs to the error.
func parseAnswer(s section) (*answer, int, error) {
	first, rest, _ := bytes.Cut(s.text, []byte("\n"))
	words := strings.Fields(string(first))
	if len(words) == 0 {
		return nil, s.line, errors.New("the first line must be a status, such as 200")
	}
	status, err := strconv.Atoi(words[0])
	if err != nil || status < 200 || status > 999 || len(words[0]) != 3 {
		return nil, s.line, fmt.Errorf("%q is not a status from 200 to 999", words[0])
	}
	a := &answer{status: status, words: words[1:], times: 1}
	err = a.applyFaults()
	if err != nil {
		return nil, s.line, err
	}
	line := s.line + 1
	if a.framing != framingRaw {
		rest, line, err = a.parseHeader(rest, line)
		if err != nil {
			return nil, line, err
		}
	}
	a.body, err = a.decodeBody(rest)
	if err == nil && a.size > 0 && a.size < int64(len(a.body)) {
		err = fmt.Errorf("the body has %d bytes already", len(a.body))
	}
	return a, line, err
}

// parseHeader reads header lines up to an empty line or the end.
func (a *answer) parseHeader(text []byte, line int) ([]byte, int, error) {
	for len(text) > 0 {
		var row []byte
		row, text, _ = bytes.Cut(text, []byte("\n"))
		row = bytes.TrimSuffix(row, []byte("\r"))
		if len(row) == 0 {
			return text, line + 1, nil
		}
		name, value, ok := strings.Cut(string(row), ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t\"{}") {
			return nil, line, fmt.Errorf("%q is not a header; an empty line ends the headers", row)
		}
		value = strings.TrimLeft(value, " ")
		if a.escaped {
			plain, err := unescape(value)
			if err != nil {
				return nil, line, err
			}
			value = string(plain)
		}
		a.header = append(a.header, field{name, value})
		line++
	}
	return nil, line, nil
}

// decodeBody applies the words that say how the body is written down.
func (a *answer) decodeBody(text []byte) ([]byte, error) {
	if a.noFinal {
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	}
	switch {
	case a.base64:
		joined := bytes.Join(bytes.Fields(text), nil)
		body, err := base64.StdEncoding.DecodeString(string(joined))
		if err != nil {
			return nil, errors.New("the body is not base64")
		}
		return body, nil
	case a.escaped:
		return unescape(string(text))
	}
	return slices.Clone(text), nil
}

// unescape replaces the escapes of Go strings, so that any byte can be written.
func unescape(text string) ([]byte, error) {
	var out []byte
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return append(out, text...), nil
		}
		out = append(out, text[:i]...)
		r, multibyte, tail, err := strconv.UnquoteChar(text[i:], 0)
		if err != nil {
			return nil, fmt.Errorf("%q does not begin with an escape that is known", shorten(text[i:]))
		}
		if multibyte {
			out = append(out, string(r)...)
		} else {
			out = append(out, byte(r))
		}
		text = tail
	}
	return out, nil
}

func shorten(text string) string {
	return text[:min(len(text), 12)]
}

// get returns the first value of a header.
func (a *answer) get(name string) string {
	for _, f := range a.header {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

func (a *answer) has(name string) bool {
	return slices.ContainsFunc(a.header, func(f field) bool { return strings.EqualFold(f.name, name) })
}

// unchanged tells whether a conditional request asks for what the client has.
func (a *answer) unchanged(h http.Header) bool {
	if !a.conditional {
		return false
	}
	if tag := h.Get("If-None-Match"); tag != "" {
		return tag == a.get("ETag")
	}
	since := h.Get("If-Modified-Since")
	return since != "" && since == a.get("Last-Modified")
}

// plainAnswer is the answer to a request that no section is for.
func plainAnswer(status int) *answer {
	text := fmt.Sprintf("<!doctype html><title>%d %s</title>\n", status, http.StatusText(status))
	return &answer{status: status, header: []field{{"Content-Type", "text/html; charset=utf-8"}}, body: []byte(text),
		times: 1}
}
