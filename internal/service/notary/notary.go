package notary

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/translog"
)

const (
	// batch is how many leaves are made at once: others wait that long for the store. It is a full bundle.
	batch = translog.TileWidth
	// checkEvery is how often the outbox is checked.
	checkEvery = time.Second
	// DefaultInterval is the time between two checkpoints of a log that grows.
	DefaultInterval = 10 * time.Second
	// DefaultPatience is how long a witness has for an answer.
	DefaultPatience = 5 * time.Second
	// idleInterval is the time between two checkpoints of one that does not: the time in a
	// checkpoint shows that the log is alive.
	idleInterval = 10 * time.Minute
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
	// Policy says whose cosignatures a head needs before it is shown, and where to ask for them;
	// nil for none.
	Policy *translog.Policy
	// Client asks the witnesses, nil for a usual one, which have Patience for their answers.
	Client   *http.Client
	Patience time.Duration
	// Cosigned is told when a witness has cosigned a head; nil for none.
	Cosigned func(witness string, at time.Time)
}

// A Notary makes leaves and signs the head of the log.
type Notary struct {
	config Config
	woken  chan struct{} // something was committed
	failed bool          // it was told that nothing is signed
	ring   keyring
	// tried is when a head was signed last, whether or not it could be published, and unsigned is
	// why it could not; nil when it was.
	tried    time.Time
	unsigned error
	// compared: the witnesses were asked how far they are. halted is why nothing is signed any
	// more: one of them has a head of another history.
	compared bool
	halted   error
	// sizes is how much witnesses have signed, and failing those that do not.
	sizes   map[string]int64
	failing map[string]bool
	// troubles are what Troubles tells.
	troubles troubles
}

// New returns a notary.
func New(c Config) *Notary {
	if c.Interval == 0 {
		c.Interval = DefaultInterval
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	if c.Client == nil {
		// Redirects are not followed: witnesses are named in the policy.
		c.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Notary{config: c, ring: keyring{newest: -1}, sizes: map[string]int64{}, failing: map[string]bool{},
		woken: make(chan struct{}, 1)}
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
	known, err := n.knownKeys(ctx, s)
	if err != nil {
		return err
	}
	_, err = n.config.Guard.check(seen, known, s, n.config.Store.Tree(ctx))
	return err
}

func (n *Notary) otherLog(s *State) error {
	return fmt.Errorf("the key belongs to the log %s, but the store has the log %s", n.config.Keys.Log.Name, s.Origin)
}

// ErrUnnamed is about a key that heads of the log cannot be signed with.
var ErrUnnamed = errors.New("the log does not name the key")

// knownKeys returns the keys that heads of the log can be signed with. It is an error when the
// log does not name the keys of this notary.
func (n *Notary) knownKeys(ctx context.Context, s *State) ([]*translog.Key, error) {
	if s.Origin != n.config.Keys.Log.Name {
		return nil, n.otherLog(s)
	}
	named, err := Prover{n.config.Store}.namings(ctx, &n.ring)
	if err != nil {
		return nil, err
	}
	for _, k := range n.config.Keys.Public() {
		if !slices.Contains(named[0].Keys, k) {
			return nil, fmt.Errorf("%w %s: it is that of another log, or was replaced", ErrUnnamed, k)
		}
	}
	return logKeys(named)
}

// Run keeps the log until the context ends. What fails is told once, and tried again.
func (n *Notary) Run(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
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
		case <-n.woken:
			clock.Pause(ctx, wakeRest)
		}
	}
}

// wakeRest is how long what is committed in a row is waited for before it is signed together.
const wakeRest = 100 * time.Millisecond

