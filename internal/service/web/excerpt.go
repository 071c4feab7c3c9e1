package web

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// sourceLine is a line of a file, or a piece of it, with the part concerned.
type sourceLine struct {
	Number                int
	Before, Marked, After string
}

const (
	// Bytes of a line before, in and after the marked part, and of a line beside it: a
	// minified file is one line of many megabytes.
	mostBefore, mostMarked, mostAfter, mostBeside = 80, 160, 110, 160
	tab                                           = "    "
)

// excerptOf shows the line of a finding and those beside it.
func excerptOf(s *redact.Source, f *adagents.Finding, p *pen) []sourceLine {
	offset, length := s.Place(f.Offset, f.Length)
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
	return p.took(strings.Join(parts, tab))
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
