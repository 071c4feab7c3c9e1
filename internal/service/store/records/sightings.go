package records

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
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
		return replaceIdentifiers(ctx, c, v, identifiers, len(before) > 0)
	})
}

// replaceIdentifiers writes the identifiers of a sighting: packed in its row, to be read
// with it, and as hashes in a table of their own, to be searched. A hash has one size,
// while what publishers write has any size and may be too long for an index. Whether
// there are others to be replaced is known to the caller.
func replaceIdentifiers(ctx context.Context, c Conn, v *registry.Sighting, packed []byte, others bool) error {
	_, err := exec(ctx, c, `UPDATE sightings SET identifiers = $2 WHERE domain = $1`, v.Domain, packed)
	if err == nil && others {
		_, err = exec(ctx, c, `DELETE FROM identifiers WHERE domain = $1`, v.Domain)
	}
	if err != nil {
		return err
	}
	rest := v.Identifiers
	for len(rest) > 0 {
		n, statement := insertIdentifiers(len(rest))
		args := []any{v.Domain}
		for _, id := range rest[:n] {
			args = append(args, identifierKey(id))
		}
		_, err := exec(ctx, c, statement, args...)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// insertSizes are the numbers of rows that one statement inserts. There are few, so that
// the database can keep the statements prepared.
var insertSizes = []int{256, 16, 1}

// insertStatements are the statements for insertSizes.
var insertStatements = sync.OnceValue(func() []string {
	var all []string
	for _, size := range insertSizes {
		values := make([]string, size)
		for i := range values {
			values[i] = fmt.Sprintf("($%d, $1)", i+2)
		}
		all = append(all, `INSERT INTO identifiers (key, domain) VALUES `+strings.Join(values, ", ")+` ON CONFLICT DO NOTHING`)
	}
	return all
})

// insertIdentifiers returns a statement for as many of n rows as possible, and how many
// those are.
func insertIdentifiers(n int) (int, string) {
	for i, size := range insertSizes {
		if size <= n {
			return size, insertStatements()[i]
		}
	}
	return 0, ""
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

// PublishersWith returns the publishers whose last sighting has an identifier.
func (s *Store) PublishersWith(ctx context.Context, id registry.Identifier, limit int) ([]string, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.db, func(r Rows) (*string, error) {
		domain := new(string)
		return domain, r.Scan(domain)
	}, `SELECT domain FROM identifiers WHERE key = $1 ORDER BY domain LIMIT $2`, identifierKey(id), n)
}
