package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Versions returns the versions that were adopted at a URL, the latest first.
func (s *Custody) Versions(ctx context.Context, url string, before time.Time, limit int) ([]custody.Version, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.db, func(r Rows) (*custody.Version, error) {
		v := &custody.Version{URL: url}
		var adopted int64
		var updated *int64
		err := r.Scan(&v.Hash, &adopted, &updated, &v.CatalogETag, &v.Bytes)
		v.AdoptedAt, v.LastUpdated = time.UnixMicro(adopted).UTC(), timeOf(updated)
		return v, err
	}, `SELECT hash, adopted_at, last_updated, catalog_etag, bytes FROM custody_versions
		WHERE file = $1 AND adopted_at <= $2 ORDER BY adopted_at DESC, number DESC LIMIT $3`, fileKey(url), until(before), n)
}

// Places returns the places that spoke for a publisher, the latest first.
func (s *Custody) Places(ctx context.Context, domain hostname.Domain, before time.Time,
	limit int) ([]custody.Place, error) {
	n, _ := page(limit, 0)
	all, err := list(ctx, s.db, func(r Rows) (*custody.Place, error) {
		p := &custody.Place{Domain: domain}
		var adopted int64
		var method string
		err := r.Scan(&adopted, &method, &p.Location.URL, &p.Location.Manager, &p.Absent, &p.Pointer)
		p.AdoptedAt, p.Location.Method = time.UnixMicro(adopted).UTC(), custody.Method(method)
		return p, err
	}, `SELECT adopted_at, method, url, manager, absent, pointer FROM custody_places
		WHERE domain = $1 AND adopted_at <= $2 ORDER BY adopted_at DESC, number DESC LIMIT $3`, domain, until(before), n)
	return all, noneIfText(err)
}

// noneIfText forgives text in a question that cannot have been stored: there is nothing
// about it.
func noneIfText(err error) error {
	if errors.Is(err, errText) {
		return nil
	}
	return err
}

// Revocations returns what was revoked at a URL, for one domain or for all.
func (s *Custody) Revocations(ctx context.Context, url string, domain hostname.Domain) ([]custody.Revocation, error) {
	statement, args := `SELECT packed FROM custody_revocations WHERE file = $1 ORDER BY first`, []any{fileKey(url)}
	if domain != "" {
		statement = `SELECT packed FROM custody_revocations WHERE file = $1 AND first <= $2 ORDER BY first DESC LIMIT 1`
		args = append(args, domain)
	}
	var all []custody.Revocation
	err := each(ctx, s.db, func(r Rows) error {
		var packed []byte
		err := r.Scan(&packed)
		if err != nil {
			return err
		}
		all, err = appendPart(all, packed)
		return err
	}, statement, args...)
	if err != nil || domain == "" {
		return all, noneIfText(err)
	}
	i, ok := slices.BinarySearchFunc(all, string(domain), func(r custody.Revocation, d string) int {
		return cmp.Compare(r.Domain, d)
	})
	if !ok {
		return nil, nil
	}
	return all[i : i+1 : i+1], nil
}

// Events returns events with a greater number than after, in their order.
func (s *Custody) Events(ctx context.Context, f custodian.EventFilter, after int64,
	limit int) ([]custody.NumberedEvent, error) {
	n, _ := page(limit, 0)
	where, args := `number > $1`, []any{after, n}
	if f.Publisher != "" {
		args = append(args, f.Publisher)
		where += fmt.Sprintf(` AND publisher <> '' AND publisher = $%d`, len(args))
	}
	if f.URL != "" {
		args = append(args, fileKey(f.URL))
		where += fmt.Sprintf(` AND file = $%d`, len(args))
	}
	if f.Least > custody.Info {
		// The number is in the text, so that the database sees which index has them.
		where += fmt.Sprintf(` AND severity >= %d`, f.Least)
	}
	order := `number`
	if f.Newest {
		order = `number DESC`
	}
	all, err := list(ctx, s.db, scanEvent, `SELECT number, record FROM custody_events WHERE `+where+` ORDER BY `+order+
		` LIMIT $2`, args...)
	return all, noneIfText(err)
}

// scanEvent reads a row with the number and the record.
func scanEvent(r Rows) (*custody.NumberedEvent, error) {
	e := &custody.NumberedEvent{}
	var packed []byte
	err := r.Scan(&e.ID, &packed)
	if err != nil {
		return nil, err
	}
	err = decodeRecord(packed, &e.Event)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.ID, err)
	}
	return e, nil
}

// Holds returns what waits for a decision: publishers in alphabetical order, then files.
// Files come without their revocations: what an operator decides is read again.
func (s *Custody) Holds(ctx context.Context, limit int) ([]custody.Hold, error) {
	var all []custody.Hold
	err := s.db.Snapshot(ctx, func(c Conn) error {
		all = nil
		n, _ := page(limit, 0)
		publishers, err := list(ctx, c, scanPublisher,
			selectPublisher+`WHERE held ORDER BY domain LIMIT $1`, n)
		if err != nil {
			return err
		}
		for i := range publishers {
			all = append(all, custody.Hold{Publisher: &publishers[i]})
		}
		n, _ = page(limit-len(all), 0)
		files, err := list(ctx, c, scanBrief,
			`SELECT url, revision, record FROM custody_files WHERE held ORDER BY url LIMIT $1`, n)
		if err != nil {
			return err
		}
		for i := range files {
			all = append(all, custody.Hold{File: &files[i]})
		}
		return nil
	})
	return all, err
}

// scanBrief reads a row with the URL, the revision and the record.
func scanBrief(r Rows) (*custody.File, error) {
	var url string
	var revision int64
	var packed []byte
	err := r.Scan(&url, &revision, &packed)
	if err != nil {
		return nil, err
	}
	f, err := decodeFile(url, revision, packed)
	if err != nil {
		return nil, err
	}
	f.Revision = 0
	return f, nil
}

// Lead returns a publisher that leads to a URL.
func (s *Custody) Lead(ctx context.Context, url string) (hostname.Domain, error) {
	key := fileKey(url)
	for _, column := range []string{"current_file", "next_file"} {
		domain, err := value[string](ctx, s.db,
			`SELECT domain FROM custody_publishers WHERE `+column+` = $1 ORDER BY domain LIMIT 1`, key)
		if !errors.Is(err, registry.ErrNotFound) {
			return hostname.Domain(domain), err
		}
	}
	return "", custodian.ErrNotFound
}

// publishersPage is how many publishers are read at once.
const publishersPage = 1_000

// Publishers calls f for every publisher in alphabetical order, beginning after one. It
// reads page by page, so that f may take its time and use the store.
func (s *Custody) Publishers(ctx context.Context, after string, f func(*custody.Publisher) error) error {
	for {
		some, err := list(ctx, s.db, scanPublisher, selectPublisher+`WHERE domain > $1 ORDER BY domain LIMIT $2`, after,
			int64(publishersPage))
		if err != nil {
			return err
		}
		for i := range some {
			err := f(&some[i])
			if err != nil {
				return err
			}
		}
		if len(some) < publishersPage {
			return nil
		}
		after = string(some[len(some)-1].Domain)
	}
}
