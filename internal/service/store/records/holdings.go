package records

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Holdings returns what decides how some publishers stand. All of it is of one moment. Publishers
// without a record are left out.
func (s *Custody) Holdings(ctx context.Context, domains []hostname.Domain) ([]custodian.Holding, error) {
	h := newHoldings()
	err := s.reading(ctx, func(c Conn) error {
		err := among(ctx, c, domains, h.add, `SELECT `+holdingColumns+` FROM custody_publishers p WHERE p.domain IN `)
		if err != nil {
			return err
		}
		return complete(ctx, c, h.all)
	})
	return h.all, err
}

// Revisions returns the revisions of records; zero for one that does not exist.
func (s *Custody) Revisions(ctx context.Context, domains []hostname.Domain, urls []string) (map[string]int64, error) {
	out := make(map[string]int64, len(domains)+len(urls))
	for _, domain := range domains {
		out[string(domain)] = 0
	}
	byKey := make(map[string]string, len(urls))
	for _, url := range urls {
		byKey[string(fileKey(url))], out[url] = url, 0
	}
	for len(domains)+len(urls) > 0 {
		some, files := domains[:min(len(domains), rowBatch)], urls[:min(len(urls), rowBatch)]
		domains, urls = domains[len(some):], urls[len(files):]
		args := []any{""} // so that neither list is empty
		for _, domain := range some {
			args = append(args, domain)
		}
		names := padded(1, len(args), &args)
		n := len(args)
		args = append(args, []byte{})
		for _, url := range files {
			args = append(args, fileKey(url))
		}
		err := each(ctx, s.db, func(r Rows) error {
			var name string
			var key []byte
			var revision int64
			err := r.Scan(&name, &key, &revision)
			out[cmp.Or(byKey[string(key)], name)] = revision
			return err
		}, `SELECT domain, NULL, revision FROM custody_publishers WHERE domain IN (`+names+`)
			UNION ALL SELECT '', key, revision FROM custody_files WHERE key IN (`+padded(1+n, len(args)-n, &args)+`)`, args...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Shared reports whether other processes are meant to write to the store.
func (s *Custody) Shared() bool { return s.db.Dialect().Skip != "" }

// reading calls f with a connection whose reads see the same state.
func (s *Custody) reading(ctx context.Context, f func(Conn) error) error {
	err := s.docs.unusable()
	if err != nil {
		return err
	}
	return s.db.Snapshot(ctx, f)
}

// holdingColumns are those that holdings read, of a table p.
const holdingColumns = `p.domain, p.listed, p.told, p.brief, p.shown`

// holdings are read row by row, with the same places for the values of each.
type holdings struct {
	all                  []custodian.Holding
	domain, listed, told string
	brief, shown         []byte
	into                 []any
}

// newHoldings reads rows of holdingColumns, and other columns after them.
func newHoldings(others ...any) *holdings {
	h := &holdings{}
	h.into = append([]any{&h.domain, &h.listed, &h.told, &h.brief, &h.shown}, others...)
	return h
}

// add reads a row. A publisher whose brief is damaged has nothing in effect.
func (h *holdings) add(r Rows) error {
	err := r.Scan(h.into...)
	if err != nil {
		return err
	}
	domain := hostname.Domain(h.domain)
	p, err := publisherOf(domain, h.brief)
	if err != nil {
		p = &custody.Publisher{Domain: domain}
	}
	p.Listed, p.Told = h.listed, h.told
	h.all = append(h.all, custodian.Holding{Publisher: p, Shown: h.shown})
	return nil
}

// complete adds the files of publishers, and since when they have none.
func complete(ctx context.Context, c Conn, all []custodian.Holding) error {
	files, err := heldFiles(ctx, c, all)
	if err != nil {
		return err
	}
	places, err := lastPlaces(ctx, c, all)
	if err != nil {
		return err
	}
	for i := range all {
		h := &all[i]
		h.File = files[h.Publisher.Location.URL]
		if h.Publisher.Absent {
			h.AbsentSince = places[string(h.Publisher.Domain)]
		}
	}
	return nil
}

// heldFiles returns the files that publishers lead to, by URL.
func heldFiles(ctx context.Context, c Conn, of []custodian.Holding) (map[string]*custody.File, error) {
	urls := map[string]string{} // by key
	var keys [][]byte
	for i := range of {
		url := of[i].Publisher.Location.URL
		if url == "" {
			continue
		}
		key := fileKey(url)
		if urls[string(key)] == "" {
			urls[string(key)] = url
			keys = append(keys, key)
		}
	}
	files := make(map[string]*custody.File, len(keys))
	err := among(ctx, c, keys, func(r Rows) error {
		var key, brief []byte
		err := r.Scan(&key, &brief)
		if err != nil {
			return err
		}
		url := urls[string(key)]
		f, err := fileOf(url, brief)
		if err == nil {
			files[url] = f // without it nothing is in effect
		}
		return nil
	}, `SELECT key, brief FROM custody_files WHERE key IN `)
	return files, err
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

// execAmong is among for a statement that changes something, with arguments before the keys. It returns how
// many rows it changed.
func execAmong[K any](ctx context.Context, c Conn, statement string, keys []K, before ...any) (int64, error) {
	var changed int64
	for some := range slices.Chunk(keys, rowBatch) {
		args := slices.Clone(before)
		for i := range some {
			args = append(args, some[i])
		}
		n, err := exec(ctx, c, statement+`(`+padded(1+len(before), len(some), &args)+`)`, args...)
		if err != nil {
			return changed, err
		}
		changed += n
	}
	return changed, nil
}
