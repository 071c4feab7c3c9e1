package notary

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

// A Recovery brings back leaves that a store has lost, because an old copy of it was put back,
// from a copy of the log.
type Recovery struct {
	Store Store
	// Guard is where this machine notes what was signed.
	Guard Guard
	// Source is the copy. Nothing in it is trusted: it has to lead to a head that the log signed.
	Source monitor.Source
	// Keys are the public keys of the log as the operator knows them, besides those that the store
	// and the guard vouch for.
	Keys []string

	note   []byte
	known  []*translog.Key
	reader *monitor.Reader
}

// A Lost is what a copy of a log has and the store has not.
type Lost struct {
	// Size is the copy's, and Have the size of the log in the store. Signed is what the guard has.
	Size, Have, Signed int64
	// Number is the last leaf's.
	Number int64
	// Accepted: the store was accepted as an old copy already.
	Accepted bool
}

// ErrShort is about a copy without all that was signed.
var ErrShort = errors.New("the copy does not have all that was signed")

// Check reads all of the copy that the store does not have, and compares it with the store, with
// the guard and with what waits. Nothing is written.
func (r *Recovery) Check(ctx context.Context) (*Lost, error) {
	seen, err := r.Guard.read()
	if err != nil {
		return nil, err
	}
	s, err := r.Store.State(ctx)
	if err != nil {
		return nil, err
	}
	r.note, err = r.Source.Get(ctx, "checkpoint")
	if err != nil {
		return nil, err
	}
	head, err := translog.Read(r.note)
	if err != nil {
		return nil, err
	}
	lost := &Lost{Size: head.Size, Have: s.Size, Number: s.Cursor}
	switch {
	case head.Origin != s.Origin:
		return nil, fmt.Errorf("%w: it is the copy of the log %s, and the store has %s", ErrOther, head.Origin, s.Origin)
	case seen != nil && seen.head.Origin != s.Origin:
		return nil, fmt.Errorf("%w: %s is about the log %s, and the store has %s",
			ErrOther, r.Guard.Path, seen.head.Origin, s.Origin)
	case seen != nil && head.Size < seen.head.Size && s.Size < seen.head.Size:
		return nil, fmt.Errorf("%w: it has %s, and %d were signed (%s)", ErrShort,
			words.Plural(int(head.Size), "leaf", "leaves"), seen.head.Size, r.Guard.Path)
	}
	r.reader, err = monitor.NewReader(ctx, r.Source, head)
	if err != nil {
		return nil, err
	}
	if head.Size <= s.Size {
		return lost, r.nothingLost(ctx, head)
	}
	err = r.sameHistory("the log in the store", s.Size, s.Root)
	if err == nil && seen != nil {
		lost.Signed = seen.head.Size
		err = r.sameHistory(r.Guard.Path, seen.head.Size, seen.head.Root)
	}
	if err != nil {
		return nil, err
	}
	return lost, r.readLost(ctx, lost, seen)
}

// sameHistory compares the root that the copy had at a size.
func (r *Recovery) sameHistory(whose string, size int64, root tlog.Hash) error {
	have, err := r.reader.RootAt(size)
	if err == nil && have != root {
		err = fmt.Errorf("%w: the first %d leaves of the copy are not those of %s", ErrOther, size, whose)
	}
	return err
}

// nothingLost compares a copy that has no more than the store.
func (r *Recovery) nothingLost(ctx context.Context, head *translog.Checkpoint) error {
	root, err := RootAt(r.Store.Tree(ctx), head.Size)
	if err == nil && root != head.Root {
		err = fmt.Errorf("%w: the %d leaves of the copy are not those of the log in the store", ErrOther, head.Size)
	}
	return err
}

// readLost looks at every leaf that is missing, and whether a key of the log signed the head. A key
// counts that the store has, or a leaf below what the guard has: the server of the copy could write
// any other leaf.
func (r *Recovery) readLost(ctx context.Context, lost *Lost, seen *seenNote) error {
	named, err := Prover{r.Store}.Namings(ctx)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	named = append(named, Naming{Keys: r.Keys})
	err = r.reader.Leaves(lost.Have, func(first int64, leaves [][]byte) error {
		before := lost.Number
		for i, text := range leaves {
			leaf, err := translog.ParseLeaf(text)
			if err != nil {
				return fmt.Errorf("leaf %d: %w", first+int64(i), err)
			}
			if leaf.Number <= lost.Number {
				return fmt.Errorf("leaf %d has the number %d, and one before it %d", first+int64(i), leaf.Number, lost.Number)
			}
			lost.Number = leaf.Number
			if len(leaf.Keys) > 0 && first+int64(i) < lost.Signed {
				named = append(named, Naming{first + int64(i), leaf.Keys})
			}
		}
		return r.Store.Recoverable(ctx, before, leaves)
	})
	if err != nil {
		return err
	}
	r.known, err = logKeys(named)
	if err != nil {
		return err
	}
	_, _, err = translog.Open(r.note, r.known...)
	if err != nil {
		return fmt.Errorf("no key of the log that is known here has signed the copy: %w", err)
	}
	if seen != nil {
		_, _, err = translog.Open(seen.note, r.known...)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Guard.Path, err)
		}
	}
	lost.Accepted, err = r.Store.Restored(ctx, lost.Number)
	return err
}

// Append appends what Check has found, bundle by bundle. The head of the copy is noted in the guard
// first, so nothing is signed before everything is back. After an interruption, call it again.
func (r *Recovery) Append(ctx context.Context, lost *Lost) error {
	if lost.Size > lost.Signed {
		note, err := translog.Trim(r.note, r.known...)
		if err == nil {
			err = r.Guard.save(note)
		}
		if err != nil {
			return err
		}
	}
	return r.reader.Leaves(lost.Have, func(first int64, leaves [][]byte) error {
		return r.Store.Recover(ctx, first, leaves)
	})
}
