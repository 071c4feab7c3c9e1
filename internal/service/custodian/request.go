package custodian

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A RequestStatus is how far a requested look is.
type RequestStatus string

// The states of a request. The last three are for good.
const (
	RequestQueued   RequestStatus = "queued"
	RequestRunning  RequestStatus = "running"
	RequestRetrying RequestStatus = "retrying"
	// RequestCompleted: the publisher has answered. RequestInvalid: what it answered cannot
	// be used. RequestFailed: it has not answered in RequestAttempts attempts.
	RequestCompleted RequestStatus = "completed"
	RequestInvalid   RequestStatus = "invalid"
	RequestFailed    RequestStatus = "failed"
)

// What became of an attempt, where that is not good.
const (
	requestUnusable = "publisher_manifest_invalid"
	requestSilent   = "crawl_origin_temporarily_unavailable"
)

// RequestAttempts is how often a publisher is looked at for one request.
const RequestAttempts = 5

// requestPauses are those after attempts that failed.
var requestPauses = [...]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// A Request is a check that a caller has asked for.
type Request struct {
	ID     string
	Domain hostname.Domain
	// Caller is the caller's key.
	Caller      string
	Status      RequestStatus
	Attempts    int
	RequestedAt time.Time
	// StartedAt is when the first attempt began and AttemptedAt the last, and CompletedAt when
	// the request was done. NextAt is when the next attempt begins, while it is retried.
	StartedAt, AttemptedAt, CompletedAt, NextAt time.Time
	// Error is the code of what was wrong with the last attempt.
	Error string
}

// RequestLimits bound requests.
type RequestLimits struct {
	// Domain is the shortest time between two requests for the same, and Caller how many one
	// key may make within an hour. Open is how many may wait at a time.
	Domain       time.Duration
	Caller, Open int
}

// A RequestLimitError is the error of a request beyond its limits.
type RequestLimitError struct {
	// Limit is what was reached: "domain", "caller" or "open".
	Limit string
	Wait  time.Duration
}

// Error says so.
func (e *RequestLimitError) Error() string {
	return fmt.Sprintf("too many requests by %s, for another %s", e.Limit, e.Wait)
}

// Attempted notes the end of an attempt, which found the publisher in a state.
func (r *Request) Attempted(state resolve.State, at time.Time) {
	switch {
	case state == resolve.Unusable:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestInvalid, requestUnusable, at, time.Time{}
	case state != resolve.Unreachable:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestCompleted, "", at, time.Time{}
	case r.Attempts >= RequestAttempts:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestFailed, requestSilent, at, time.Time{}
	default:
		r.Status, r.Error = RequestRetrying, requestSilent
		r.NextAt = at.Add(requestPauses[min(max(r.Attempts, 1), len(requestPauses))-1])
	}
}

// An Attempt is the end of a look that was requested.
type Attempt struct {
	Lease Lease
	At    time.Time
	State resolve.State
	// Due and Class apply to the publisher once no caller waits any more.
	Due   time.Time
	Class Class
}

// announce tells those who wait that an attempt begins.
func (w *watcher) announce(ctx context.Context, held *tenure) {
	if held == nil || held.Wish.IsZero() {
		return
	}
	err := w.k.config.Store.BeginRequests(ctx, held.Lease, w.k.now())
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot note that a request is under way", "publisher", held.Name, "error", err)
	}
}

// attempted tells the store what came of a look that was requested. When that fails, it is
// looked at once more.
func (w *watcher) attempted(ctx context.Context, t Task) {
	if t.URL != "" {
		return
	}
	s, err := w.k.State(ctx, t.Publisher)
	if err == nil {
		a := Attempt{Lease: t.Lease, At: w.k.now(), State: s.Served, Class: ClassOf(s.Publisher)}
		a.Due = w.next(ctx, t)
		err = w.k.config.Store.EndRequests(ctx, &a)
	}
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot note what came of a request", "publisher", t.Publisher, "error", err)
	}
}
