package notary_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/translog"
)

// A violation is an invariant that does not hold.
type violation struct{ invariant, details string }

// Error says which.
func (v *violation) Error() string { return v.invariant + ": " + v.details }

// secondHistory is the invariant that everything else is for.
const secondHistory = "no second history is signed"

func violated(invariant, format string, args ...any) error {
	return &violation{invariant, fmt.Sprintf(format, args...)}
}

// noteSigned looks at a head before it is noted in the guard: it has to contain all that was
// signed before, by whatever process, and its time does not fall.
func (w *world) noteSigned(note []byte) error {
	head, by, err := translog.Open(note, &w.keys.Log.Key, &w.keys.Clock.Key)
	if err != nil {
		return err
	}
	for size, root := range w.signed {
		if size > head.Size {
			return violated(secondHistory, "%d leaves were signed, and %d are", size, head.Size)
		}
		have, err := notary.RootAt(w.store.Log().Tree(w.ctx), size)
		if err != nil || have != root || size == head.Size && root != head.Root {
			return violated(secondHistory, "of %d leaves with two roots (%v)", size, err)
		}
	}
	at := by[len(by)-1].At
	if at.Before(w.signedAt) {
		return violated("times of signatures do not fall", "%s is before %s", at, w.signedAt)
	}
	if w.fault == noFault {
		w.signedAt = at // it will be published
	}
	if w.fault != failsBefore {
		w.signed[head.Size] = head.Root
	}
	return nil
}

// behind reports whether the store has not got all that was signed, or has other leaves.
func (w *world) behind() bool {
	s, err := w.store.Log().State(w.ctx)
	if err != nil {
		return false
	}
	for size, root := range w.signed {
		have, err := notary.RootAt(w.store.Log().Tree(w.ctx), min(size, s.Size))
		if err != nil || size > s.Size || have != root {
			return true
		}
	}
	return false
}

// checkGuard compares the guard with what is published and with the store.
func (w *world) checkGuard() error {
	signed, err := w.store.Log().LastSigned(w.ctx)
	if errors.Is(err, notary.ErrPending) {
		return nil
	}
	if err != nil {
		return err
	}
	var noted int64
	text, err := os.ReadFile(w.store.LogGuard().Path)
	if err == nil {
		head, _, err := translog.Open(text, &w.keys.Log.Key)
		if err != nil {
			return err
		}
		noted = head.Size
	}
	s, err := w.store.Log().State(w.ctx)
	switch {
	case err != nil:
		return err
	case noted < signed.Size:
		return violated("the guard is not behind", "%d leaves are published, %d are noted", signed.Size, noted)
	case w.current == nil && noted > s.Size:
		return violated("the guard is not ahead", "%d leaves are noted, the store has %d", noted, s.Size)
	}
	if signed.Size < w.published {
		return violated("published sizes do not fall", "%d leaves were published, %d are", w.published, signed.Size)
	}
	w.published = signed.Size
	return nil
}

