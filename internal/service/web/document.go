package web

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/spread"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A document is a file that findings are about.
type document struct {
	// name tells it apart from another one; empty when there is no other.
	name   string
	source *redact.Source
	report *adagents.Report
	// laid is the source laid out in lines, for a minified one; nil for others.
	laid *spread.Text
	// about tells what in it concerns the publisher; nil for everything.
	about *headline.Scope
	// applies is set when its fixes can be applied from the page.
	applies bool
}

func newDocument(name string, src []byte, r *adagents.Report) *document {
	return &document{name: name, source: redact.Of(src, r), report: redact.Report(src, r)}
}

// spread lays a minified document out in lines, as far as its findings can have fixes.
func (d *document) spread() {
	src := d.source.Bytes()
	if spread.Minified(src) && d.source.Tells(len(src), 0) {
		d.laid = spread.Of(src[:min(len(src), registry.FixesUpTo)])
	}
}

// text is what is shown of the document.
func (d *document) text() []byte {
	if d.laid != nil {
		return d.laid.Bytes
	}
	return d.source.Bytes()
}

// line is the number of the line that a finding is in, in that text; zero for one without a place.
func (d *document) line(f *adagents.Finding) int {
	offset, _ := d.source.Range(f.Offset, f.Length)
	if d.laid == nil || f.Line == 0 || offset >= registry.FixesUpTo {
		return f.Line
	}
	return d.laid.Line(offset)
}

// edits are edits of the original as edits of that text.
func (d *document) edits(list []adagents.Edit) []adagents.Edit {
	list = d.source.Edits(list)
	if d.laid == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		e := &list[i]
		from, to := d.laid.Start(e.Start), d.laid.End(e.End)
		if e.Start == e.End {
			from = to
		}
		e.Start, e.End = from, to
	}
	return list
}

// rawText is the text of the file, as far as it is shown.
type rawText struct {
	Lines  []rawLine
	Cut    bool
	Hidden bool
	// Laid is set when the text is laid out in lines for reading; Switch leads to the other form of a
	// minified one.
	Laid   bool
	Switch string
	// numbered is set when lines have the numbers that findings give them.
	numbered bool
}

// rawLine is a line of the file. A line with a finding has its title, the class of its severity
// and where on the page it is.
type rawLine struct {
	Number                int
	Text                  string
	Class, Finding, Title string
}

// at returns the line with a number; nil when it is not shown.
func (r *rawText) at(number int) *rawLine {
	if !r.numbered || number < 1 || number > len(r.Lines) {
		return nil
	}
	return &r.Lines[number-1]
}

func rawOf(d *document) rawText {
	const most = 40_000
	src := d.text()
	if whole := len(d.source.Bytes()); !d.source.Tells(whole, 0) {
		return rawText{}
	}
	p := &pen{rawBytes}
	text := rawText{Hidden: d.source.Hides(), Laid: d.laid != nil, numbered: d.laid != nil || d.source.SameLines()}
	read := 0
	for line := range bytes.Lines(src[:min(len(src), most)]) {
		if p.dry() {
			break
		}
		read += len(line)
		text.Lines = append(text.Lines, rawLine{Number: len(text.Lines) + 1, Text: p.piece(bytes.TrimRight(line, "\r\n"))})
	}
	text.Cut = read < len(src) || d.laid != nil && len(d.source.Bytes()) > registry.FixesUpTo
	return text
}

// sourceLine is a line of a file, or a piece of it, with the part concerned.
type sourceLine struct {
	Number                int
	Before, Marked, After string
}

const (
	// Bytes of a line before, in and after the marked part, and of a line beside it: a
	// minified file is one line of many megabytes.
	mostBefore, mostMarked, mostAfter, mostBeside = 80, 160, 110, 160
	tabSpaces                                     = "    "
)

// excerptOf shows the line of a finding and those beside it.
func excerptOf(s *redact.Source, f *adagents.Finding, p *pen) []sourceLine {
	offset, length := s.Range(f.Offset, f.Length)
	if f.Line == 0 || !s.Tells(offset, length) || offset >= len(s.Bytes()) {
		return nil
	}
	src := s.Bytes()
	line := sourceLine{Number: f.Line}
	before, whole := tail(src[:offset], mostBefore)
	marked, _ := head(src[offset:], max(length, 1), mostMarked)
	after, _ := head(src[offset+len(marked):], len(src), mostAfter)
	line.Before, line.Marked, line.After = p.piece(before), p.piece(marked), p.piece(after)
	if !whole {
		line.Before = ellipsis + line.Before
	}
	rest := src[offset+len(marked)+len(after):]
	ended := len(rest) == 0 || lineEnd(rest[0])
	if !ended {
		line.After += ellipsis
	}
	lines := []sourceLine{line}
	if !s.SameLines() {
		return lines
	}
	if whole {
		lines = append(p.above(src[:offset-len(before)], f.Line), lines...)
	}
	if ended {
		lines = append(lines, p.below(rest, f.Line)...)
	}
	return lines
}

// above is the line before the one that begins where src ends, unless that is empty.
func (p *pen) above(src []byte, number int) []sourceLine {
	src = bytes.TrimSuffix(bytes.TrimSuffix(src, []byte("\n")), []byte("\r"))
	text, whole := tail(src, mostBeside)
	if !whole || len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	return []sourceLine{{Number: number - 1, Before: p.piece(text)}}
}

// below is the line after the one that ends where rest begins, unless that is empty.
func (p *pen) below(rest []byte, number int) []sourceLine {
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	text, whole := head(rest, len(rest), mostBeside)
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	line := sourceLine{Number: number + 1, Before: p.piece(text)}
	if !whole {
		line.Before += ellipsis
	}
	return []sourceLine{line}
}

// piece copies a part of a line.
func (p *pen) piece(b []byte) string {
	parts := strings.Split(string(bytes.TrimPrefix(b, []byte("\ufeff"))), "\t")
	for i := range parts {
		parts[i] = textsafe.Terminal(parts[i])
	}
	return p.took(strings.Join(parts, tabSpaces))
}

func lineEnd(c byte) bool { return c == '\n' || c == '\r' }

// head returns the beginning of a line, at most length bytes and, more or less, most of
// them, and whether nothing of these is missing. No character is cut in two.
func head(b []byte, length, most int) ([]byte, bool) {
	end := bytes.IndexAny(b[:min(len(b), length, most+1)], "\r\n")
	if end >= 0 {
		return b[:end], true
	}
	end = min(len(b), length)
	if end <= most {
		return b[:end], true
	}
	for end = most; end > most-utf8.UTFMax && !utf8.RuneStart(b[end]); {
		end--
	}
	return b[:end], false
}

// tail returns the end of a line up to where b ends, and whether the line begins with
// it.
func tail(b []byte, most int) ([]byte, bool) {
	from := max(len(b)-most-1, 0)
	begin := bytes.LastIndexAny(b[from:], "\r\n")
	if begin >= 0 {
		return b[from+begin+1:], true
	}
	if len(b) <= most {
		return b, true
	}
	for from++; from < len(b) && !utf8.RuneStart(b[from]); {
		from++
	}
	return b[from:], false
}
