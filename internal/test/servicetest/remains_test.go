package servicetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver for database/sql
	"github.com/klauspost/compress/zstd"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
)

// remains are what services said and wrote.
type remains struct {
	mu     sync.Mutex
	pieces []piece
}

// A piece is something that was said or written, and where.
type piece struct {
	where string
	text  []byte
}

func (r *remains) add(where string, text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pieces = append(r.pieces, piece{where, text})
}

// hits are the places where the key of the provider is.
func (r *remains) hits() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var where []string
	for _, p := range r.pieces {
		for _, n := range needles() {
			if bytes.Contains(p.text, n) {
				where = append(where, p.where)
				break
			}
		}
	}
	return where
}

// has tells whether there is something of a kind, so that a search cannot pass for want
// of anything to search.
func (r *remains) has(prefix string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.pieces, func(p piece) bool { return strings.HasPrefix(p.where, prefix) && len(p.text) > 0 })
}

// checkRemains looks for the key of the provider in all that is left, once the services
// have stopped.
func (p *place) checkRemains() {
	err := readStore(context.Background(), p.store, p.left)
	if err != nil {
		p.t.Errorf("cannot search the store: %v", err)
	}
	for _, where := range p.left.hits() {
		p.t.Errorf("the key of the provider is in: %s", where)
	}
}

// readStore adds the content of a store: the files of SQLite as they are, and every
// value of every row, unpacked where it is packed.
func readStore(ctx context.Context, url string, into *remains) error {
	path, ok := strings.CutPrefix(url, "sqlite:")
	if !ok {
		return readTables(ctx, "pgx", url, `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`, into)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		return err
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		into.add("file "+filepath.Base(name), b)
	}
	return readTables(ctx, "sqlite", path, `SELECT name FROM sqlite_master WHERE type = 'table'`, into)
}

func readTables(ctx context.Context, driver, source, list string, into *remains) error {
	db, err := sql.Open(driver, source)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	names, err := db.QueryContext(ctx, list)
	if err != nil {
		return err
	}
	var tables []string
	for names.Next() {
		var name string
		err = names.Scan(&name)
		if err != nil {
			return err
		}
		tables = append(tables, name)
	}
	err = errors.Join(names.Err(), names.Close())
	for _, name := range tables {
		err = errors.Join(err, readTable(ctx, db, name, into))
	}
	if len(tables) < 5 {
		err = errors.Join(err, fmt.Errorf("only %d tables", len(tables)))
	}
	return err
}

func readTable(ctx context.Context, db *sql.DB, table string, into *remains) error {
	rows, err := db.QueryContext(ctx, `SELECT * FROM "`+table+`"`) //nolint:gosec // the name is that of a table
	if err != nil {
		return err
	}
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		err = rows.Scan(values...)
		if err != nil {
			return err
		}
		for i, v := range values {
			into.add("table "+table+"."+columns[i], unpacked(*v.(*any)))
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// unpacked is a value as text. Packed values are compressed, some behind a length.
func unpacked(value any) []byte {
	b, ok := value.([]byte)
	if !ok {
		return []byte(fmt.Sprint(value))
	}
	at := bytes.Index(b, []byte{0x28, 0xb5, 0x2f, 0xfd})
	if at < 0 {
		return b
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return b
	}
	defer d.Close()
	text, err := d.DecodeAll(b[at:], nil)
	if err != nil {
		return b
	}
	return text
}

// TestCanarySearch plants the key wherever it is looked for, and finds it there.
func TestCanarySearch(t *testing.T) {
	t.Parallel()
	for name, newStore := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, left := newStore(t), new(remains)
			st, err := store.Open(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			long := strings.Repeat("All work and no play makes a document compressible. ", 100)
			_, err = st.PutDocument(t.Context(), []byte(long+canary+long))
			if err != nil {
				t.Fatal(err)
			}
			err = st.PutBrand(t.Context(), &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte(`{"name":"` + canary + `"}`)})
			if err != nil {
				t.Fatal(err)
			}
			err = errors.Join(st.Close(), readStore(t.Context(), url, left))
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range needles() {
				left.add(fmt.Sprint("form ", i), append([]byte("before "), n...))
			}
			left.add("log", []byte(`{"msg":"`+canary+`"}`))
			hits := left.hits()
			for _, want := range []string{"table documents.packed", "table brands.manifest", "log", "form 0", "form 1", "form 2", "form 3", "form 4"} {
				if !slices.Contains(hits, want) {
					t.Errorf("%s is not found; these are: %q", want, hits)
				}
			}
		})
	}
}
