package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

// asked stores a request for a publisher.
func asked(t *testing.T, s custodian.Store, id string, domain custody.Domain, at time.Time) error {
	t.Helper()
	q := &custodian.Request{ID: id, Domain: domain, Caller: "key", Status: custodian.RequestQueued, RequestedAt: at}
	return s.Request(t.Context(), q, custodian.RequestLimits{Domain: 5 * time.Minute, Caller: 3, Open: 4})
}

// attempt takes what is due, looks at it and says what came of it. With lost nobody says so.
func attempt(t *testing.T, s custodian.Store, at time.Time, revision int64, state resolve.State, lost bool) {
	t.Helper()
	tasks := take(t, s, at, 9)
	want(t, len(tasks), 1)
	l := tasks[0].Lease
	ok(t, s.BeginRequests(t.Context(), l, at))
	c := looked(at, &l)
	c.Publisher.Revision = revision
	commit(t, s, c)
	if !lost {
		ok(t, s.EndRequests(t.Context(), &custodian.Attempt{Lease: l, At: at, State: state, Due: at.Add(time.Hour), Class: custodian.Wanted}))
	}
}

var requestTests = map[string]func(*testing.T, keeping){
	"come before what is due": func(t *testing.T, open keeping) {
		s := open(t)
		for i := range 100 {
			plan(t, s, custodian.Wanted, custody.Domain(fmt.Sprintf("p%d.example", i)))
		}
		ok(t, asked(t, s, "1", "a.example", day0.Add(time.Second)))
		first := take(t, s, day0.Add(time.Second), 5)[0]
		want(t, first.Lease.Name, "a.example")
		want(t, first.Class, custodian.Requested)
		want(t, first.Lease.RequestedAt, day0.Add(time.Second))
	},
	"have limits": func(t *testing.T, open keeping) {
		s := open(t)
		limited := func(err error) string {
			var l *custodian.RequestLimitError
			if !errors.As(err, &l) || l.Wait <= 0 {
				t.Errorf("no limit: %v", err)
				return ""
			}
			return l.Limit
		}
		ok(t, asked(t, s, "1", "a.example", day0))
		want(t, limited(asked(t, s, "2", "a.example", day0.Add(time.Minute))), "domain")
		ok(t, asked(t, s, "3", "b.example", day0))
		ok(t, asked(t, s, "4", "c.example", day0))
		want(t, limited(asked(t, s, "5", "d.example", day0.Add(time.Minute))), "caller")
		ok(t, asked(t, s, "6", "d.example", day0.Add(2*time.Hour)))
		want(t, limited(asked(t, s, "7", "e.example", day0.Add(2*time.Hour))), "open")
	},
	"are completed": func(t *testing.T, open keeping) {
		s := open(t)
		ok(t, asked(t, s, "1", "a.example", day0))
		attempt(t, s, day0.Add(time.Second), 0, resolve.Usable, false)
		q := got[*custodian.Request](t)(s.RequestByID(t.Context(), "1"))
		want(t, q, &custodian.Request{
			ID: "1", Domain: "a.example", Caller: "key", Status: custodian.RequestCompleted, Attempts: 1, RequestedAt: day0,
			StartedAt: day0.Add(time.Second), AttemptedAt: day0.Add(time.Second), CompletedAt: day0.Add(time.Second),
		})
		want(t, len(take(t, s, day0.Add(time.Minute), 9)), 0)
		due := take(t, s, day0.Add(2*time.Hour), 9)[0]
		want(t, due.Class, custodian.Wanted)
		want(t, due.Lease.RequestedAt.IsZero(), true)
	},
	"are tried five times": func(t *testing.T, open keeping) {
		s := open(t)
		ok(t, asked(t, s, "1", "a.example", day0))
		at := day0
		for i, pause := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 0} {
			attempt(t, s, at, int64(i), resolve.Unreachable, false)
			q := got[*custodian.Request](t)(s.RequestByID(t.Context(), "1"))
			want(t, q.Attempts, i+1)
			want(t, q.Error, "crawl_origin_temporarily_unavailable")
			if pause == 0 {
				want(t, q.Status, custodian.RequestFailed)
				continue
			}
			want(t, q.Status, custodian.RequestRetrying)
			want(t, q.NextAt, at.Add(pause))
			want(t, len(take(t, s, at.Add(pause-time.Microsecond), 9)), 0)
			at = at.Add(pause)
		}
	},
	"are not lost with those who look": func(t *testing.T, open keeping) {
		s := open(t)
		ok(t, asked(t, s, "1", "a.example", day0))
		take(t, s, day0, 9) // dies before it begins
		attempt(t, s, day0.Add(2*time.Minute), 0, resolve.Usable, true)
		attempt(t, s, day0.Add(4*time.Minute), 1, resolve.Unusable, false)
		q := got[*custodian.Request](t)(s.RequestByID(t.Context(), "1"))
		want(t, q.Status, custodian.RequestInvalid)
		want(t, q.Attempts, 2)
	},
	"that come during a look are answered by another": func(t *testing.T, open keeping) {
		s := open(t)
		ok(t, asked(t, s, "1", "a.example", day0))
		l := take(t, s, day0, 9)[0].Lease
		ok(t, asked(t, s, "2", "a.example", day0.Add(10*time.Minute)))
		want(t, len(take(t, s, day0.Add(time.Second), 9)), 0)
		commit(t, s, looked(day0, &l))
		ok(t, s.EndRequests(t.Context(), &custodian.Attempt{Lease: l, At: day0, State: resolve.Usable, Due: day0.Add(time.Hour), Class: custodian.Wanted}))
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "1")).Status, custodian.RequestCompleted)
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "2")).Status, custodian.RequestQueued)
		attempt(t, s, day0.Add(10*time.Minute), 1, resolve.Usable, false)
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "2")).Status, custodian.RequestCompleted)
	},
	"that come while another is retried do not wait for that": func(t *testing.T, open keeping) {
		s := open(t)
		ok(t, asked(t, s, "1", "a.example", day0))
		l := take(t, s, day0, 9)[0].Lease
		ok(t, asked(t, s, "2", "a.example", day0.Add(10*time.Minute)))
		commit(t, s, looked(day0, &l))
		at := day0.Add(11 * time.Minute)
		ok(t, s.EndRequests(t.Context(), &custodian.Attempt{Lease: l, At: at, State: resolve.Unreachable, Due: at.Add(time.Hour), Class: custodian.Wanted}))
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "1")).NextAt, at.Add(time.Minute))
		attempt(t, s, at, 1, resolve.Usable, false)
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "1")).Status, custodian.RequestCompleted)
		want(t, got[*custodian.Request](t)(s.RequestByID(t.Context(), "2")).Status, custodian.RequestCompleted)
	},
	"of a manager reach its publishers": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, looked(day0, nil))
		commit(t, s, &custodian.Change{Files: []*custody.File{file(fileURL)}})
		want(t, len(take(t, s, day0.Add(time.Minute), 9)), 0)
		want(t, got[int](t)(s.Hasten(t.Context(), []string{fileURL}, day0, 0)), 0)
		want(t, got[int](t)(s.Hasten(t.Context(), []string{fileURL}, day0, 9)), 1)
		ok(t, s.HastenFile(t.Context(), fileURL, day0))
		want(t, names(take(t, s, day0.Add(time.Minute), 9)), []string{"a.example", custodian.FileKey(fileURL)})
		want(t, got[int](t)(s.Hasten(t.Context(), []string{fileURL}, day0, 9)), 0) // somebody is at it
		want(t, got[int](t)(s.Hasten(t.Context(), []string{"https://nobody.example/"}, day0, 9)), 0)
	},
}
