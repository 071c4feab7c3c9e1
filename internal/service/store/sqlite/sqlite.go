// Package sqlite keeps the records of the registry in an SQLite file.
//
// One process serves from the file. Others may open it at the same time, for example to
// make a key. There is one connection that writes, so that writers of this process wait
// for each other here, where waiting ends with the context, and several that read.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/service/store/records"
)

//go:embed migrations/*.sql
var embedded embed.FS

const (
	// applicationID marks a file as one of ours: "avow".
	applicationID = 0x61766f77
	// pageSize is larger than the default because rows carry packed documents.
	pageSize = 8192
	// busyTimeout is how long to wait for another process that writes.
	busyTimeout = 10 * time.Second
)

// An OpenError is about a file that cannot be opened as a store.
type OpenError struct {
	Path string
	Err  error
}

// Error names the file and what is wrong with it.
func (e *OpenError) Error() string { return fmt.Sprintf("store %s: %v", e.Path, e.Err) }

// Unwrap returns what is wrong.
func (e *OpenError) Unwrap() error { return e.Err }

// Open opens the store in a file. The file, and the directory it is in, are made when
// they are missing, for the user of the process alone.
func Open(ctx context.Context, path string) (*records.Store, error) {
	db, err := open(ctx, path)
	if err != nil {
		return nil, &OpenError{path, explain(err)}
	}
	s := records.New(db, db.schema)
	// SQLite opens a file that it may only read as if nothing were wrong. On a full disk it
	// can be read, and be written when there is room again.
	err = s.Ping(ctx)
	if err != nil && !errors.Is(err, registry.ErrReadOnly) {
		return nil, errors.Join(&OpenError{path, explain(err)}, s.Close())
	}
	return s, nil
}

// open opens a file with a schema that is up to date.
func open(ctx context.Context, path string) (*database, error) {
	if path == "" || path == ":memory:" {
		return nil, errors.New("the path of a file is needed")
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	err = create(full)
	if err != nil {
		return nil, err
	}
	db, err := openFile(ctx, full)
	if isFull(err) && giveReserve(full) {
		db, err = openFile(ctx, full)
	}
	if err == nil {
		takeReserve(full)
	}
	return db, err
}

// openFile opens a file that is there.
func openFile(ctx context.Context, path string) (*database, error) {
	err := patiently(ctx, func() error { return prepare(ctx, path) })
	if err != nil {
		return nil, err
	}
	db := connect(path)
	err = patiently(ctx, func() error { return upgrade(ctx, db) })
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// errNoDatabase is about a file that is something else.
var errNoDatabase = errors.New("the file is not an SQLite database")

// patiently calls f again while another process is in the way, which may be making the schema on
// a slow disk. SQLite waits by itself for most locks, but not when it changes the mode of a file.
func patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		if !isBusy(err) || ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// isBusy reports whether an error is about another connection's lock.
func isBusy(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code()&0xff == sqlite3.SQLITE_BUSY
}

// create makes the file and its directory. SQLite would make the file itself, but for
// everybody to read; its other files take the permissions of this one.
//
// A file that is there is not opened here: the locks of SQLite belong to the process,
// and closing a file gives up all that the process has on it.
func create(path string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case info.Size() == 1:
		// SQLite takes one byte for an empty file, and writes over it.
		return errNoDatabase
	}
	return nil
}

// source is the name of a database for the driver. Pragmas are run in alphabetical
// order by every new connection.
func source(path string, parameters url.Values) string {
	// An absolute path of Windows starts with a letter; in a URL it needs a slash.
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' {
		slashed = "/" + slashed
	}
	parameters.Set("_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()))
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: parameters.Encode()}
	return u.String()
}

