package keypin

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/flight"
)

// refreshEvery is the shortest time between two forced requests for one publisher's file.
// Messages with made-up key ids must not make us flood the publisher.
const refreshEvery = 30 * time.Second

// refreshTime is the longest that one of them may take.
const refreshTime = 2 * time.Minute

// lookup finds the pinned keys that the signature may have been made with. When the pin
// does not have the key, the publisher is asked once more.
func (c *check) lookup(ctx context.Context) ([]candidate, *fault, error) {
	doc, err := c.v.config.Source.Pins(ctx, c.result.Publisher)
	if err != nil {
		return nil, nil, fmt.Errorf("pins of %s: %w", c.result.Publisher, err)
	}
	if doc == nil {
		return nil, nil, errNoDocument
	}
	if c.stale(doc) {
		return c.again(ctx, doc,
			&fault{"pin.stale", "the pins that are known are too old, and the publisher was asked a moment ago"})
	}
	found, f := c.evaluate(doc)
	if f == nil || !mayBeNews(f) {
		return found, f, nil
	}
	return c.again(ctx, doc, f)
}

// mayBeNews reports whether a file does not have the key at all, so that the publisher may
// have added it since. A pin that is empty or no list has none.
func mayBeNews(f *fault) bool {
	return f.code == codeKeyUnknown || f.code == codeMalformed || f.code == "pin.agent_not_listed"
}

// again asks the publisher once more and takes the answer as the last word. otherwise is
// the answer when it is too soon for that.
func (c *check) again(ctx context.Context, doc *Document, otherwise *fault) ([]candidate, *fault, error) {
	fresh, asked, err := c.v.refresh.do(ctx, c.result.Publisher, c.v.config.Now)
	if err != nil {
		return nil, nil, fmt.Errorf("pins of %s: %w", c.result.Publisher, err)
	}
	c.result.Refreshed = asked
	switch {
	case !asked && (fresh == nil || !fresh.FetchedAt.After(doc.FetchedAt) || c.stale(fresh)):
		return nil, otherwise, nil
	case fresh.State != Usable:
		c.evidence(fresh)
		return nil, refreshFault(fresh), nil
	}
	found, f := c.evaluate(fresh)
	return found, f, nil
}

// stale reports whether the pins of a document must not be used any more. One that was
// obtained for this message is never stale.
func (c *check) stale(doc *Document) bool {
	// Stores keep times in fewer digits than the clock has.
	if doc.State != Usable || doc.File == nil || !doc.FetchedAt.Before(c.started.Truncate(time.Millisecond)) {
		return false
	}
	until := doc.KeysUntil
	if doc.pins().revoking && until.After(doc.FetchedAt.Add(revokingLifetime)) {
		until = doc.FetchedAt.Add(revokingLifetime)
	}
	return !c.started.Before(until)
}

// evaluate looks for the key in a document.
func (c *check) evaluate(doc *Document) ([]candidate, *fault) {
	c.evidence(doc)
	f := documentFault(doc)
	if f != nil {
		return nil, f
	}
	if doc.Publisher != "" && doc.Publisher != c.result.Publisher {
		return nil, &fault{"pin.file_unavailable", "the file at hand speaks for another publisher"}
	}
	if doc.Revoked || doc.pins().revoked[c.result.Publisher] {
		return nil, &fault{"pin.publisher_revoked", "the file revokes the publisher"}
	}
	return doc.candidates(c.result.Agent, c.sig.keyid, &c.q)
}

// evidence says which file the answer rests on.
func (c *check) evidence(doc *Document) {
	r := c.result
	c.keySince = doc.KeySince
	r.URL, r.SHA256, r.FetchedAt, r.KnownSince = doc.URL, doc.SHA256, doc.FetchedAt, doc.KnownSince
}

