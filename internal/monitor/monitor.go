// Package monitor follows a transparency log as a stranger does who has nothing but its policy:
// every head has to be signed and to contain all that was seen before, and every leaf has to be
// in the tree that was signed. It tells leaves about domains, and what a log must not do. It knows
// no network and no disk.
package monitor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

// What an alarm is about.
const (
	// Unsigned: the head is not signed as the policy asks for.
	Unsigned = "unsigned"
	// Forked: two heads that were signed do not fit together.
	Forked = "forked"
	// Back: a head that was signed later has fewer leaves.
	Back = "back"
	// Altered: hashes or leaves are not those of the head that was signed.
	Altered = "altered"
	// Old: the head was signed too long ago.
	Old = "old"
	// Early: the head is signed with a time that is still to come.
	Early = "early"
	// Malformed: a leaf that cannot be read, or whose number does not rise.
	Malformed = "malformed"
	// Broken: a leaf that does not lead to the one before it about the same subject.
	Broken = "broken"
	// Ended: a log that goes on after its last leaf.
	Ended = "ended"
	// Disowned: more was seen of a log than its successor says that there was.
	Disowned = "disowned"
)

// maxLeaves is more than any log has, and few enough to calculate with.
const maxLeaves = 1 << 48

// tolerance is how much the clock of a log may be ahead of ours.
const tolerance = 5 * time.Minute

// step is how many bundles are read before what was found is told.
const step = 64

// An Event is something to tell: a leaf, or an alarm.
type Event struct {
	Origin, URL string
	// Alarm is what it is about; empty for a leaf.
	Alarm string
	// Message says it in a sentence.
	Message string
	// Evidence are the two heads that do not fit together.
	Evidence []byte
	// Index is the leaf's; -1 for none.
	Index int64
	Leaf  *translog.Leaf
	// Domains are those that the leaf concerns.
	Domains []string
}

// A Monitor follows logs.
type Monitor struct {
	Policy  *translog.Policy
	Domains []string
	// All: every leaf is told and every chain is checked, not only those about Domains.
	All bool
	// MaxAge is how old a head may be; zero for any age.
	MaxAge time.Duration
	Now    func() time.Time
	// States are what is remembered, by the origins of logs.
	States map[string]*State
	// Source returns the log at a URL.
	Source func(url string) Source
	// Tell is called with States as they have to be kept, and what is to be told when they are.
	Tell func([]Event) error

	// unsigned are the URLs whose head was not signed when it was last looked at.
	unsigned map[string]bool
	// followers follow all of a log, by its origin.
	followers map[string]*translog.Follower
}

// A visit is one reading of a log.
type visit struct {
	*Monitor
	url     string
	state   *State
	head    *translog.Checked
	note    []byte
	tree    *tree
	pending []Event
	alarmed bool
}

// Check reads the log at a URL once, and reports whether there is an alarm, be it told before
// or now. An error is about a log that could not be read.
func (m *Monitor) Check(ctx context.Context, url string) (bool, error) {
	l := &visit{Monitor: m, url: url}
	var err error
	l.note, err = m.Source(url).Get(ctx, "checkpoint")
	if err != nil {
		return false, err
	}
	l.head, err = m.Policy.Check(l.note)
	if err == nil && l.head.Head.Size > maxLeaves {
		err = fmt.Errorf("it says that the log has %d leaves", l.head.Head.Size)
	}
	if err != nil {
		return true, l.tellUnsigned(err)
	}
	delete(m.unsigned, url)
	before := m.States[l.head.Head.Origin]
	if before == nil {
		before = &State{}
	}
	l.state = before.copied()
	l.state.forget(m.Domains)
	l.age()
	err = l.follow(ctx)
	if err != nil {
		return l.alarmed, err
	}
	return l.alarmed, l.tell()
}

// tellUnsigned tells that a head is not signed, once as long as it lasts. It belongs to no log
// that is known, so it is not in a state.
func (l *visit) tellUnsigned(err error) error {
	if l.unsigned[l.url] {
		return nil
	}
	if l.unsigned == nil {
		l.unsigned = map[string]bool{}
	}
	l.unsigned[l.url] = true
	return l.Tell([]Event{
		{URL: l.url, Alarm: Unsigned, Index: -1,
			Message: fmt.Sprintf("the head of the log is not signed as the policy asks for: %v", err)}})
}

// alarm raises an alarm that lasts, once for each URL of the log.
func (l *visit) alarm(kind string, evidence []byte, format string, args ...any) {
	l.alarmed = true
	key := l.lasting(kind)
	if slices.Contains(l.state.Alarms, key) {
		return
	}
	l.state.Alarms = append(l.state.Alarms, key)
	l.event(Event{Alarm: kind, Evidence: evidence, Index: -1, Message: fmt.Sprintf(format, args...)})
}

// over ends alarms of a kind, so that the next one is told again.
func (l *visit) over(kind string) {
	key := l.lasting(kind)
	l.state.Alarms = slices.DeleteFunc(l.state.Alarms, func(k string) bool { return k == key })
}

