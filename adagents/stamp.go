package adagents

import "slices"

// stampSize is the room of a stamp, in bytes: that of the longest name and of the start of
// a deep line.
const stampSize = 40

// A stamp is a short text that is written often. All of its room is copied, whatever its
// length, and cut off afterwards: the copy of a fixed size takes a few instructions, and
// that of any other the call of a function for some bytes.
type stamp struct {
	room [stampSize]byte
	n    int
}

func newStamp(text string) stamp {
	s := stamp{n: len(text)}
	if copy(s.room[:], text) < s.n {
		panic("adagents: too long for a stamp: " + text)
	}
	return s
}

// appendTo appends the text.
func (s *stamp) appendTo(dst []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, stampSize)[:n+stampSize]
	*(*[stampSize]byte)(dst[n:]) = s.room
	return dst[:n+s.n]
}

// appendBoth appends two stamps.
func appendBoth(dst []byte, a, b *stamp) []byte {
	n := len(dst)
	dst = slices.Grow(dst, 2*stampSize)[:n+2*stampSize]
	*(*[stampSize]byte)(dst[n:]) = a.room
	n += a.n
	*(*[stampSize]byte)(dst[n:]) = b.room
	return dst[:n+b.n]
}

// shortText is the room for a value that is written together with its name, and pairSize
// that for both, with what the quotes of the value take.
const (
	shortText = 32
	pairSize  = 2*stampSize + shortText + len(`\\`)
)

// stampBoth writes two stamps and a text to a place, and returns where the text starts.
func stampBoth(to *[pairSize]byte, a, b *stamp, text *[shortText]byte) int {
	*(*[stampSize]byte)(to[:]) = a.room
	*(*[stampSize]byte)(to[a.n:]) = b.room
	*(*[shortText]byte)(to[a.n+b.n:]) = *text
	return a.n + b.n
}

// lineStamps are the starts of lines by their depth, the first without and the second
// with the comma before.
var lineStamps = func() [2][stampDepth]lineStamp {
	var all [2][stampDepth]lineStamp
	for depth := range stampDepth {
		for comma, before := range []string{"", ","} {
			indent := blanks[:depth*formatIndent]
			all[comma][depth] = lineStamp{newStamp(before + "\n" + indent), newStamp(before + `\n` + indent)}
		}
	}
	return all
}()

// stampDepth is the depth that lines of lineStamps do not have. Hardly any is deeper.
const stampDepth = 16

type lineStamp struct{ plain, quoted stamp }

func lineStampOf(depth int, comma bool) *lineStamp {
	if comma {
		return &lineStamps[1][depth]
	}
	return &lineStamps[0][depth]
}