// documentFault says why a document has no pins.
func documentFault(doc *Document) *fault {
	var f fault
	switch doc.State {
	case Usable:
		if doc.File != nil {
			return nil
		}
		f = fault{"pin.file_unavailable", "there is no file"}
	case Absent:
		f = fault{"pin.no_file", "the publisher has no file"}
	case Unusable:
		f = fault{"pin.file_unusable", "the publisher's file must not be used"}
	case Expired:
		f = fault{"pin.file_expired", "the publisher's file was confirmed too long ago"}
	case RolledBack, PointerChanged:
		return refreshFault(doc)
	default:
		f = fault{"pin.file_unavailable", "the publisher's file could not be fetched"}
	}
	if doc.Detail != "" {
		f.detail += ": " + doc.Detail
	}
	return &f
}

// refreshFault says why the answer to a forced request is ignored. What was known
// before is ignored, too: it does not have the key, or is too old.
func refreshFault(doc *Document) *fault {
	switch doc.State {
	case RolledBack:
		return &fault{"pin.rolled_back", "the publisher serves an older file than before, which is not adopted"}
	case PointerChanged:
		return &fault{"pin.pointer_changed", "the publisher points to another file than before, which is not adopted yet"}
	}
	f := &fault{"pin.refresh_failed", "the publisher was asked once more without success"}
	if doc.Detail != "" {
		f.detail += ": " + doc.Detail
	}
	return f
}

// A refresher asks publishers once more, each at most once at a time and not too often.
type refresher struct {
	source Source
	calls  flight.Group[string, *Document]

	mu     sync.Mutex
	recent map[string]*forced
}

// A forced request is under way, or was made a short while ago.
type forced struct {
	call  *flight.Call[*Document]
	began time.Time
}

// mostRecent is the number of publishers above which those are forgotten that may be
// asked again anyway.
const mostRecent = 1000

// do asks a publisher and reports true, or returns what it said less than refreshEvery
// ago, and false. Those who come while a request is under way share it. It goes on when
// they give up: a caller that hangs up at once and comes again causes no further
// requests.
func (r *refresher) do(ctx context.Context, publisher string, now func() time.Time) (*Document, bool, error) {
	q, finished, err := r.request(ctx, publisher, now())
	if err != nil {
		return nil, false, err
	}
	select {
	case <-q.call.Done():
		doc, err := q.call.Result()
		return doc, !finished, err
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// request returns the request to wait for, and whether it is finished already. The error
// is the context's.
func (r *refresher) request(ctx context.Context, publisher string, now time.Time) (*forced, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.recent[publisher]
	if q != nil && !q.finished() {
		return q, false, nil
	}
	if q != nil && q.age(now) < refreshEvery {
		return q, true, nil
	}
	r.prune(now)
	// Calls are never left, so there is none to wait for.
	call, err := r.calls.Join(ctx, publisher, func(ctx context.Context) (*Document, error) {
		return r.ask(ctx, publisher)
	})
	if err != nil {
		return nil, false, err
	}
	q = &forced{call, now}
	r.recent[publisher] = q
	return q, false, nil
}

// ask makes the request. That it failed is an answer like any other.
func (r *refresher) ask(ctx context.Context, publisher string) (*Document, error) {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	doc, err := r.source.Refresh(ctx, publisher)
	switch {
	case err != nil:
		return nil, err
	case doc == nil:
		return nil, errNoDocument
	}
	return doc, nil
}

// errNoDocument is the error of a Source that breaks its word.
var errNoDocument = errors.New("the source returned no document")

func (q *forced) finished() bool {
	select {
	case <-q.call.Done():
		return true
	default:
		return false
	}
}

// age is the time since the request began; a clock that has gone back makes it old.
func (q *forced) age(now time.Time) time.Duration {
	if now.Before(q.began) {
		return refreshEvery
	}
	return now.Sub(q.began)
}

// prune forgets requests that were made long enough ago. The caller holds mu.
func (r *refresher) prune(now time.Time) {
	if len(r.recent) < mostRecent {
		return
	}
	for name, q := range r.recent {
		if q.finished() && q.age(now) >= refreshEvery {
			delete(r.recent, name)
		}
	}
}
