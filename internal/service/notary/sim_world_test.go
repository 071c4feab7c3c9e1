package notary_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

const simOrigin = "registry.example/log"

// networkFile speaks for publishers that point to it.
const networkFile = "https://network.example/adagents.json"

// A world is one simulated history of a registry that keeps a log: custody that commits, two
// processes that make leaves and sign, a store that is put back, witnesses, a monitor, readers,
// and an operator who shows other histories. The store, the notary, the witnesses and the monitor
// are the real ones; time and chance come from the seed.
type world struct {
	seed uint64
	rng  *rand.Rand
	ctx  context.Context //nolint:containedctx // it lives as long as the world
	dir  string
	now  time.Time
	keys *notary.Keys

	store *store.Store
	// events is how many events were seen, and truth what the leaves about them have to say, by
	// their numbers.
	events int64
	truth  map[int64]claim
	copies []storeCopy
	// current is the store as it was before an old copy was put back; nil when none was.
	current *storeCopy

	// signed are the roots of all heads that honest processes signed, by size, and signedAt the
	// time in the last one that was published.
	signed   map[int64]tlog.Hash
	signedAt time.Time
	// published is the size of the head that was served last.
	published int64
	// fault is what happens when the next guard is written.
	fault fault

	witnesses []*simWitness
	policy    *translog.Policy
	watch     *simMonitor
	proofs    [][]byte
	done      tally
	// broken breaks the machine on purpose, to see whether that is noticed.
	broken breakage
}

// A fault is how a write ends.
type fault int

const (
	noFault fault = iota
	// failsBefore: nothing is written.
	failsBefore
	// diesAfter: it is written, and the process ends.
	diesAfter
)

var errFault = errors.New("a fault of the simulation")

// write writes a file, or fails as the fault says, which is over then.
func (f *fault) write(path string, text []byte) error {
	now := *f
	*f = noFault
	if now == failsBefore {
		return errFault
	}
	err := highwater.WriteFile(path, text)
	if now == diesAfter {
		return errFault
	}
	return err
}

// A claim is what a leaf says, without where it is in the log.
type claim struct {
	kind    string
	subject translog.Subject
	state   string
}

func claimOf(l *translog.Leaf) claim {
	return claim{l.Kind, l.Subject, strings.TrimSpace(l.Place.Method + " " + l.Place.File + l.Counts)}
}

// A storeCopy is the file of a store at some time. Its size is that of the log with everything
// that waits.
type storeCopy struct {
	body, guard []byte
	size        int64
	events      int64
	truth       map[int64]claim
}

// A tally is what happened in a world.
type tally struct {
	leaves, heads, putBack, refused, forks, found, cosigned, proofs int64
}

func (t *tally) add(o tally) {
	t.leaves, t.heads, t.putBack, t.refused = t.leaves+o.leaves, t.heads+o.heads, t.putBack+o.putBack, t.refused+o.refused
	t.forks, t.found, t.cosigned, t.proofs = t.forks+o.forks, t.found+o.found, t.cosigned+o.cosigned, t.proofs+o.proofs
}

// simSigner makes a key of a seed.
func simSigner(name string, kind translog.KeyType, seed byte) *translog.Signer {
	k, err := translog.NewSigner(name, kind, bytes.Repeat([]byte{seed}, 32))
	if err != nil {
		panic(err)
	}
	return k
}

func newWorld(ctx context.Context, seed uint64, dir string, empty []byte) (*world, error) {
	w := &world{
		seed: seed, rng: rand.New(rand.NewPCG(seed, 24)), ctx: ctx, dir: dir, now: time.Date(2026, 11, 17, 23, 40, 0, 0, time.UTC),
		keys:  &notary.Keys{Log: simSigner(simOrigin, translog.Plain, 1), Clock: simSigner(simOrigin, translog.Timed, 2)},
		truth: map[int64]claim{}, signed: map[int64]tlog.Hash{},
	}
	err := os.WriteFile(w.path(), empty, 0o600)
	if err != nil {
		return nil, err
	}
	err = w.open()
	if err != nil {
		return nil, err
	}
	first := w.keys.First()
	first.At = w.now
	err = w.store.Log().Begin(ctx, simOrigin, first)
	if err != nil {
		return nil, err
	}
	w.truth[1] = claimOf(first)
	lines := "log " + w.keys.Log.String() + "\nwitness clock " + w.keys.Clock.String() + "\n"
	for i := range 2 {
		w.witnesses = append(w.witnesses, newSimWitness(w, i))
	}
	w.policy, err = translog.ParsePolicy([]byte(lines + "quorum clock\n"))
	w.watch = &simMonitor{w: w, domains: []string{"p0.example", "p1.example"}}
	return w, err
}

func (w *world) path() string { return filepath.Join(w.dir, "store.db") }

