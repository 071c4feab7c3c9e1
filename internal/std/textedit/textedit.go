// Package textedit changes parts of a text and leaves the rest as it was, byte for byte.
//
// A change is a list of edits, each of which replaces a range of bytes. Apply carries them
// out, and Hunks and Unified show them as a diff. The diff is made from the edits, not by
// comparing two texts, so that it takes time in proportion to the text however many edits
// there are, and every hunk knows which edits it shows.
package textedit

import (
	"cmp"
	"fmt"
	"slices"
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
