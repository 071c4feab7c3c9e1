package sqlite

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/avow-project/avow/internal/service/store/records"
)

var _ records.Inspector = (*database)(nil)

// Inspect lets SQLite examine the file, and look for rows that refer to others which are
// not there.
func (d *database) Inspect(ctx context.Context) ([]string, error) {
	var all []string
	err := d.ask(ctx, `PRAGMA integrity_check`, func(r records.Rows) error {
		var what string
		err := r.Scan(&what)
		if what != "ok" {
			all = append(all, "the file is damaged: "+what)
		}
		return err
	})
	if isDamage(err) {
		return append(all, fmt.Sprintf("the file is damaged: %v", explain(err))), nil
	}
	if err != nil {
		return nil, err
	}
	err = d.ask(ctx, `PRAGMA foreign_key_check`, func(r records.Rows) error {
		var table, parent string
		var row *int64
		var key int64
		err := r.Scan(&table, &row, &parent, &key)
		all = append(all, fmt.Sprintf("a row of %s refers to a row of %s that is not there", table, parent))
		return err
	})
	if isDamage(err) {
		return append(all, fmt.Sprintf("the file is damaged: %v", explain(err))), nil
	}
	return all, err
}

// isDamage reports whether an error is about a file that SQLite cannot make sense of.
func isDamage(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) &&
		(failure.Code()&0xff == sqlite3.SQLITE_CORRUPT || failure.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// ask calls f for each row that a statement answers.
func (d *database) ask(ctx context.Context, statement string, f func(records.Rows) error) error {
	r, err := d.Query(ctx, statement)
	if err != nil {
		return err
	}
	defer r.Close()
	for r.Next() {
		err := f(r)
		if err != nil {
			return err
		}
	}
	return r.Err()
}
