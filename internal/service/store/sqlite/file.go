package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/records"
)

// An openedFile is the file of a database as it was when it was opened.
type openedFile struct {
	path string
	info os.FileInfo
}

// opened returns a file that was just opened.
func opened(path string) openedFile {
	info, err := os.Stat(path)
	if err != nil {
		return openedFile{path: path}
	}
	return openedFile{path, info}
}

// check is records.ErrSwapped when the file is not there any more, or another one: SQLite
// goes on with the one that it has open, which is lost.
func (f openedFile) check() error {
	if f.info == nil {
		return nil
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w: it was removed", records.ErrSwapped)
	case err == nil && !os.SameFile(info, f.info): // SQLite says other errors better
		return fmt.Errorf("%w: there is another one in its place", records.ErrSwapped)
	}
	return nil
}

var (
	_ records.Sizer   = (*database)(nil)
	_ records.Located = (*database)(nil)
)

// InPlace reports whether the file is where it was.
func (d *database) InPlace() error { return d.file.check() }

// readable names an error that is about want of space: the file can still be read.
func readable(err error) error {
	if !isFull(err) {
		return err
	}
	return fmt.Errorf("%w: %w", registry.ErrReadOnly, err)
}

// isFull reports whether an error is about a disk that has no room, or a file that may not
// grow.
func isFull(err error) bool {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Code() {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_TRUNCATE:
		return true
	}
	return failure.Code()&0xff == sqlite3.SQLITE_FULL
}

// Size returns the bytes that are in use, which become fewer when something is removed, with the
// log of what is not in the file yet, and what the disk has left.
func (d *database) Size(ctx context.Context) (retain.Usage, error) {
	u := retain.Usage{Live: true, Free: freeSpace(filepath.Dir(d.file.path))}
	err := d.ask(ctx,
		`SELECT (c.page_count - f.freelist_count) * s.page_size FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s`,
		func(r records.Rows) error { return r.Scan(&u.Bytes) })
	log, statErr := os.Stat(d.file.path + "-wal")
	if statErr == nil {
		u.Log = log.Size()
		u.Bytes += u.Log
	}
	return u, err
}

// patienceOfTruncate is how long readers are waited for, in milliseconds, while writers are
// blocked.
const patienceOfTruncate = 50

// truncate moves the write-ahead log into the file and gives its space back, unless a reader needs
// what only the log has. It keeps its size else, as long as the service runs.
func (d *database) truncate() {
	info, err := os.Stat(d.file.path + "-wal")
	if err != nil || info.Size() == 0 || d.file.check() != nil {
		return
	}
	ctx := context.Background()
	c, err := d.writer.Conn(ctx)
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }()
	// What fails here is told by the next change, if it matters.
	_, _ = c.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, patienceOfTruncate))
	_, _ = c.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	_, _ = c.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, busyTimeout.Milliseconds()))
}

// spare is how many pages that are not in use stay in the file, for what comes next.
const spare = 1_000

// vacuumStep is how many pages are given back in one transaction.
const vacuumStep = 2_000

// Compact gives pages that are not in use back to the file system.
func (d *database) Compact(ctx context.Context) error {
	for {
		free, err := integer(ctx, d, `PRAGMA freelist_count`)
		if err != nil || free <= spare {
			return err
		}
		before := free
		err = d.Update(ctx, func(c records.Conn) error {
			rows, err := c.Query(ctx, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, min(free-spare, vacuumStep)))
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		})
		if err != nil {
			return err
		}
		free, err = integer(ctx, d, `PRAGMA freelist_count`)
		if err != nil || free >= before {
			return err
		}
	}
}
