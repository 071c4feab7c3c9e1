package records

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

// maxGone is how many identifiers are kept that a publisher does not list any more. A file
// that lists others every time must not fill the store.
const maxGone = 10_000

// writeIndex writes the identifiers of publishers as hashes, to be searched. A hash has
// one size, while what publishers write has any size and may be too long for an index.
// Those that stay keep the time since when they are listed, and so do those that come back
// within custodian.ClaimGrace. The rows of the publishers are locked.
func writeIndex(ctx context.Context, c Conn, all []*encoded) error {
	var known []string
	fresh, gone := map[string]map[string]bool{}, map[string][]string{}
	var at time.Time
	for _, e := range all {
		v := e.change.Index
		if v == nil || e.change.Publisher == nil {
			continue
		}
		domain, keys := string(e.change.Publisher.Domain), make(map[string]bool, len(v.Identifiers))
		for _, id := range v.Identifiers {
			keys[string(identifierKey(id))] = true
		}
		fresh[domain] = keys
		if at = v.At; e.change.Publisher.Revision > 0 { // a new publisher has none
			known = append(known, domain)
		}
	}
	err := laterAmong(ctx, c, nil, `DELETE FROM identifiers WHERE gone <= $1 AND domain IN `, known,
		at.Add(-custodian.ClaimGrace).UnixMicro())
	if err == nil {
		err = among(ctx, c, known, func(r Rows) error {
			var domain string
			var key []byte
			err := r.Scan(&domain, &key)
			if fresh[domain][string(key)] {
				delete(fresh[domain], string(key))
			} else {
				gone[domain] = append(gone[domain], string(key))
			}
			return err
		}, `SELECT domain, key FROM identifiers WHERE gone IS NULL AND domain IN `)
	}
	for _, domain := range slices.Sorted(maps.Keys(fresh)) {
		if err == nil {
			err = replaceIndex(ctx, c, domain, at, gone[domain], slices.Sorted(maps.Keys(fresh[domain])))
		}
	}
	return err
}

// replaceIndex notes which identifiers a publisher does not list any more, and which it lists now.
func replaceIndex(ctx context.Context, c Conn, domain string, at time.Time, gone, fresh []string) error {
	err := inBatches(ctx, c, goneStatements(), domain, at.UnixMicro(), gone)
	if err == nil {
		err = inBatches(ctx, c, sharedStatements(), domain, at.UnixMicro(), gone)
	}
	if err == nil && len(gone) > 0 {
		err = later(ctx, c, `DELETE FROM identifiers WHERE domain = $1 AND key IN
			(SELECT key FROM identifiers WHERE domain = $1 AND gone IS NOT NULL ORDER BY gone DESC, key LIMIT 20000 OFFSET $2)`,
			domain, int64(maxGone))
	}
	if err != nil {
		return err
	}
	return inBatches(ctx, c, freshStatements(), domain, at.UnixMicro(), fresh)
}

// batchSizes are the numbers of rows that one statement writes. There are few, so that
// the database can keep the statements prepared.
var batchSizes = []int{256, 64, 16, 8, 4, 2, 1}

// Statements for batchSizes. Their parameters are a publisher, a time and keys.
var (
	goneStatements = sync.OnceValue(func() []string {
		return statements(3, "$%d", func(keys string) string {
			return `UPDATE identifiers SET gone = $2 WHERE domain = $1 AND key IN (` + keys + `)`
		})
	})
	// sharedStatements note that it is the turn of others who list the same.
	sharedStatements = sync.OnceValue(func() []string {
		return statements(3, "$%d", func(keys string) string {
			return `INSERT INTO turns (domain, at) SELECT DISTINCT domain, CAST($2 AS BIGINT) FROM identifiers WHERE domain <> $1 AND gone IS NULL AND key IN (` + keys + `)` + sooner
		})
	})
	freshStatements = sync.OnceValue(func() []string {
		return statements(3, "($%d, $1, $2)", func(rows string) string {
			return `INSERT INTO identifiers (key, domain, since) VALUES ` + rows +
				` ON CONFLICT (key, domain) DO UPDATE SET gone = NULL`
		})
	})
)

// statements makes one for each of batchSizes, with a piece for each key. The first key is the
// parameter with that number.
func statements(first int, piece string, around func(pieces string) string) []string {
	var all []string
	for _, size := range batchSizes {
		pieces := make([]string, size)
		for i := range pieces {
			pieces[i] = fmt.Sprintf(piece, first+i)
		}
		all = append(all, around(strings.Join(pieces, ", ")))
	}
	return all
}

// inBatches runs statements for all keys, each for as many as possible.
func inBatches(ctx context.Context, c Conn, statements []string, domain string, at int64, keys []string) error {
	return batches(keys, func(i int, some []string) error {
		args := []any{domain, at}
		for _, key := range some {
			args = append(args, []byte(key))
		}
		return later(ctx, c, statements[i], args...)
	})
}

// batches calls f with as many of a list as one of batchSizes, whose index it is told, until it
// was called with all.
func batches[T any](list []T, f func(i int, some []T) error) error {
	for i, size := range batchSizes {
		for ; len(list) >= size; list = list[size:] {
			err := f(i, list[:size])
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// identifierKey is the hash of an identifier. The length in front keeps the border
// between type and value in it.
func identifierKey(id custodian.Identifier) []byte {
	b := binary.AppendUvarint(nil, uint64(len(id.Type)))
	b = append(b, id.Type...)
	sum := sha256.Sum256(append(b, id.Value...))
	return sum[:]
}

// Claims returns the publishers that list an identifier, or did so after a time.
func (s *Custody) Claims(ctx context.Context, id custodian.Identifier, after time.Time,
	limit int) ([]custodian.Listing, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.db, func(r Rows) (*custodian.Listing, error) {
		v := &custodian.Listing{}
		var since int64
		err := r.Scan((*string)(&v.Publisher), &since, &v.Gone)
		v.Since = time.UnixMicro(since).UTC()
		return v, err
	},
		`SELECT domain, since, gone IS NOT NULL FROM identifiers WHERE key = $1 AND (gone IS NULL OR gone > $2) ORDER BY since, domain LIMIT $3`,
		identifierKey(id), after.UnixMicro(), n)
}
