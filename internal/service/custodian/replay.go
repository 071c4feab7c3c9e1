package custodian

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// ErrFuture is the error of a question about what counted at a time that has not come.
var ErrFuture = errors.New("the time has not come yet")

// ErrForgotten is the error of a question about what counted at a time whose history was
// removed.
var ErrForgotten = errors.New("what counted at that time is not kept any more")

// eventPage is how many events are read at once.
const eventPage = 500

// A course is what the events of a record say about its use up to a time.
type course struct {
	// closed says why it was not used; empty when it was.
	closed string
	// failing is when requests began to fail; zero when they did not.
	failing time.Time
	// known: there was an event that decides.
	known bool
	// trimmed: events that decide may have been removed.
	trimmed bool
}

// follow takes note of an event.
func (c *course) follow(e *custody.Event) {
	was := c.known
	c.known = true
	switch e.Code {
	case "file.expired", "file.contradicted", "file.gone", "file.denied", "file.overflow", "publisher.denied", "publisher.expired":
		c.closed = e.Message
	case "history.trimmed":
		*c = course{trimmed: true}
	case "file.failing", "publisher.failing", "file.rollback", "file.future", "file.date_missing":
		if c.failing.IsZero() {
			c.failing = e.At
		}
	case "file.adopted", "file.changed", "file.recovered", "file.returned",
		"publisher.recovered", "publisher.returned", "publisher.located", "move.adopted", "move.confirmed":
		*c = course{known: true}
	default:
		c.known = was
	}
}

// resume takes note of an event after the time in question. A record that is used again,
// and of which nothing was heard before, was not used for longer than events are kept.
func (c *course) resume(e *custody.Event) {
	if e.Code == "history.trimmed" {
		*c = course{trimmed: true}
	}
	if c.known || c.trimmed {
		return
	}
	c.follow(e)
	switch e.Code {
	case "file.recovered", "file.returned", "publisher.recovered", "publisher.returned":
		c.closed = "it was not confirmed for too long"
	default:
		*c = course{known: c.known}
	}
}

// end returns why the record was not used at a time, or "". It is ErrForgotten when that
// is not known.
func (c *course) end(t time.Time) (string, error) {
	if c.trimmed && c.closed == "" {
		return "", ErrForgotten
	}
	if c.closed == "" && !c.failing.IsZero() && !t.Before(c.failing.Add(custody.MaxStale)) {
		return "it was not confirmed for too long", nil
	}
	return c.closed, nil
}

// closedAt returns why what a publisher's place had did not count at a time, or "".
func (k *Keeper) closedAt(ctx context.Context, domain hostname.Domain, url string, t time.Time) (string, error) {
	for _, f := range []EventFilter{{URL: url}, {Publisher: domain}} {
		why, err := k.courseOf(ctx, f, t)
		if err != nil || why != "" {
			return why, err
		}
	}
	f, err := k.file(ctx, url)
	if err != nil {
		return "", err
	}
	if !t.Before(f.ConfirmedAt.Add(custody.MaxAge)) {
		return "it was not confirmed since " + confirmed(f.ConfirmedAt), nil
	}
	return "", nil
}

// courseOf reads the events of a record up to a time.
func (k *Keeper) courseOf(ctx context.Context, f EventFilter, t time.Time) (string, error) {
	var c course
	last := int64(0)
	for {
		events, err := k.config.Store.Events(ctx, f, last, eventPage)
		if err != nil {
			return "", unavailable(ctx, err)
		}
		for i := range events {
			e := &events[i]
			last = e.ID
			switch {
			case f.URL != "" && e.Publisher != "":
			case e.At.After(t):
				c.resume(&e.Event)
			default:
				c.follow(&e.Event)
			}
		}
		if len(events) < eventPage {
			return c.end(t)
		}
	}
}