func (w *world) open() error {
	var err error
	w.store, err = store.Open(w.ctx, "sqlite:"+w.path())
	return err
}

// notary is that of one of the processes. Nothing of it outlives a step but the guard.
func (w *world) notary() *notary.Notary {
	guard := w.store.LogGuard()
	guard.Write = func(path string, text []byte) error {
		if w.broken == guardForgets {
			return nil
		}
		err := w.noteSigned(text)
		if err != nil {
			return err
		}
		return w.fault.write(path, text)
	}
	return notary.New(notary.Config{Store: w.store.Log(), Keys: w.keys, Guard: guard, Now: w.clock, Log: slog.New(slog.DiscardHandler)})
}

// clock is that of the machine, which goes back now and then.
func (w *world) clock() time.Time {
	if w.rng.IntN(10) == 0 {
		return w.now.Add(-time.Hour)
	}
	return w.now
}

// run lives through a world, and returns the first invariant that does not hold.
func (w *world) run() error {
	steps := []func() error{
		w.commit, w.commit, w.commit, w.sequence, w.sequence, w.sign, w.sign, w.sign, w.signBadly, w.askWitnesses, w.look, w.look, w.prove, w.prove,
		w.restart, w.keepCopy, w.putBack, w.putBack, w.fork, w.fork,
	}
	for i := range 120 {
		w.now = w.now.Add(time.Duration(1+w.rng.IntN(60)) * time.Second)
		err := w.tamper(i)
		if err == nil {
			err = steps[w.rng.IntN(len(steps))]()
		}
		if err == nil {
			err = w.checkGuard()
		}
		if err != nil {
			return fmt.Errorf("seed %d, step %d: %w", w.seed, i, err)
		}
	}
	err := w.end()
	if err != nil {
		return fmt.Errorf("seed %d, at the end: %w", w.seed, err)
	}
	return nil
}

// commit is custody that has found something out.
func (w *world) commit() error {
	domain := fmt.Sprintf("p%d.example", w.rng.IntN(4))
	c := &custodian.Change{}
	var leaf *translog.Leaf
	var err error
	switch w.rng.IntN(5) {
	case 0:
		// It failed once: an event that the log does not have.
		c.Events = []custody.Event{{Code: "publisher.failing", At: w.now, Publisher: domain, Message: "m"}}
	case 1, 2:
		leaf, err = w.changeFile(c, []string{notary.WellKnown(domain), networkFile}[w.rng.IntN(2)])
	default:
		leaf, err = w.changePublisher(c, domain)
	}
	if err != nil {
		return err
	}
	if w.broken == silentChange {
		leaf = nil
	}
	if leaf != nil {
		leaf.At = w.now
		c.Leaves = func() []custodian.Leaf { return []custodian.Leaf{{Event: 0, Leaf: *leaf}} }
	}
	err = w.store.Custody().Commit(w.ctx, c)
	if err != nil {
		return err
	}
	return w.learn(leaf)
}

// learn notes what the leaf about the event that was committed has to say.
func (w *world) learn(leaf *translog.Leaf) error {
	events, err := w.store.Custody().Events(w.ctx, custodian.EventFilter{}, w.events, 10)
	if err != nil || len(events) != 1 {
		return fmt.Errorf("%d new events: %w", len(events), err)
	}
	w.events = events[0].ID
	if leaf != nil {
		w.truth[w.events] = claimOf(leaf)
	}
	return nil
}

func (w *world) changePublisher(c *custodian.Change, domain string) (*translog.Leaf, error) {
	p, err := w.store.Custody().Publisher(w.ctx, hostname.Domain(domain))
	if errors.Is(err, custodian.ErrNotFound) {
		p, err = &custody.Publisher{Domain: hostname.Domain(domain)}, nil
	}
	if err != nil {
		return nil, err
	}
	kind := "publisher.located"
	p.TriedAt, p.ConfirmedAt, p.FreshUntil, p.Absent = w.now, w.now, w.now.Add(time.Hour), false
	switch w.rng.IntN(3) {
	case 0:
		kind, p.Absent = "publisher.absent", true
	case 1:
		p.Location = custody.Location{Method: custody.Direct, URL: notary.WellKnown(domain)}
	default:
		p.Location = custody.Location{Method: custody.AuthoritativeLocation, URL: networkFile}
	}
	c.Publisher = p
	c.Events = []custody.Event{{Code: kind, At: w.now, Publisher: domain, Message: "m"}}
	return &translog.Leaf{Kind: kind, Subject: translog.Publisher(domain), Seen: w.now, Place: custodian.Counting(p)}, nil
}

