package notary

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/translog"
)

const (
	// batch is how many leaves are made at once: others wait that long for the store.
	batch = 256
	// lookEvery is how often the outbox is looked at.
	lookEvery = time.Second
	// DefaultInterval is the time between two checkpoints of a log that grows.
	DefaultInterval = 10 * time.Second
	// idleInterval is the time between two checkpoints of one that does not: the time in a
	// checkpoint shows that the log is alive.
	idleInterval = 10 * time.Minute
	// Late is the age from which on it is an alert that something waits.
	Late = 15 * time.Minute
)

// Config configures a Notary.
type Config struct {
	Store Store
	Keys  *Keys
	// Guard is where this machine notes what was signed.
	Guard Guard
	Now   func() time.Time
	Log   *slog.Logger
	// Interval is the time between two checkpoints while the log grows.
	Interval time.Duration
}

// A Notary makes leaves and signs the head of the log.
type Notary struct {
	config Config
	failed bool // it was told that nothing is signed
}

// New returns a notary. The guard is written with the key of the log.
func New(c Config) *Notary {
	c.Guard.Key = &c.Keys.Log.Key
	if c.Interval == 0 {
		c.Interval = DefaultInterval
	}
	return &Notary{config: c}
}

// Check compares the log with the keys and the guard, without signing.
func (n *Notary) Check(ctx context.Context) error {
	seen, err := n.config.Guard.read()
	if err != nil {
		return err
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return err
	}
	if s.Origin != n.config.Keys.Log.Name {
		return fmt.Errorf("the key is that of the log %s, and the store has the log %s", n.config.Keys.Log.Name, s.Origin)
	}
	return n.config.Guard.check(seen, s, n.config.Store.Tree(ctx))
}

// Run keeps the log until the context ends. What fails is told once, and tried again.
func (n *Notary) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		err := n.step(ctx, false)
		if ctx.Err() != nil {
			return
		}
		n.tell(ctx, err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// tell writes to the operator when signing begins to fail and when it works again.
func (n *Notary) tell(ctx context.Context, err error) {
	switch {
	case err != nil && !n.failed:
		n.config.Log.ErrorContext(ctx, "the transparency log stands still; answers are not affected", "error", err)
	case err == nil && n.failed:
		n.config.Log.InfoContext(ctx, "the transparency log goes on")
	}
	n.failed = err != nil
}

// Flush makes leaves of everything that waits, and signs the head.
func (n *Notary) Flush(ctx context.Context) error { return n.step(ctx, true) }

// step makes leaves, and signs the head when it is time, or at once.
func (n *Notary) step(ctx context.Context, now bool) error {
	for {
		s, err := n.config.Store.State(ctx)
		if err != nil {
			return err
		}
		if s.Waiting == 0 {
			break
		}
		_, err = n.config.Store.Sequence(ctx, batch)
		if err != nil {
			return err
		}
	}
	due, err := n.due(ctx)
	if err != nil || !due && !now {
		return err
	}
	return n.sign(ctx, now)
}

// due reports whether it is time for a checkpoint.
func (n *Notary) due(ctx context.Context) (bool, error) {
	last, err := n.config.Store.LastSigned(ctx)
	if errors.Is(err, ErrPending) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return false, err
	}
	wait := idleInterval
	if s.Size > last.Size {
		wait = n.config.Interval
	}
	return !n.config.Now().Before(last.At.Add(wait)), nil
}

// sign signs the head and saves it. The guard is read before the store, and written while
// nobody else can sign; a checkpoint that is not saved after that was never shown.
func (n *Notary) sign(ctx context.Context, now bool) error {
	return n.config.Store.Sign(ctx, func(s *State, last *Signed, t Tree) (*Signed, error) {
		seen, err := n.config.Guard.read()
		if err != nil {
			return nil, err
		}
		if s.Origin != n.config.Keys.Log.Name {
			return nil, fmt.Errorf("the key is that of the log %s, and the store has the log %s", n.config.Keys.Log.Name, s.Origin)
		}
		err = n.config.Guard.check(seen, s, t)
		if err != nil {
			return nil, err
		}
		at := n.config.Now().UTC().Truncate(time.Second)
		if last != nil {
			err = n.follows(last, s, t)
			if err != nil {
				return nil, err
			}
			if last.At.After(at) {
				at = last.At // the clock went back; times of signatures do not
			}
			if now && last.Size == s.Size && seen != nil && seen.Size == s.Size {
				return nil, nil // it is signed
			}
		}
		return n.seal(s, t, at)
	})
}

// follows compares the tree with the checkpoint that was published last.
func (n *Notary) follows(last *Signed, s *State, t Tree) error {
	head, _, err := translog.Open(last.Note, &n.config.Keys.Log.Key)
	if err != nil {
		return err
	}
	if s.Size < head.Size {
		return &BehindError{"the checkpoint in the store", head.Size, s.Size}
	}
	return sameRoot("the checkpoint in the store", head.Size, head.Root, t)
}

// seal signs the tree and notes it in the guard.
func (n *Notary) seal(s *State, t Tree, at time.Time) (*Signed, error) {
	root, err := RootAt(t, s.Size)
	if err != nil {
		return nil, err
	}
	if root != tlog.Hash(s.Root) {
		return nil, fmt.Errorf("%w: its root is not the one that was noted", ErrDamaged)
	}
	note, err := translog.Sign(&translog.Checkpoint{Origin: s.Origin, Size: s.Size, Root: root}, at, n.config.Keys.Log, n.config.Keys.Clock)
	if err != nil {
		return nil, err
	}
	err = n.config.Guard.save(note)
	if err != nil {
		return nil, fmt.Errorf("what is signed cannot be noted: %w", err)
	}
	return &Signed{s.Size, at, note}, nil
}
