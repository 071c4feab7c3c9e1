package records

import (
	"context"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
)

// What a row takes beside what is in it that can be long, with its places in indexes.
const (
	eventCost      = 400
	identifierCost = 200
	pairCost       = 250
)

// charge asks whether there is room for what a change adds to guests, and returns what is to be
// called when it is made. It is custodian.ErrNotAdmitted when there is none. Only what brings
// documents is charged, with what the directory and the feed make of them: what ends or takes
// away is small, and must not fail.
func (s *Custody) charge(ctx context.Context, e *encoded) (func(), error) {
	if e.change.Charge == nil || e.change.Asker == custodian.Known || len(e.documents) == 0 {
		return func() {}, nil
	}
	charges, err := s.charges(ctx, e)
	if err != nil || len(charges) == 0 {
		return func() {}, err
	}
	made, ok := e.change.Charge(ctx, charges)
	if !ok {
		return nil, custodian.ErrNotAdmitted
	}
	return made, nil
}

// charges are what a change adds to guests. Documents of files that a known caller asked for are
// not charged.
func (s *Custody) charges(ctx context.Context, e *encoded) ([]retain.Charge, error) {
	var all []retain.Charge
	left := map[string]int64{}
	for i := range e.documents {
		left[string(e.documents[i].hash)] += e.documents[i].size
	}
	for i := range e.files {
		f := &e.files[i]
		n := left[f.Hash]
		delete(left, f.Hash)
		if f.Refused != nil {
			n += left[f.Refused.Hash]
			delete(left, f.Refused.Hash)
		}
		guest, err := s.isGuest(ctx, e, f.Revision,
			`SELECT COUNT(*) FROM custody_files WHERE key = $1 AND guest IS NOT NULL`, f.key)
		if err != nil {
			return nil, err
		}
		if guest && n > 0 {
			all = append(all, retain.Charge{Site: retain.SiteOfURL(f.URL), Share: retain.Share{Bytes: n}})
		}
	}
	p := e.change.Publisher
	if p == nil {
		return all, nil
	}
	guest, err := s.isGuest(ctx, e, p.Revision,
		`SELECT COUNT(*) FROM custody_publishers WHERE domain = $1 AND guest IS NOT NULL`, p.Domain)
	if err != nil || !guest {
		return all, err
	}
	own := retain.Charge{Site: retain.SiteOf(string(p.Domain)), Share: retain.Share{Bytes: e.shownCost()}}
	for _, n := range left { // the pointer, or ads.txt
		own.Bytes += n
	}
	if p.Revision == 0 {
		own.Names = 1
	}
	return append(all, own), nil
}

// isGuest reports whether a record is, or is going to be, one that only strangers asked for.
func (s *Custody) isGuest(ctx context.Context, e *encoded, revision int64, statement string, name any) (bool, error) {
	if revision == 0 {
		return e.change.Asker == custodian.Stranger, nil
	}
	n, err := number(ctx, s.db, statement, name)
	return n > 0, err
}

// shownCost is what the directory and the feed take for a publisher with the change.
func (e *encoded) shownCost() int64 {
	v := e.directory()
	if v == nil {
		return 0
	}
	n := int64(len(e.change.Index.Identifiers)*identifierCost + len(v.Pairs)*pairCost + len(v.Events)*eventCost)
	for i := range v.Events {
		n += int64(len(v.Events[i].Payload))
	}
	return n
}

// countFile notes what a file takes: its versions, one that waits, and whom it revokes.
func countFile(ctx context.Context, c Conn, key []byte, refused string) error {
	return later(ctx, c, `UPDATE custody_files SET bytes =
		COALESCE((SELECT SUM(bytes) FROM custody_versions WHERE file = $1), 0)
		+ COALESCE((SELECT SUM(LENGTH(packed)) FROM custody_revocations WHERE file = $1), 0)
		+ COALESCE((SELECT size FROM documents WHERE hash = $2), 0) WHERE key = $1`, key, refused)
}

// countPublisher notes what the directory, the feed and its pointers take for a publisher.
func countPublisher(ctx context.Context, c Conn, domain string) error {
	return later(ctx, c, `UPDATE custody_publishers SET bytes =
		COALESCE((SELECT SUM(LENGTH(payload) + $2) FROM feed_events WHERE live AND publisher <> '' AND publisher = $1), 0)
		+ COALESCE((SELECT SUM(LENGTH(payload) + $2) FROM feed_events WHERE NOT live AND publisher <> '' AND publisher = $1), 0)
		+ (SELECT COUNT(*) FROM identifiers WHERE domain = $1) * $3 + (SELECT COUNT(*) FROM pairs WHERE domain = $1) * $4
		+ COALESCE((SELECT SUM(d.size) FROM custody_places p JOIN documents d ON d.hash = p.pointer WHERE p.domain = $1 AND p.pointer <> ''), 0)
		WHERE domain = $1`, domain, int64(eventCost), int64(identifierCost), int64(pairCost))
}

// An endedEvent is an event of a guest that does not hold any more, with what it is about.
type endedEvent struct {
	number int64
	about  string
}

func scanEnded(r Rows) (*endedEvent, error) {
	e, v := &endedEvent{}, projection.Event{}
	err := r.Scan(&e.number, &v.Type, &v.Entity)
	e.about = v.Kind() + " " + v.Entity
	return e, err
}

// forgetEnded removes what the feed has told of a guest and what does not hold any more: what began
// with the file that has ended, and ends with numbers up to one that later events take the place
// of. A guest must not fill the feed by itself. Its last ends stay for a while.
func forgetEnded(ctx context.Context, c Conn, domain string, upTo int64) error {
	err := later(ctx, c,
		`DELETE FROM feed_events WHERE NOT live AND publisher <> '' AND publisher = $1 AND LENGTH(digest) > 0`, domain)
	if err != nil {
		return err
	}
	news, err := list(ctx, c, scanEnded,
		`SELECT number, type, entity FROM feed_events WHERE publisher <> '' AND publisher = $1 AND number > $2`, domain, upTo)
	if err != nil || len(news) == 0 {
		return err
	}
	again := map[string]bool{}
	for _, e := range news {
		again[e.about] = true
	}
	old, err := list(ctx, c, scanEnded,
		`SELECT number, type, entity FROM feed_events WHERE NOT live AND publisher <> '' AND publisher = $1 AND number <= $2`,
		domain, upTo)
	if err != nil {
		return err
	}
	for _, e := range old {
		if !again[e.about] {
			continue
		}
		err := later(ctx, c, `DELETE FROM feed_events WHERE number = $1`, e.number)
		if err != nil {
			return err
		}
	}
	return nil
}
