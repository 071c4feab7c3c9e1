package records

import (
	"context"
	"strings"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/service/retain"
)

// What is kept of the history of a guest: enough to say what changed last.
const (
	guestVersions = 2
	guestEvents   = 20
)

// ownerOf returns the publisher whose own file is at a URL; empty for a URL that is nobody's
// own place.
func ownerOf(url string) string {
	rest, _ := strings.CutPrefix(url, "https://")
	host, path, _ := strings.Cut(rest, "/")
	if path != ".well-known/adagents.json" {
		return ""
	}
	return host
}

// scanText reads a row with one text.
func scanText(r Rows) (*string, error) {
	s := new(string)
	return s, r.Scan(s)
}

// trimGuests keeps the history of guests short.
func (e *encoded) trimGuests(ctx context.Context, c Conn) error {
	for i := range e.change.Versions {
		err := dropVersions(ctx, c, `SELECT v.number, v.hash FROM custody_versions v JOIN custody_files f ON f.key = v.file
			WHERE v.file = $1 AND f.guest IS NOT NULL ORDER BY v.number DESC LIMIT 100 OFFSET $2`, fileKey(e.change.Versions[i].URL), int64(guestVersions))
		if err != nil {
			return err
		}
	}
	for _, f := range e.files {
		_, err := exec(ctx, c, `DELETE FROM custody_events WHERE file = $1 AND EXISTS (SELECT 1 FROM custody_files WHERE key = $1 AND guest IS NOT NULL)
			AND number < (SELECT number FROM custody_events WHERE file = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)`, f.key, int64(guestEvents))
		if err != nil {
			return err
		}
	}
	if e.change.Publisher == nil {
		return nil
	}
	_, err := exec(ctx, c, `DELETE FROM custody_events WHERE publisher <> '' AND publisher = $1
		AND EXISTS (SELECT 1 FROM custody_publishers WHERE domain = $1 AND guest IS NOT NULL)
		AND number < (SELECT number FROM custody_events WHERE publisher <> '' AND publisher = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)`,
		e.change.Publisher.Domain, int64(guestEvents))
	return err
}

// An oldVersion is one that may go.
type oldVersion struct {
	number int64
	hash   string
}

// scanVersion reads a row with the number and the hash.
func scanVersion(r Rows) (*oldVersion, error) {
	v := &oldVersion{}
	return v, r.Scan(&v.number, &v.hash)
}

// dropVersions removes the versions that a statement answers, and their documents.
func dropVersions(ctx context.Context, c Conn, statement string, args ...any) error {
	old, err := list(ctx, c, scanVersion, statement, args...)
	if err != nil {
		return err
	}
	for _, v := range old {
		_, err := exec(ctx, c, `DELETE FROM custody_versions WHERE number = $1`, v.number)
		if err != nil {
			return err
		}
	}
	for _, v := range old {
		_, err := dropDocument(ctx, c, v.hash)
		if err != nil {
			return err
		}
	}
	return nil
}

// unused is a condition on documents d: nothing refers to it.
const unused = `NOT EXISTS (SELECT 1 FROM custody_versions WHERE hash = d.hash) AND NOT EXISTS (SELECT 1 FROM mirrors WHERE document = d.hash)
	AND NOT EXISTS (SELECT 1 FROM proposals WHERE document = d.hash) AND NOT EXISTS (SELECT 1 FROM custody_places WHERE pointer <> '' AND pointer = d.hash)`

// dropDocument removes a document if nothing refers to it, and returns its size. One that
// is being stored again meanwhile has another time.
func dropDocument(ctx context.Context, c Conn, hash string) (int64, error) {
	var at, size int64
	err := each(ctx, c, func(r Rows) error { return r.Scan(&at, &size) }, `SELECT at, LENGTH(packed) FROM documents d WHERE hash = $1 AND `+unused, hash)
	if err != nil || size == 0 {
		return 0, err
	}
	n, err := exec(ctx, c, `DELETE FROM documents AS d WHERE hash = $1 AND at = $2 AND `+unused, hash, at)
	return n * size, err
}

// forgetNames removes guests that never had a file.
func (p *pruning) forgetNames(ctx context.Context) error {
	before, from := p.plan.Guests.UnixMicro(), ""
	for {
		some, err := list(ctx, p.store.db, scanPublisher, `SELECT domain, revision, record FROM custody_publishers
			WHERE guest IS NOT NULL AND guest > 0 AND guest < $1 AND domain > $2 ORDER BY domain LIMIT $3`, before, from, int64(pruneBatch))
		if err != nil {
			return err
		}
		for i := range some {
			err := p.forget(ctx, &some[i])
			if err != nil {
				return err
			}
		}
		if len(some) < pruneBatch {
			return nil
		}
		from = some[len(some)-1].Domain
	}
}

