package records

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// upsertSighting replaces a sighting but for its identifiers, which it returns as they
// were; no row when there is a newer one. The row stays locked for the transaction.
const upsertSighting = `INSERT INTO sightings (domain, checked_at, fresh_until, answer, method, found, valid, url, resolved_url,
		manager_domain, status, bytes, body, pointer, way)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
	ON CONFLICT (domain) DO UPDATE SET checked_at = excluded.checked_at, fresh_until = excluded.fresh_until,
		answer = excluded.answer, method = excluded.method, found = excluded.found, valid = excluded.valid,
		url = excluded.url, resolved_url = excluded.resolved_url, manager_domain = excluded.manager_domain,
		status = excluded.status, bytes = excluded.bytes, body = excluded.body, pointer = excluded.pointer,
		way = excluded.way
	WHERE sightings.checked_at <= excluded.checked_at
	RETURNING identifiers`

// PutSighting replaces what is known about a publisher, unless something newer is.
func (s *Store) PutSighting(ctx context.Context, v *registry.Sighting) error {
	identifiers, err := packIdentifiers(v.Identifiers)
	if err != nil {
		return fmt.Errorf("store: identifiers of %s: %w", v.Domain, err)
	}
	way, err := packWay(v.Way)
	if err != nil {
		return fmt.Errorf("store: way of %s: %w", v.Domain, err)
	}
	args := []any{
		v.Domain, v.CheckedAt.UnixMicro(), v.FreshUntil.UnixMicro(), v.Answer, v.Method, v.Found, v.Valid, v.URL, v.ResolvedURL,
		v.ManagerDomain, int64(v.Status), v.Bytes, string(v.Body), string(v.Pointer), way,
	}
	err = checkText(args)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(c Conn) error {
		var before []byte
		err := one(ctx, c, func(r Rows) error { return r.Scan(&before) }, upsertSighting, args...)
		if errors.Is(err, registry.ErrNotFound) {
			return nil
		}
		if err != nil || bytes.Equal(before, identifiers) {
			return err
		}
		_, err = exec(ctx, c, `UPDATE sightings SET identifiers = $2 WHERE domain = $1`, v.Domain, identifiers)
		if err != nil {
			return err
		}
		return replaceIdentifiers(ctx, c, v)
	})
}

// maxGone is how many identifiers are kept that a publisher does not list any more. A file
// that lists others every time must not fill the store.
const maxGone = 10_000

// replaceIdentifiers writes the identifiers of a sighting as hashes, to be searched. A hash
// has one size, while what publishers write has any size and may be too long for an index.
// Those that stay keep the time since when they are listed, and so do those that come back
// within registry.ClaimGrace.
func replaceIdentifiers(ctx context.Context, c Conn, v *registry.Sighting) error {
	at := v.CheckedAt.UnixMicro()
	_, err := exec(ctx, c, `DELETE FROM identifiers WHERE domain = $1 AND gone <= $2`, v.Domain, v.CheckedAt.Add(-registry.ClaimGrace).UnixMicro())
	if err != nil {
		return err
	}
	fresh := make(map[string]bool, len(v.Identifiers))
	for _, id := range v.Identifiers {
		fresh[string(identifierKey(id))] = true
	}
	var gone []string
	err = each(ctx, c, func(r Rows) error {
		var key []byte
		err := r.Scan(&key)
		if fresh[string(key)] {
			delete(fresh, string(key))
		} else {
			gone = append(gone, string(key))
		}
		return err
	}, `SELECT key FROM identifiers WHERE domain = $1 AND gone IS NULL`, v.Domain)
	if err != nil {
		return err
	}
	err = inBatches(ctx, c, goneStatements(), v.Domain, at, gone)
	if err == nil && len(gone) > 0 {
		_, err = exec(ctx, c, `DELETE FROM identifiers WHERE domain = $1 AND key IN
			(SELECT key FROM identifiers WHERE domain = $1 AND gone IS NOT NULL ORDER BY gone DESC, key LIMIT 20000 OFFSET $2)`, v.Domain, int64(maxGone))
	}
	if err != nil {
		return err
	}
	return inBatches(ctx, c, freshStatements(), v.Domain, at, slices.Sorted(maps.Keys(fresh)))
}

// batchSizes are the numbers of rows that one statement writes. There are few, so that
// the database can keep the statements prepared.
var batchSizes = []int{256, 16, 1}

// Statements for batchSizes. Their parameters are a publisher, a time and keys.
var (
	goneStatements = sync.OnceValue(func() []string {
		return statements("$%d", func(keys string) string {
			return `UPDATE identifiers SET gone = $2 WHERE domain = $1 AND key IN (` + keys + `)`
		})
	})
	freshStatements = sync.OnceValue(func() []string {
		return statements("($%d, $1, $2)", func(rows string) string {
			return `INSERT INTO identifiers (key, domain, since) VALUES ` + rows + ` ON CONFLICT (key, domain) DO UPDATE SET gone = NULL`
		})
	})
)

