package adstxt

import (
	"bytes"
	"errors"
	"iter"
	"strings"
	"unicode"

	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// MaxLines is the number of lines a file may have. Real files have some
	// thousand; beyond this a file is not a list that anybody maintains.
	MaxLines = 10_000
	// MaxLine is the number of bytes a line may have, without its end. A host
	// name needs 253.
	MaxLine = 4_000
)

// A File is what an ads.txt file says about managers. The zero value is that of
// an empty file.
type File struct {
	// Managers are the lines that name a manager, in file order. Entries may
	// repeat each other.
	Managers []Manager
	// Ignored are the lines that were probably meant to name a manager and do
	// not, in file order.
	Ignored []Ignored
	// Lines is the number of lines, those beyond MaxLines included.
	Lines int
	// Truncated is set when the file has more than MaxLines lines. Lines beyond were
	// not read, so the last entry is unknown.
	Truncated bool
}

// A Manager is one line that names a manager.
type Manager struct {
	// Domain is in canonical form: lower case, A-labels, no trailing dot.
	Domain string
	// Line counts from 1.
	Line int
	// NoAgents is set when the comment on the line holds the word noagents: the
	// manager is named for sellers of the older kind and not for agents.
	NoAgents bool
}

// An Ignored is a line without effect although it looks as if it had one.
type Ignored struct {
	// Line counts from 1.
	Line int
	// Text is the line as it came, cut at MaxLine bytes. It is outside text:
	// escape it before showing it.
	Text string
	// Reason says why it is ignored.
	Reason Reason
}

// Last returns the entry that decides: the last one without noagents. There is
// none in a truncated file, whose last entry is not known.
func (f *File) Last() (Manager, bool) {
	if f.Truncated {
		return Manager{}, false
	}
	for i := len(f.Managers) - 1; i >= 0; i-- {
		if !f.Managers[i].NoAgents {
			return f.Managers[i], true
		}
	}
	return Manager{}, false
}

const (
	// key is the name of the directive, in lower case.
	key = "managerdomain"
	// optOut is the word in a comment that takes an entry away from agents.
	optOut = "noagents"
	// byteOrderMark may stand at the very start of a file, and only there.
	byteOrderMark = "\ufeff"
)

// Parse reads a file. It never fails: other text has no managers.
func Parse(src []byte) *File {
	f := &File{}
	src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	markup := isMarkup(src)
	for len(src) > 0 {
		var line []byte
		line, src = cutLine(src)
		f.Lines++
		switch {
		case f.Lines <= MaxLines:
			f.add(line, markup)
		case !f.Truncated:
			f.Truncated = true
			f.ignore(line, TooManyLines)
		}
	}
	return f
}

// cutLine splits off the first line. LF, CRLF and a lone CR each end a line: a
// file written on an old system must not become one long comment.
func cutLine(src []byte) ([]byte, []byte) {
	end := bytes.IndexAny(src, "\r\n")
	if end < 0 {
		return src, nil
	}
	next := end + 1
	if src[end] == '\r' && next < len(src) && src[next] == '\n' {
		next++
	}
	return src[:end], src[next:]
}

// pageStarts are how a web page begins that is served in place of the file.
var pageStarts = []string{"<!doctype", "<html", "<head", "<body", "<?xml"}

// isMarkup reports whether a file is a web page. Pages quote what visitors
// wrote, so a line inside one is not the publisher's word.
func isMarkup(src []byte) bool {
	text := bytes.TrimLeftFunc(src, unicode.IsSpace)
	for _, start := range pageStarts {
		if len(text) >= len(start) && asciiFold(string(text[:len(start)]), start) {
			return true
		}
	}
	return false
}

// add enters the current line, if it is or resembles a manager line.
func (f *File) add(line []byte, markup bool) {
	content, comment, _ := bytes.Cut(line[:min(len(line), MaxLine)], []byte{'#'})
	left, right, directive := bytes.Cut(content, []byte{'='})
	reason := keyFault(string(bytes.TrimFunc(left, unicode.IsSpace)), directive)
	switch {
	case reason == notOurs:
		return
	case markup:
		reason = Markup
	case len(line) > MaxLine:
		reason = LineTooLong
	}
	var domain string
	if reason == 0 {
		domain, reason = manager(string(bytes.TrimFunc(right, unicode.IsSpace)))
	}
	if reason != 0 {
		f.ignore(line, reason)
		return
	}
	f.Managers = append(f.Managers, Manager{Domain: domain, Line: f.Lines, NoAgents: hasWord(string(comment), optOut)})
}

