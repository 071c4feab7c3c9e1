package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	neturl "net/url"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/records"
)

// attempts is how often a transaction is tried that the server ends in favour of
// another one.
const attempts = 8

// Codes of errors after which the same transaction may succeed.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

// mentions reports whether a URL has a parameter.
func mentions(url, parameter string) bool {
	u, err := neturl.Parse(url)
	return err == nil && u.Query().Has(parameter)
}

// A database is a pool of connections to one. The pool replaces connections that the
// server has ended, so a server may be started again.
type database struct {
	pool *pgxpool.Pool
	// schema is the version that it had when it was opened.
	schema int64
}

var _ records.Database = (*database)(nil)

// Exec runs a statement.
func (d *database) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	var n int64
	err := repeat(ctx, func() error {
		var err error
		tag, err := d.pool.Exec(ctx, statement, args...)
		n = tag.RowsAffected()
		return err
	})
	return n, readable(err)
}

// Query runs a statement.
func (d *database) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	return d.pool.Query(ctx, statement, args...)
}

// Snapshot reads in one transaction, which sees the state of its first read.
func (d *database) Snapshot(ctx context.Context, f func(records.Conn) error) error {
	return d.within(ctx, `begin read only isolation level repeatable read`, f)
}

// Update writes in one transaction.
func (d *database) Update(ctx context.Context, f func(records.Conn) error) error {
	return readable(repeat(ctx, func() error {
		return d.within(ctx, `begin isolation level read committed`, f)
	}))
}

// diskFull is the code of an error about want of space.
const diskFull = "53100"

// readable names an error that is about want of space: the database can still be read.
func readable(err error) error {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) || failure.Code != diskFull {
		return err
	}
	return fmt.Errorf("%w: %w", registry.ErrReadOnly, err)
}

// dueParts are the partitions of the due list.
var dueParts = func() []string {
	var all []string
	for i := range 16 {
		all = append(all, fmt.Sprint("due_", i))
	}
	return all
}()

// Dialect locks rows.
func (d *database) Dialect() records.Dialect {
	return records.Dialect{Parts: dueParts, Lock: ` FOR UPDATE`, Skip: ` FOR UPDATE SKIP LOCKED`}
}

// Close ends the connections.
func (d *database) Close() error {
	d.pool.Close()
	return nil
}

// within runs f in a transaction that begins with a statement.
func (d *database) within(ctx context.Context, begin string, f func(records.Conn) error) error {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // which closes the connection if it is still in a transaction
	t := newTransaction(conn.Conn(), begin)
	defer t.rollback(ctx)
	err = f(t)
	if err != nil {
		return err
	}
	return t.commit(ctx)
}

// repeat calls f again while the server ended it in favour of another transaction, or
// nothing had reached the server.
func repeat(ctx context.Context, f func() error) error {
	for i := 1; ; i++ {
		err := f()
		if err == nil || i == attempts || !passing(err) {
			return err
		}
		// Two that got in each other's way must not meet again at once.
		pause := time.NewTimer(rand.N(time.Duration(i) * 20 * time.Millisecond))
		select {
		case <-ctx.Done():
			pause.Stop()
			return err
		case <-pause.C:
		}
	}
}

// passing reports whether the same may succeed if it is tried again.
func passing(err error) bool {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return failure.Code == serializationFailure || failure.Code == deadlockDetected
	}
	return pgconn.SafeToRetry(err)
}

// Codes of errors of a server that is starting or ending.
const (
	adminShutdown    = "57P01"
	crashShutdown    = "57P02"
	cannotConnectNow = "57P03"
)

// Absent reports whether an error of Open is that the server is not there yet, or not any more: it
// may be starting.
func Absent(err error) bool {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return failure.Code == cannotConnectNow || failure.Code == adminShutdown || failure.Code == crashShutdown
	}
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial" &&
		(errors.Is(dial, syscall.ECONNREFUSED) || errors.Is(dial, syscall.ENOENT))
}

var _ records.Sizer = (*database)(nil)

// Size returns the size of the database. What is removed stays part of it, and is used
// again; what the disk of the server has left is not known.
func (d *database) Size(ctx context.Context) (retain.Usage, error) {
	u := retain.Usage{Free: -1}
	err := d.pool.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&u.Bytes)
	return u, err
}

// Compact leaves it to the server, which does so by itself.
func (d *database) Compact(context.Context) error { return nil }
