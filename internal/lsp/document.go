package lsp

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
)

// markEvery is the number of bytes from one count of UTF-16 units to the next.
const markEvery = 4096

// A document is a version of an open file. It is not changed any more.
type document struct {
	DocumentID
	language string
	text     []byte
	// lines has the offset of each line, and marks the number of UTF-16 units before every
	// 4096 bytes, so that a place in a file that is one long line is found soon.
	lines, marks []int
	outline      func() *outline
	report       func() *adagents.Report
}

// fixesUpTo is the size of files that fixes are looked for in.
const fixesUpTo = 2 << 20

// perRule is the number of findings of one rule that are shown.
const perRule = 100

func newDocument(id DocumentID, language string, text []byte, opt adagents.Options) *document {
	d := &document{DocumentID: id, language: language, text: text, lines: []int{0}, marks: []int{0}}
	for i := 0; ; {
		next := nextLine(text[i:])
		if next < 0 {
			break
		}
		i += next
		d.lines = append(d.lines, i)
	}
	for from := 0; from+markEvery <= len(text); from += markEvery {
		d.marks = append(d.marks, d.marks[len(d.marks)-1]+units(text[from:from+markEvery]))
	}
	opt.Fixes, opt.MaxFindings = len(text) <= fixesUpTo, perRule
	d.outline = sync.OnceValue(func() *outline { return outlineOf(text) })
	d.report = sync.OnceValue(func() *adagents.Report { return adagents.Check(text, opt) })
	return d
}

// units counts the UTF-16 units of a text. A character counts where its first byte is, so that
// the counts of pieces add up wherever they are cut.
func units(text []byte) int {
	n := 0
	for _, c := range text {
		if utf8.RuneStart(c) {
			n++
			if c >= 0xf0 {
				n++
			}
		}
	}
	return n
}

// unitsBefore counts the units before an offset.
func (d *document) unitsBefore(offset int) int {
	mark := min(offset/markEvery, len(d.marks)-1)
	return d.marks[mark] + units(d.text[mark*markEvery:offset])
}

// position returns the place of an offset.
func (d *document) position(offset int) Position {
	offset = min(max(offset, 0), len(d.text))
	line, exact := slices.BinarySearch(d.lines, offset)
	if !exact {
		line--
	}
	return Position{line, d.unitsBefore(offset) - d.unitsBefore(d.lines[line])}
}

func (d *document) rangeOf(start, end int) Range { return Range{d.position(start), d.position(end)} }

// offset returns the offset of a place: the end of the line when it is beyond, and the end of
// the document after the last line.
func (d *document) offset(p Position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(d.lines):
		return len(d.text)
	}
	start, end := d.lines[p.Line], len(d.text)
	if p.Line+1 < len(d.lines) {
		end = d.lines[p.Line+1]
	}
	end = start + len(bytes.TrimRight(d.text[start:end], "\r\n"))
	wanted := d.unitsBefore(start) + min(max(p.Character, 0), 2*len(d.text)) // no byte has more than two units
	mark, exact := slices.BinarySearch(d.marks, wanted)
	if !exact {
		mark--
	}
	at := max(start, mark*markEvery)
	for n := d.unitsBefore(at); at < end; at++ {
		if !utf8.RuneStart(d.text[at]) {
			continue
		}
		if n >= wanted {
			break
		}
		n += units(d.text[at : at+1])
	}
	return min(at, end)
}

// changed returns the text after changes, which are made one after the other.
func (d *document) changed(changes []textChange, again func(text []byte) *document) *document {
	list := cut(d.text)
	for _, c := range changes {
		if c.Range == nil {
			list = cut([]byte(c.Text))
		} else {
			list = list.change(*c.Range, c.Text)
		}
	}
	return again(list.whole())
}

// concerns reports whether a document is one that is checked: by its name, or because it has a
// member that no other format has. Clients may send us every JSON file there is.
func (d *document) concerns() bool {
	name := d.URI
	u, err := url.Parse(d.URI)
	if err == nil {
		name = u.Path
	}
	base := strings.ToLower(path.Base(name))
	return d.language == "adagents" || strings.HasSuffix(base, ".json") && strings.Contains(base, "adagents") ||
		d.outline().telling
}