// ignore records the current line as one that is ignored.
func (f *File) ignore(line []byte, reason Reason) {
	f.Ignored = append(f.Ignored, Ignored{Line: f.Lines, Text: string(line[:min(len(line), MaxLine)]), Reason: reason})
}

// notOurs is the fault of a key that is none of our business.
const notOurs Reason = 255

// keyFault judges what stands before the equals sign, or the whole content of a
// line without one. Zero means that it is our key.
func keyFault(left string, directive bool) Reason {
	switch {
	case directive && asciiFold(left, key):
		return 0
	case startsWithKey(left):
		return NotDirective
	case directive && len(left) > len(key) && asciiFold(printable(left), key):
		return OddKey
	}
	return notOurs
}

// startsWithKey reports whether a text is our key followed by something that
// writers put in place of the equals sign. A dot does not: records of a domain
// may begin with the same letters.
func startsWithKey(text string) bool {
	if len(text) < len(key) || !asciiFold(text[:len(key)], key) {
		return false
	}
	return len(text) == len(key) || strings.IndexByte(" \t:,;", text[len(key)]) >= 0
}

// printable returns the printable ASCII characters of a text, without spaces at
// its ends.
func printable(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= ' ' && r < 0x7f {
			return r
		}
		return -1
	}, text), " ")
}

// manager returns the domain written in a value, or why there is none.
func manager(value string) (string, Reason) {
	switch {
	case value == "":
		return "", NoValue
	case hasCountry(value):
		return "", CountrySuffix
	}
	domain, change, err := hostname.Canonical(value)
	if err != nil {
		return "", valueFault(err)
	}
	// The name is what is left after these were removed; the directive form does
	// not have them in the first place.
	switch {
	case change&(hostname.ChangeScheme|hostname.ChangeSlash|hostname.ChangePath) != 0:
		return "", URLValue
	case change&hostname.ChangePort != 0:
		return "", PortValue
	}
	return domain, 0
}

// hasCountry reports whether a comma and two letters end a value.
func hasCountry(value string) bool {
	comma := strings.LastIndexByte(value, ',')
	if comma < 0 {
		return false
	}
	code := strings.TrimFunc(value[comma+1:], unicode.IsSpace)
	return len(code) == 2 && isLetter(code[0]) && isLetter(code[1])
}

// valueFault translates the fault of a host name.
func valueFault(err error) Reason {
	var fault *hostname.Error
	if !errors.As(err, &fault) {
		return NotHost
	}
	switch fault.Kind {
	case hostname.Scheme, hostname.Userinfo:
		return URLValue
	case hostname.Port:
		return PortValue
	case hostname.IPLiteral:
		return AddressValue
	case hostname.SingleLabel:
		return NoDot
	}
	return NotHost
}

// Values iterates over the values of a directive, in file order, each trimmed and without its comment. The
// key is in lower case, and the file may write it in any. A web page in place of the file has none.
func Values(src []byte, key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		src = bytes.TrimPrefix(src, []byte(byteOrderMark))
		if isMarkup(src) {
			return
		}
		for len(src) > 0 {
			var line []byte
			line, src = cutLine(src)
			content, _, _ := bytes.Cut(line, []byte{'#'})
			left, right, ok := bytes.Cut(content, []byte{'='})
			if ok && asciiFold(string(bytes.TrimFunc(left, unicode.IsSpace)), key) &&
				!yield(string(bytes.TrimFunc(right, unicode.IsSpace))) {
				return
			}
		}
	}
}

// asciiFold compares a text with a word in lower case without regard to case.
// Only ASCII letters have a case here: folding by Unicode would take look-alikes
// such as U+0130, the dotted capital I, for the letters of the key.
func asciiFold(text, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := range len(text) {
		if lower(text[i]) != word[i] {
			return false
		}
	}
	return true
}

// hasWord looks for a word in lower case, in any case and with word boundaries:
// neither a letter, a digit nor an underscore may touch it. A hyphen is a
// boundary, as it is to the regular expressions of other readers.
func hasWord(text, word string) bool {
	text = strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, text)
	for {
		before, after, found := strings.Cut(text, word)
		if !found {
			return false
		}
		if !endsInWord(before) && (after == "" || !isWord(after[0])) {
			return true
		}
		// What was passed over ends in a word character, which is all that the
		// next round has to know about it.
		text = word[len(word)-1:] + after
	}
}

// endsInWord reports whether a word character ends a text.
func endsInWord(text string) bool {
	return text != "" && isWord(text[len(text)-1])
}

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' }

func isLetter(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' }

// lower folds one ASCII letter.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
