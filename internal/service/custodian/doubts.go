package custodian

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// doubts are what the store did not take although it takes something away: a revocation,
// a file that is gone. Nothing is answered from the records concerned until it has taken
// it. The change is made again from what was seen, before anything else that is seen
// later of the same records: a publisher that is silent by then, or has put the list
// back, must not make it forgotten. Other records are not concerned.
type doubts struct {
	mu   sync.Mutex
	lost []*lost // in the order in which they were seen
	size int64
	// stuck are the records of which not even that is known any more. They stay closed
	// until the process ends.
	stuck map[string]error
	// taken counts the changes that the store took.
	taken int
	// changes counts how often other records were concerned than before.
	changes atomic.Uint64
	// redo has an element while changes are being made again.
	redo chan struct{}
}

// A lost is a change that could not be saved, and why and when that was tried last.
type lost struct {
	task
	err   error
	at    time.Time
	tries int
	// taken is how many changes the store had taken then. One that it does not take while
	// it takes others is not the store's fault.
	taken  int
	poison bool
}

const (
	// doubtPause is the time between two attempts to save something by asking again.
	doubtPause = time.Minute
	// maxLost and maxLostBytes bound what is remembered for a store that is back later.
	maxLost, maxLostBytes = 1_000, 64_000_000
	// maxDoubtTries is how often a change is tried, while the store takes others, before
	// it is taken for one that no store takes.
	maxDoubtTries = 3
)

func newDoubts() *doubts { return &doubts{redo: make(chan struct{}, 1)} }

// add takes note of a change that could not be saved. The same one is noted once.
func (d *doubts) add(l *lost) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.taken = d.taken
	for _, known := range d.lost {
		if known.key != "" && known.key == l.key {
			known.err, known.at = l.err, l.at
			return
		}
	}
	defer d.changes.Add(1)
	if len(d.lost) < maxLost && d.size+l.size <= maxLostBytes {
		d.lost = append(d.lost, l)
		d.size += l.size
		return
	}
	if d.stuck == nil {
		d.stuck = make(map[string]error)
	}
	for _, name := range l.names {
		d.stuck[name] = l.err
	}
}

// of returns the changes about any of some records, the oldest first; all without
// names.
func (d *doubts) of(names ...string) []*lost {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*lost
	for _, l := range d.lost {
		if len(names) == 0 || l.shares(names) {
			out = append(out, l)
		}
	}
	return out
}

func (l *lost) shares(names []string) bool {
	return slices.ContainsFunc(l.names, func(n string) bool { return slices.Contains(names, n) })
}

// saved forgets a change that the store took after all, and tookOne counts one that it
// took at once.
func (d *doubts) saved(l *lost) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.lost, l)
	if i >= 0 {
		d.size -= l.size
		d.lost = slices.Delete(d.lost, i, i+1)
		d.changes.Add(1)
	}
}

func (d *doubts) tookOne() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken++
}

// failed notes that a change could not be saved once more.
func (d *doubts) failed(l *lost, err error, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken > l.taken {
		l.tries++
	}
	l.err, l.at, l.taken = err, at, d.taken
	l.poison = l.tries >= maxDoubtTries
}

// due reports whether to try again.
func (d *doubts) due(name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.lost, func(l *lost) bool { return slices.Contains(l.names, name) })
	return i >= 0 && now.Sub(d.lost[i].at).Abs() >= doubtPause
}

// names returns those that are to be tried again.
func (d *doubts) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, l := range d.lost {
		out = append(out, l.names...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// about reports whether a record is known to be behind.
func (d *doubts) about(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, stuck := d.stuck[name]
	return stuck || slices.ContainsFunc(d.lost, func(l *lost) bool { return slices.Contains(l.names, name) })
}

// An UnsavedError says that changes which must not be lost are not saved.
type UnsavedError struct {
	text string
	err  error
}

// Error says which.
func (e *UnsavedError) Error() string { return e.text }

// Unwrap returns what the store said.
func (e *UnsavedError) Unwrap() error { return e.err }

// err returns why answers cannot be relied upon; nil when they can. A change that no
// store would take closes its own records and says nothing about the store.
func (d *doubts) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var first *lost
	number := 0
	for _, l := range d.lost {
		if !l.poison {
			number++
		}
		if first == nil && !l.poison {
			first = l
		}
	}
	switch {
	case first != nil:
		return &UnsavedError{fmt.Sprintf("%d changes could not be saved, the first of them that of %s: %v", number, strings.Join(first.names, " and "), first.err), first.err}
	case len(d.stuck) > 0:
		return &UnsavedError{fmt.Sprintf("changes of %d records were lost; they stay closed until a new start", len(d.stuck)), nil}
	}
	return nil
}

// fileMatters reports whether something would be lost that counts against a file or its
// version if the change were dropped. That it was confirmed, or could not be had, may be
// dropped: the times in the record before go on.
func fileMatters(was, next *custody.File) bool {
	return was.Hash != next.Hash || was.Closed != next.Closed || was.Overflow != next.Overflow ||
		!slices.Equal(was.Revocations, next.Revocations)
}

// publisherMatters is the same for the place of a publisher.
func publisherMatters(was, next *custody.Publisher) bool {
	return was.Location != next.Location || was.Absent != next.Absent || was.Closed != next.Closed ||
		(was.Move == nil) != (next.Move == nil) || next.Move != nil && was.Move.To != next.Move.To
}
