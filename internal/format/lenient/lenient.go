// Package lenient reads files that are meant to be JSON and are not, and proposes the edits
// that make JSON of them.
//
// Whether a file is valid is for jsontree to say, which is strict. This package only has
// proposals: few and small edits, with what was assumed, and everything else as it stands in
// the file. It goes through a file once or twice, with a bounded stack and a budget for looking
// ahead, so that a hostile file costs no more than its length.
package lenient

import (
	"errors"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// A Result is what it takes to make JSON of a file.
type Result struct {
	// Edits are sorted and do not overlap. There are none for a file that is JSON.
	Edits []textedit.Edit
	// Assumed are the kinds of edits in words, by their first position.
	Assumed []Assumption
	// OK says that the file with the edits made is JSON. Without it there are no edits: there
	// is nothing in the file that could be taken over.
	OK bool
	// CutOff says that the end of the file is missing: it ends inside a text, or between a name and
	// its value. What was there is not known, so that there are no edits.
	CutOff bool
}

// An Assumption is one kind of edit, as a sentence without a subject: "removed 12 comments".
type Assumption struct {
	Offset int // of the first edit of the kind
	Count  int // how many there are
	Text   string
}

// maxEdits bounds the memory for edits to some 40 MB. A file that needs more is not a damaged
// JSON file but something else.
const maxEdits = 1_000_000

// Read finds the edits that make JSON of src as jsontree.Parse accepts it, without a byte order
// mark. With OK it has made sure of that.
func Read(src []byte) Result {
	tree, err := jsontree.Parse(src, jsontree.Options{})
	switch {
	case err == nil && tree.HasBOM():
		r := newReader(src, false)
		r.replace(bom, 0, 3, "")
		return r.result()
	case err == nil:
		return Result{OK: true}
	}
	var fault *jsontree.Error
	if errors.As(err, &fault) {
		switch fault.Kind {
		case jsontree.Encoding:
			return readWide(src)
		case jsontree.Empty, jsontree.TooDeep, jsontree.TooMany, jsontree.TooLarge:
			return Result{}
		}
	}
	best := newReader(src, false)
	best.run()
	// Where brackets are missing, the indentation often says where. It is not looked at
	// otherwise: a file may be indented in any way.
	if len(best.edits) < maxEdits && (best.failed || best.brackets > 0) {
		other := newReader(src, true)
		other.run()
		if best.cutOff {
			return best.result()
		}
		if !other.failed && (best.failed || other.brackets <= best.brackets) {
			best, other = other, best
		}
		result := best.result()
		if result.OK {
			return result
		}
		return other.result()
	}
	return best.result()
}

// readWide reads a file in UTF-16 or UTF-32, which becomes one edit.
func readWide(src []byte) Result {
	text, name := decodeWide(src)
	if text == nil {
		return Result{}
	}
	inner := Read(text)
	if !inner.OK {
		return Result{}
	}
	out, err := textedit.Apply(text, inner.Edits)
	if err != nil {
		return Result{}
	}
	first := Assumption{Count: 1, Text: "converted the file from " + name + " to UTF-8"}
	for i := range inner.Assumed {
		inner.Assumed[i].Offset = 0
	}
	return Result{
		Edits:   []textedit.Edit{{Start: 0, End: len(src), New: string(out)}},
		Assumed: append([]Assumption{first}, inner.Assumed...),
		OK:      true,
	}
}

// result checks what was found.
func (r *reader) result() Result {
	if r.failed || r.cutOff {
		return Result{CutOff: r.cutOff}
	}
	textedit.Sort(r.edits)
	out, err := textedit.Apply(r.src, r.edits)
	if err != nil {
		return Result{}
	}
	tree, err := jsontree.Parse(out, jsontree.Options{})
	if err != nil || tree.HasBOM() {
		return Result{}
	}
	return Result{Edits: r.edits, Assumed: r.said.list(), OK: true}
}