func (w *world) changeFile(c *custodian.Change, url string) (*translog.Leaf, error) {
	f, err := w.store.Custody().File(w.ctx, url)
	if errors.Is(err, custodian.ErrNotFound) {
		f, err = &custody.File{URL: url}, nil
	}
	if err != nil {
		return nil, err
	}
	body := fmt.Appendf(nil, "version %d of %s", w.rng.IntN(1000), url)
	kind := "file.changed"
	f.TriedAt, f.ConfirmedAt, f.WholeAt, f.FreshUntil, f.Closed, f.Hash = w.now, w.now, w.now, w.now.Add(time.Hour), custody.Failed, translog.HashOf(body)
	c.Documents = [][]byte{body}
	if w.rng.IntN(4) == 0 {
		kind, f.Closed = "file.gone", custody.Gone
	}
	c.Files = []*custody.File{f}
	c.Events = []custody.Event{{Code: kind, At: w.now, URL: url, Message: "m"}}
	return &translog.Leaf{Kind: kind, Subject: translog.File(url), Seen: w.now, Counts: custodian.Counts(f)}, nil
}

// sequence is a process that makes some leaves, and ends before it signs.
func (w *world) sequence() error {
	_, err := w.store.Log().Sequence(w.ctx, 1+w.rng.IntN(5))
	return err
}

// sign is a process that makes leaves of everything, and signs.
func (w *world) sign() error {
	if w.broken == neverSigns {
		return nil
	}
	// What a copy has not made leaves of yet may be what is missing.
	_, err := w.store.Log().Sequence(w.ctx, 1000)
	if err != nil {
		return err
	}
	behind := w.behind()
	before := w.fault
	err = w.notary().Flush(w.ctx)
	var refused *notary.BehindError
	switch {
	case behind && !errors.As(err, &refused):
		return violated(secondHistory, "a store that was put back signs: %v", err)
	case behind:
		w.done.refused++
		return nil
	case before != noFault && errors.Is(err, errFault):
		return nil
	case err != nil:
		return err
	}
	w.done.heads++
	return w.audit()
}

// signBadly signs while the guard cannot be written, or the process ends right after.
func (w *world) signBadly() error {
	w.fault = []fault{failsBefore, diesAfter}[w.rng.IntN(2)]
	err := w.sign()
	w.fault = noFault
	return err
}

// restart ends and begins the process; that alone adds nothing.
func (w *world) restart() error {
	before, err := w.store.Log().State(w.ctx)
	if err != nil {
		return err
	}
	err = w.store.Close()
	if err == nil {
		err = w.open()
	}
	if err != nil {
		return err
	}
	after, err := w.store.Log().State(w.ctx)
	if err == nil && *after != *before {
		err = violated("a start adds nothing", "%+v became %+v", before, after)
	}
	return err
}

// keepCopy makes a copy of the store.
func (w *world) keepCopy() error {
	one, err := w.copied()
	if err == nil {
		w.copies = append(w.copies, *one)
	}
	return err
}

func (w *world) copied() (*storeCopy, error) {
	s, err := w.store.Log().State(w.ctx)
	if err != nil {
		return nil, err
	}
	err = w.store.Close()
	if err != nil {
		return nil, err
	}
	body, err := os.ReadFile(w.path())
	if err != nil {
		return nil, err
	}
	guard, err := os.ReadFile(w.path() + ".checkpoint")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &storeCopy{body, guard, s.Size + s.Waiting, w.events, maps.Clone(w.truth)}, w.open()
}

// putBack puts an old copy in the place of the store, and some time later the store that was
// there before, unless the copy has everything that was signed.
func (w *world) putBack() error {
	switch {
	case w.current != nil:
		current := w.current
		w.current = nil
		if w.notary().Check(w.ctx) == nil {
			return nil // nothing was signed that it does not have: it goes on
		}
		return w.replace(current)
	case len(w.copies) == 0:
		return nil
	}
	current, err := w.copied()
	if err != nil {
		return err
	}
	w.current = current
	w.done.putBack++
	return w.replace(&w.copies[w.rng.IntN(len(w.copies))])
}

// replace puts a copy in the place of the store. The operator accepts it, so nothing but the guard
// of the log remembers more.
func (w *world) replace(c *storeCopy) error {
	err := w.store.Close()
	if err == nil {
		err = os.WriteFile(w.path(), c.body, 0o600)
	}
	if err == nil {
		err = os.RemoveAll(w.path() + ".seen")
	}
	if err != nil {
		return err
	}
	w.events, w.truth, w.published = c.events, maps.Clone(c.truth), 0
	w.signedAt = time.Time{} // the copy may not know when all of it was signed
	if w.broken == guardPutBack && len(c.guard) > 0 {
		err = os.WriteFile(w.path()+".checkpoint", c.guard, 0o600)
		if err != nil {
			return err
		}
	}
	return w.open()
}
