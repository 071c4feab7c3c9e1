package check

import (
	"bytes"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
)

// A Sameness says how what is live compares with the file that was built.
type Sameness string

// The degrees.
const (
	// SameBytes: it is that file.
	SameBytes Sameness = "same_bytes"
	// SameMeaning: the bytes differ, and buyers read the same in both.
	SameMeaning Sameness = "same_meaning"
	// Different: buyers read something else, or there is nothing to read.
	Different Sameness = "different"
)

// Built is a file that is expected to be live.
type Built struct {
	Name   string
	Src    []byte
	Report *adagents.Report
}

// An Expectation is how a target compares with the file that was built.
type Expectation struct {
	// File is the name of the file that was built.
	File     string
	Sameness Sameness
	// Changes are what deploying the file would change for buyers.
	Changes []custody.Change
	// Why says in words what is different, when that is not a list of changes.
	Why string
	// Hint says what to try; it may be empty.
	Hint string
}

// Expect compares what was found with the file that was built: a pointer with the pointer at
// the well-known path, anything else with the file in effect.
func (r *Result) Expect(b *Built) {
	e := &Expectation{File: b.Name, Sameness: Different}
	r.Expected = e
	if len(r.Docs) == 0 {
		e.Why = "nothing was found to compare with it"
		return
	}
	live := r.live(b)
	switch {
	case live == nil:
		e.Why = "a pointer was built, and none is live"
	case bytes.Equal(live.Src, b.Src):
		e.Sameness = SameBytes
		return
	case live.Report.Unusable != nil:
		e.Why = "what is live cannot be used"
	case b.Report.Pointer != nil:
		e.Changes = custody.ComparePointers(live.Report.Pointer.AuthoritativeLocation, b.Report.Pointer.AuthoritativeLocation)
	case live.Report.Pointer != nil:
		e.Why = "a file was built, and a pointer to " + live.Report.Pointer.AuthoritativeLocation + " is live"
	default:
		e.Changes = custody.Compare(live.Report.File, b.Report.File)
	}
	if e.Why == "" && len(e.Changes) == 0 {
		e.Sameness = SameMeaning
		return
	}
	e.Hint = cached(r.Found)
}

// live returns the document to compare with the file that was built; nil when there is none
// of its kind.
func (r *Result) live(b *Built) *Document {
	if b.Report.Pointer == nil {
		return r.Docs[len(r.Docs)-1]
	}
	first := r.Docs[0]
	if first.Report.Pointer == nil || r.Found.Method == discover.ManagerDomain {
		return nil
	}
	return first
}

// cached says that the answer is an old one of a cache, if it is.
func cached(d *discover.Discovery) string {
	for i := len(d.Trail) - 1; i >= 0; i-- {
		if d.Trail[i].Result == nil {
			continue
		}
		age, err := strconv.Atoi(d.Trail[i].Result.Last().Age)
		if err == nil && age > 0 {
			return "a cache on the way has had this answer for " + strconv.Itoa(age) + " s: clear it, or wait and ask again"
		}
	}
	return ""
}
