package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/avow-project/avow/internal/service/store/records"
)

// A database has the connections to one file.
type database struct {
	writer, readers *pool
	group           *group
	file            openedFile
	// schema is the version that it had when it was opened.
	schema int64
}

// A pool is some connections with the statements that were prepared on them. The
// statements of a store are few, and reading one takes longer than running it.
type pool struct {
	*sql.DB
	statements sync.Map // the text of each to its *sql.Stmt
	wanted     sync.Map // the texts of those that are to be prepared
}

// known returns a statement if it is prepared. If not, it is soon.
func (p *pool) known(text string) *sql.Stmt {
	known, ok := p.statements.Load(text)
	if !ok {
		p.wanted.Store(text, true)
		return nil
	}
	return known.(*sql.Stmt)
}

// prepareWanted prepares what was wanted. One that cannot be prepared is not tried again:
// running it says why.
func (p *pool) prepareWanted(ctx context.Context) {
	p.wanted.Range(func(text, _ any) bool {
		p.wanted.Delete(text)
		_, _ = p.prepared(ctx, text.(string))
		return true
	})
}

// prepared returns a statement that is prepared once.
func (p *pool) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
	known, ok := p.statements.Load(text)
	if ok {
		return known.(*sql.Stmt), nil
	}
	made, err := p.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	first, loaded := p.statements.LoadOrStore(text, made)
	if loaded {
		return first.(*sql.Stmt), made.Close()
	}
	return made, nil
}

var _ records.Database = (*database)(nil)

// Exec runs a statement on the connection that writes.
func (d *database) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	_, err := d.writer.prepared(ctx, statement)
	if err != nil {
		return 0, err
	}
	var n int64
	err = d.group.do(ctx, func(tx *transaction) error {
		n, err = undisturbed{tx}.Exec(ctx, statement, args...)
		return err
	})
	return n, err
}

// Query runs a statement on a connection that reads.
func (d *database) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	prepared, err := d.readers.prepared(ctx, statement)
	if err != nil {
		return nil, err
	}
	return answered(prepared.QueryContext(ctx, args...))
}

// Snapshot reads in one transaction, which sees the state of its first read.
func (d *database) Snapshot(ctx context.Context, f func(records.Conn) error) error {
	defer d.readers.prepareWanted(ctx)
	return within(ctx, d.readers, f)
}

// Update writes in one transaction, which others may share; see group. It has the lock of
// the file from its start, so it never has to be repeated.
func (d *database) Update(ctx context.Context, f func(records.Conn) error) error {
	return d.group.do(ctx, func(tx *transaction) error { return f(undisturbed{tx}) })
}

// Dialect needs no locks: who writes has the file.
func (d *database) Dialect() records.Dialect { return records.Dialect{Parts: []string{"due"}} }

// Close closes the readers first: the last connection moves the log into the file.
func (d *database) Close() error {
	d.group.close()
	return errors.Join(d.readers.Close(), d.writer.Close())
}

// within runs f in a transaction.
func within(ctx context.Context, p *pool, f func(records.Conn) error) error {
	tx, err := p.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	err = f(&transaction{tx: tx, pool: p})
	if err != nil {
		// A transaction that ended by itself, with the context, needs no rollback.
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// A transaction is a connection during one, used by one goroutine.
type transaction struct {
	tx *sql.Tx
	// pool has prepared statements; nil for none. A statement that it does not have is
	// prepared for the next transaction: this one has the only connection.
	pool *pool
	// used are the prepared statements as they are used in it.
	used map[string]*sql.Stmt
	// busy are the prepared statements whose rows are being read.
	busy map[string]bool
}

// Exec runs a statement in the transaction.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	prepared := t.prepared(ctx, statement)
	if prepared == nil {
		return changed(t.tx.ExecContext(ctx, statement, args...))
	}
	return changed(prepared.ExecContext(ctx, args...))
}

// Query runs a statement in the transaction.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	prepared := t.prepared(ctx, statement)
	if prepared == nil {
		return answered(t.tx.QueryContext(ctx, statement, args...))
	}
	r, err := prepared.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	if t.busy == nil {
		t.busy = make(map[string]bool)
	}
	t.busy[statement] = true
	return preparedRows{rows{r}, t, statement}, nil
}

// prepared returns a statement that is prepared and not in use, or nil.
func (t *transaction) prepared(ctx context.Context, statement string) *sql.Stmt {
	if t.pool == nil || t.busy[statement] {
		return nil
	}
	used := t.used[statement]
	if used != nil {
		return used
	}
	known := t.pool.known(statement)
	if known == nil {
		return nil
	}
	if t.used == nil {
		t.used = make(map[string]*sql.Stmt)
	}
	t.used[statement] = t.tx.StmtContext(ctx, known)
	return t.used[statement]
}

// preparedRows gives its statement free.
type preparedRows struct {
	rows
	of        *transaction
	statement string
}

// Close ends the reading.
func (r preparedRows) Close() {
	r.rows.Close()
	delete(r.of.busy, r.statement)
}

// changed is how many rows a statement changed.
func changed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// answered are the rows that a statement answered.
func answered(r *sql.Rows, err error) (records.Rows, error) {
	if err != nil {
		return nil, err
	}
	return rows{r}, nil
}

// rows are rows whose Close has no result: what could go wrong is in Err.
type rows struct{ *sql.Rows }

// Close ends the reading.
func (r rows) Close() { _ = r.Rows.Close() }
