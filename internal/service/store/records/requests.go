package records

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

// keepRequests is how long it is told what became of a request.
const keepRequests = 30 * 24 * time.Hour

const selectRequest = `SELECT id, domain, caller, status, attempts, requested_at, started_at, attempted_at, completed_at, next_at, error FROM crawl_requests `

func scanRequest(r Rows) (*custodian.Request, error) {
	q := &custodian.Request{}
	var requested, attempts int64
	var started, attempted, completed, next *int64
	err := r.Scan(&q.ID, (*string)(&q.Domain), &q.Caller, (*string)(&q.Status), &attempts, &requested, &started,
		&attempted, &completed, &next, &q.Error)
	q.Attempts, q.RequestedAt = int(attempts), time.UnixMicro(requested).UTC()
	q.StartedAt, q.AttemptedAt, q.CompletedAt, q.NextAt = timeOf(started), timeOf(attempted), timeOf(completed),
		timeOf(next)
	return q, err
}

// Request stores a request within limits, and has the publisher looked at before others. One
// that is completed already is only counted. Requests that come at once may exceed the limits by a few.
func (s *Custody) Request(ctx context.Context, q *custodian.Request, l custodian.RequestLimits) error {
	err := checkName(string(q.Domain))
	if err != nil {
		return err
	}
	at := q.RequestedAt.UnixMicro()
	return s.db.Update(ctx, func(c Conn) error {
		err := within(ctx, c, q, l)
		if err != nil {
			return err
		}
		err = later(ctx, c,
			`DELETE FROM crawl_requests WHERE id IN (SELECT id FROM crawl_requests WHERE requested_at < $1 ORDER BY requested_at LIMIT 100)`,
			q.RequestedAt.Add(-keepRequests).UnixMicro())
		if err != nil {
			return err
		}
		err = later(ctx, c,
			`INSERT INTO crawl_requests (id, domain, caller, status, attempts, requested_at, completed_at, error) VALUES ($1, $2, $3, $4, 0, $5, $6, '')`,
			q.ID, q.Domain, q.Caller, string(q.Status), at, optional(q.CompletedAt))
		if err != nil || !q.CompletedAt.IsZero() {
			return err
		}
		// A request under way began before, so it is repeated when that is done.
		return later(ctx, c, insertDue+`VALUES ($1, '', 0, 0, $2, 0, $2) ON CONFLICT (name) DO UPDATE SET class = 0, requested_at = excluded.requested_at,
			at = CASE WHEN due.attempt > 0 THEN due.at ELSE excluded.at END`, q.Domain, at)
	})
}

// within looks at the limits of a request.
func within(ctx context.Context, c Conn, q *custodian.Request, l custodian.RequestLimits) error {
	last, err := number(ctx, c, `SELECT COALESCE(MAX(requested_at), 0) FROM crawl_requests WHERE domain = $1`, q.Domain)
	if err != nil {
		return err
	}
	if wait := time.UnixMicro(int64(last)).Add(l.Domain).Sub(q.RequestedAt); wait > 0 {
		return &custodian.RequestLimitError{Limit: "domain", Wait: wait}
	}
	var n, first int64
	err = one(ctx, c, func(r Rows) error {
		return r.Scan(&n, &first)
	}, `SELECT COUNT(*), COALESCE(MIN(requested_at), 0) FROM crawl_requests WHERE caller = $1 AND requested_at > $2`,
		q.Caller, q.RequestedAt.Add(-time.Hour).UnixMicro())
	if err != nil {
		return err
	}
	if n >= int64(l.Caller) {
		return &custodian.RequestLimitError{Limit: "caller", Wait: time.UnixMicro(first).Add(time.Hour).Sub(q.RequestedAt)}
	}
	open, err := number(ctx, c, `SELECT COUNT(*) FROM crawl_requests WHERE completed_at IS NULL`)
	if err == nil && open >= l.Open {
		return &custodian.RequestLimitError{Limit: "open", Wait: time.Minute}
	}
	return err
}

