package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/avow-project/avow/internal/service/store/records"
)

// A transaction is a connection during one. Statements whose result nothing waits for, from the one that
// begins it on, are sent with the next whose result is asked for.
type transaction struct {
	conn *pgx.Conn
	// waiting are statements that were not sent yet, and judges what is told how many rows each changed;
	// nil for none.
	waiting *pgx.Batch
	judges  []func(n int64) error
	// sent: the server knows of the transaction.
	sent bool
}

var _ records.Pipeline = (*transaction)(nil)

// newTransaction is a transaction that begins with a statement.
func newTransaction(conn *pgx.Conn, statement string) *transaction {
	t := &transaction{conn: conn, waiting: &pgx.Batch{}, judges: []func(int64) error{nil}}
	t.waiting.Queue(statement)
	return t
}

// mostWaiting is how many statements wait at most: what they write is in memory meanwhile.
const mostWaiting = 64

// Later implements records.Pipeline.
func (t *transaction) Later(ctx context.Context, judge func(n int64) error, statement string, args ...any) error {
	t.waiting.Queue(statement, args...)
	t.judges = append(t.judges, judge)
	if len(t.judges) < mostWaiting {
		return nil
	}
	return t.flush(ctx)
}

// flush sends what waits.
func (t *transaction) flush(ctx context.Context) error {
	answer, err := t.send(ctx)
	if err != nil {
		return err
	}
	return answer.Close()
}

// send sends what waits and one more statement, if there is one, whose result is still to be read from the
// answer. Without an error that has to be closed.
func (t *transaction) send(ctx context.Context) (pgx.BatchResults, error) {
	batch, judges := t.waiting, t.judges
	t.waiting, t.judges, t.sent = &pgx.Batch{}, nil, true
	answer := t.conn.SendBatch(ctx, batch)
	for _, judge := range judges {
		tag, err := answer.Exec()
		if err == nil && judge != nil {
			err = judge(tag.RowsAffected())
		}
		if err != nil {
			_ = answer.Close() // the first error says what is wrong
			return nil, err
		}
	}
	return answer, nil
}

// Exec runs a statement in the transaction.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tag, err := t.run(ctx, statement, args)
	return tag.RowsAffected(), err
}

func (t *transaction) run(ctx context.Context, statement string, args []any) (pgconn.CommandTag, error) {
	t.waiting.Queue(statement, args...)
	answer, err := t.send(ctx)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := answer.Exec()
	return tag, cmp.Or(err, answer.Close())
}

// Query runs a statement in the transaction.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	t.waiting.Queue(statement, args...)
	answer, err := t.send(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := answer.Query()
	if err != nil {
		_ = answer.Close()
		return nil, err
	}
	return answered{rows, answer}, nil
}

// answered are rows at the end of an answer.
type answered struct {
	pgx.Rows
	answer pgx.BatchResults
}

// Close ends the reading.
func (a answered) Close() {
	a.Rows.Close()
	_ = a.answer.Close() // what could go wrong is in Err
}

// commit ends a transaction in which all went well. One of which nothing was sent has done nothing.
func (t *transaction) commit(ctx context.Context) error {
	if !t.sent && t.waiting.Len() == 1 {
		return nil
	}
	if slices.ContainsFunc(t.judges, func(judge func(int64) error) bool { return judge != nil }) {
		err := t.flush(ctx)
		if err != nil {
			return err
		}
	}
	tag, err := t.run(ctx, `commit`, nil)
	if err == nil && tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	return err
}

// rollback takes back what was not committed. A connection on which that fails is not used again.
func (t *transaction) rollback(ctx context.Context) {
	if t.sent && !t.conn.IsClosed() && t.conn.PgConn().TxStatus() != 'I' {
		_, _ = t.conn.Exec(ctx, `rollback`)
	}
}