// lasting is what an alarm is remembered by.
func (l *visit) lasting(kind string) string { return kind + " " + l.url }

func (l *visit) event(e Event) {
	e.Origin, e.URL = l.head.Head.Origin, l.url
	l.pending = append(l.pending, e)
}

// tell keeps the state, and tells what was found.
func (l *visit) tell() error {
	l.States[l.head.Head.Origin] = l.state.copied()
	events := l.pending
	l.pending = nil
	return l.Tell(events)
}

// age compares the time of the head with the clock.
func (l *visit) age() {
	at := signedAt(l.head)
	if at.After(l.Now().Add(tolerance)) {
		l.alarm(Early, nil,
			"the head is signed with the time %s, which is still to come: the clock of the log is wrong, or ours",
			at.Format(time.RFC3339))
	} else {
		l.over(Early)
	}
	switch {
	case at.IsZero() || l.MaxAge == 0:
	case l.Now().Sub(at) > l.MaxAge:
		l.alarm(Old, nil, "the head was signed at %s, more than %s ago: the log stands still, or old copies of it are shown",
			at.Format(time.RFC3339), l.MaxAge)
	default:
		l.over(Old)
	}
}

// signedAt returns when a head was signed last; zero if the time is not signed.
func signedAt(c *translog.Checked) time.Time {
	var at time.Time
	for _, w := range c.Witnesses {
		if w.At.After(at) {
			at = w.At
		}
	}
	return at
}

// follow compares the head with the one before, and reads what is new.
func (l *visit) follow(ctx context.Context) error {
	head := l.head.Head
	l.tree = newTree(ctx, l.Source(l.url), head)
	empty, _ := tlog.TreeHash(0, nil) // it reads nothing
	if head.Size == 0 && head.Root != empty {
		l.alarm(Altered, nil, "the head has no leaves, and a root that is not that of an empty log")
		return nil
	}
	if l.state.Checkpoint == "" {
		l.remember()
	} else {
		goOn, err := l.compare(ctx)
		if err != nil || !goOn {
			return err
		}
	}
	err := l.leaves()
	var lost sourceError
	if err == nil || errors.As(err, &lost) || errors.Is(err, errTell) {
		return err
	}
	l.alarm(Altered, nil, "what the log has is not what its head was signed for: %v", err)
	return nil
}

func countLeaves(n int64) string { return words.Plural(int(n), "leaf", "leaves") }

// compare reports whether the head goes on from the one that is remembered.
func (l *visit) compare(ctx context.Context) (bool, error) {
	old, err := translog.Read([]byte(l.state.Checkpoint))
	if err != nil {
		return false, fmt.Errorf("what is remembered of the log %s cannot be read: %w", l.head.Head.Origin, err)
	}
	small, large, t := old, l.head.Head, l.tree
	if large.Size < small.Size {
		small, large = large, small
		t = newTree(ctx, l.Source(l.state.URL), large)
	}
	root, err := t.rootAt(small.Size)
	var lost sourceError
	switch {
	case err == nil && root != small.Root:
		l.alarm(Forked, l.evidence(),
			"the head with %s and the one with %d that was seen before do not fit together: the log has two histories",
			countLeaves(l.head.Head.Size), old.Size)
		return false, nil
	case l.head.Head.Size < old.Size && l.later():
		l.alarm(Back, l.evidence(), "the log has %s, and had %d before: it went back, or shows an old copy",
			countLeaves(l.head.Head.Size), old.Size)
		return false, nil
	case errors.As(err, &lost):
		return false, err
	case err != nil:
		l.alarm(Altered, l.evidence(), "the hashes of the log do not lead to the head that was signed: %v", err)
		return false, nil
	}
	if l.head.Head.Size < old.Size {
		return false, nil // signed before, from a cache or a copy: no news
	}
	l.over(Back)
	if l.head.Head.Size > old.Size || !signedAt(l.head).Before(l.rememberedAt()) {
		l.remember()
	}
	return true, nil
}

func (l *visit) remember() { l.state.Checkpoint, l.state.URL = string(l.note), l.url }

// later reports whether the head was signed after the one that is remembered, or that
// is unknown.
func (l *visit) later() bool {
	before := l.rememberedAt()
	return before.IsZero() || signedAt(l.head).After(before)
}

// rememberedAt returns when the head that is remembered was signed; zero for unknown.
func (l *visit) rememberedAt() time.Time {
	before, err := l.Policy.Check([]byte(l.state.Checkpoint))
	if err != nil { // another policy was in force
		return time.Time{}
	}
	return signedAt(before)
}

// evidence is both heads as they were signed.
func (l *visit) evidence() []byte {
	return fmt.Appendf(nil, "seen before, from %s:\n\n%s\nseen at %s, from %s:\n\n%s", l.state.URL, l.state.Checkpoint,
		l.Now().UTC().Format(time.RFC3339), l.url, l.note)
}