// forget removes one of them, or only what was found of it.
func (p *pruning) forget(ctx context.Context, v *custody.Publisher) error {
	whole := retain.Forgettable(v)
	if whole {
		p.Names.Rows++
	}
	if p.o.DryRun {
		return nil
	}
	return p.store.db.Update(ctx, func(c Conn) error {
		n, err := number(ctx, c, `SELECT COUNT(*) FROM custody_publishers WHERE domain = $1 AND revision = $2`, v.Domain, v.Revision)
		if err != nil || n == 0 {
			return err // somebody has asked meanwhile
		}
		err = dropGuest(ctx, c, v.Domain)
		if err != nil || !whole {
			return err
		}
		_, err = exec(ctx, c, `DELETE FROM custody_places WHERE domain = $1`, v.Domain)
		if err != nil {
			return err
		}
		_, err = exec(ctx, c, `DELETE FROM custody_publishers WHERE domain = $1 AND revision = $2`, v.Domain, v.Revision)
		return err
	})
}

// An oldRow is a row of the history that another one took the place of.
type oldRow struct {
	number, adopted, size int64
	hash                  string
}

// history removes versions and places that others took the place of.
func (p *pruning) history(ctx context.Context) error {
	if !p.o.DryRun {
		// Before anything goes: whoever asks about that time is told so.
		_, err := exec(ctx, p.store.db, `UPDATE custody_history SET since = $1 WHERE id = 1 AND since < $1`, p.plan.History.UnixMicro())
		if err != nil {
			return err
		}
	}
	err := p.superseded(ctx, &p.Versions, `SELECT v.number, v.adopted_at, v.hash, COALESCE(
			(SELECT LENGTH(d.packed) FROM documents d WHERE d.hash = v.hash AND (SELECT COUNT(*) FROM custody_versions o WHERE o.hash = v.hash) = 1), 0)
		FROM custody_versions v WHERE v.adopted_at < $1 AND (v.adopted_at, v.number) > ($2, $3) AND EXISTS (SELECT 1 FROM custody_versions n
			WHERE n.file = v.file AND (n.adopted_at, n.number) > (v.adopted_at, v.number) AND n.adopted_at <= $1)
		ORDER BY v.adopted_at, v.number LIMIT $4`, "custody_versions")
	if err != nil {
		return err
	}
	return p.superseded(ctx, &p.Places, `SELECT v.number, v.adopted_at, v.pointer, 0 FROM custody_places v
		WHERE v.adopted_at < $1 AND (v.adopted_at, v.number) > ($2, $3) AND EXISTS (SELECT 1 FROM custody_places n
			WHERE n.domain = v.domain AND (n.adopted_at, n.number) > (v.adopted_at, v.number) AND n.adopted_at <= $1)
		ORDER BY v.adopted_at, v.number LIMIT $4`, "custody_places")
}

// superseded removes what a statement answers from a table, page by page.
func (p *pruning) superseded(ctx context.Context, r *retain.Removal, statement, table string) error {
	from := oldRow{}
	for {
		some, err := list(ctx, p.store.db, func(r Rows) (*oldRow, error) {
			o := &oldRow{}
			return o, r.Scan(&o.number, &o.adopted, &o.hash, &o.size)
		}, statement, p.plan.History.UnixMicro(), from.adopted, from.number, int64(pruneBatch))
		if err != nil || len(some) == 0 {
			return err
		}
		from = some[len(some)-1]
		err = p.drop(ctx, r, some, table)
		if err != nil {
			return err
		}
	}
}

// drop removes rows and the documents that nothing else refers to.
func (p *pruning) drop(ctx context.Context, r *retain.Removal, some []oldRow, table string) error {
	if p.o.DryRun {
		for _, o := range some {
			r.Rows, r.Bytes = r.Rows+1, r.Bytes+o.size
		}
		return nil
	}
	refused, err := p.refusals(ctx)
	if err != nil {
		return err
	}
	var freed int64
	err = p.store.db.Update(ctx, func(c Conn) error {
		freed = 0
		for _, o := range some {
			_, err := exec(ctx, c, `DELETE FROM `+table+` WHERE number = $1`, o.number)
			if err != nil {
				return err
			}
		}
		for _, o := range some {
			if o.hash == "" || refused[o.hash] {
				continue
			}
			n, err := dropDocument(ctx, c, o.hash)
			if err != nil {
				return err
			}
			freed += n
		}
		return nil
	})
	r.Rows, r.Bytes = r.Rows+int64(len(some)), r.Bytes+freed
	return err
}

// refusals are the versions of files that wait for a decision, guests aside: an operator
// wants to see what is decided about. They are read once.
func (p *pruning) refusals(ctx context.Context) (map[string]bool, error) {
	if p.refused != nil {
		return p.refused, nil
	}
	all, from := map[string]bool{}, []byte{}
	for {
		n := 0
		err := each(ctx, p.store.db, func(r Rows) error {
			var key, packed []byte
			err := r.Scan(&key, &packed)
			if err != nil {
				return err
			}
			f := &custody.File{}
			err = decodeRecord(packed, f)
			if err == nil && f.Refused != nil {
				all[f.Refused.Hash] = true
			}
			from, n = key, n+1
			return err
		}, `SELECT key, record FROM custody_files WHERE held AND guest IS NULL AND key > $1 ORDER BY key LIMIT $2`, from, int64(publishersPage))
		if err != nil {
			return nil, err
		}
		if n < publishersPage {
			p.refused = all
			return all, nil
		}
	}
}

