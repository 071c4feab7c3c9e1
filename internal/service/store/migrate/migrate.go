// Package migrate brings the schema of a database up to date.
//
// A store opens any database that this or an earlier release wrote, and refuses one of
// a later release, whose rules it cannot know.
package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Table is where a database keeps the number of its schema version.
const Table = "schema_versions"

// A NewerError is about a database of a later release.
type NewerError struct {
	// Have is the version of the database, Known the last that this release knows.
	Have, Known int64
}

// Error says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this release knows versions up to %d; use a newer release of avow", e.Have, e.Known)
}

// Up applies the migrations in a file system that a database does not have yet. Options
// are for goose; where the database allows it, one of them has to be a lock.
func Up(ctx context.Context, dialect goose.Dialect, db *sql.DB, migrations fs.FS, options ...goose.ProviderOption) error {
	options = append(options, goose.WithTableName(Table), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	p, err := goose.NewProvider(dialect, db, migrations, options...)
	if err != nil {
		return err
	}
	have, known, err := p.GetVersions(ctx)
	if err != nil {
		return err
	}
	switch {
	case have > known:
		return &NewerError{have, known}
	case have == known:
		return nil
	}
	_, err = p.Up(ctx)
	return err
}
