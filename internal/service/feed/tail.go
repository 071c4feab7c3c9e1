package feed

import (
	"context"
	"sync"
	"time"
)

// The tail is bounded in number and size.
const (
	tailEvents = 4096
	tailBytes  = 4 << 20
	followPage = 1000
)

// A shown event is one as followers get it.
type shown struct {
	Event
	json []byte
}

// A tail is the end of the feed, in memory: clients that have read up to there are served from it.
type tail struct {
	// reading is held while new events are read.
	reading sync.Mutex

	mu     sync.RWMutex
	tag    Tag
	events []shown
	size   int
	// first is the number after which all events are there, last the number of the last one.
	first int64
	last  Position
	// latest are the last events of each type.
	latest map[string]Position
	// moved is closed when there are more, or when the feed ends.
	moved chan struct{}
	ended bool
}

// open reads where the feed ends.
func (f *Feed) open(ctx context.Context) error {
	identity, err := f.Store.Identity(ctx)
	if err != nil {
		return err
	}
	last, err := f.Store.LastChange(ctx, "")
	if err != nil {
		return err
	}
	latest := map[string]Position{}
	for _, kind := range Types {
		at, err := f.Store.LastChange(ctx, kind)
		if err != nil {
			return err
		}
		if at.Number > 0 {
			latest[kind] = at
		}
	}
	t := &f.tail
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tag, t.first, t.last, t.latest = TagOf(identity), last.Number, last, latest
	close(f.ready)
	t.wakeAll()
	return nil
}

// follow reads what is new. The first to call it reads where the feed ends.
func (f *Feed) follow(ctx context.Context) error {
	f.tail.reading.Lock()
	defer f.tail.reading.Unlock()
	select {
	case <-f.ready:
	default:
		err := f.open(ctx)
		if err != nil {
			return err
		}
	}
	for {
		f.tail.mu.RLock()
		after := f.tail.last.Number
		f.tail.mu.RUnlock()
		last, err := f.Store.LastChange(ctx, "")
		if err != nil || last.Number <= after {
			return err
		}
		list, err := f.Store.Changes(ctx, after, time.Time{}, followPage)
		if err != nil || len(list) == 0 {
			return err
		}
		f.tail.append(f.show(list))
	}
}

// append adds events.
func (t *tail) append(list []shown) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range list {
		t.events = append(t.events, e)
		t.size += len(e.json)
		t.last = Position{e.Number, e.At}
		t.latest[e.Type] = t.last
	}
	n := 0
	for len(t.events)-n > tailEvents || t.size > tailBytes && len(t.events)-n > 1 {
		t.size -= len(t.events[n].json)
		t.first = t.events[n].Number
		n++
	}
	t.events = append([]shown(nil), t.events[n:]...)
	t.wakeAll()
}

func (t *tail) wakeAll() {
	close(t.moved)
	t.moved = make(chan struct{})
}

// End wakes everybody who waits for more: there is none.
func (f *Feed) End() {
	t := &f.tail
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.wakeAll()
}

// Wait returns what is closed when there may be more, and whether the feed has ended.
func (f *Feed) Wait() (<-chan struct{}, bool) {
	f.tail.mu.RLock()
	defer f.tail.mu.RUnlock()
	return f.tail.moved, f.tail.ended
}
