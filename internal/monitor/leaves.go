package monitor

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// errTell is about events that could not be kept or told.
var errTell = errors.New("what was found could not be kept")

// A read is a leaf that was read. The bytes of its bundle are not held.
type read struct {
	index int64
	hash  tlog.Hash
	leaf  *translog.Leaf
}

// leaves reads what is new, and tells it step by step.
func (l *visit) leaves() error {
	var all *translog.Follower
	if l.All {
		var err error
		all, err = l.follower()
		if err != nil {
			return err
		}
	}
	if l.state.Next == 0 {
		for s := range l.state.watched(l.Domains) {
			l.state.Newest[s] = noLeaf
		}
	}
	for l.state.Next < l.head.Head.Size {
		// The head is kept before anything that it promises is asked for.
		err := l.tell()
		if err != nil {
			return fmt.Errorf("%w: %w", errTell, err)
		}
		before := l.state.copied()
		err = l.step(all)
		if err != nil {
			l.state, l.pending = before, nil
			return err
		}
	}
	err := l.backfill()
	if err != nil {
		return err
	}
	l.over(Altered)
	return nil
}

// backfill finds the newest leaves about subjects that were not watched when these were read, from the end of
// the log backwards.
func (l *visit) backfill() error {
	missing := l.state.watched(l.Domains)
	for s := range l.state.Newest {
		delete(missing, s)
	}
	for n := (l.state.Next + translog.TileWidth - 1) / translog.TileWidth; n > 0 && len(missing) > 0; n-- {
		first := (n - 1) * translog.TileWidth
		bundle, err := l.tree.bundle(n - 1)
		if err != nil {
			return err
		}
		for i, text := range slices.Backward(bundle) {
			leaf, err := translog.ParseLeaf(text)
			if err != nil {
				continue // it was told when it was read
			}
			subject := leaf.Subject.String()
			if missing[subject] != nil {
				r := read{index: first + int64(i), hash: tlog.RecordHash(text)}
				l.state.Newest[subject] = r.newest()
				delete(missing, subject)
			}
		}
	}
	for s := range missing {
		l.state.Newest[s] = noLeaf
	}
	return nil
}

// step reads some leaves and looks at them.
func (l *visit) step(all *translog.Follower) error {
	list, err := l.read()
	if err != nil {
		return err
	}
	l.ends(list)
	if all != nil {
		l.takeAll(all, list)
	}
	return l.take(list)
}

// read reads the leaves of a step. Those that cannot be read are alarms.
func (l *visit) read() ([]read, error) {
	var list []read
	for range step {
		next := l.state.Next
		if next == l.head.Head.Size {
			break
		}
		bundle, err := l.tree.bundle(next / translog.TileWidth)
		if err == nil {
			err = l.tree.compare(next/translog.TileWidth, bundle)
		}
		if err != nil {
			return nil, err
		}
		for _, text := range bundle[next%translog.TileWidth:] {
			leaf, err := translog.ParseLeaf(text)
			switch {
			case err != nil:
				l.bad(Malformed, "leaf %d cannot be read: %v", l.state.Next, err)
			case l.state.Next > 0 && leaf.Number <= l.state.Number:
				l.bad(Malformed, "leaf %d has the number %d, and one before it %d", l.state.Next, leaf.Number, l.state.Number)
			}
			if err == nil {
				l.state.Number = leaf.Number
				list = append(list, read{l.state.Next, tlog.RecordHash(text), leaf})
			}
			l.state.Next++
		}
	}
	return list, nil
}

// bad raises an alarm about the next leaf, or one that was read. Leaves are read once, and so
// is what is wrong with them.
func (l *visit) bad(kind, format string, args ...any) {
	l.alarmed = true
	l.event(Event{Alarm: kind, Index: -1, Message: fmt.Sprintf(format, args...)})
}

