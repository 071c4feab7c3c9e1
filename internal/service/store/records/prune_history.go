package records

import (
	"context"
	"math"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
)

// What is kept of the history of a guest: enough to say what changed last.
const (
	guestVersions = 2
	guestEvents   = 20
)

// scanText reads a row with one text.
func scanText(r Rows) (*string, error) {
	s := new(string)
	return s, r.Scan(s)
}

// keepGuests keeps the history of guests short, and counts what they take. The events of the feed
// that the change adds have numbers after one.
func keepGuests(ctx context.Context, c Conn, all []*encoded, before int64) error {
	var domains []string
	for _, e := range all {
		if e.change.Asker == custodian.Known {
			continue
		}
		err := e.keepGuestFiles(ctx, c)
		if err != nil {
			return err
		}
		if e.change.Publisher != nil {
			domains = append(domains, string(e.change.Publisher.Domain))
		}
	}
	var guests []string
	err := among(ctx, c, domains, func(r Rows) error {
		var domain string
		err := r.Scan(&domain)
		guests = append(guests, domain)
		return err
	}, `SELECT domain FROM custody_publishers WHERE guest IS NOT NULL AND domain IN `)
	for _, domain := range guests {
		if err == nil {
			err = trimEvents(ctx, c, custody.Event{Publisher: domain}, guestEvents)
		}
		if err == nil {
			err = forgetEnded(ctx, c, domain, before)
		}
		if err == nil {
			err = countPublisher(ctx, c, domain)
		}
	}
	return err
}

