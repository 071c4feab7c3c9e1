package custodian

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/custody"
)

// doubts are what the store did not take although it takes something away: a revocation,
// a file that is gone. Nothing is answered from the records concerned until it has taken
// it. The change is made again from what was seen, before anything else that is seen
// later: a publisher that is silent by then, or has put the list back, must not make it
// forgotten.
type doubts struct {
	mu   sync.Mutex
	lost []lost
	size int64
	// stuck are the records of which not even that is known any more. They stay closed
	// until the process ends.
	stuck map[string]error
	// redo is held by whoever makes the changes again.
	redo sync.Mutex
}

// A lost is a change that could not be saved, and why and when.
type lost struct {
	task
	err error
	at  time.Time
}

const (
	// doubtPause is the time between two attempts to save something by asking again.
	doubtPause = 5 * time.Second
	// maxLost and maxLostBytes bound what is remembered for a store that is back later.
	maxLost, maxLostBytes = 1_000, 64_000_000
)

// add takes note of a change that could not be saved.
func (d *doubts) add(l lost) {
	d.mu.Lock()
	defer d.mu.Unlock()
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

// first returns the oldest change that could not be saved.
func (d *doubts) first() (lost, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.lost) == 0 {
		return lost{}, false
	}
	return d.lost[0], true
}

// saved forgets the oldest change.
func (d *doubts) saved() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.size -= d.lost[0].size
	d.lost = slices.Delete(d.lost, 0, 1)
}

// due reports whether to try again.
func (d *doubts) due(name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.lost, func(l lost) bool { return slices.Contains(l.names, name) })
	return i >= 0 && now.Sub(d.lost[i].at).Abs() >= doubtPause
}

// names returns those that are to be tried again.
func (d *doubts) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for i := range d.lost {
		out = append(out, d.lost[i].names...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// about reports whether a record is known to be behind.
func (d *doubts) about(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, stuck := d.stuck[name]
	return stuck || slices.ContainsFunc(d.lost, func(l lost) bool { return slices.Contains(l.names, name) })
}

// err returns nil when there are none.
func (d *doubts) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case len(d.lost) > 0:
		first := &d.lost[0]
		return fmt.Errorf("%d changes could not be saved, the first of them that of %s: %w", len(d.lost), strings.Join(first.names, " and "), first.err)
	case len(d.stuck) > 0:
		return fmt.Errorf("changes of %d records were lost; they stay closed until a new start", len(d.stuck))
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