// Wake has Run look for new leaves at once, because something was committed.
func (n *Notary) Wake() {
	select {
	case n.woken <- struct{}{}:
	default:
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
	n.troubles.note("", n.failed, n.config.Now())
}

// Announce says in the log that these are its keys from now on, unless the log says so already, and
// signs with them.
func (n *Notary) Announce(ctx context.Context) error {
	err := n.sequence(ctx)
	if err != nil {
		return err
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return err
	}
	if s.Origin != n.config.Keys.Log.Name {
		return n.otherLog(s)
	}
	named, err := Prover{n.config.Store}.namings(ctx, &n.ring)
	if err != nil {
		return err
	}
	known, err := logKeys(named)
	if err != nil {
		return err
	}
	seen, err := n.config.Guard.read()
	if err != nil {
		return err
	}
	_, err = n.config.Guard.check(seen, known, s, n.config.Store.Tree(ctx))
	if err != nil {
		return err
	}
	if !slices.Equal(named[0].Keys, n.config.Keys.Public()) {
		leaf := n.config.Keys.leaf("log.key")
		leaf.At = n.config.Now().UTC().Truncate(time.Microsecond)
		err = n.config.Store.Add(ctx, leaf)
		if err != nil {
			return err
		}
	}
	return n.Flush(ctx)
}

// Flush makes leaves of everything that waits, and signs the head.
func (n *Notary) Flush(ctx context.Context) error {
	err := n.step(ctx, true)
	n.troubles.note("", err != nil, n.config.Now())
	return err
}

// step makes leaves, and signs the head when it is time, or at once.
func (n *Notary) step(ctx context.Context, now bool) error {
	if n.halted != nil {
		return n.halted
	}
	err := n.sequence(ctx)
	if err != nil {
		return err
	}
	due, err := n.due(ctx)
	if err != nil {
		return err
	}
	if due || now {
		n.unsigned = n.sign(ctx, now)
	}
	return n.unsigned
}

// sequence makes leaves of what waits. A store that was put back makes none: they would take the
// place of those that were signed, and the log could not be recovered from a copy any more.
func (n *Notary) sequence(ctx context.Context) error {
	s, behind := n.state(ctx)
	if s != nil && s.Waiting == 0 {
		return nil
	}
	if behind != nil {
		return behind
	}
	// The first ones complete the last bundle; then every batch is one, which is written once.
	for limit := batch - int(s.Size%batch); ; limit = batch {
		made, err := n.config.Store.Sequence(ctx, limit)
		if err != nil || made < limit {
			return err
		}
	}
}

// state returns how far the log has got; also with the error about a store that was put back.
func (n *Notary) state(ctx context.Context) (*State, error) {
	seen, err := n.config.Guard.read() // before the store, because others go on
	if err != nil {
		return nil, err
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return nil, err
	}
	if seen != nil && seen.head.Origin == s.Origin && s.Size < seen.head.Size {
		return s, &BehindError{n.config.Guard.Path, seen.head.Size, s.Size}
	}
	return s, nil
}

// due reports whether it is time for a checkpoint.
func (n *Notary) due(ctx context.Context) (bool, error) {
	last, err := n.config.Store.LastSigned(ctx)
	if errors.Is(err, ErrPending) {
		last, err = &Signed{}, nil
	}
	if err != nil {
		return false, err
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return false, err
	}
	wait := idleInterval
	if s.Size > last.Size || n.unsigned != nil || n.satisfied(last.Note) != nil {
		wait = n.config.Interval
	}
	now := n.config.Now()
	return !now.Before(last.At.Add(wait)) && !now.Before(n.tried.Add(n.config.Interval)), nil
}

// sign signs the head, and publishes it when the policy is satisfied.
func (n *Notary) sign(ctx context.Context, now bool) error {
	if n.halted != nil {
		return n.halted
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return err
	}
	known, err := n.knownKeys(ctx, s)
	if err != nil {
		return err
	}
	if !n.compared {
		err = n.compareAll(ctx, known)
		if err != nil {
			return err
		}
		n.compared = true
	}
	n.tried = n.config.Now()
	head, published, err := n.signHead(ctx, now, known)
	if err != nil || head == nil {
		return err
	}
	if len(n.witnesses()) == 0 && published {
		return nil
	}
	return n.collect(ctx, head, published, known)
}

// signHead signs the head, and saves it if the policy asks for no other signature. The guard is
// read and written while no other process can sign; a checkpoint that is not saved after that was
// never shown. It returns nil for a head that is signed already.
func (n *Notary) signHead(ctx context.Context, now bool, known []*translog.Key) (*Signed, bool, error) {
	var head *Signed
	published := false
	err := n.config.Store.Sign(ctx, func(s *State, last *Signed, t Tree) (*Signed, error) {
		seen, err := n.config.Guard.read()
		if err != nil {
			return nil, err
		}
		before, err := n.config.Guard.check(seen, known, s, t)
		if err != nil {
			return nil, err
		}
		at := n.config.Now().UTC().Truncate(time.Second)
		if before.After(at) {
			at = before // the clock went back; times of signatures do not
		}
		if last != nil {
			err = follows(last, known, s, t)
			if err != nil {
				return nil, err
			}
			if last.At.After(at) {
				at = last.At
			}
			if now && last.Size == s.Size && seen != nil && seen.head.Size == s.Size && n.satisfied(last.Note) == nil {
				return nil, nil // it is signed
			}
		}
		head, err = n.seal(s, t, at)
		if err != nil {
			return nil, err
		}
		err = n.satisfied(head.Note)
		published = err == nil
		if errors.Is(err, translog.ErrQuorum) {
			return nil, nil // the witnesses come first
		}
		return head, err
	})
	return head, published, err
}

// follows compares the tree with the checkpoint that was published last.
func follows(last *Signed, known []*translog.Key, s *State, t Tree) error {
	head, _, err := translog.Open(last.Note, known...)
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
	note, err := translog.Sign(&translog.Checkpoint{Origin: s.Origin, Size: s.Size, Root: root}, at,
		n.config.Keys.signers()...)
	if err != nil {
		return nil, err
	}
	err = n.config.Guard.save(note)
	if err != nil {
		return nil, fmt.Errorf("what is signed cannot be noted: %w", err)
	}
	return &Signed{s.Size, at, note}, nil
}

// lateAfter is after how long something that fails is worth a word to the operator.
const lateAfter = 15 * time.Minute

// A Trouble is something of the log that an operator has to see to.
type Trouble struct {
	// Witness is who does not cosign; empty when the log as a whole stands still, and no new head is
	// shown.
	Witness string
	Since   time.Time
}

// troubles remember since when something fails; the name of the log itself is empty.
type troubles struct {
	mu    sync.Mutex
	since map[string]time.Time
}

// note remembers whether something fails now.
func (t *troubles) note(name string, fails bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, before := t.since[name]
	switch {
	case !fails:
		delete(t.since, name)
	case !before:
		if t.since == nil {
			t.since = map[string]time.Time{}
		}
		t.since[name] = now
	}
}

// Troubles returns what has failed for a quarter of an hour or longer, the log itself first and then
// witnesses by their names. It may be called while the notary runs.
func (n *Notary) Troubles() []Trouble {
	now := n.config.Now()
	n.troubles.mu.Lock()
	defer n.troubles.mu.Unlock()
	var all []Trouble
	for _, name := range slices.Sorted(maps.Keys(n.troubles.since)) {
		if since := n.troubles.since[name]; now.Sub(since) >= lateAfter {
			all = append(all, Trouble{name, since})
		}
	}
	return all
}