// take follows the chains of what is watched. A leaf about a file often comes before the one that
// says whose it is, so the latter are looked at first.
func (l *visit) take(list []read) error {
	watched := l.state.watched(l.Domains)
	for _, r := range list {
		if r.leaf.Subject.Kind != translog.SubjectPublisher || watched[r.leaf.Subject.String()] == nil {
			continue
		}
		domain := r.leaf.Subject.Name
		l.state.Files[domain] = r.leaf.Place.File
		if r.leaf.Place.File != "" {
			add(watched, translog.Subject{Kind: translog.SubjectFile, Name: r.leaf.Place.File}, domain)
		}
	}
	for _, r := range list {
		domains := watched[r.leaf.Subject.String()]
		switch {
		case domains == nil && !l.All:
			continue
		case domains == nil:
			if r.leaf.Subject.Kind == translog.SubjectPublisher {
				domains = []string{r.leaf.Subject.Name}
			}
		case l.All: // its chain was checked with all others
			l.state.Newest[r.leaf.Subject.String()] = r.newest()
		default:
			err := l.chain(r)
			if err != nil {
				return err
			}
		}
		l.event(Event{Index: r.index, Leaf: r.leaf, Domains: domains, Message: message(r)})
	}
	l.state.forget(l.Domains)
	return nil
}

// ends looks for the end of the log, and for leaves after it.
func (l *visit) ends(list []read) {
	for _, r := range list {
		switch {
		case l.state.Ended > 0:
			l.alarm(Ended, nil, "the log goes on with leaf %d, and its last one was leaf %d: its keys were stolen", r.index,
				l.state.Ended-1)
		case r.leaf.Kind == "log.end" && r.leaf.Subject.Kind == translog.SubjectLog:
			l.state.Ended = r.index + 1
		case r.leaf.Old != nil:
			l.disowns(r.leaf.Old)
		}
	}
}

// disowns compares what was seen of a log with what its successor says that there was.
func (l *visit) disowns(old *translog.Head) {
	before := l.States[old.Origin]
	if before == nil {
		return
	}
	seen, err := translog.Read([]byte(before.Checkpoint))
	if err != nil || seen.Size < old.Size || seen.Size == old.Size && hex.EncodeToString(seen.Root[:]) == old.Root {
		return
	}
	l.alarm(Disowned, fmt.Appendf(nil, "seen of the log before, from %s:\n\n%s\nseen of its successor, from %s:\n\n%s",
		before.URL, before.Checkpoint, l.url, l.note),
		"it follows the log %s, of which it takes %s with the root %s, and %d were seen before: what was signed besides is "+
			"not taken over", old.Origin, countLeaves(old.Size), old.Root, seen.Size)
}

// chain checks that a leaf leads to the one before it about the same subject.
func (l *visit) chain(r read) error {
	subject := r.leaf.Subject.String()
	last, known := l.state.Newest[subject]
	known = known && last != noLeaf
	previous := r.leaf.Previous
	switch {
	case known && (previous == nil || previous.Index != last.Index || previous.Hash != last.Hash):
		l.bad(Broken, "leaf %d does not lead to leaf %d, the one before it about %s: the log hides a part of the history",
			r.index, last.Index, subject)
	case !known && previous != nil:
		// The one before was read when the subject was not watched yet.
		ok, err := l.leadsTo(r.index, previous, r.leaf.Subject)
		if err != nil {
			return err
		}
		if !ok {
			l.bad(Broken, "leaf %d leads to leaf %d, and that is none about %s", r.index, previous.Index, subject)
		}
	}
	l.state.Newest[subject] = r.newest()
	return nil
}

func (r *read) newest() Newest { return Newest{r.index, hex.EncodeToString(r.hash[:])} }

func (l *visit) leadsTo(from int64, to *translog.Link, s translog.Subject) (bool, error) {
	if to.Index >= from {
		return false, nil
	}
	text, err := l.tree.leaf(to.Index)
	if err != nil {
		return false, err
	}
	leaf, err := translog.ParseLeaf(text)
	return err == nil && leaf.Subject == s && translog.LeafHash(text) == to.Hash, nil
}

// message says what a leaf tells, as the word of the log.
func message(r read) string {
	text := r.leaf.Sentence()
	if d := r.leaf.Document; d != nil {
		text += fmt.Sprintf("; it saw a document of %d bytes with the SHA-256 %s, agents in it: %d",
			d.Bytes, d.Hash, d.Agents.Count)
	}
	return text
}
