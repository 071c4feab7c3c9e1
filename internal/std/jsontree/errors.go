package jsontree

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// An ErrorKind says why a document cannot be read at all.
type ErrorKind uint8

// The reasons.
const (
	Empty    ErrorKind = iota + 1 // nothing but white space
	NotUTF8                       // bytes that are not UTF-8
	Encoding                      // UTF-16 or UTF-32
	Syntax                        // not JSON
	TooDeep                       // nested beyond the limit
	TooMany                       // more values than the limit
	TooLarge                      // more bytes than the limit
)

// An Error is a document that cannot be read, with the byte offset of the
// first fault.
type Error struct {
	Kind   ErrorKind
	Offset int
	Msg    string
}

// Error returns the message with the offset.
func (e *Error) Error() string {
	return e.Msg + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// encodingOf returns the offset of the first byte of text, or an error when
// the bytes are no UTF-8 text.
func encodingOf(src []byte) (int, *Error) {
	switch {
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return 3, nil
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")),
		bytes.HasPrefix(src, []byte("\x00\x00\xfe\xff")):
		return 0, &Error{Kind: Encoding, Msg: "the file starts with a UTF-16 or UTF-32 byte order mark"}
	case len(src) >= 2 && (src[0] == 0 || src[1] == 0):
		return 0, &Error{Kind: Encoding, Msg: "the file is UTF-16 or UTF-32 text"}
	}
	return 0, nil
}

// blameEncoding turns a syntax error into an encoding error when bytes of the
// document are no UTF-8 at all: that is then the thing to fix first.
func blameEncoding(src []byte, e *Error) *Error {
	if e.Kind != Syntax || utf8.Valid(src) {
		return e
	}
	return &Error{Kind: NotUTF8, Offset: firstInvalid(src), Msg: "the file is not UTF-8"}
}

func firstInvalid(src []byte) int {
	i := 0
	for i < len(src) {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return i
}

func sizeText(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}
