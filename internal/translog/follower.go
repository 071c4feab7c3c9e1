package translog

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// What is wrong with a leaf that a Follower takes.
const (
	// FaultNumber: its number does not rise.
	FaultNumber = "number"
	// FaultChain: it does not lead to the leaf before it about the same subject.
	FaultChain = "chain"
)

// A FaultError says what is wrong with a leaf.
type FaultError struct {
	// Kind is one of the constants.
	Kind    string
	Index   int64
	message string
}

// Error says it in words.
func (e *FaultError) Error() string { return fmt.Sprintf("leaf %d %s", e.Index, e.message) }

// A Follower follows a whole log leaf by leaf, remembers the newest leaf of each subject, and finds
// what must not be in a log: numbers that do not rise, and broken chains. It begins with an empty log.
type Follower struct {
	// Size is how many leaves there were, and Number the last one's.
	Size, Number int64
	newest       map[[sha256.Size]byte]newestLeaf
}

type newestLeaf struct {
	index int64
	hash  tlog.Hash
}

// NewFollower returns a follower of an empty log.
func NewFollower() *Follower {
	return &Follower{newest: map[[sha256.Size]byte]newestLeaf{}}
}

// Skip takes a leaf that cannot be read.
func (f *Follower) Skip() { f.Size++ }

// Add takes the next leaf, with its hash in the tree. The error is a FaultError, and says what is wrong
// with the leaf; the follower goes on with it nevertheless.
func (f *Follower) Add(l *Leaf, hash tlog.Hash) error {
	key := sha256.Sum256([]byte(l.Subject.String()))
	last, known := f.newest[key]
	err := f.check(l, last, known)
	f.newest[key] = newestLeaf{f.Size, hash}
	f.Size, f.Number = f.Size+1, max(f.Number, l.Number)
	if err != nil {
		return err
	}
	return nil
}

func (f *Follower) check(l *Leaf, last newestLeaf, known bool) *FaultError {
	fault := func(kind, format string, args ...any) *FaultError {
		return &FaultError{kind, f.Size, fmt.Sprintf(format, args...)}
	}
	switch {
	case f.Size > 0 && l.Number <= f.Number:
		return fault(FaultNumber, "has the number %d, and one before it %d", l.Number, f.Number)
	case known && (l.Previous == nil || *l.Previous != Link{last.index, hexOf(last.hash)}):
		return fault(FaultChain, "does not lead to leaf %d, the one before it about %s: the log hides a part of the history",
			last.index, l.Subject)
	case !known && l.Previous != nil:
		return fault(FaultChain, "leads to leaf %d, and there is none about %s before it", l.Previous.Index, l.Subject)
	}
	return nil
}
