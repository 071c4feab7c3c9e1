// Package textedit changes parts of a text and leaves the rest as it was, byte for byte.
//
// A change is a list of edits, each of which replaces a range of bytes. Apply carries them
// out, and Hunks and Unified show them as a diff. The diff is made from the edits, not by
// comparing two texts, so that it takes time in proportion to the text however many edits
// there are, and every hunk knows which edits it shows.
package textedit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Edit replaces the bytes from Start up to End of a text by New. With Start equal to End
// it inserts, and with an empty New it removes.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Sort orders edits by their place: the order that the other functions ask for. Insertions at
// the same offset stay in the order that they have, and come before an edit that replaces what
// follows.
func Sort(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Apply returns the text with the edits made, in a slice of its own. The edits must be sorted,
// lie within the text and not overlap; the error says which of them does not.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	err := check(src, edits)
	if err != nil {
		return nil, err
	}
	size := len(src)
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, src[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, src[at:]...), nil
}

func check(src []byte, edits []Edit) error {
	at := 0
	for i, e := range edits {
		switch {
		case e.Start < 0 || e.End < e.Start || e.End > len(src):
			return fmt.Errorf("edit %d: bytes %d to %d are not a range of a text of %d bytes", i, e.Start, e.End, len(src))
		case e.Start < at:
			return fmt.Errorf("edit %d: it starts at byte %d, before the end of the edit before it at byte %d", i, e.Start, at)
		}
		at = e.End
	}
	return nil
}

// A Hunk is a part of a diff: lines that change, with some around them that do not.
type Hunk struct {
	// OldStart and NewStart are the numbers of the first line before and after the change,
	// from 1. Of a side without lines it is the number of the line before, as diffs have it.
	OldStart, OldLines int
	NewStart, NewLines int
	// Lines are the lines without their line feed, each after a ' ' (kept), a '-' (removed)
	// or a '+' (added). A carriage return is a part of its line. After a last line without a
	// line feed there is one more, which says so.
	Lines []string
	// Edits are the indexes of the edits that the hunk shows.
	Edits []int
	// Heading stands behind the numbers of the lines. Hunks leaves it empty.
	Heading string
}

// noNewline is what diffs say after a line that ends with its file.
const noNewline = `\ No newline at end of file`

// Hunks returns the diff that edits make in a text: whole lines, with up to context lines
// before and after, and in one hunk where these meet. The edits must be such that Apply
// accepts them; there are no hunks of others. An edit that changes nothing is in no hunk.
func Hunks(src []byte, edits []Edit, context int) []Hunk {
	if check(src, edits) != nil {
		return nil
	}
	w := hunkWriter{src: src, context: min(max(context, 0), len(src)), line: 1}
	scan := blockScanner{src: src, edits: edits}
	for scan.next() {
		if scan.trim() {
			w.add(scan.block)
		}
	}
	w.finish()
	return w.hunks
}

// block is a run of whole lines that edits replace.
type block struct {
	from, to int    // the bytes of the old lines
	text     []byte // the new lines
	edits    []int
}

// blockScanner goes through the edits and finds the lines that they change.
type blockScanner struct {
	src   []byte
	edits []Edit
	index int    // of the first edit that is in no block yet
	end   int    // of the last block, before it was trimmed
	spare []byte // for the text of a block, used again for the next
	block
}

// next finds the next block. It ends where a line begins both before and after the change,
// or with the text.
func (s *blockScanner) next() bool {
	if s.index == len(s.edits) {
		return false
	}
	first := s.edits[s.index].Start
	from := s.end + bytes.LastIndexByte(s.src[s.end:first], '\n') + 1
	s.block = block{from: from, text: s.spare[:0], edits: s.block.edits[:0]}
	at, lineEnd := from, from
	for s.index < len(s.edits) {
		e := s.edits[s.index]
		s.text = append(append(s.text, s.src[at:e.Start]...), e.New...)
		s.block.edits = append(s.block.edits, s.index)
		s.index++
		at = e.End
		if endsLine(s.text) && endsLine(s.src[:at]) {
			break
		}
		if at >= lineEnd {
			lineEnd = endOfLine(s.src, at)
		}
		// A last line without a line feed takes in whatever is added behind it.
		open := at == lineEnd || !endsLine(s.src[:lineEnd])
		if s.index < len(s.edits) && (open || s.edits[s.index].Start < lineEnd) {
			continue
		}
		s.text = append(s.text, s.src[at:lineEnd]...)
		at = lineEnd
		break
	}
	s.to, s.end, s.spare = at, at, s.text
	return true
}