// openDB opens a number of connections at most.
func openDB(path string, connections int, parameters url.Values) *sql.DB {
	db, err := sql.Open("sqlite", source(path, parameters))
	if err != nil {
		// The driver reports a bad source when it connects, not here.
		panic(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// prepare makes an empty file a database of ours, and refuses a file that is something
// else. The page size has to be set before anything is written, and switching to a
// write-ahead log writes; so these run one by one on a connection of their own.
func prepare(ctx context.Context, path string) error {
	db := openDB(path, 1, url.Values{})
	err := prepareOn(ctx, db)
	return errors.Join(err, db.Close())
}

// prepareOn is prepare on one connection.
func prepareOn(ctx context.Context, db *sql.DB) error {
	ours, err := examine(ctx, db)
	if err != nil {
		return err
	}
	if !ours {
		_, err := db.ExecContext(ctx,
			fmt.Sprintf("PRAGMA page_size = %d; PRAGMA auto_vacuum = incremental; PRAGMA application_id = %d",
				pageSize, applicationID))
		if err != nil {
			return err
		}
	}
	// It stays with the file. SQLite answers with the mode that the file has afterwards.
	var mode string
	err = db.QueryRowContext(ctx, `PRAGMA journal_mode = wal`).Scan(&mode)
	if err == nil && mode != "wal" {
		err = errors.New("the file system does not support a write-ahead log")
	}
	return err
}

// examine reports whether a database is ours or still empty; any other is an error. It
// looks in one transaction, because another process may be making the database.
func examine(ctx context.Context, db *sql.DB) (bool, error) {
	var id, tables int64
	err := within(ctx, &pool{DB: db}, func(c records.Conn) error {
		var err error
		tables, err = integer(ctx, c, `SELECT COUNT(*) FROM sqlite_schema`)
		if err != nil {
			return err
		}
		id, err = integer(ctx, c, `PRAGMA application_id`)
		return err
	})
	if err != nil {
		return false, err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return false, errors.New("the file is a database of another program")
	}
	return id == applicationID, nil
}

// integer runs a statement that answers one number.
func integer(ctx context.Context, c records.Conn, statement string) (int64, error) {
	r, err := c.Query(ctx, statement)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var n int64
	if r.Next() {
		err = r.Scan(&n)
	}
	return n, errors.Join(err, r.Err())
}

// connect opens the connections that a store uses.
func connect(path string) *database {
	writer := url.Values{
		"_txlock":       {"immediate"},
		"_foreign_keys": {"1"},
		// What was committed has reached the disk; fullfsync is what that takes on macOS.
		"_synchronous": {"full"},
		// What is written is all over the indexes: 8 MB of them are kept in memory, which take
		// half as much again there, and moved from the log into the file less often than every
		// 1,000 pages.
		"_pragma": {"cache_size(-8192)", "fullfsync(1)", "journal_size_limit(67108864)", "temp_store(memory)",
			"wal_autocheckpoint(4000)"},
	}
	d := &database{
		file:    opened(path),
		writer:  &pool{DB: openDB(path, 1, writer)},
		readers: &pool{DB: openDB(path, max(4, runtime.GOMAXPROCS(0)), url.Values{"_query_only": {"1"}})},
	}
	d.group = newGroup(d.writer, d.file, idleTime, d.truncate)
	return d
}

// upgrade brings the schema up to date. Each migration is one transaction, so when two
// processes start on one file, one of them fails because the other was faster. As long
// as the version goes up, another process makes progress, and it is worth another try.
func upgrade(ctx context.Context, db *database) error {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	for before := int64(-1); ; {
		db.schema, err = migrate.Up(ctx, goose.DialectSQLite3, db.writer.DB, migrations)
		var newer *migrate.NewerError
		if err == nil || errors.As(err, &newer) {
			return err
		}
		now, versionErr := integer(ctx, db, `SELECT MAX(version_id) FROM `+migrate.Table)
		if versionErr != nil || now <= before {
			return err
		}
		before = now
	}
}

// explain says in plain words what the driver says in its own.
func explain(err error) error {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return err
	}
	if isFull(err) {
		return fmt.Errorf("the disk is full, make a little room: %w", err)
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return errNoDatabase
	case sqlite3.SQLITE_CORRUPT:
		return errors.New("the database is damaged")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("the file or its directory cannot be written: %w", err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process holds the file: %w", err)
	}
	return err
}

// To open a database takes some kilobytes of its disk, even when nothing is written. A file
// beside it keeps them for the day on which the disk is full.
const (
	reserveEnding = ".reserve"
	reserveSize   = 1 << 20
	// reserveFree is how much the disk must have left for the reserve to be taken.
	reserveFree = 64 * reserveSize
)

// takeReserve makes the file if it is missing and there is room. It is not an error if
// that fails: the file may never be needed.
func takeReserve(path string) {
	_, err := os.Stat(path + reserveEnding)
	free := freeSpace(filepath.Dir(path))
	if err == nil || free >= 0 && free < reserveFree {
		return
	}
	err = os.WriteFile(path+reserveEnding, make([]byte, reserveSize), 0o600)
	if err != nil {
		_ = os.Remove(path + reserveEnding) // half of it does not help
	}
}

// giveReserve removes the file, and reports whether that has made room.
func giveReserve(path string) bool { return os.Remove(path+reserveEnding) == nil }
