package discover

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/fetch"
)

// Limits of the shelf. The publishers of a network are usually looked at one right
// after the other, so a minute is enough, and nobody who has just mended a file
// waits longer than that; Options.NoCache does not wait at all.
const (
	shelfLife  = time.Minute
	shelfBytes = 64_000_000
	shelfCount = 256
)

// A shelf keeps the authoritative files of the last minute by their URL, so that
// a file that a thousand publishers point to is fetched once. Questions at the
// same time wait for the same request.
type shelf struct {
	now func() time.Time

	mu      sync.Mutex
	flights map[string]*flight
	kept    map[string]*list.Element // of *keptResult
	order   *list.List               // the one put in last is in front
	bytes   int
}

type keptResult struct {
	url    string
	result *fetch.Result
	at     time.Time
}

// A flight is a request that others wait for. result stays nil when whoever made
// it gave up, which says nothing about the file.
type flight struct {
	done   chan struct{}
	result *fetch.Result
}

func newShelf(now func() time.Time) *shelf {
	return &shelf{now: now, flights: make(map[string]*flight), kept: make(map[string]*list.Element), order: list.New()}
}

// get returns the result for a URL and whether it was obtained for somebody else.
// When nobody has it, ask is called.
func (s *shelf) get(ctx context.Context, url string, ask func() *fetch.Result) (*fetch.Result, bool) {
	for {
		s.mu.Lock()
		r := s.lookup(url)
		if r != nil {
			s.mu.Unlock()
			return r, true
		}
		other := s.flights[url]
		if other == nil {
			own := &flight{done: make(chan struct{})}
			s.flights[url] = own
			s.mu.Unlock()
			return s.fly(ctx, url, own, ask), false
		}
		s.mu.Unlock()
		select {
		case <-other.done:
			if other.result != nil {
				return other.result, true
			}
		case <-ctx.Done():
			// The request itself says best how a cancelled one ends.
			return ask(), false
		}
	}
}

// fly makes the request and hands the result to those who wait.
func (s *shelf) fly(ctx context.Context, url string, own *flight, ask func() *fetch.Result) *fetch.Result {
	defer func() {
		s.mu.Lock()
		delete(s.flights, url)
		s.mu.Unlock()
		close(own.done)
	}()
	r := ask()
	if ctx.Err() != nil {
		return r
	}
	own.result = r
	if r.Outcome == fetch.Found {
		s.put(url, r)
	}
	return r
}

// lookup returns a kept result that is recent enough. The caller holds mu.
func (s *shelf) lookup(url string) *fetch.Result {
	s.expire()
	e := s.kept[url]
	if e == nil {
		return nil
	}
	return e.Value.(*keptResult).result
}

func (s *shelf) put(url string, r *fetch.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	s.drop(s.kept[url])
	s.kept[url] = s.order.PushFront(&keptResult{url, r, s.now()})
	s.bytes += len(r.Body)
	for s.bytes > shelfBytes || s.order.Len() > shelfCount {
		s.drop(s.order.Back())
	}
}

// renew replaces what is kept by a result that was asked for in any case.
func (s *shelf) renew(url string, r *fetch.Result) {
	if r.Outcome == fetch.Found {
		s.put(url, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(s.kept[url])
}

// expire drops what is older than a minute, or from a future that the clock has
// since gone back from.
func (s *shelf) expire() {
	now := s.now()
	for e := s.order.Back(); e != nil; e = s.order.Back() {
		age := now.Sub(e.Value.(*keptResult).at)
		if age >= 0 && age < shelfLife {
			return
		}
		s.drop(e)
	}
}

func (s *shelf) drop(e *list.Element) {
	if e == nil {
		return
	}
	k := s.order.Remove(e).(*keptResult)
	delete(s.kept, k.url)
	s.bytes -= len(k.result.Body)
}