// trim takes lines off both ends of the block that are the same before and after, and
// reports whether any are left.
func (s *blockScanner) trim() bool {
	b := &s.block
	for b.from < b.to {
		n := endOfLine(s.src[:b.to], b.from) - b.from
		if !bytes.Equal(s.src[b.from:b.from+n], b.text[:endOfLine(b.text, 0)]) {
			break
		}
		b.from += n
		b.text = b.text[n:]
	}
	for b.from < b.to {
		old := lastLine(s.src[b.from:b.to])
		if !bytes.Equal(old, lastLine(b.text)) {
			break
		}
		b.to -= len(old)
		b.text = b.text[:len(b.text)-len(old)]
	}
	return b.from < b.to || len(b.text) > 0
}

// hunkWriter puts blocks and the lines around them into hunks.
type hunkWriter struct {
	src     []byte
	context int
	hunks   []Hunk
	at      int // the bytes before it are done with
	line    int // the number of the line that starts there
	shift   int // how many lines were added so far
}

func (w *hunkWriter) add(b block) {
	gap := bytes.Count(w.src[w.at:b.from], []byte{'\n'})
	switch {
	case len(w.hunks) == 0:
		w.skipTo(b.from, gap)
	case gap <= 2*w.context:
		w.keep(gap)
	default:
		w.finish()
		w.skipTo(b.from, gap-w.context)
	}
	h := &w.hunks[len(w.hunks)-1]
	h.Edits = append(h.Edits, b.edits...)
	removed := h.write('-', w.src[b.from:b.to])
	added := h.write('+', b.text)
	h.OldLines += removed
	h.NewLines += added
	w.at = b.to
	w.line += removed
	w.shift += added - removed
}

// skipTo begins a hunk with the context before the byte at to, which is gap lines on.
func (w *hunkWriter) skipTo(to, gap int) {
	lead := min(gap, w.context)
	start := to
	for range lead {
		start = w.at + bytes.LastIndexByte(w.src[w.at:start-1], '\n') + 1
	}
	w.at = start
	w.line += gap - lead
	w.hunks = append(w.hunks, Hunk{OldStart: w.line, NewStart: w.line + w.shift})
	w.keep(lead)
}

// keep writes n lines that do not change.
func (w *hunkWriter) keep(n int) {
	h := &w.hunks[len(w.hunks)-1]
	to := w.at
	for range n {
		to = endOfLine(w.src, to)
	}
	kept := h.write(' ', w.src[w.at:to])
	h.OldLines += kept
	h.NewLines += kept
	w.line += kept
	w.at = to
}

// finish ends the last hunk with the context after it.
func (w *hunkWriter) finish() {
	if len(w.hunks) == 0 {
		return
	}
	w.keep(w.context)
	h := &w.hunks[len(w.hunks)-1]
	if h.OldLines == 0 {
		h.OldStart--
	}
	if h.NewLines == 0 {
		h.NewStart--
	}
}

// write adds the lines of a text, and returns how many there are.
func (h *Hunk) write(prefix byte, text []byte) int {
	n := 0
	for ; len(text) > 0; n++ {
		end := endOfLine(text, 0)
		line := text[:end]
		text = text[end:]
		h.Lines = append(h.Lines, string(prefix)+string(bytes.TrimSuffix(line, []byte{'\n'})))
		if !endsLine(line) {
			h.Lines = append(h.Lines, noNewline)
		}
	}
	return n
}

// Unified writes hunks as a unified diff, which patch -p0 and git apply -p0 accept. It is
// empty without hunks.
func Unified(oldName, newName string, hunks []Hunk) string {
	if len(hunks) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", quoteName(oldName), quoteName(newName))
	for _, h := range hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		if h.Heading != "" {
			b.WriteString(" " + strings.Join(strings.Fields(h.Heading), " "))
		}
		b.WriteByte('\n')
		for _, line := range h.Lines {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// quoteName writes a file name as git does: in quotes when it has characters that would end
// it, and before a tab when it has spaces.
func quoteName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }) {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// endOfLine returns the offset after the line that the byte at i is in.
func endOfLine(text []byte, i int) int {
	n := bytes.IndexByte(text[i:], '\n')
	if n < 0 {
		return len(text)
	}
	return i + n + 1
}

// endsLine reports whether a line begins after text.
func endsLine(text []byte) bool {
	return len(text) == 0 || text[len(text)-1] == '\n'
}

// lastLine returns the last line of a text.
func lastLine(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
}
