// Package notary keeps the transparency log of a registry: it turns what custody has written
// to the outbox into leaves, signs the head of the log, and proves that a leaf is in it.
//
// Custody writes an event and the text about it in one transaction and never waits for the
// log. A leaf can be late; it cannot be lost, come twice or be invented. Nothing is signed
// before it is noted outside the store, so a store that was put back from an old copy cannot
// sign a second history.
package notary

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/translog"
)

// Errors of a Store. Whatever else it returns is a failure of the store itself.
var (
	// ErrNoLog: the store has no log.
	ErrNoLog = errors.New("there is no transparency log; avow log init makes one")
	// ErrNotFound: the log has no such thing.
	ErrNotFound = errors.New("the log has no such leaf")
	// ErrPending: it will be in the log soon.
	ErrPending = errors.New("it is not in the signed log yet")
	// ErrExists: the store has a log already.
	ErrExists = errors.New("the store has a transparency log already")
	// ErrLong: the history of a subject has too many leaves for one file.
	ErrLong = errors.New(
		"the history has more leaves than fit into one file; read the bundles, or follow the leaves one by one")
	// ErrEnded: the log has ended.
	ErrEnded = errors.New("the log has ended; avow log succeed begins its successor")
	// ErrOther: it is another history of the log than the one in the store.
	ErrOther = errors.New("it is another history of the log")
	// ErrDamaged: the tree is not the one that the store noted.
	ErrDamaged = errors.New("the tree of the log is damaged")
)

// A State is how far a log has got.
type State struct {
	Origin string
	// Size and Root are those of the tree, which may be larger than what was signed.
	Size int64
	Root [32]byte
	// Cursor is the number of the event that the last leaf is about.
	Cursor int64
	// Ended: the last leaf of the log was written.
	Ended bool
	// Waiting is how many events are in no leaf yet.
	Waiting int64
}

// A Known is how far AddKnown has got. It begins with the zero value.
type Known struct {
	// Publishers: all of them are done, and files are next.
	Publishers bool
	After      []byte
	Added      int
	Done       bool
}

// A Signed is a checkpoint that was signed.
type Signed struct {
	Size int64
	At   time.Time
	Note []byte
}

// A Store keeps a log. It is safe for concurrent use, also by several processes. What
// returned without error is durable.
type Store interface {
	// Begin makes the log of a store, with a first leaf whose number the store fills in.
	Begin(ctx context.Context, origin string, first *translog.Leaf) error
	// Add writes a leaf about the log itself to the outbox, whose number the store fills in. It is
	// ErrEnded after the last one.
	Add(ctx context.Context, leaf *translog.Leaf) error
	// End writes the last leaf to the outbox, after which nothing is written there.
	End(ctx context.Context, last *translog.Leaf) error
	// Succeed puts another log in the place of the old one, which is forgotten with everything
	// that waits. It is ErrExists if there is another one than the old.
	Succeed(ctx context.Context, old, origin string, first *translog.Leaf) error
	// AddKnown writes the state of records that the log knows nothing of to the outbox, some
	// at a time, and returns how far it has got.
	AddKnown(ctx context.Context, at time.Time, after Known) (Known, error)
	// State returns how far the log has got.
	State(ctx context.Context) (*State, error)
	// Sequence makes leaves of up to limit events, and returns how many it made.
	Sequence(ctx context.Context, limit int) (int, error)
	// Recoverable returns ErrOther if an event that is not among some leaves waits between a number
	// and the last leaf's: the store has gone on in another way.
	Recoverable(ctx context.Context, after int64, leaves [][]byte) error
	// Recover appends leaves of the same log that the store has lost, the first at an index. What
	// they are about does not wait any more.
	Recover(ctx context.Context, first int64, leaves [][]byte) error
	// Restored reports whether a leaf waits, with a number after this one, which says that an old
	// copy was accepted.
	Restored(ctx context.Context, after int64) (bool, error)
	// Sign calls f with the tree and with what was signed last, nil for nothing, while no other
	// process signs or makes leaves, and saves the checkpoint that f returns. A nil one is not
	// saved.
	Sign(ctx context.Context, f func(s *State, last *Signed, tree Tree) (*Signed, error)) error
	// LastSigned returns what was signed last.
	LastSigned(ctx context.Context) (*Signed, error)
	// Tree returns the hashes of the tree.
	Tree(ctx context.Context) Tree
	// Leaves returns the leaves of a bundle of 256, those that there are.
	Leaves(ctx context.Context, bundle int64) ([][]byte, error)
	// Newest returns the index of the newest leaf about a subject, and whether there is
	// something about it that is in no leaf yet.
	Newest(ctx context.Context, s translog.Subject) (int64, bool, error)
	// NewestOf is Newest for MaxSubjects subjects at most, in one read. A subject that the log has never
	// had to do with has the index -1.
	NewestOf(ctx context.Context, subjects []translog.Subject) (map[translog.Subject]Newest, error)
	// WaitingSince returns when the first event about a subject that is in no leaf yet was
	// decided, and ErrNotFound for none.
	WaitingSince(ctx context.Context, s translog.Subject) (time.Time, error)
	// IndexOf returns the index of the leaf about an event.
	IndexOf(ctx context.Context, number int64) (int64, error)
}

// A Tree reads tiles of a log as far as they are stored.
type Tree interface {
	// Tile returns the hashes of a tile, one after the other; those that there are.
	Tile(level int, n int64) ([]byte, error)
}
