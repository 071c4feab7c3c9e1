package discover

import (
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/flight"
)

// Limits of recentFiles. The publishers of a network are usually looked at one right
// after the other, so a minute is enough, and an author who has just fixed a file waits
// no longer than that; Options.NoCache does not wait at all.
const (
	recentLife  = time.Minute
	recentBytes = 24_000_000
	recentCount = 256
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

// recentFiles keeps the authoritative files of the last minute by their URL, so that
// a file that a thousand publishers point to is fetched and checked once. Fetching
// at the same time is the Getter's business: fetch.Client answers such questions
// with one request.
type recentFiles struct {
	kept    *flight.Cache[string, *keptResult]
	putting sync.Mutex // by one at a time
}

type keptResult struct {
	result *Result
	// checking is held while the file is checked; other callers wait for the report
	// meanwhile.
	checking sync.Mutex

	mu      sync.Mutex
	report  *adagents.Report // nil for none
	options adagents.Options // those of report
	// particular is set when the report is about one publisher, or too large to be
	// kept, so that there is nothing to wait for.
	particular bool
}

// newRecentFiles returns an empty one. When it is full reports go first, because they are made again
// without a request. The largest file alone is above the limit together with its report,
// and the one worth sharing most.
func newRecentFiles(now func() time.Time) *recentFiles {
	return &recentFiles{kept: flight.NewCache(flight.Limits[string, *keptResult]{
		Name: "authoritative", Weight: recentBytes, Count: recentCount, Life: recentLife, Now: now,
		Lighten: func(k *keptResult) int {
			return k.set(nil, adagents.Options{})
		},
	})}
}

// set puts a report beside its file, and returns what counts against the limit of the
// cache then.
func (k *keptResult) set(r *adagents.Report, o adagents.Options) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.report, k.options = r, o
	n := len(k.result.Body)
	if r != nil && r.Tree() != nil {
		n += valueBytes * r.Tree().Len()
	}
	return n
}

// get returns the result for a URL and whether it was obtained for another caller. If
// there is none, it calls ask.
func (s *recentFiles) get(url string, ask func() *fetch.Result) (*fetch.Result, bool) {
	known, ok := s.kept.Get(url)
	if ok {
		return known.result, true
	}
	r := ask()
	if r.Outcome == fetch.Found {
		s.put(url, r)
	}
	return r, false
}

func (s *recentFiles) put(url string, r *fetch.Result) {
	s.putting.Lock()
	defer s.putting.Unlock()
	// Another waiter of the same request may have been here before.
	if s.holds(url, r) == nil {
		s.kept.Put(url, &keptResult{result: r}, len(r.Body))
	}
}

// holds returns what is kept if it is this very result.
func (s *recentFiles) holds(url string, r *fetch.Result) *keptResult {
	k, ok := s.kept.Get(url)
	if !ok || k.result != r {
		return nil
	}
	return k
}

// renew replaces what is kept by a result that was asked for in any case.
func (s *recentFiles) renew(url string, r *fetch.Result) {
	if r.Outcome == fetch.Found {
		s.put(url, r)
		return
	}
	s.kept.Delete(url)
}
