package records

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// revisionsPage is how many revisions are read at once.
const revisionsPage = 10_000

// Revisions calls f for every publisher in alphabetical order, with the revision of its record.
// Records are not read, so one that is damaged is there too.
func (s *Custody) Revisions(ctx context.Context, f func(hostname.Domain, int64) error) error {
	type row struct {
		domain   string
		revision int64
	}
	for after := ""; ; {
		some, err := list(ctx, s.db, func(r Rows) (*row, error) {
			one := &row{}
			return one, r.Scan(&one.domain, &one.revision)
		}, `SELECT domain, revision FROM custody_publishers WHERE domain > $1 ORDER BY domain LIMIT $2`, after, int64(revisionsPage))
		if err != nil {
			return err
		}
		for i := range some {
			err := f(hostname.Domain(some[i].domain), some[i].revision)
			if err != nil {
				return err
			}
		}
		if len(some) < revisionsPage {
			return nil
		}
		after = some[len(some)-1].domain
	}
}

// smallDocument is the size up to which documents are read together.
const smallDocument = 32 << 10

// Holdings returns what there is of some publishers. All of it is of one moment. Whoever has
// a record that cannot be read is left out, and a file or its bytes that cannot be read are nil: reading
// it alone says what is wrong.
func (s *Custody) Holdings(ctx context.Context, domains []hostname.Domain) ([]custodian.Holding, error) {
	err := s.docs.unusable()
	if err != nil {
		return nil, err
	}
	var all []custodian.Holding
	err = s.db.Snapshot(ctx, func(c Conn) error {
		all, err = holdings(ctx, c, domains)
		return err
	})
	return all, err
}

// holdings is Holdings on a connection whose reads see the same state.
func holdings(ctx context.Context, c Conn, domains []hostname.Domain) ([]custodian.Holding, error) {
	all := make([]custodian.Holding, 0, len(domains))
	err := among(ctx, c, domains, func(r Rows) error {
		p, err := scanPublisher(r)
		if err == nil {
			all = append(all, custodian.Holding{Publisher: p})
		}
		return nil
	}, selectPublisher+`WHERE domain IN `)
	if err != nil {
		return nil, err
	}
	files, err := heldFiles(ctx, c, all)
	if err != nil {
		return nil, err
	}
	bodies, err := heldBodies(ctx, c, files)
	if err != nil {
		return nil, err
	}
	places, err := lastPlaces(ctx, c, all)
	if err != nil {
		return nil, err
	}
	for i := range all {
		h := &all[i]
		if f, ok := files[h.Publisher.Location.URL]; ok {
			h.File, h.Revision, h.Revoked, h.Body = f.File, f.revision, f.revoked, bodies[f.Hash]
		}
		if last, ok := places[string(h.Publisher.Domain)]; ok && h.Publisher.Absent {
			h.AbsentSince = last
		}
	}
	return all, nil
}

// A heldFile is the record of a file as Brief returns it, and whether it has revocations.
type heldFile struct {
	*custody.File
	revision int64
	revoked  bool
}

// heldFiles returns the files that publishers lead to, by URL.
func heldFiles(ctx context.Context, c Conn, of []custodian.Holding) (map[string]heldFile, error) {
	urls := map[string]string{} // by key
	var keys [][]byte
	for i := range of {
		url := of[i].Publisher.Location.URL
		key := fileKey(url)
		if url != "" && urls[string(key)] == "" {
			urls[string(key)] = url
			keys = append(keys, key)
		}
	}
	files := make(map[string]heldFile, len(keys))
	err := among(ctx, c, keys, func(r Rows) error {
		var key, packed []byte
		var revision, revoked int64
		err := r.Scan(&key, &revision, &revoked, &packed)
		if err != nil {
			return err
		}
		url := urls[string(key)]
		f, err := decodeFile(url, revision, packed)
		if err == nil {
			f.Revision = 0
			files[url] = heldFile{f, revision, revoked > 0}
		}
		return nil
	}, `SELECT key, revision, revoked, record FROM custody_files WHERE key IN `)
	return files, err
}

// heldBodies returns the documents of files that are not large, by hash.
func heldBodies(ctx context.Context, c Conn, files map[string]heldFile) (map[string][]byte, error) {
	bodies := make(map[string][]byte, len(files))
	var hashes []string
	for _, f := range files {
		_, known := bodies[f.Hash]
		if f.Hash != "" && !known {
			bodies[f.Hash] = nil
			hashes = append(hashes, f.Hash)
		}
	}
	err := among(ctx, c, hashes, func(r Rows) error {
		var hash string
		var size int64
		var packed []byte
		err := r.Scan(&hash, &size, &packed)
		if err != nil {
			return err
		}
		body, err := unpackDocument(registry.Hash(hash), size, packed)
		if err == nil {
			bodies[hash] = body
		}
		return nil
	}, fmt.Sprintf(`SELECT hash, size, packed FROM documents WHERE size <= %d AND hash IN `, smallDocument))
	return bodies, err
}

// lastPlaces returns since when publishers have been without a file, by domain, of those who
// have none.
func lastPlaces(ctx context.Context, c Conn, of []custodian.Holding) (map[string]time.Time, error) {
	var domains []hostname.Domain
	for i := range of {
		if of[i].Publisher.Absent {
			domains = append(domains, of[i].Publisher.Domain)
		}
	}
	since, seen := make(map[string]time.Time, len(domains)), make(map[string]bool, len(domains))
	err := among(ctx, c, domains, func(r Rows) error {
		var domain string
		var adopted int64
		var absent bool
		err := r.Scan(&domain, &adopted, &absent)
		if err == nil && absent && !seen[domain] {
			since[domain] = time.UnixMicro(adopted).UTC()
		}
		seen[domain] = true
		return err
	}, `SELECT domain, adopted_at, absent FROM custody_places WHERE domain IN `, ` ORDER BY adopted_at DESC, number DESC`)
	return since, err
}

// among calls scan for the rows of a statement that ends with a list of keys, and what comes
// after it.
func among[K any](ctx context.Context, c Conn, keys []K, scan func(Rows) error, statement string, after ...string) error {
	for some := range slices.Chunk(keys, rowBatch) {
		args := make([]any, len(some))
		for i := range some {
			args[i] = some[i]
		}
		err := each(ctx, c, scan, statement+`(`+padded(1, len(some), &args)+`)`+strings.Join(after, ""), args...)
		if err != nil {
			return err
		}
	}
	return nil
}
