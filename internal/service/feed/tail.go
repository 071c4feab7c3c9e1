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

// A tail is the end of the feed, in memory: whoever has read up to there is served from it.
type tail struct {
	mu     sync.RWMutex
	tag    Tag
	events []shown
	size   int
	// first is the number after which all events are there, last that of the last one.
	first int64
	last  Position
	// latest are the last events of each type.
	latest map[string]Position
	// moved is closed when there are more, or when the feed ends.
	moved chan struct{}
	ended bool
}

// Follow reads what others tell until the context ends, and tells nothing.
func (f *Feed) Follow(ctx context.Context) {
	defer f.End()
	f.keepFollowing(ctx)
}

// keepFollowing reads what was told, by this process and others.
func (f *Feed) keepFollowing(ctx context.Context) {
	err := f.open(ctx)
	for err != nil && ctx.Err() == nil {
		f.complain(ctx, err)
		pause(ctx, time.Second)
		err = f.open(ctx)
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			f.complain(ctx, f.follow(ctx))
		}
	}
}

// open reads where the feed ends.
func (f *Feed) open(ctx context.Context) error {
	identity, err := f.store.Identity(ctx)
	if err != nil {
		return err
	}
	last, err := f.store.LastChange(ctx, "")
	if err != nil {
		return err
	}
	latest := map[string]Position{}
	for _, kind := range Types {
		at, err := f.store.LastChange(ctx, kind)
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

// follow reads what is new.
func (f *Feed) follow(ctx context.Context) error {
	select {
	case <-f.ready:
	default:
		return nil
	}
	for {
		f.tail.mu.RLock()
		after := f.tail.last.Number
		f.tail.mu.RUnlock()
		last, err := f.store.LastChange(ctx, "")
		if err != nil || last.Number <= after {
			return err
		}
		list, err := f.store.Changes(ctx, after, time.Time{}, followPage)
		if err != nil || len(list) == 0 {
			return err
		}
		err = f.tail.append(after, list)
		if err != nil {
			return err
		}
	}
}

// append adds events that were read after a number, unless somebody else has added them.
func (t *tail) append(after int64, list []Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.Number != after {
		return nil
	}
	for i := range list {
		e := &list[i]
		text, err := e.encode(t.tag)
		if err != nil {
			return err
		}
		e.Payload = nil // it is in the text
		t.events = append(t.events, shown{*e, text})
		t.size += len(text)
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
	return nil
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
