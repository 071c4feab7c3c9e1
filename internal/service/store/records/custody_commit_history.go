package records

import (
	"context"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// writeHistory adds versions, places and events, in this order, with the next numbers. It
// returns how far the store gets with them, if there are any.
func (e *encoded) writeHistory(ctx context.Context, s *Store, c Conn) (highwater.State, error) {
	n := len(e.change.Versions) + len(e.change.Places) + len(e.events)
	if n == 0 {
		return highwater.State{}, nil
	}
	got, err := s.count(ctx, c, int64(n))
	if err != nil {
		return got, err
	}
	err = e.findLeaves(ctx, s, c)
	if err == nil {
		err = e.writeNumbered(ctx, c, got.Last-int64(n))
	}
	if err != nil || e.change.Asker == custodian.Known {
		return got, err
	}
	return got, e.trimGuests(ctx, c)
}

// findLeaves has the leaves made, if there is a log. The row that numbers come from is held, so
// that nobody begins or ends one.
func (e *encoded) findLeaves(ctx context.Context, s *Store, c Conn) error {
	if e.change.Leaves == nil || len(e.events) == 0 {
		return nil
	}
	n, err := number(ctx, c, `SELECT COUNT(*) FROM log_state WHERE active`)
	if err != nil {
		return err
	}
	s.logging.Store(n > 0)
	switch {
	case n == 0:
		e.leaves = nil
	case e.leaves == nil:
		e.leaves = e.change.Leaves()
	}
	return nil
}

// writeNumbered writes them with the numbers after one.
func (e *encoded) writeNumbered(ctx context.Context, c Conn, next int64) error {
	for i := range e.change.Versions {
		next++
		err := writeVersion(ctx, c, next, &e.change.Versions[i])
		if err != nil {
			return err
		}
	}
	for i := range e.change.Places {
		next++
		err := writePlace(ctx, c, next, &e.change.Places[i])
		if err != nil {
			return err
		}
	}
	for i, record := range e.events {
		next++
		err := writeEvent(ctx, c, next, &e.change.Events[i], record)
		if err != nil {
			return err
		}
		err = e.writeLeaves(ctx, c, i, next)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLeaves writes what the transparency log says about an event.
func (e *encoded) writeLeaves(ctx context.Context, c Conn, event int, number int64) error {
	for i := range e.leaves {
		if e.leaves[i].Event != event {
			continue
		}
		leaf := e.leaves[i].Leaf // the change may be made again
		err := writeLeaf(ctx, c, number, &leaf)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeVersion adds a version.
func writeVersion(ctx context.Context, c Conn, number int64, v *custodian.Version) error {
	_, err := exec(ctx, c, `INSERT INTO custody_versions (number, file, hash, adopted_at, last_updated, catalog_etag, bytes)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		number, fileKey(v.URL), v.Hash, v.AdoptedAt.UnixMicro(), optional(v.LastUpdated), v.CatalogETag, v.Bytes)
	return err
}

// writePlace adds a place.
func writePlace(ctx context.Context, c Conn, number int64, p *custodian.Place) error {
	err := checkName(string(p.Domain))
	if err != nil {
		return err
	}
	_, err = exec(ctx, c, `INSERT INTO custody_places (number, domain, adopted_at, method, url, manager, absent, pointer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		number, p.Domain, p.AdoptedAt.UnixMicro(), string(p.Location.Method), p.Location.URL, p.Location.Manager, p.Absent, p.Pointer)
	return err
}

// writeEvent adds an event.
func writeEvent(ctx context.Context, c Conn, number int64, v *custody.Event, record []byte) error {
	var file []byte
	if v.URL != "" {
		file = fileKey(v.URL)
	}
	_, err := exec(ctx, c, `INSERT INTO custody_events (number, severity, publisher, file, record) VALUES ($1, $2, $3, $4, $5)`,
		number, int64(v.Severity), v.Publisher, file, record)
	return err
}
