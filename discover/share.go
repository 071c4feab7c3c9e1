package discover

import (
	"container/list"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/fetch"
)

// Limits of the shelf. The publishers of a network are usually looked at one right
// after the other, so a minute is enough, and nobody who has just fixed a file
// waits longer than that; Options.NoCache does not wait at all.
const (
	shelfLife  = time.Minute
	shelfBytes = 24_000_000
	shelfCount = 256
	// valueBytes is what a report is counted with for each JSON value of its file.
	// Those of files in good order take 15 to 45 octets for each.
	valueBytes = 32
	// keptFindings is the number of findings up to which a report is kept. A file
	// of many small faults takes far more memory than its size tells.
	keptFindings = 1000
	// heavyReport is the weight of a report that is dropped before another large file is
	// checked.
	heavyReport = 16_000_000
)

// A shelf keeps the authoritative files of the last minute by their URL, so that
// a file that a thousand publishers point to is fetched and checked once. Fetching
// at the same time is the Getter's business: fetch.Client answers such questions
// with one request.
type shelf struct {
	now func() time.Time

	mu    sync.Mutex
	kept  map[string]*list.Element // of *keptResult
	order *list.List               // the one put in last is in front
	bytes int
	// sweeping is set while sweep is going to come.
	sweeping bool
}

type keptResult struct {
	url    string
	result *fetch.Result
	at     time.Time

	// checking is held while the file is checked; whoever comes meanwhile waits
	// for the report. The rest is guarded by the shelf's mu.
	checking sync.Mutex
	report   *adagents.Report // nil for none
	options  adagents.Options // those of report
	// particular is set when the report is about one publisher, or too large to be
	// kept, so that there is nothing to wait for.
	particular bool
}

// weight is what counts against the limit of the shelf.
func (k *keptResult) weight() int {
	n := len(k.result.Body)
	if k.report != nil && k.report.Tree() != nil {
		n += valueBytes * k.report.Tree().Len()
	}
	return n
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
	e := s.kept[url]
	if e != nil && e.Value.(*keptResult).result == r {
		// Somebody who waited for the same request was here before.
		return
	}
	s.drop(e)
	s.kept[url] = s.order.PushFront(&keptResult{url: url, result: r, at: s.now()})
	s.bytes += len(r.Body)
	if !s.sweeping {
		s.sweeping = true
		time.AfterFunc(shelfLife, s.sweep)
	}
	s.trim(nil)
}

// sweep forgets what is old, and comes again as long as there is something.
func (s *shelf) sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	s.sweeping = s.order.Len() > 0
	if s.sweeping {
		time.AfterFunc(shelfLife, s.sweep)
	}
}

// trim brings the shelf back to its limits. Reports go first, because they are
// made again without a request. What is spared stays: the largest file alone is
// above the limit together with its report, and the one worth sharing most. The
// caller holds mu.
func (s *shelf) trim(spared *keptResult) {
	for e := s.order.Back(); e != nil && s.bytes > shelfBytes; e = e.Prev() {
		if k := e.Value.(*keptResult); k != spared {
			s.setReport(k, nil)
		}
	}
	for e := s.order.Back(); e != nil && (s.bytes > shelfBytes || s.order.Len() > shelfCount); {
		older := e
		e = e.Prev()
		if older.Value.(*keptResult) != spared {
			s.drop(older)
		}
	}
}

// setReport puts a report beside its file. The caller holds mu.
func (s *shelf) setReport(k *keptResult, r *adagents.Report) {
	s.bytes -= k.weight()
	k.report = r
	s.bytes += k.weight()
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
	s.bytes -= k.weight()
}
