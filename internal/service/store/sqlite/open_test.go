package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/test/storetest"
)

// column is the first column of an answer.
func column(t testing.TB, db *sql.DB, statement string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		var s string
		err := rows.Scan(&s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	err = rows.Err()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// load runs statements on a new file.
func load(t *testing.T, path, statements string) {
	t.Helper()
	db := openDB(path, 1, url.Values{})
	_, err := db.ExecContext(context.WithoutCancel(t.Context()), statements)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Close()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	// Characters that mean something in a URL or in SQL are part of a name.
	dir := filepath.Join(t.TempDir(), "a b", "c?d=e#f%41&'g")
	path := filepath.Join(dir, "store;x.db")
	s := openIn(t, path)
	storetest.Fill(t, s)
	modes := map[string]os.FileMode{dir: 0o700, filepath.Dir(dir): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, path + reserveEnding: 0o600}
	for name, mode := range modes {
		info, err := os.Stat(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), mode)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	db, err := open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, tc := range []struct {
		of    *pool
		name  string
		value string
	}{
		{db.writer, "page_size", "8192"},
		{db.writer, "journal_mode", "wal"},
		{db.writer, "synchronous", "2"},
		{db.writer, "foreign_keys", "1"},
		{db.writer, "busy_timeout", "10000"},
		{db.writer, "fullfsync", "1"},
		{db.writer, "application_id", fmt.Sprint(applicationID)},
		{db.readers, "busy_timeout", "10000"},
		{db.readers, "query_only", "1"},
	} {
		have := column(t, tc.of.DB, "PRAGMA "+tc.name)
		if len(have) != 1 || have[0] != tc.value {
			t.Errorf("%s is %q, want %q", tc.name, have, tc.value)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		err := os.WriteFile(path, []byte(content), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign, newer := filepath.Join(dir, "foreign.db"), filepath.Join(dir, "newer.db")
	load(t, foreign, `CREATE TABLE cookies (name TEXT)`)
	load(t, newer, fmt.Sprintf(`PRAGMA application_id = %d; CREATE TABLE %s (id INTEGER PRIMARY KEY, version_id INTEGER, is_applied INTEGER, tstamp TIMESTAMP);
		INSERT INTO %s VALUES (1, 0, 1, datetime('now')), (2, 99, 1, datetime('now'))`, applicationID, migrate.Table, migrate.Table))
	for _, tc := range []struct{ path, want string }{
		{"", "the path of a file is needed"},
		{":memory:", "the path of a file is needed"},
		{dir, "it is a directory"},
		{"a\x00b", "invalid argument"},
		{filepath.Join(write("file", "x"), "below"), "not a directory"},
		{write("text", strings.Repeat("this is no database\n", 100)), "the file is not an SQLite database"},
		{write("short", "x"), "the file is not an SQLite database"},
		{write("cut", "SQLite format 3\x00"), "the file is not an SQLite database"},
		{write("garbled", "SQLite format 3\x00"+strings.Repeat("x", 5000)), "the file is not an SQLite database"},
		{foreign, "a database of another program"},
		{newer, "a newer release of avow has upgraded it: it has schema version 99, and this release knows versions up to 1"},
		{"/proc/avow/store.db", "no such file or directory"},
	} {
		if runtime.GOOS != "linux" && strings.HasPrefix(tc.path, "/proc") {
			continue
		}
		s, err := Open(t.Context(), tc.path)
		if err == nil {
			t.Errorf("%q was opened: %v", tc.path, s.Close())
			continue
		}
		var failure *OpenError
		if !errors.As(err, &failure) || failure.Path != tc.path || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: %v, want %q", tc.path, err, tc.want)
		}
	}
}

func TestManyOpenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "store.db")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			_, err = s.PutDocument(t.Context(), []byte{byte(i)})
			err = errors.Join(err, s.Close())
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestDamage: bytes that are not those of their hash are not returned, whoever changed
// them.
func TestDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openIn(t, path)
	h, err := s.PutDocument(t.Context(), []byte("a document"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := pack.Bytes([]byte("@ document"))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Fill(t, s)
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	for _, tc := range []struct {
		packed []byte
		size   int64
	}{{other, 10}, {other, 9}, {other, 1 << 40}, {other, -1}, {nil, 0}, {[]byte("junk"), 4}, {other[:len(other)-1], 10}} {
		_, err := db.ExecContext(t.Context(), `UPDATE documents SET packed = coalesce($2, X''), size = $3 WHERE hash = $1`, string(h), tc.packed, tc.size)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Document(t.Context(), h)
		if !errors.Is(err, pack.ErrDamaged) {
			t.Errorf("%x of size %d: %v", tc.packed, tc.size, err)
		}
	}
}

// TestOpenWaits: another process may take as long as it needs to make the schema.
func TestOpenWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	held := openDB(path, 1, url.Values{})
	t.Cleanup(func() { _ = held.Close() })
	_, err := held.ExecContext(t.Context(), `BEGIN EXCLUSIVE`)
	if err != nil {
		t.Fatal(err)
	}
	db := openDB(path, 1, url.Values{"_pragma": {"busy_timeout(0)"}})
	t.Cleanup(func() { _ = db.Close() })
	_, busy := db.ExecContext(t.Context(), `BEGIN EXCLUSIVE`)
	if !isBusy(busy) {
		t.Fatalf("a locked file says %v", busy)
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := patiently(t.Context(), func() error {
			if time.Since(began) < time.Hour {
				return busy
			}
			return nil
		})
		if err != nil || time.Since(began) < time.Hour {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Hour, cancel)
		err = patiently(ctx, func() error { return busy })
		if !isBusy(err) {
			t.Errorf("%v", err)
		}
	})
}

// TestLogIsTruncated: the write-ahead log counts as part of the store, and its space is given back
// when there is time, but not while somebody reads what only it has.
func TestLogIsTruncated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	db, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.group.close() // it would do the same at any time
	size := func() int64 {
		u, err := db.Size(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return u.Bytes
	}
	log := func() int64 {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	fill := func(id int) {
		_, err := db.writer.ExecContext(t.Context(), `INSERT INTO probes (id, at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i + $1, 0 FROM n`, int64(id*100_000))
		if err != nil {
			t.Fatal(err)
		}
	}
	fill(1)
	before, had := size(), log()
	if had < 500_000 {
		t.Fatalf("the log has %d bytes", had)
	}
	db.truncate()
	if log() != 0 || size() > before-had {
		t.Errorf("the log has %d bytes of %d, the store %d of %d", log(), had, size(), before)
	}
	err = db.Snapshot(t.Context(), func(c records.Conn) error {
		_, err := integer(t.Context(), c, `SELECT COUNT(*) FROM probes`)
		fill(2)
		db.truncate()
		if log() == 0 {
			t.Error("the log was taken away from somebody who reads")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	db.truncate()
	if log() != 0 {
		t.Errorf("the log has %d bytes", log())
	}
	fill(3)
}

// TestLogIsTruncatedByItself: that happens when nothing was changed for a while, without a call.
func TestLogIsTruncatedByItself(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	db, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for i := range 2 { // also the second time
		err := db.Update(t.Context(), func(c records.Conn) error {
			_, err := c.Exec(t.Context(), `INSERT INTO probes (id, at) VALUES ($1, 0)`, int64(1000+i))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		size := int64(1)
		for until := time.Now().Add(10 * time.Minute); size > 0; time.Sleep(10 * time.Millisecond) {
			info, err := os.Stat(path + "-wal")
			if err != nil || time.Now().After(until) {
				t.Fatalf("the log still has %d bytes: %v", size, err)
			}
			size = info.Size()
		}
	}
}
