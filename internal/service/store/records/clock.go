package records

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// An Ahead says what of a store lies after a time.
type Ahead struct {
	// Noted is the latest time that was noted; zero for none.
	Noted time.Time
	// Publishers and Files are how many records have dates after the time.
	Publishers, Files int64
}

// Ahead looks for what lies after a time. Nothing is changed.
func (s *Store) Ahead(ctx context.Context, now time.Time) (*Ahead, error) {
	return s.rewind(ctx, now, false)
}

// SetClock makes a time the latest one that was noted, whatever was noted before. Records
// with dates after it are not in effect until they are seen again, and are due at once. Whom
// files revoke stays. The event comes with the time and last: what ends the work before
// leaves the store as wrong as it was.
func (s *Store) SetClock(ctx context.Context, now time.Time) (*Ahead, error) {
	now = now.UTC().Truncate(time.Microsecond)
	a, err := s.rewind(ctx, now, true)
	if err != nil {
		return nil, err
	}
	e := custody.Event{
		Code: "clock.set", Severity: custody.Alert, At: now,
		Message: "an operator has set the latest time of the store to " + now.Format(time.RFC3339) + clockBefore(a.Noted),
	}
	record, err := encodeRecord(&e)
	if err != nil {
		return nil, err
	}
	err = s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := s.count(ctx, c, 1)
		if err != nil {
			return got, err
		}
		err = rewindIdentifiers(ctx, c, now)
		if err != nil {
			return got, err
		}
		_, err = exec(ctx, c, `UPDATE feed_events SET at = $1 WHERE at > $1`, now.UnixMicro())
		if err != nil {
			return got, err
		}
		_, err = exec(ctx, c,
			`INSERT INTO custody_clock (id, noted) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET noted = excluded.noted`,
			now.UnixMicro())
		if err != nil {
			return got, err
		}
		return got, writeEvent(ctx, c, got.Last, &e, record)
	})
	return a, err
}

func clockBefore(noted time.Time) string {
	if noted.IsZero() {
		return ""
	}
	return "; it was " + noted.Format(time.RFC3339)
}

// rewind visits every record with dates after a time, and repairs it if that is wanted.
func (s *Store) rewind(ctx context.Context, now time.Time, repair bool) (*Ahead, error) {
	a := &Ahead{}
	us, err := s.Custody().noted(ctx)
	switch {
	case err == nil:
		a.Noted = time.UnixMicro(us).UTC()
	case !errors.Is(err, registry.ErrNotFound):
		return nil, err
	}
	a.Publishers, a.Files, err = s.amend(ctx, repair,
		func(p *custody.Publisher) (*custody.Publisher, bool) { return p.NotAfter(now) },
		func(f *custody.File) (*custody.File, bool) { return f.NotAfter(now) })
	return a, err
}

// rewindIdentifiers dates what was seen after a time to that time. Else the next
// publisher to list an identifier would be first.
func rewindIdentifiers(ctx context.Context, c Conn, now time.Time) error {
	_, err := exec(ctx, c, `UPDATE identifiers SET since = $1 WHERE since > $1`, now.UnixMicro())
	if err != nil {
		return err
	}
	_, err = exec(ctx, c, `UPDATE identifiers SET gone = $1 WHERE gone > $1`, now.UnixMicro())
	return err
}
