package fetch

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
)

// maxDenied is how much of an answer with status 403 is looked at. The XML error
// of an object store has a few hundred bytes.
const maxDenied = 64 << 10

// isAccessDenied reports whether a body is the XML error with which an object
// store answers for an object that is not there: an element Code with the text
// AccessDenied, whatever its case and prefix. The body may be cut off behind it.
// A web page is none, although <code> is an element of HTML.
func isAccessDenied(body []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	var text strings.Builder
	inCode, first := false, true
	for {
		token, err := d.RawToken()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.StartElement:
			if first && strings.EqualFold(token.Name.Local, "html") {
				return false
			}
			first = false
			inCode = strings.EqualFold(token.Name.Local, "Code")
			text.Reset()
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if inCode && strings.EqualFold(token.Name.Local, "Code") &&
				strings.EqualFold(strings.TrimSpace(text.String()), "AccessDenied") {
				return true
			}
			inCode = false
		case xml.Directive:
			if isHTMLDoctype(token) {
				return false
			}
		}
	}
}

// isHTMLDoctype recognises "<!DOCTYPE html".
func isHTMLDoctype(directive xml.Directive) bool {
	words := strings.Fields(string(directive))
	return len(words) > 1 && strings.EqualFold(words[0], "DOCTYPE") && strings.EqualFold(words[1], "html")
}
