// Package migrate brings the schema of a database up to date.
//
// A store opens any database that this or an earlier release wrote, and refuses one that a
// newer release has upgraded, whose rules it cannot know.
package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/avow-project/avow/internal/service/custodian"
)

// Table is where a database keeps the number of its schema version.
const Table = "schema_versions"

// A NewerError is about a database that a newer release has upgraded.
type NewerError struct {
	// Have is the version of the database, Known the last that this release knows.
	Have, Known int64
}

// Is reports whether it is what custody calls it.
func (e *NewerError) Is(target error) bool { return target == custodian.ErrNewer }

// Error says what is wrong.
func (e *NewerError) Error() string {
	return fmt.Sprintf(
		"a newer release of avow has upgraded it: it has schema version %d, and this release knows versions up to %d",
		e.Have, e.Known)
}

// Up applies the migrations in a file system that a database does not have yet, and returns the
// version that it has then. Options are for goose; where the database allows it, one of them has
// to be a lock.
func Up(
	ctx context.Context, dialect goose.Dialect, db *sql.DB, migrations fs.FS, options ...goose.ProviderOption,
) (int64, error) {
	options = append(options,
		goose.WithTableName(Table), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	p, err := goose.NewProvider(dialect, db, migrations, options...)
	if err != nil {
		return 0, err
	}
	have, known, err := p.GetVersions(ctx)
	switch {
	case err != nil:
		return 0, err
	case have > known:
		return 0, &NewerError{have, known}
	case have < known:
		_, err = p.Up(ctx)
	}
	return known, err
}
