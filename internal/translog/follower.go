package translog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// What is wrong with a leaf that a Follower takes.
const (
	// FaultNumber: its number does not rise.
	FaultNumber = "number"
	// FaultChain: it does not lead to the leaf before it about the same subject.
	FaultChain = "chain"
	// FaultMap: it has a map that is not the one over the leaves which it covers.
	FaultMap = "map"
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
// what must not be in a log: numbers that do not rise, broken chains, and wrong maps, which it
// calculates again. It begins with an empty log.
type Follower struct {
	// Size is how many leaves there were, and Number the last one's.
	Size, Number int64
	newest       map[[sha256.Size]byte]newestLeaf
	// changes are what leaves since the last map replaced, the first of them made by the leaf since.
	changes []change
	since   int64
}

type newestLeaf struct {
	index int64
	hash  tlog.Hash
}

// A change is the newest leaf of a subject before another one was; -1 for none.
type change struct {
	key    [sha256.Size]byte
	before int64
}

// NewFollower returns a follower of an empty log.
func NewFollower() *Follower {
	return &Follower{newest: map[[sha256.Size]byte]newestLeaf{}}
}

// Skip takes a leaf that cannot be read.
func (f *Follower) Skip() {
	f.changes = append(f.changes, change{before: -1})
	f.Size++
}

// Add takes the next leaf, with its hash in the tree. The error is a FaultError, and says what is wrong
// with the leaf; the follower goes on with it nevertheless.
func (f *Follower) Add(l *Leaf, hash tlog.Hash) error {
	key := MapKey(l.Subject)
	last, known := f.newest[key]
	err := f.look(l, last, known)
	before := change{key, -1}
	if known {
		before.before = last.index
	}
	f.changes = append(f.changes, before)
	f.newest[key] = newestLeaf{f.Size, hash}
	f.Size, f.Number = f.Size+1, max(f.Number, l.Number)
	if l.Map != nil {
		f.changes, f.since = nil, f.Size
	}
	if err != nil {
		return err
	}
	return nil
}

func (f *Follower) look(l *Leaf, last newestLeaf, known bool) *FaultError {
	fault := func(kind, format string, args ...any) *FaultError {
		return &FaultError{kind, f.Size, fmt.Sprintf(format, args...)}
	}
	switch {
	case f.Size > 0 && l.Number <= f.Number:
		return fault(FaultNumber, "has the number %d, and one before it %d", l.Number, f.Number)
	case known && (l.Previous == nil || *l.Previous != Link{last.index, hexOf(last.hash)}):
		return fault(FaultChain, "does not lead to leaf %d, the one before it about %s: the log hides a part of the history", last.index, l.Subject)
	case !known && l.Previous != nil:
		return fault(FaultChain, "leads to leaf %d, and there is none about %s before it", l.Previous.Index, l.Subject)
	case l.Map == nil:
		return nil
	case l.Map.Size < f.since || l.Map.Size > f.Size:
		return fault(FaultMap, "has a map over the first %d leaves, and not over all up to the map before or more than there are", l.Map.Size)
	}
	m := f.mapAt(l.Map.Size)
	root := m.Root()
	if m.Count != l.Map.Entries || hex.EncodeToString(root[:]) != l.Map.Root {
		return fault(FaultMap, "has a map over the first %d leaves with %d entries and the root %s, and it has to have %d entries and the root %x",
			l.Map.Size, l.Map.Entries, l.Map.Root, m.Count, root[:])
	}
	return nil
}

// mapAt calculates the map over the first leaves.
func (f *Follower) mapAt(size int64) *Map {
	past := map[[sha256.Size]byte]int64{}
	for _, c := range slices.Backward(f.changes[size-f.since:]) {
		past[c.key] = c.before
	}
	skip := map[[sha256.Size]byte]bool{MapKey(Subject{Kind: SubjectLog}): true, MapKey(Subject{Kind: SubjectMap}): true}
	var entries []MapEntry
	for key, n := range f.newest {
		index, changed := past[key]
		if !changed {
			index = n.index
		}
		if index >= 0 && !skip[key] {
			entries = append(entries, MapEntry{key, index})
		}
	}
	slices.SortFunc(entries, func(a, b MapEntry) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	m := &Map{}
	for _, e := range entries {
		_ = m.Add(e) // they are sorted
	}
	return m
}