// statements makes one for each of batchSizes, with a piece for each key.
func statements(piece string, around func(pieces string) string) []string {
	var all []string
	for _, size := range batchSizes {
		pieces := make([]string, size)
		for i := range pieces {
			pieces[i] = fmt.Sprintf(piece, i+3)
		}
		all = append(all, around(strings.Join(pieces, ", ")))
	}
	return all
}

// inBatches runs statements for all keys, each for as many as possible.
func inBatches(ctx context.Context, c Conn, statements []string, domain string, at int64, keys []string) error {
	for i, size := range batchSizes {
		for ; len(keys) >= size; keys = keys[size:] {
			args := []any{domain, at}
			for _, key := range keys[:size] {
				args = append(args, []byte(key))
			}
			_, err := exec(ctx, c, statements[i], args...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// identifierKey is the hash of an identifier. The length in front keeps the border
// between type and value in it.
func identifierKey(id registry.Identifier) []byte {
	b := binary.AppendUvarint(nil, uint64(len(id.Type)))
	b = append(b, id.Type...)
	sum := sha256.Sum256(append(b, id.Value...))
	return sum[:]
}

// packIdentifiers packs types and values in turn.
func packIdentifiers(ids []registry.Identifier) ([]byte, error) {
	flat := make([]string, 0, 2*len(ids))
	for _, id := range ids {
		flat = append(flat, id.Type, id.Value)
	}
	return pack.Strings(flat)
}

// unpackIdentifiers is the opposite of packIdentifiers.
func unpackIdentifiers(packed []byte) ([]registry.Identifier, error) {
	flat, err := pack.Unstrings(packed)
	if err != nil {
		return nil, err
	}
	if len(flat)%2 != 0 {
		return nil, pack.ErrDamaged
	}
	var ids []registry.Identifier
	for i := 0; i < len(flat); i += 2 {
		ids = append(ids, registry.Identifier{Type: flat[i], Value: flat[i+1]})
	}
	return ids, nil
}

// packWay packs the documents of a way, four strings each.
func packWay(way []registry.Seen) ([]byte, error) {
	var flat []string
	for _, d := range way {
		flat = append(flat, d.Role, d.URL, string(d.Hash), strconv.FormatInt(d.At.UnixMicro(), 10))
	}
	return pack.Strings(flat)
}

// unpackWay is the opposite of packWay.
func unpackWay(packed []byte) ([]registry.Seen, error) {
	flat, err := pack.Unstrings(packed)
	if err != nil {
		return nil, err
	}
	var way []registry.Seen
	for ; len(flat) >= 4; flat = flat[4:] {
		at, err := strconv.ParseInt(flat[3], 10, 64)
		if err != nil {
			return nil, pack.ErrDamaged
		}
		way = append(way, registry.Seen{Role: flat[0], URL: flat[1], Hash: registry.Hash(flat[2]), At: time.UnixMicro(at).UTC()})
	}
	if len(flat) > 0 {
		return nil, pack.ErrDamaged
	}
	return way, nil
}

// Sighting returns what was last found for a publisher.
func (s *Store) Sighting(ctx context.Context, domain string) (*registry.Sighting, error) {
	v := &registry.Sighting{}
	var checked, fresh, status int64
	var body, pointer string
	var packed, way []byte
	err := one(ctx, s.db, func(r Rows) error {
		return r.Scan(&v.Domain, &checked, &fresh, &v.Answer, &v.Method, &v.Found, &v.Valid, &v.URL, &v.ResolvedURL,
			&v.ManagerDomain, &status, &v.Bytes, &body, &pointer, &packed, &way)
	}, `SELECT domain, checked_at, fresh_until, answer, method, found, valid, url, resolved_url,
		manager_domain, status, bytes, body, pointer, identifiers, way FROM sightings WHERE domain = $1`, domain)
	if err != nil {
		return nil, err
	}
	v.CheckedAt, v.FreshUntil = time.UnixMicro(checked).UTC(), time.UnixMicro(fresh).UTC()
	v.Status, v.Body, v.Pointer = int(status), registry.Hash(body), registry.Hash(pointer)
	v.Identifiers, err = unpackIdentifiers(packed)
	if err != nil {
		return nil, fmt.Errorf("store: identifiers of %s: %w", domain, err)
	}
	v.Way, err = unpackWay(way)
	if err != nil {
		return nil, fmt.Errorf("store: way of %s: %w", domain, err)
	}
	return v, nil
}

// Claims returns the publishers that list an identifier, or did so after a time.
func (s *Store) Claims(ctx context.Context, id registry.Identifier, after time.Time, limit int) ([]registry.Listing, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.db, func(r Rows) (*registry.Listing, error) {
		v := &registry.Listing{}
		var since int64
		err := r.Scan(&v.Publisher, &since, &v.Gone)
		if since > 0 {
			v.Since = time.UnixMicro(since).UTC()
		}
		return v, err
	}, `SELECT domain, since, gone IS NOT NULL FROM identifiers WHERE key = $1 AND (gone IS NULL OR gone > $2) ORDER BY since, domain LIMIT $3`,
		identifierKey(id), after.UnixMicro(), n)
}
