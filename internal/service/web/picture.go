package web

import (
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// proofStep is a step from the question to the publisher.
type proofStep struct {
	// Kind is what the step is, Value what it found, and Note why it holds or not.
	Kind, Value, Note string
	// State is holds, fails or open.
	State string
	// Where is the place in the file, and Href leads to it; both may be empty.
	Where, Href string
}

// The states of a step.
const (
	stepHolds = "holds"
	stepFails = "fails"
	stepOpen  = "open"
)

// A picture is a chain of boxes, from the top down, as an SVG has it. Its letters have
// one width, so that lines break where they should without measuring.
type picture struct {
	Width, Height int
	Boxes         []box
}

type box struct {
	Y, Height, Middle int
	// Arrow is where the line to the next box begins; zero for the last.
	Arrow, Tip  int
	State, Href string
	Kind, Mark  string
	KindY       int
	Lines       []boxLine
}

type boxLine struct {
	Y    int
	Text string
	Note bool
}

// Measures of the picture, in its own units.
const (
	pictureWidth         = 372
	lineHeight           = 17
	boxGap               = 22
	valueCells, noteCell = 44, 50
	mostLines            = 3
)

// marks say in one character whether a step holds.
var marks = map[string]string{stepHolds: "✓", stepFails: "✗", stepOpen: "?"}

// draw places the steps.
func draw(steps []proofStep) picture {
	pic := picture{Width: pictureWidth}
	y := 1
	for i := range steps {
		s := &steps[i]
		b := box{Y: y, State: s.State, Href: s.Href, Kind: s.Kind, Mark: marks[s.State], KindY: y + 20}
		at := y + 20
		for _, line := range broken(s.Value, valueCells) {
			at += lineHeight
			b.Lines = append(b.Lines, boxLine{at, line, false})
		}
		for _, line := range broken(s.Note, noteCell) {
			at += lineHeight
			b.Lines = append(b.Lines, boxLine{at, line, true})
		}
		b.Height = at + 12 - y
		b.Middle = pictureWidth / 2
		y += b.Height
		if i < len(steps)-1 {
			b.Arrow, b.Tip = y, y+boxGap-2
			y += boxGap
		}
		pic.Boxes = append(pic.Boxes, b)
	}
	pic.Height = y + 2
	return pic
}

// broken breaks a text into lines of some cells, after blanks and slashes where there are any. What
// does not fit into the last line is cut: the list beside the picture has all of it.
func broken(s string, cells int) []string {
	var lines []string
	for s != "" {
		end, blank := fits(s, cells)
		if end == len(s) {
			return append(lines, s)
		}
		if len(lines) == mostLines-1 {
			end, _ = fits(s, cells-1)
			return append(lines, s[:end]+ellipsis)
		}
		if blank > 0 {
			end = blank
		}
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[end:], " ")
	}
	return lines
}

// fits returns how much of a text has room in some cells, and the end of its last word.
func fits(s string, cells int) (int, int) {
	width, blank := 0, 0
	for i, r := range s {
		w := textsafe.Width(s[i : i+utf8.RuneLen(r)])
		if width+w > cells {
			return i, blank
		}
		width += w
		switch r {
		case ' ':
			blank = i
		case '/':
			blank = i + 1
		}
	}
	return len(s), blank
}
