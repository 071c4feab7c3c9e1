package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxHead bounds status line and header fields together, with those of interim
// answers. Servers do not send a tenth of it.
const maxHead = 64 << 10

// A messageError says what is wrong with an answer as a message. net/http reads
// past some of these faults, in a way of its own that other programs on the
// line need not share.
type messageError string

// Error returns the fault in words.
func (e messageError) Error() string { return string(e) }

const (
	errHeadTooLarge messageError = "the header of the answer is larger than 64 KiB"
	errStatusLine   messageError = "the answer does not begin with an HTTP/1 status line"
	errStatusValue  messageError = "the status of the answer is not a number of three digits"
	errFolded       messageError = "a header field is folded over two lines"
	errHeaderOctet  messageError = "the header has an octet that it must not have"
	errFieldName    messageError = "a header field has no valid name"
	errLengthTwice  messageError = "the answer has more than one content length"
	errLengthValue  messageError = "the content length is not a number"
	errLengthAndTE  messageError = "the answer has a content length and a transfer encoding"
	errEncodingTE   messageError = "the transfer encoding is not chunked alone"
	errSwitched     messageError = "the server changed the protocol without being asked"
)

// readHead reads the head of the final answer. Interim answers are checked and
// dropped; they count towards the limit, or a server could send them for ever.
func readHead(br *bufio.Reader, limit int) ([]byte, error) {
	left := limit
	for {
		head, err := readOneHead(br, left)
		if err != nil {
			return nil, err
		}
		left -= len(head)
		status, err := checkHead(head)
		if err != nil {
			return nil, err
		}
		if status/100 != 1 {
			return head, nil
		}
		if status == 101 {
			return nil, errSwitched
		}
	}
}

// readOneHead reads up to the empty line that ends a head.
func readOneHead(br *bufio.Reader, limit int) ([]byte, error) {
	head := make([]byte, 0, 1024)
	start := 0 // of the line being read
	for {
		part, err := br.ReadSlice('\n')
		if len(head)+len(part) > limit {
			return nil, errHeadTooLarge
		}
		head = append(head, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return nil, endInHead(err, len(head))
		}
		line := head[start:]
		if start > 0 && (len(line) == 1 || len(line) == 2 && line[0] == '\r') {
			return head, nil
		}
		start = len(head)
	}
}

// endInHead tells an answer that broke off from one that never began.
func endInHead(err error, got int) error {
	if got > 0 && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// checkHead checks a complete head and returns its status. It looks for what
// makes two readers of the same octets see different messages.
func checkHead(head []byte) (int, error) {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	status, minor, err := statusLine(bytes.TrimSuffix(line, []byte("\r")))
	if err != nil {
		return 0, err
	}
	var f framing
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			break
		}
		err = f.field(line)
		if err != nil {
			return 0, err
		}
	}
	return status, f.verdict(minor)
}

// statusLine reads "HTTP/1.1 200 OK" and returns the status and the minor version.
func statusLine(line []byte) (int, byte, error) {
	const prefix = "HTTP/1."
	rest, found := bytes.CutPrefix(line, []byte(prefix))
	if !found || len(rest) < 5 || rest[0] != '0' && rest[0] != '1' || rest[1] != ' ' {
		return 0, 0, errStatusLine
	}
	status, err := strconv.ParseUint(string(rest[2:5]), 10, 10)
	if err != nil || status < 100 || len(rest) > 5 && rest[5] != ' ' {
		return 0, 0, errStatusLine
	}
	if !textOnly(rest[5:]) {
		return 0, 0, errHeaderOctet
	}
	return int(status), rest[0] - '0', nil
}

// framing collects the fields that say where a message ends.
type framing struct {
	lengths, encodings int
	chunked            bool
}

// field checks one header field.
func (f *framing) field(line []byte) error {
	if line[0] == ' ' || line[0] == '\t' {
		return errFolded
	}
	name, value, found := bytes.Cut(line, []byte(":"))
	if !found || !isToken(name) {
		return errFieldName
	}
	if !textOnly(value) {
		return errHeaderOctet
	}
	value = bytes.Trim(value, " \t")
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		f.lengths++
		if len(value) == 0 || len(bytes.Trim(value, "0123456789")) > 0 {
			return errLengthValue
		}
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		f.encodings++
		f.chunked = bytes.EqualFold(value, []byte("chunked"))
	}
	return nil
}

// verdict judges the fields together.
func (f *framing) verdict(minor byte) error {
	switch {
	case f.lengths > 0 && f.encodings > 0:
		return errLengthAndTE
	case f.lengths > 1:
		return errLengthTwice
	case f.encodings > 1, f.encodings == 1 && (!f.chunked || minor == 0):
		return errEncodingTE
	}
	return nil
}

// textOnly reports whether a value is free of control characters other than the
// tab. Octets beyond ASCII are old but harmless.
func textOnly(value []byte) bool {
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isToken reports whether s is a token of RFC 9110.
func isToken[S string | []byte](s S) bool {
	for i := range len(s) {
		if !tokenOctet[s[i]] {
			return false
		}
	}
	return len(s) > 0
}

// tokenOctet has the octets a token is made of.
var tokenOctet = func() [256]bool {
	var t [256]bool
	for _, c := range "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		t[c] = true
	}
	return t
}()

// maxRetryAfter bounds what a Retry-After can mean. It only has to be more than
// any budget; what is longer comes to the same.
const maxRetryAfter = 365 * 24 * time.Hour

// parseRetryAfter reads a Retry-After header, a number of seconds or a date. What
// is neither, or lies in the past, is zero.
func parseRetryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		return seconds(value)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// seconds reads a number of any length.
func seconds(digits string) time.Duration {
	total := time.Duration(0)
	for _, digit := range digits {
		total = 10*total + time.Duration(digit-'0')*time.Second
		if total > maxRetryAfter {
			return maxRetryAfter
		}
	}
	return total
}