// RequestByID returns a request.
func (s *Custody) RequestByID(ctx context.Context, id string) (*custodian.Request, error) {
	q, err := get(ctx, s.db, scanRequest, selectRequest+`WHERE id = $1`, id)
	return q, found(err)
}

// BeginRequests notes that an attempt begins for what was requested up to the time that a lease has.
func (s *Custody) BeginRequests(ctx context.Context, l custodian.Lease, at time.Time) error {
	_, err := exec(ctx, s.db, `UPDATE crawl_requests SET status = $3, attempts = attempts + 1, started_at = COALESCE(started_at, $4), attempted_at = $4, next_at = NULL
		WHERE domain = $1 AND completed_at IS NULL AND requested_at <= $2`, l.Name, requestedAt(&l),
		string(custodian.RequestRunning), at.UnixMicro())
	return err
}

// EndRequests notes what came of an attempt. Until then the publisher is due as one that a
// caller waits for, also when a change was committed: if this process dies, another takes
// over.
func (s *Custody) EndRequests(ctx context.Context, a *custodian.Attempt) error {
	return s.db.Update(ctx, func(c Conn) error {
		open, err := list(ctx, c, scanRequest,
			selectRequest+`WHERE domain = $1 AND completed_at IS NULL AND requested_at <= $2 ORDER BY id`, a.Lease.Name,
			requestedAt(&a.Lease))
		if err != nil {
			return err
		}
		var again time.Time
		for i := range open {
			q := &open[i]
			q.Attempted(a.State, a.At)
			if !q.NextAt.IsZero() && (again.IsZero() || q.NextAt.Before(again)) {
				again = q.NextAt
			}
			err := later(ctx, c,
				`UPDATE crawl_requests SET status = $2, error = $3, completed_at = $4, next_at = $5 WHERE id = $1`,
				q.ID, string(q.Status), q.Error, optional(q.CompletedAt), optional(q.NextAt))
			if err != nil {
				return err
			}
		}
		// What was requested meanwhile is due at once.
		if !again.IsZero() {
			return later(ctx, c,
				`UPDATE due SET at = CASE WHEN requested_at > $2 THEN requested_at ELSE CAST($3 AS BIGINT) END WHERE name = $1 AND attempt = 0 AND requested_at > 0`,
				a.Lease.Name, requestedAt(&a.Lease), again.UnixMicro())
		}
		return later(ctx, c, `UPDATE due SET class = CASE WHEN requested_at > $2 THEN class ELSE CAST($3 AS SMALLINT) END,
			at = CASE WHEN requested_at > $2 THEN requested_at ELSE CAST($4 AS BIGINT) END, requested_at = CASE WHEN requested_at > $2 THEN requested_at ELSE 0 END
			WHERE name = $1 AND attempt = 0 AND requested_at > 0`, a.Lease.Name,
			requestedAt(&a.Lease), int64(a.Class), a.Due.UnixMicro())
	})
}

// Hasten has publishers that lead to files looked at from a time on, those first that are due
// soonest, unless a request is under way. They keep their class: there may be many. It
// returns how many that are.
func (s *Custody) Hasten(ctx context.Context, urls []string, at time.Time, most int) (int, error) {
	n := 0
	for _, url := range urls {
		led, err := exec(ctx, s.db, `UPDATE due SET requested_at = $2, at = $2 WHERE name IN
			(SELECT d.name FROM due AS d JOIN custody_publishers AS p ON p.domain = d.name WHERE p.current_file = $1 AND d.requested_at = 0 AND d.attempt = 0 ORDER BY d.at LIMIT $3)
			AND requested_at = 0 AND attempt = 0`, fileKey(url), at.UnixMicro(), int64(most-n))
		n += int(led)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// HastenFile has a file looked at from a time on, unless a request is under way.
func (s *Custody) HastenFile(ctx context.Context, url string, at time.Time) error {
	_, err := exec(ctx, s.db, `UPDATE due SET at = $2 WHERE name = $1 AND attempt = 0`, custodian.FileKey(url),
		at.UnixMicro())
	return err
}
