package migrate

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"

	"github.com/avow-project/avow/internal/service/store/records"
)

// Records is a migration that statements alone cannot make, because it changes packed
// records. It moves them first and runs the statements then, in one transaction.
func Records(version int64, move func(context.Context, records.Conn) error, statements string) goose.ProviderOption {
	up := func(ctx context.Context, tx *sql.Tx) error {
		err := move(ctx, conn{tx})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, statements)
		return err
	}
	return goose.WithGoMigrations(goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil))
}

// conn is a records.Conn in a transaction.
type conn struct{ tx *sql.Tx }

// Exec runs a statement.
func (c conn) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	r, err := c.tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Query runs a statement that returns rows.
func (c conn) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	r, err := c.tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return rows{r}, nil
}

// rows are those of the standard library without the error of Close.
type rows struct{ *sql.Rows }

// Close ends reading.
func (r rows) Close() { _ = r.Rows.Close() }
