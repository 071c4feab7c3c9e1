package console

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// WriteJSONLine writes v as one line of JSON. See EncodeJSON.
func WriteJSONLine(w io.Writer, v any) error {
	return writeJSON(w, v)
}

// WriteJSONPretty writes v as JSON over several lines. See EncodeJSON.
func WriteJSONPretty(w io.Writer, v any) error {
	return writeJSON(w, v, jsontext.WithIndent("  "), jsontext.SpaceAfterColon(true))
}

func writeJSON(w io.Writer, v any, opts ...jsontext.Options) error {
	b, err := EncodeJSON(v, opts...)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// EncodeJSON returns v as JSON that is safe to look at: characters that a
// terminal would obey or hide are written as \u escapes. Bytes that are not
// UTF-8, which file names may hold, become U+FFFD, since JSON has no way to
// write them.
func EncodeJSON(v any, opts ...jsontext.Options) ([]byte, error) {
	opts = append(opts, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	b, err := json.Marshal(v, opts...)
	if err != nil {
		return nil, err
	}
	return escapeHidden(b), nil
}

// escapeHidden replaces hidden characters in a JSON text. Outside ASCII, only
// strings can hold any, so there is no need to know where strings begin.
func escapeHidden(b []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f { // which is most of it
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if hidden(r) {
			out = append(out, b[done:i]...)
			out = appendEscape(out, r)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// hidden reports whether a character of an encoded JSON text is one that a
// reader would not see. The encoder has taken care of ASCII except for DEL.
func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r == 0x7f
	}
	return textsafe.Terminal(string(r)) != string(r)
}

// appendEscape appends r as JSON writes it, with two escapes for a character
// outside the basic plane.
func appendEscape(out []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	for _, unit := range utf16.Encode([]rune{r}) {
		out = append(out, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
	}
	return out
}

// JSONError is an error in JSON.
type JSONError struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// JSONErrorOf returns an error in JSON.
func JSONErrorOf(err error) *JSONError {
	known := AsError(err)
	return &JSONError{Message: known.Message, Hint: known.Hint}
}
