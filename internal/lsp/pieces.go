package lsp

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// pieces are a text that changes: a change looks at some kilobytes of it and not at all of it. No
// piece is empty, unless the text is, and no line break of two characters is in two of them.
type pieces []piece

type piece struct {
	text          []byte
	breaks, units int // how many line breaks and UTF-16 units it has
}

// cut divides a text.
func cut(text []byte) pieces {
	var list pieces
	for {
		end := min(markEvery, len(text))
		if end > 0 && end < len(text) && text[end-1] == '\r' && text[end] == '\n' {
			end++
		}
		p := text[:end]
		breaks := bytes.Count(p, []byte{'\n'}) + bytes.Count(p, []byte{'\r'}) - bytes.Count(p, []byte("\r\n"))
		list = append(list, piece{p, breaks, units(p)})
		text = text[end:]
		if len(text) == 0 {
			return list
		}
	}
}

// whole returns the text.
func (t pieces) whole() []byte {
	list := make([][]byte, 0, len(t))
	for _, p := range t {
		list = append(list, p.text)
	}
	return slices.Concat(list...)
}

// nextLine returns where the line after the first one of a text begins; -1 when there is none.
func nextLine(text []byte) int {
	at := bytes.IndexAny(text, "\r\n")
	switch {
	case at < 0:
		return -1
	case text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n':
		return at + 2
	}
	return at + 1
}

// find returns the piece of a place and the offset in it, as [document.offset] does.
func (t pieces) find(p Position) (int, int) {
	if p.Line < 0 {
		return 0, 0
	}
	i, at, line := 0, 0, p.Line
	for i < len(t) && line > t[i].breaks {
		line -= t[i].breaks
		i++
	}
	for ; i < len(t) && line > 0; line-- {
		at += nextLine(t[i].text[at:])
	}
	left := max(p.Character, 0)
	for ; i < len(t); i, at = i+1, 0 {
		if at == 0 && t[i].breaks == 0 && t[i].units <= left {
			left -= t[i].units
			continue
		}
		for text := t[i].text; at < len(text); at++ {
			start := utf8.RuneStart(text[at])
			if text[at] == '\r' || text[at] == '\n' || start && left <= 0 {
				return i, at
			}
			left -= units(text[at : at+1])
		}
	}
	return len(t) - 1, len(t[len(t)-1].text)
}

// change replaces a part. The piece before it is divided again with it, as its end and what comes
// now may be one line break; what comes behind the part is in the piece of its end.
func (t pieces) change(r Range, text string) pieces {
	from, start := t.find(r.Start)
	to, end := t.find(r.End)
	if to < from || to == from && end < start {
		to, end = from, start
	}
	first := max(from-1, 0)
	return slices.Replace(t, first, to+1,
		cut(slices.Concat(t[first:from].whole(), t[from].text[:start], []byte(text), t[to].text[end:]))...)
}
