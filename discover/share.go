package discover

import (
	"container/list"
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
// same time are the Getter's business: fetch.Client answers them with one request.
type shelf struct {
	now func() time.Time

	mu    sync.Mutex
	kept  map[string]*list.Element // of *keptResult
	order *list.List               // the one put in last is in front
	bytes int
}

type keptResult struct {
	url    string
	result *fetch.Result
	at     time.Time
}

func newShelf(now func() time.Time) *shelf {
	return &shelf{now: now, kept: make(map[string]*list.Element), order: list.New()}
}

// get returns the result for a URL and whether it was obtained for somebody else.
// When nobody has it, ask is called.
func (s *shelf) get(url string, ask func() *fetch.Result) (*fetch.Result, bool) {
	r := s.lookup(url)
	if r != nil {
		return r, true
	}
	r = ask()
	if r.Outcome == fetch.Found {
		s.put(url, r)
	}
	return r, false
}

// lookup returns a kept result that is recent enough.
func (s *shelf) lookup(url string) *fetch.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
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
