package records

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Custody is the custodian.Store in a database. Its documents are those of the Store
// in the same database.
type Custody struct {
	db   Database
	docs *Store
}

var _ custodian.Store = (*Custody)(nil)

// Custody returns the records of custody that are kept beside those of the registry.
func (s *Store) Custody() *Custody { return &Custody{db: s.db, docs: s} }

// found says in the words of custodian that there is no such record.
func found(err error) error {
	if errors.Is(err, registry.ErrNotFound) {
		return custodian.ErrNotFound
	}
	return err
}

// Known reports whether there is a record of a domain or of a URL.
func (s *Custody) Known(ctx context.Context, domain hostname.Domain, url string) (bool, error) {
	err := s.docs.unusable()
	if err != nil {
		return false, err
	}
	n, err := number(ctx, s.db, `SELECT (SELECT COUNT(*) FROM custody_publishers WHERE domain = $1)
		+ (SELECT COUNT(*) FROM custody_files WHERE key = $2)`, domain, fileKey(url))
	return n > 0, err
}

// Publisher returns the record of a domain. Every answer begins with it or with Known:
// there is none from a database that was found to have gone back.
func (s *Custody) Publisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	err := s.docs.unusable()
	if err != nil {
		return nil, err
	}
	p, err := get(ctx, s.db, scanPublisher, selectPublisher+`WHERE domain = $1`, domain)
	return p, found(err)
}

// Some returns the records that there are of domains, a few hundred at most.
func (s *Custody) Some(ctx context.Context, domains []hostname.Domain) (map[hostname.Domain]*custody.Publisher, error) {
	err := s.docs.unusable()
	if err != nil || len(domains) == 0 {
		return nil, err
	}
	var args []any
	for _, domain := range domains {
		args = append(args, domain)
	}
	known := make(map[hostname.Domain]*custody.Publisher)
	err = each(ctx, s.db, func(r Rows) error {
		p, err := scanPublisher(r)
		if err == nil {
			known[p.Domain] = p
		}
		return err
	}, selectPublisher+`WHERE domain IN (`+padded(1, len(domains), &args)+`)`, args...)
	return known, err
}

// selectPublisher is the beginning of statements for scanPublisher.
const selectPublisher = `SELECT domain, revision, listed, told, record FROM custody_publishers `

// scanPublisher reads a row.
func scanPublisher(r Rows) (*custody.Publisher, error) {
	p := &custody.Publisher{}
	var domain custody.Domain
	var listed, reported string
	var revision int64
	var packed []byte
	err := r.Scan((*string)(&domain), &revision, &listed, &reported, &packed)
	if err != nil {
		return nil, err
	}
	err = decodeRecord(packed, p)
	if err == nil && (p.Domain != domain || revision <= 0) {
		err = errDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("publisher %q: %w", domain, err)
	}
	p.Listed, p.Reported, p.Revision = listed, reported, revision
	return p, nil
}

// File returns the record of a URL with its revocations. One statement reads both, so
// that they belong together.
func (s *Custody) File(ctx context.Context, url string) (*custody.File, error) {
	return readFile(ctx, s.db, url)
}

// readFile is File on any connection.
func readFile(ctx context.Context, c Conn, url string) (*custody.File, error) {
	var f *custody.File
	var revoked int64
	err := one(ctx, c, func(r Rows) error {
		var revision int64
		var packed, part []byte
		err := r.Scan(&revision, &revoked, &packed, &part)
		if err != nil {
			return err
		}
		if f == nil {
			f, err = decodeFile(url, revision, packed)
			if err != nil {
				return err
			}
		}
		f.Revocations, err = appendPart(f.Revocations, part)
		return err
	}, `SELECT f.revision, f.revoked, f.record, r.packed FROM custody_files f LEFT JOIN custody_revocations r ON r.file = f.key
		WHERE f.key = $1 ORDER BY r.first`, fileKey(url))
	if err == nil && int64(len(f.Revocations)) != revoked {
		err = fmt.Errorf("store: revocations of %q: %w", url, errDamaged)
	}
	if err != nil {
		return nil, found(err)
	}
	return f, nil
}

