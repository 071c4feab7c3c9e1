package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/avow-project/avow/internal/service/store/records"
)

var _ records.Tidier = (*database)(nil)

const (
	// tidyShare is the part of the rows of a partition that may be dead versions before it is
	// rewritten, as a divisor. Vacuum comes when it is a fiftieth.
	tidyShare = 8
	// tidyLeast and tidyMost bound the rows of partitions that this is done for. The most are
	// read into memory, and the partition is locked for a few seconds.
	tidyLeast, tidyMost = 1_000, 1_000_000
	// tidyWait is how long to wait for those who use a partition; others wait behind. After
	// tidyTime no other partition is begun with.
	tidyWait, tidyTime = "200ms", 5 * time.Second
)

// lockNotAvailable is the code of an error after tidyWait.
const lockNotAvailable = "55P03"

// Tidy writes those partitions of the due list anew that have many dead versions of rows.
// Vacuum removes them, unless a transaction is open that might read them, whatever it is
// about: a list that is written all the time would grow for as long.
func (d *database) Tidy(ctx context.Context) error {
	// The count of live rows begins at zero after a crash; reltuples does not.
	rows, err := d.pool.Query(ctx, `SELECT s.relname FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
		WHERE s.schemaname = current_schema() AND s.relname = ANY($1)
		AND greatest(s.n_live_tup, c.reltuples::BIGINT) BETWEEN $2 AND $3 AND s.n_dead_tup > greatest(s.n_live_tup, c.reltuples::BIGINT) / $4
		ORDER BY s.n_dead_tup DESC`, dueParts, tidyLeast, tidyMost, tidyShare)
	if err != nil {
		return err
	}
	parts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for begun := time.Now(); len(parts) > 0 && err == nil && time.Since(begun) < tidyTime; parts = parts[1:] {
		err = d.rewrite(ctx, parts[0])
	}
	return err
}

// rewrite puts the rows of a partition that there are into new files, in one transaction
// which locks it. It waits for long transactions such as pg_dump. A transaction that began
// earlier and has not used it yet, which would find nothing there after a TRUNCATE alone,
// finds the rows as they are then: that is what FREEZE is for.
func (d *database) rewrite(ctx context.Context, part string) error {
	err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, fmt.Sprintf(`SET LOCAL lock_timeout = '%s'; LOCK TABLE %s IN ACCESS EXCLUSIVE MODE`,
			tidyWait, part))
		if err != nil {
			return err
		}
		var kept bytes.Buffer
		conn := tx.Conn().PgConn()
		_, err = conn.CopyTo(ctx, &kept, `COPY `+part+` TO STDOUT (FORMAT binary)`)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `TRUNCATE `+part)
		if err != nil {
			return err
		}
		_, err = conn.CopyFrom(ctx, &kept, `COPY `+part+` FROM STDIN (FORMAT binary, FREEZE)`)
		return err
	})
	var failure *pgconn.PgError
	if errors.As(err, &failure) && failure.Code == lockNotAvailable {
		return nil
	}
	return err
}
