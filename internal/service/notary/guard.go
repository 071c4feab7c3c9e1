package notary

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

// A Guard is the last checkpoint that was signed, in a file outside of the store. It is
// written before anybody sees the checkpoint, so it can be ahead of what is published and
// never behind it.
type Guard struct {
	// Path is the file's; empty for none.
	Path string
	// Write replaces a file, so that it is the old one or the new one whatever happens.
	Write func(path string, text []byte) error
}

// A seenNote is what a guard has: a checkpoint that is not verified yet.
type seenNote struct {
	note []byte
	head *translog.Checkpoint
}

// A BehindError is about a store that has not got as far as what was signed of it, or has
// another tree.
type BehindError struct {
	Path       string
	Seen, Have int64
}

// Error says what is wrong and what to do.
func (e *BehindError) Error() string {
	if e.Have < e.Seen {
		return fmt.Sprintf(
			"the log has %s, and %d were signed before (%s): an old copy of the store was put back; nothing is signed",
			words.Plural(int(e.Have), "leaf", "leaves"), e.Seen, e.Path)
	}
	return fmt.Sprintf("the first %d leaves of the log are not those that were signed before (%s); nothing is signed",
		e.Seen, e.Path)
}

// read returns what was signed last; nil for nothing.
func (g *Guard) read() (*seenNote, error) {
	if g.Path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(g.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, err := translog.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Path, err)
	}
	return &seenNote{text, head}, nil
}

// Ahead reports whether more was signed of a log than a store has, or it cannot be told.
func (g *Guard) Ahead(s *State) bool {
	seen, err := g.read()
	return err != nil || seen != nil && (seen.head.Origin != s.Origin || seen.head.Size > s.Size)
}

// check compares the tree with what was signed before, with one of the keys that are known. It returns
// the time of that.
func (g *Guard) check(seen *seenNote, known []*translog.Key, s *State, t Tree) (time.Time, error) {
	var at time.Time
	if seen == nil {
		return at, nil
	}
	if seen.head.Origin != s.Origin {
		return at, fmt.Errorf("%s is about the log %s, and the store has %s", g.Path, seen.head.Origin, s.Origin)
	}
	_, by, err := translog.Open(seen.note, known...)
	if err != nil {
		return at, fmt.Errorf("%s: %w", g.Path, err)
	}
	if s.Size < seen.head.Size {
		return at, &BehindError{g.Path, seen.head.Size, s.Size}
	}
	for _, one := range by {
		if one.At.After(at) {
			at = one.At
		}
	}
	return at, sameRoot(g.Path, seen.head.Size, seen.head.Root, t)
}

// sameRoot compares the root of the tree at a size with one that was signed.
func sameRoot(where string, size int64, want tlog.Hash, t Tree) error {
	root, err := RootAt(t, size)
	if err != nil {
		return err
	}
	if root != want {
		return &BehindError{where, size, size}
	}
	return nil
}

// save notes what is going to be published.
func (g *Guard) save(note []byte) error {
	if g.Path == "" {
		return nil
	}
	return g.Write(g.Path, note)
}
