package records

import (
	"context"
	"sync"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// writeHistory writes the directory, and adds versions, places, events and those of the feed, in this
// order, with the next numbers. It
// returns how far the store gets with them, if there are any.
func writeHistory(ctx context.Context, s *Store, c Conn, all []*encoded) (highwater.State, error) {
	news, err := writeDirectory(ctx, c, all)
	if err != nil {
		return highwater.State{}, err
	}
	n := len(news)
	for _, e := range all {
		n += e.numbered()
	}
	if n == 0 {
		return highwater.State{}, nil
	}
	got, err := s.count(ctx, c, int64(n))
	if err != nil {
		return got, err
	}
	next, at := got.Last-int64(n), int64(0)
	for _, e := range all {
		e.findLeaves(s.logging.Load())
		err = e.writeNumbered(ctx, c, next)
		if err != nil {
			return got, err
		}
		next += int64(e.numbered())
		if v := e.directory(); v != nil {
			at = max(at, v.At.UnixMicro())
		}
	}
	if len(news) > 0 {
		err = addEvents(ctx, c, next, at, news)
	}
	if err != nil {
		return got, err
	}
	return got, keepGuests(ctx, c, all, next)
}

// numbered is how many numbers the change takes, without events of the feed.
func (e *encoded) numbered() int {
	return len(e.change.Versions) + len(e.change.Places) + len(e.events)
}

// findLeaves has the leaves made if there is a log.
func (e *encoded) findLeaves(logging bool) {
	switch {
	case e.change.Leaves == nil || len(e.events) == 0:
	case !logging:
		e.leaves = nil
	case e.leaves == nil:
		e.leaves = e.change.Leaves()
	}
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
	err := e.writeEvents(ctx, c, next)
	if err != nil {
		return err
	}
	for i := range e.leaves {
		leaf := e.leaves[i].Leaf // the change may be made again
		err := writeLeaf(ctx, c, next+1+int64(e.leaves[i].Event), &leaf)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeVersion adds a version.
func writeVersion(ctx context.Context, c Conn, number int64, v *custody.Version) error {
	return later(ctx, c, `INSERT INTO custody_versions (number, file, hash, adopted_at, last_updated, catalog_etag, bytes)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		number, fileKey(v.URL), v.Hash, v.AdoptedAt.UnixMicro(), optional(v.LastUpdated), v.CatalogETag, v.Bytes)
}

// writePlace adds a place.
func writePlace(ctx context.Context, c Conn, number int64, p *custody.Place) error {
	err := checkName(string(p.Domain))
	if err != nil {
		return err
	}
	return later(ctx, c, `INSERT INTO custody_places (number, domain, adopted_at, method, url, manager, absent, pointer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		number, p.Domain, p.AdoptedAt.UnixMicro(), string(p.Location.Method), p.Location.URL,
		p.Location.Manager, p.Absent, p.Pointer)
}

// eventStatements add events, for batchSizes.
var eventStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO custody_events (number, severity, publisher, file, record) VALUES `, 5)
})

// writeEvents adds the events with the numbers after one.
func (e *encoded) writeEvents(ctx context.Context, c Conn, after int64) error {
	next := 0
	return batches(e.events, func(i int, records [][]byte) error {
		var args []any
		for _, record := range records {
			v := &e.change.Events[next]
			next++
			args = append(args, after+int64(next), int64(v.Severity), v.Publisher, eventFile(v), record)
		}
		return later(ctx, c, eventStatements()[i], args...)
	})
}

// writeEvent adds an event.
func writeEvent(ctx context.Context, c Conn, number int64, v *custody.Event, record []byte) error {
	e := encoded{change: &custodian.Change{Events: []custody.Event{*v}}, events: [][]byte{record}}
	return e.writeEvents(ctx, c, number-1)
}

// eventFile is the key of the file that an event is about; nil for none.
func eventFile(v *custody.Event) []byte {
	if v.URL == "" {
		return nil
	}
	return fileKey(v.URL)
}