// leaves reads all leaves of a log.
func (w *world) leaves() ([][]byte, error) {
	s, err := w.store.Log().State(w.ctx)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for int64(len(all)) < s.Size {
		some, err := w.store.Log().Leaves(w.ctx, int64(len(all))/translog.TileWidth)
		if err != nil || len(some) == 0 {
			return nil, fmt.Errorf("leaf %d of %d is missing: %w", len(all), s.Size, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// audit compares the log with what happened.
func (w *world) audit() error {
	texts, err := w.leaves()
	if err != nil {
		return err
	}
	newest := map[translog.Subject]translog.Link{}
	says := map[translog.Subject]claim{}
	var number int64
	for i, text := range texts {
		l, err := translog.ParseLeaf(text)
		if err != nil {
			return err
		}
		want, known := w.truth[l.Number]
		last, before := newest[l.Subject]
		switch {
		case !known:
			return violated("no leaf without its event", "leaf %d has the number %d", i, l.Number)
		case l.Number <= number:
			return violated("numbers rise", "leaf %d has %d after %d", i, l.Number, number)
		case claimOf(l) != want:
			return violated("leaves say what happened", "leaf %d: %+v, want %+v", i, claimOf(l), want)
		case before != (l.Previous != nil) || before && *l.Previous != last:
			return violated("a leaf leads to the one before", "leaf %d leads to %+v, want %+v", i, l.Previous, last)
		}
		number, says[l.Subject] = l.Number, claimOf(l)
		newest[l.Subject] = translog.Link{Index: int64(i), Hash: translog.LeafHash(text)}
	}
	w.done.leaves = max(w.done.leaves, int64(len(texts)))
	err = w.checkEvents(number)
	if err != nil {
		return err
	}
	return w.checkRecords(says)
}

// checkEvents looks for an event that is in no leaf, although none waits before it.
func (w *world) checkEvents(last int64) error {
	for number := range w.truth {
		index, err := w.store.Log().IndexOf(w.ctx, number)
		switch {
		case errors.Is(err, notary.ErrPending) && number > last:
		case err != nil:
			return violated("every event has its leaf", "event %d: %v", number, err)
		case number > last:
			return violated("every event has its leaf", "event %d is said to be leaf %d", number, index)
		}
	}
	return nil
}

// checkRecords replays the log: whoever reads it knows what custody knows.
func (w *world) checkRecords(says map[translog.Subject]claim) error {
	s, err := w.store.Log().State(w.ctx)
	if err != nil || s.Waiting > 0 {
		return err
	}
	return w.store.Custody().Publishers(w.ctx, "", func(p *custody.Publisher) error {
		place := custodian.Counting(p)
		want := claimOf(&translog.Leaf{Subject: translog.Publisher(string(p.Domain)), Place: place}).state
		if got := says[translog.Publisher(string(p.Domain))].state; got != want {
			return violated("the log says what custody knows", "%s of %s, and the record %s", got, p.Domain, want)
		}
		url := notary.WellKnown(string(p.Domain))
		f, err := w.store.Custody().File(w.ctx, url)
		if errors.Is(err, custodian.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if got := says[translog.File(url)].state; got != custodian.Counts(f) {
			return violated("the log says what custody knows", "%s of %s, and the record %s", got, url, custodian.Counts(f))
		}
		return nil
	})
}

// checkCosigned looks at a signature of a witness: the head has to contain all that it signed
// before.
func (s *simWitness) checkCosigned(head *translog.Checkpoint, note []byte, t notary.Tree) error {
	_, _, err := translog.Open(note, &s.key.Key)
	if err != nil {
		return err
	}
	for _, before := range s.cosigned {
		root, err := notary.RootAt(t, min(before.Size, head.Size))
		if err != nil || before.Size > head.Size || root != before.Root {
			return violated("a witness never cosigns two histories", "%d leaves after %d (%v)", head.Size, before.Size, err)
		}
	}
	s.cosigned = append(s.cosigned, head)
	return nil
}

// prove asks for a proof as a reader does, and verifies it and all that were given before.
func (w *world) prove() error {
	subject := translog.Publisher(fmt.Sprintf("p%d.example", w.rng.IntN(4)))
	proof, err := notary.Prover{Store: w.store.Log()}.ProofAbout(w.ctx, subject)
	if errors.Is(err, notary.ErrPending) || errors.Is(err, notary.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if w.broken == wrongProof {
		proof.Index++
	}
	w.proofs = append(w.proofs, proof.Text())
	w.done.proofs++
	for _, text := range w.proofs {
		_, err := translog.Verify(text, w.policy)
		if err != nil {
			return violated("what is included verifies", "%v", err)
		}
	}
	return nil
}

// A simMonitor follows the log, and is made anew for every look of what it kept.
type simMonitor struct {
	w       *world
	domains []string
	kept    []byte
	told    []int64
	alarms  []string
}

// look looks at a log once.
func (m *simMonitor) look(url string, sources map[string]notary.Store) (bool, error) {
	states := map[string]*monitor.State{}
	if len(m.kept) > 0 {
		err := json.Unmarshal(m.kept, &states)
		if err != nil {
			return false, err
		}
	}
	one := &monitor.Monitor{
		Policy: m.w.policy, Domains: m.domains, Now: func() time.Time { return m.w.now }, States: states,
		Source: func(url string) monitor.Source { return simSource{sources[url]} },
	}
	one.Tell = func(events []monitor.Event) error {
		if m.w.rng.IntN(20) == 0 {
			return errFault // it ends before it can keep anything
		}
		text, err := json.Marshal(states, json.Deterministic(true))
		if err != nil {
			return err
		}
		if m.w.broken != monitorForgets {
			m.kept = text
		}
		for _, e := range events {
			if e.Alarm != "" {
				m.alarms = append(m.alarms, e.Alarm)
			} else {
				m.told = append(m.told, e.Index)
			}
		}
		return nil
	}
	return one.Check(m.w.ctx, url)
}

func (w *world) sources() map[string]notary.Store {
	return map[string]notary.Store{"log": w.store.Log()}
}

// look is the monitor that looks at the log. It has no reason for an alarm, whatever was put back.
func (w *world) look() error {
	alarm, err := w.watch.look("log", w.sources())
	if alarm {
		return violated("an honest log is no alarm", "%v", w.watch.alarms)
	}
	if err != nil && w.current == nil && !errors.Is(err, errFault) && !errors.Is(err, monitor.ErrAbsent) {
		return err
	}
	return w.checkTold(false)
}

// checkTold looks at what was told: leaves about what is watched, each once and in order, and in
// the end all of them.
func (w *world) checkTold(all bool) error {
	for i, index := range w.watch.told {
		if i > 0 && index <= w.watch.told[i-1] {
			return violated("a monitor tells each leaf once", "%v", w.watch.told)
		}
	}
	if !all {
		return nil
	}
	texts, err := w.leaves()
	if err != nil {
		return err
	}
	newest, speaks := map[translog.Subject]int64{}, map[string]string{}
	for i, text := range texts {
		l, err := translog.ParseLeaf(text)
		if err != nil {
			return err
		}
		newest[l.Subject] = int64(i)
		if l.Subject.Kind == translog.SubjectPublisher {
			speaks[l.Subject.Name] = l.Place.File
		}
		watched := l.Subject.Kind == translog.SubjectLog
		for _, d := range w.watch.domains {
			watched = watched || l.Subject == translog.Publisher(d) || l.Subject == translog.File(notary.WellKnown(d))
		}
		if watched && !slices.Contains(w.watch.told, int64(i)) {
			return violated("a monitor tells each leaf once", "leaf %d, about %s, was not told: %v", i, l.Subject, w.watch.told)
		}
	}
	return w.checkNewest(int64(len(texts)), newest, speaks)
}

// checkNewest compares what a monitor shows as the newest leaves about its domains with the leaves. Speaks has the
// files that speak for publishers.
func (w *world) checkNewest(size int64, newest map[translog.Subject]int64, speaks map[string]string) error {
	states := map[string]*monitor.State{}
	err := json.Unmarshal(w.watch.kept, &states)
	if err != nil {
		return err
	}
	index := func(s translog.Subject) int64 {
		i, known := newest[s]
		if !known {
			return -1
		}
		return i
	}
	for _, d := range w.watch.domains {
		file := translog.File(notary.WellKnown(d))
		if speaks[d] != "" {
			file.Name = speaks[d]
		}
		want := monitor.About{Size: size, Publisher: index(translog.Publisher(d)), File: index(file)}
		got, ok := states[simOrigin].About(d)
		if !ok || got != want {
			return violated("a monitor shows the newest leaves", "%+v %t about %s, want %+v", got, ok, d, want)
		}
	}
	return nil
}

// fork is an operator who goes on from an old copy with the same keys and without the guard, and
// shows that to others. Whoever holds both sides has to notice.
func (w *world) fork() error {
	if len(w.copies) == 0 || w.current != nil {
		return nil
	}
	// A copy that was put back may have all leaves and not the last head.
	err := w.sign()
	if err != nil {
		return err
	}
	base := &w.copies[w.rng.IntN(len(w.copies))]
	honest, err := w.store.Log().LastSigned(w.ctx)
	if errors.Is(err, notary.ErrPending) {
		return nil
	}
	if err != nil {
		return err
	}
	if honest.Size <= base.size {
		return nil // there is nothing on the other side yet
	}
	dir := filepath.Join(w.dir, "fork")
	err = os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "store.db"), base.body, 0o600)
	}
	if err != nil {
		return err
	}
	other := &world{rng: w.rng, ctx: w.ctx, dir: dir, now: w.now, keys: w.keys, truth: map[int64]claim{}, signed: map[int64]tlog.Hash{}, events: base.events}
	err = other.open()
	if err != nil {
		return err
	}
	err = other.grow()
	if err == nil {
		err = w.present(other.store)
	}
	return errors.Join(err, other.store.Close(), os.RemoveAll(dir))
}

// grow signs another history, with at least one leaf of its own.
func (w *world) grow() error {
	for range 1 + w.rng.IntN(30) {
		w.now = w.now.Add(time.Second)
		c := &custodian.Change{}
		leaf, err := w.changePublisher(c, "p1.example")
		if err != nil {
			return err
		}
		leaf.At = w.now
		c.Leaves = func() []custodian.Leaf { return []custodian.Leaf{{Event: 0, Leaf: *leaf}} }
		err = w.store.Custody().Commit(w.ctx, c)
		if err != nil {
			return err
		}
	}
	return notary.New(notary.Config{Store: w.store.Log(), Keys: w.keys, Now: func() time.Time { return w.now }}).Flush(w.ctx)
}

// present shows another history to the witnesses that have seen more of the honest one than both
// have in common, and to a monitor before it sees the honest one.
func (w *world) present(other *store.Store) error {
	forged, err := other.Log().LastSigned(w.ctx)
	if err != nil {
		return err
	}
	w.done.forks++
	for _, s := range w.witnesses {
		if len(s.cosigned) == 0 {
			continue
		}
		last := s.cosigned[len(s.cosigned)-1]
		root, err := notary.RootAt(other.Log().Tree(w.ctx), min(last.Size, forged.Size))
		if err != nil {
			return err
		}
		if last.Size <= forged.Size && root == last.Root {
			continue // it has seen what both have in common
		}
		good, err := s.ask(forged.Note, other.Log().Tree(w.ctx))
		if err != nil {
			return err
		}
		if good {
			return violated("a witness never cosigns two histories", "%d leaves of a fork", forged.Size)
		}
	}
	return w.mislead(other)
}

// mislead shows both histories to a monitor that knows what ours knows.
func (w *world) mislead(other *store.Store) error {
	victim := &simMonitor{w: w, domains: w.watch.domains, kept: w.watch.kept}
	sources := w.sources()
	sources["fork"] = other.Log()
	noticed := false
	for _, url := range []string{"fork", "log"} {
		for {
			alarm, err := victim.look(url, sources)
			noticed = noticed || alarm
			if errors.Is(err, errFault) {
				continue
			}
			if err != nil {
				return err
			}
			break
		}
		if w.broken == monitorBlind {
			victim.kept = nil
		}
	}
	if !noticed || !slices.Contains(victim.alarms, monitor.Forked) {
		return violated("a fork is noticed by who holds both sides", "the alarms are %v", victim.alarms)
	}
	w.done.found++
	return nil
}

// end lets everything be done that was left undone, and looks at the whole.
func (w *world) end() error {
	if w.current != nil {
		err := w.putBack()
		if err != nil {
			return err
		}
	}
	err := w.sign()
	if err != nil {
		return err
	}
	prover := notary.Prover{Store: w.store.Log()}
	for _, c := range w.truth {
		_, err := prover.ProofAbout(w.ctx, c.subject)
		if err != nil {
			return violated("what is pending is included soon", "%s: %v", c.subject, err)
		}
	}
	for {
		_, err := w.watch.look("log", w.sources())
		if errors.Is(err, errFault) {
			continue
		}
		if err != nil {
			return err
		}
		return w.checkTold(true)
	}
}