// events removes old events. Their order is that of their time.
func (p *pruning) events(ctx context.Context) error {
	after := int64(0)
	for {
		old, err := p.oldEvents(ctx, after)
		if err != nil || len(old) == 0 {
			return err
		}
		after = old[len(old)-1].number
		for _, o := range old {
			p.Events.Rows, p.Events.Bytes = p.Events.Rows+1, p.Events.Bytes+o.size
		}
		if p.o.DryRun {
			continue
		}
		_, err = exec(ctx, p.store.db, `DELETE FROM custody_events WHERE number <= $1`, after)
		if err != nil {
			return err
		}
	}
}

// oldEvents returns the first events after a number, as long as they are old.
func (p *pruning) oldEvents(ctx context.Context, after int64) ([]oldRow, error) {
	var all []oldRow
	ended := false
	err := each(ctx, p.store.db, func(r Rows) error {
		var number int64
		var packed []byte
		err := r.Scan(&number, &packed)
		if err != nil || ended {
			return err
		}
		e := &custody.Event{}
		err = decodeRecord(packed, e)
		if err != nil {
			return err
		}
		ended = !e.At.Before(p.plan.Events)
		if !ended {
			all = append(all, oldRow{number: number, size: int64(len(packed))})
		}
		return nil
	}, `SELECT number, record FROM custody_events WHERE number > $1 ORDER BY number LIMIT $2`, after, int64(pruneBatch))
	return all, err
}

// sightings removes what checks have found about publishers that are not kept.
func (p *pruning) sightings(ctx context.Context) error {
	before, from := p.plan.Guests.UnixMicro(), oldRow{}
	for {
		some, err := list(ctx, p.store.db, func(r Rows) (*oldRow, error) {
			o := &oldRow{}
			return o, r.Scan(&o.hash, &o.adopted, &o.size)
		}, `SELECT s.domain, s.checked_at, COALESCE(LENGTH(s.identifiers), 0) FROM sightings s WHERE s.checked_at < $1 AND (s.checked_at, s.domain) > ($2, $3)
			AND NOT EXISTS (SELECT 1 FROM custody_publishers p WHERE p.domain = s.domain AND (p.guest IS NULL OR p.guest >= $1))
			ORDER BY s.checked_at, s.domain LIMIT $4`, before, from.adopted, from.hash, int64(pruneBatch))
		if err != nil || len(some) == 0 {
			return err
		}
		from = some[len(some)-1]
		for _, o := range some {
			p.Sightings.Rows, p.Sightings.Bytes = p.Sightings.Rows+1, p.Sightings.Bytes+o.size
		}
		if p.o.DryRun {
			continue
		}
		err = p.store.db.Update(ctx, func(c Conn) error {
			for _, o := range some {
				_, err := exec(ctx, c, `DELETE FROM sightings WHERE domain = $1 AND checked_at = $2`, o.hash, o.adopted)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// sweepAge is how long something that nothing refers to is left alone: whoever stores it may
// be about to refer to it.
const sweepAge = time.Hour

// sweepPage is how many documents are looked at in one statement.
const sweepPage = 1_000

// sweep removes documents that nothing refers to.
func (p *pruning) sweep(ctx context.Context) error {
	if !p.o.Sweep {
		return nil
	}
	refused, err := p.refusals(ctx)
	if err != nil {
		return err
	}
	before, from := p.o.Now.Add(-sweepAge).UnixMicro(), ""
	for {
		page, err := list(ctx, p.store.db, scanText, `SELECT hash FROM documents WHERE hash > $1 ORDER BY hash LIMIT $2`, from, int64(sweepPage))
		if err != nil || len(page) == 0 {
			return err
		}
		last := page[len(page)-1]
		some, err := list(ctx, p.store.db, func(r Rows) (*oldRow, error) {
			o := &oldRow{}
			return o, r.Scan(&o.hash, &o.size)
		}, `SELECT hash, LENGTH(packed) FROM documents d WHERE hash > $1 AND hash <= $2 AND at < $3 AND `+unused, from, last, before)
		if err != nil {
			return err
		}
		err = p.dropUnused(ctx, some, refused)
		if err != nil {
			return err
		}
		from = last
	}
}

// dropUnused removes documents.
func (p *pruning) dropUnused(ctx context.Context, some []oldRow, refused map[string]bool) error {
	for _, o := range some {
		if refused[o.hash] {
			continue
		}
		p.Documents.Rows, p.Documents.Bytes = p.Documents.Rows+1, p.Documents.Bytes+o.size
		if p.o.DryRun {
			continue
		}
		err := p.store.db.Update(ctx, func(c Conn) error {
			_, err := dropDocument(ctx, c, o.hash)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
