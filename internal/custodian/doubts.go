package custodian

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/custody"
)

// doubts are the records that are known to be behind: a change that takes something away
// was seen, and the store did not take it. Nothing is answered from them until it does.
type doubts struct {
	mu  sync.Mutex
	all map[string]doubt // by domain or URL
}

// A doubt is why and when something could not be saved.
type doubt struct {
	err error
	at  time.Time
}

// doubtPause is the time between two attempts to save something by asking again.
const doubtPause = 5 * time.Second

func (d *doubts) add(err error, at time.Time, names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all = make(map[string]doubt)
	}
	for _, name := range names {
		d.all[name] = doubt{err, at}
	}
}

// due reports whether to try again.
func (d *doubts) due(name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.all[name]
	return ok && now.Sub(known.at).Abs() >= doubtPause
}

// names returns those that are to be tried again.
func (d *doubts) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.all))
}

func (d *doubts) settle(names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range names {
		delete(d.all, name)
	}
}

func (d *doubts) about(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.all[name]
	return ok
}

// err returns nil when there are none.
func (d *doubts) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.all) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(d.all)))
	return fmt.Errorf("%d records could not be saved, the first of them that of %s: %w", len(d.all), first, d.all[first].err)
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