// Brief returns the record of a URL without its revocations, and its revision.
func (s *Custody) Brief(ctx context.Context, url string) (*custody.File, int64, error) {
	var f *custody.File
	var revision int64
	err := one(ctx, s.db, func(r Rows) error {
		var packed []byte
		err := r.Scan(&revision, &packed)
		if err != nil {
			return err
		}
		f, err = decodeFile(url, revision, packed)
		return err
	}, `SELECT revision, record FROM custody_files WHERE key = $1`, fileKey(url))
	if err != nil {
		return nil, 0, found(err)
	}
	f.Revision = 0
	return f, revision, nil
}

// Delisted returns what a file does not list any more. Of a million that are listed none
// is kept in memory.
func (s *Custody) Delisted(ctx context.Context, url string, after time.Time) ([]custody.Revocation, int64, error) {
	var all []custody.Revocation
	var revision int64
	err := one(ctx, s.db, func(r Rows) error {
		var packed []byte
		err := r.Scan(&revision, &packed)
		if err != nil {
			return err
		}
		return eachRevocation(packed, func(r custody.Revocation) {
			if !r.Delisted.IsZero() && r.First.After(after) {
				r.Domain = strings.Clone(r.Domain)
				all = append(all, r)
			}
		})
	}, `SELECT f.revision, r.packed FROM custody_files f LEFT JOIN custody_revocations r ON r.file = f.key
		WHERE f.key = $1 ORDER BY r.first`, fileKey(url))
	if err != nil {
		return nil, 0, found(err)
	}
	return all, revision, nil
}

// decodeFile reads the record of a file without its revocations.
func decodeFile(url string, revision int64, packed []byte) (*custody.File, error) {
	f := &custody.File{}
	err := decodeRecord(packed, f)
	if err == nil && (f.URL != url || revision <= 0) {
		err = errDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", url, err)
	}
	f.Revision = revision
	return f, nil
}

// Document returns the bytes of a version.
func (s *Custody) Document(ctx context.Context, hash string) ([]byte, error) {
	body, err := document(ctx, s.db, registry.Hash(hash))
	return body, found(err)
}

// clockStep is how much later a time has to be to be noted. A clock is read with every
// answer, and must not cost a write each time.
const clockStep = time.Minute

// Clock returns the latest time that was ever noted, and notes a later one; zero for none,
// if there is none to be noted either. Services call it from time to time, so this is also
// where it shows that the database went back while it was in use.
func (s *Custody) Clock(ctx context.Context, now time.Time) (time.Time, error) {
	err := s.docs.Restored(ctx)
	if err != nil {
		return time.Time{}, err
	}
	noted, err := s.noted(ctx)
	if err != nil && !errors.Is(err, registry.ErrNotFound) {
		return time.Time{}, err
	}
	switch {
	case err != nil && now.IsZero():
		return time.Time{}, nil
	case err == nil && (now.IsZero() || now.UnixMicro()-noted <= clockStep.Microseconds()):
		return time.UnixMicro(noted).UTC(), nil
	}
	// Of several that write at once, the latest stays.
	_, err = exec(ctx, s.db, `INSERT INTO custody_clock (id, noted) VALUES (1, $1)
		ON CONFLICT (id) DO UPDATE SET noted = excluded.noted WHERE custody_clock.noted < excluded.noted`, now.UnixMicro())
	if errors.Is(err, registry.ErrReadOnly) {
		// What was noted last has to do: answers go on as long as their records allow.
		return time.UnixMicro(max(noted, 0)).UTC(), nil
	}
	if err != nil {
		return time.Time{}, err
	}
	noted, err = s.noted(ctx)
	return time.UnixMicro(noted).UTC(), err
}

// noted is the time that was noted.
func (s *Custody) noted(ctx context.Context) (int64, error) {
	return value[int64](ctx, s.db, `SELECT noted FROM custody_clock WHERE id = 1`)
}

// Since returns from when on the history is complete.
func (s *Custody) Since(ctx context.Context) (time.Time, error) {
	us, err := value[int64](ctx, s.db, `SELECT since FROM custody_history WHERE id = 1`)
	if err != nil || us == 0 {
		return time.Time{}, err
	}
	return time.UnixMicro(us).UTC(), nil
}

// Identity returns what tells this store from others. It moves with the store.
func (s *Custody) Identity(ctx context.Context) (string, error) {
	identity, err := value[string](ctx, s.db, `SELECT identity FROM custody_store WHERE id = 1`)
	return identity, found(err)
}

// until is the bound for times that are not after one; zero means all.
func until(t time.Time) int64 {
	if t.IsZero() {
		return math.MaxInt64
	}
	return t.UnixMicro()
}
