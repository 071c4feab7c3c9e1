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
		err := among(ctx, c, domains, h.add, selectHoldings+`WHERE p.domain IN `)
		if err != nil {
			return err
		}
		return addAbsence(ctx, c, h.all)
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

// selectHoldings is the beginning of statements for holdings, and holdingColumns and holdingFile are its
// parts: what is read, and how the file of a publisher p is found.
const (
	selectHoldings = `SELECT ` + holdingColumns + ` FROM custody_publishers p` + holdingFile
	holdingColumns = `p.domain, p.listed, p.told, p.brief, p.shown, f.brief`
	holdingFile    = ` LEFT JOIN custody_files f ON f.key = p.file `
)

// holdings are read row by row, with the same places for the values of each.
type holdings struct {
	all                      []custodian.Holding
	domain, listed, reported string
	brief, shown, file       []byte
	into                     []any
}

// newHoldings reads rows of holdingColumns, and other columns after them.
func newHoldings(others ...any) *holdings {
	h := &holdings{}
	h.into = append([]any{&h.domain, &h.listed, &h.reported, &h.brief, &h.shown, &h.file}, others...)
	return h
}

// add reads a row. A publisher whose brief or whose file's is damaged has nothing in effect.
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
	p.Listed, p.Reported = h.listed, h.reported
	one := custodian.Holding{Publisher: p, Shown: h.shown}
	if h.file != nil && p.Location.URL != "" {
		f, err := fileOf(p.Location.URL, h.file)
		if err == nil {
			one.File = f
		}
	}
	h.all = append(h.all, one)
	return nil
}

// addAbsence adds since when publishers have been without a file, of those who have none.
func addAbsence(ctx context.Context, c Conn, all []custodian.Holding) error {
	var domains []hostname.Domain
	absent := map[string]*custodian.Holding{}
	for i := range all {
		if p := all[i].Publisher; p.Absent {
			domains = append(domains, p.Domain)
			absent[string(p.Domain)] = &all[i]
		}
	}
	return among(ctx, c, domains, func(r Rows) error {
		var domain string
		var adopted int64
		var none bool
		err := r.Scan(&domain, &adopted, &none)
		if h := absent[domain]; h != nil && err == nil && none {
			h.AbsentSince = time.UnixMicro(adopted).UTC()
		}
		delete(absent, domain) // only the last place counts
		return err
	}, `SELECT domain, adopted_at, absent FROM custody_places WHERE domain IN `, ` ORDER BY adopted_at DESC, number DESC`)
}

// among calls scan for the rows of a statement that ends with a list of keys, and what comes
// after it.
func among[K any](ctx context.Context, c Conn, keys []K, scan func(Rows) error, statement string,
	after ...string) error {
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

// laterAmong is among for a statement that changes something, with arguments before the keys. missed, unless it
// is nil, is the error when it changes fewer rows than there are keys.
func laterAmong[K any](ctx context.Context, c Conn, missed error, statement string, keys []K, before ...any) error {
	for some := range slices.Chunk(keys, rowBatch) {
		args := slices.Clone(before)
		for i := range some {
			args = append(args, some[i])
		}
		var judge func(int64) error
		if missed != nil {
			judge = func(n int64) error {
				if n < int64(len(some)) {
					return missed
				}
				return nil
			}
		}
		err := laterAs(ctx, c, judge, statement+`(`+padded(1+len(before), len(some), &args)+`)`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}