// keepGuestFiles is keepGuests for the files of a change.
func (e *encoded) keepGuestFiles(ctx context.Context, c Conn) error {
	for i := range e.change.Versions {
		err := dropVersions(ctx, c, `SELECT v.number, v.hash FROM custody_versions v JOIN custody_files f ON f.key = v.file
			WHERE v.file = $1 AND f.guest IS NOT NULL ORDER BY v.number DESC LIMIT 100 OFFSET $2`,
			fileKey(e.change.Versions[i].URL), int64(guestVersions))
		if err != nil {
			return err
		}
	}
	for _, f := range e.files {
		guest, err := number(ctx, c, `SELECT COUNT(*) FROM custody_files WHERE key = $1 AND guest IS NOT NULL`, f.key)
		if err == nil && guest > 0 {
			err = f.keepGuest(ctx, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepGuest is keepGuests for a file.
func (f *encodedFile) keepGuest(ctx context.Context, c Conn) error {
	err := trimEvents(ctx, c, custody.Event{URL: f.URL}, guestEvents)
	if err != nil {
		return err
	}
	refused := ""
	if f.Refused != nil {
		refused = f.Refused.Hash
	}
	return countFile(ctx, c, f.key, refused)
}

// trimEvents removes all but the latest events about the publisher, or else the file, that
// an event names. The last of those that go is replaced by one that says so: without it
// something that was closed would seem to have been open.
func trimEvents(ctx context.Context, c Conn, about custody.Event, most int) error {
	// An event with both names is the publisher's.
	where, name := `publisher <> '' AND publisher = $1`, any(about.Publisher)
	if about.Publisher == "" {
		where, name = `publisher = '' AND file = $1`, fileKey(about.URL)
	}
	first, err := list(ctx, c, scanEvent, `SELECT number, record FROM custody_events WHERE `+where+
		` ORDER BY number DESC LIMIT 1 OFFSET $2`, name, int64(most))
	if err != nil || len(first) == 0 || first[0].Code == historyTrimmed {
		return err
	}
	last := first[0].ID
	if most > 0 {
		// One more is kept as long as it is the first.
		older, err := number(ctx, c, `SELECT COUNT(*) FROM custody_events WHERE `+where+` AND number < $2`, name, last)
		if err != nil || older == 0 {
			return err
		}
	}
	err = later(ctx, c, `DELETE FROM custody_events WHERE `+where+` AND number <= $2`, name, last)
	if err != nil {
		return err
	}
	about.Code, about.At, about.Message = historyTrimmed, first[0].At, "earlier events are not kept"
	record, err := encodeRecord(&about)
	if err != nil {
		return err
	}
	return writeEvent(ctx, c, last, &about, record)
}

// historyTrimmed is the code of an event in the place of others.
const historyTrimmed = "history.trimmed"

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
	if err != nil || len(old) == 0 {
		return err
	}
	for _, v := range old {
		err := later(ctx, c, `DELETE FROM custody_versions WHERE number = $1`, v.number)
		if err != nil {
			return err
		}
	}
	refused := map[string]bool{}
	last, err := readRefusals(ctx, c, nil, refused)
	if err != nil || last != nil {
		return err // too many to look at here: the documents go when all are swept
	}
	for _, v := range old {
		if refused[v.hash] {
			continue
		}
		_, err := dropDocument(ctx, c, v.hash, math.MaxInt64)
		if err != nil {
			return err
		}
	}
	return nil
}

// unused is a condition on documents d: nothing refers to it. What a mirror was before an approval stays: that can
// be taken back.
const unused = `NOT EXISTS (SELECT 1 FROM custody_versions WHERE hash = d.hash) AND NOT EXISTS (SELECT 1 FROM mirrors WHERE document = d.hash)
	AND NOT EXISTS (SELECT 1 FROM proposals WHERE document = d.hash) AND NOT EXISTS (SELECT 1 FROM custody_places WHERE pointer <> '' AND pointer = d.hash)
	AND d.hash NOT IN (SELECT base FROM proposals WHERE state = 'approved')`

// dropDocument removes a document if nothing refers to it and it was last stored before a
// time, and returns its size. One that is being stored again meanwhile has another time.
// The caller takes care of versions that wait for a decision.
func dropDocument(ctx context.Context, c Conn, hash string, before int64) (int64, error) {
	var at, size int64
	err := each(ctx, c, func(r Rows) error {
		return r.Scan(&at, &size)
	}, `SELECT at, LENGTH(packed) FROM documents d WHERE hash = $1 AND at < $2 AND `+unused, hash, before)
	if err != nil || size == 0 {
		return 0, err
	}
	n, err := exec(ctx, c, `DELETE FROM documents AS d WHERE hash = $1 AND at = $2 AND `+unused, hash, at)
	return n * size, err
}

// An oldRow is a row of the history that another one took the place of.
type oldRow struct {
	number, adopted, size int64
	hash                  string
}

// history removes versions and places that others took the place of.
func (p *pruning) history(ctx context.Context) error {
	if !p.o.DryRun {
		// Before anything goes: questions about that time are answered accordingly.
		_, err := exec(ctx, p.store.db, `UPDATE custody_history SET since = $1 WHERE id = 1 AND since < $1`,
			p.plan.History.UnixMicro())
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
			err := later(ctx, c, `DELETE FROM `+table+` WHERE number = $1`, o.number)
			if err != nil {
				return err
			}
		}
		for _, o := range some {
			if o.hash == "" || refused[o.hash] {
				continue
			}
			n, err := dropDocument(ctx, c, o.hash, p.swept())
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

// refusals are the versions of files that wait for a decision: an operator wants to see
// what is decided about. They are read once. One that is refused after that was stored
// after that, too, and so late is not removed.
func (p *pruning) refusals(ctx context.Context) (map[string]bool, error) {
	if p.refused != nil {
		return p.refused, nil
	}
	all, from := map[string]bool{}, []byte(nil)
	for {
		next, err := readRefusals(ctx, p.store.db, from, all)
		if err != nil {
			return nil, err
		}
		if next == nil {
			p.refused = all
			return all, nil
		}
		from = next
	}
}

// readRefusals adds the hashes of versions that wait for a decision, of a page of files
// after a key. It returns the last key of the page; nil when there are no more.
func readRefusals(ctx context.Context, c Conn, from []byte, all map[string]bool) ([]byte, error) {
	n := 0
	err := each(ctx, c, func(r Rows) error {
		var packed []byte
		err := r.Scan(&from, &packed)
		if err != nil {
			return err
		}
		f := &custody.File{}
		err = decodeRecord(packed, f)
		if err == nil && f.Refused != nil {
			all[f.Refused.Hash] = true
		}
		n++
		return err
	}, `SELECT key, record FROM custody_files WHERE held AND key > $1 ORDER BY key LIMIT $2`, append([]byte{}, from...),
		int64(publishersPage))
	if err != nil || n < publishersPage {
		return nil, err
	}
	return from, nil
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

// sweepAge is how long something that nothing refers to is left alone: the process that
// stores it may be about to refer to it.
const sweepAge = time.Hour

// swept is before when something was stored that may go because nothing refers to it.
func (p *pruning) swept() int64 { return p.o.Now.Add(-sweepAge).UnixMicro() }

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
	before, from := p.swept(), ""
	for {
		page, err := list(ctx, p.store.db, scanText, `SELECT hash FROM documents WHERE hash > $1 ORDER BY hash LIMIT $2`,
			from, int64(sweepPage))
		if err != nil || len(page) == 0 {
			return err
		}
		last := page[len(page)-1]
		some, err := list(ctx, p.store.db, func(r Rows) (*oldRow, error) {
			o := &oldRow{}
			return o, r.Scan(&o.hash, &o.size)
		}, `SELECT hash, LENGTH(packed) FROM documents d WHERE hash > $1 AND hash <= $2 AND at < $3 AND `+unused, from, last,
			before)
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
			_, err := dropDocument(ctx, c, o.hash, p.swept())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
