package console

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// An Excerpt is a piece of a source line and the marks to put under it.
type Excerpt struct {
	Text  string
	Marks string
}

const (
	// before is how much of a line is shown before the place concerned, in
	// cells, when the line is too long.
	before = 40
	// tabWidth is what a tab becomes; the real stops are not worth finding
	// out for a line that may begin in the middle.
	tabWidth = 4
	// Ellipsis stands for the part of a line that is not shown.
	Ellipsis = "…"
	// bytesPerCell bounds an excerpt in bytes: a hostile line puts a million
	// marks on one letter, which all fit into its cell.
	bytesPerCell = 8
)

// Cut returns the line around the bytes from offset to offset+length, at most
// width cells of it, and marks under these bytes. Only the piece shown is
// looked at: a minified file is one line of many megabytes.
func Cut(src []byte, offset, length, width int) Excerpt {
	offset = min(max(offset, 0), len(src))
	ahead := forward(src[offset:], width)
	behind := max(before, width-cells(src[offset:offset+ahead]))
	back := backward(src[:offset], behind)
	left := src[offset-back : offset]
	ahead = forward(src[offset:], max(width-cells(left), tabWidth))
	right := src[offset : offset+ahead]
	if back == offset {
		// A byte order mark has a finding of its own.
		left = bytes.TrimPrefix(left, []byte("\uFEFF"))
	}

	marked := textsafe.Width(show(right[:min(max(length, 0), len(right))]))
	x := Excerpt{
		Text:  show(left) + show(right),
		Marks: strings.Repeat(" ", textsafe.Width(show(left))) + strings.Repeat("^", max(marked, 1)),
	}
	if back < offset && !lineEnd(src[offset-back-1]) {
		x.Text = Ellipsis + x.Text
		x.Marks = " " + x.Marks
	}
	if offset+ahead < len(src) && !lineEnd(src[offset+ahead]) {
		x.Text += Ellipsis
	}
	return x
}

// show makes a piece of a source line fit to look at.
func show(b []byte) string {
	if bytes.IndexByte(b, '\t') < 0 {
		return textsafe.Terminal(string(b))
	}
	parts := strings.Split(string(b), "\t")
	for i := range parts {
		parts[i] = textsafe.Terminal(parts[i])
	}
	return strings.Join(parts, strings.Repeat(" ", tabWidth))
}

func cells(b []byte) int { return textsafe.Width(show(b)) }

func lineEnd(c byte) bool { return c == '\n' || c == '\r' }

// forward returns how many bytes of b fit into width cells before the line
// ends.
func forward(b []byte, width int) int {
	n, most := 0, width*bytesPerCell
	for n < len(b) && n < most && !lineEnd(b[n]) {
		_, size := utf8.DecodeRune(b[n:])
		width -= cells(b[n : n+size])
		if width < 0 {
			break
		}
		n += size
	}
	return n
}

// backward is forward from the end of b towards its beginning.
func backward(b []byte, width int) int {
	n, least := len(b), len(b)-width*bytesPerCell
	for n > 0 && n > least && !lineEnd(b[n-1]) {
		_, size := utf8.DecodeLastRune(b[:n])
		width -= cells(b[n-size : n])
		if width < 0 {
			break
		}
		n -= size
	}
	return len(b) - n
}
