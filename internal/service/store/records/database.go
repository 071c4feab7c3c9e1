// Package records keeps the records of the registry in a relational database.
//
// Store has every statement once. They are written in the part of SQL that SQLite and
// PostgreSQL share, and so that they are right under the weakest isolation of the two:
// a change that depends on the present state has its condition in the statement that
// makes the change. What differs between the databases (how a connection is made, how
// a transaction is repeated) is behind Database.
package records

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Conn runs statements. Parameters are written $1, $2 and so on.
type Conn interface {
	// Exec runs a statement and returns how many rows it changed.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// Query runs a statement that returns rows.
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
}

// A Pipeline is the Conn of a transaction for which it takes long to wait for each statement.
type Pipeline interface {
	Conn
	// Later runs a statement together with a later one, or at the end of the transaction, in their order.
	// judge, unless it is nil, is told how many rows it changed. An error of either is returned by what runs
	// them.
	Later(ctx context.Context, judge func(n int64) error, statement string, args ...any) error
}

// Rows are the rows of an answer, one at a time.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close()
}

// A Database is what a Store works on. Its own Exec and Query run one statement in a
// transaction of its own; Query is for reading alone.
type Database interface {
	Conn
	// Snapshot calls f with a connection whose reads all see the same state.
	Snapshot(ctx context.Context, f func(Conn) error) error
	// Update calls f in a transaction that is committed when f returns nil. It may
	// call f more than once.
	Update(ctx context.Context, f func(Conn) error) error
	// Dialect is what it writes differently.
	Dialect() Dialect
	// Close releases the database.
	Close() error
}

// errText is about text that not every database can keep.
var errText = errors.New("store: text contains a NUL or is not UTF-8")

// checkText refuses text that one database would keep and another refuse or cut off. Domains
// become text.
func checkText(args []any) error {
	for i := range args {
		if d, ok := args[i].(hostname.Domain); ok {
			args[i] = string(d)
		}
		s, ok := args[i].(string)
		if ok && (strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s)) {
			return errText
		}
	}
	return nil
}

// exec runs a statement that changes something.
func exec(ctx context.Context, c Conn, statement string, args ...any) (int64, error) {
	err := checkText(args)
	if err != nil {
		return 0, err
	}
	n, err := c.Exec(ctx, statement, args...)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return n, nil
}

// later is exec for a statement of which nothing that follows needs to know how many rows it changed.
func later(ctx context.Context, c Conn, statement string, args ...any) error {
	return laterAs(ctx, c, nil, statement, args...)
}

// laterAs is later with what is told the number of rows and may refuse it.
func laterAs(ctx context.Context, c Conn, judge func(n int64) error, statement string, args ...any) error {
	p, ok := c.(Pipeline)
	if !ok {
		n, err := exec(ctx, c, statement, args...)
		if err != nil || judge == nil {
			return err
		}
		return judge(n)
	}
	err := checkText(args)
	if err != nil {
		return err
	}
	err = p.Later(ctx, judge, statement, args...)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// each runs a statement and calls scan for each row of the answer.
func each(ctx context.Context, c Conn, scan func(Rows) error, statement string, args ...any) error {
	err := checkText(args)
	if err != nil {
		return err
	}
	rows, err := c.Query(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		err := scan(rows)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	err = rows.Err()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// one is each for an answer of at most one row; no row is ErrNotFound. So is text that
// cannot have been stored.
func one(ctx context.Context, c Conn, scan func(Rows) error, statement string, args ...any) error {
	found := false
	err := each(ctx, c, func(r Rows) error {
		found = true
		return scan(r)
	}, statement, args...)
	if errors.Is(err, errText) || err == nil && !found {
		return registry.ErrNotFound
	}
	return err
}

// get returns the row of an answer of at most one; no row is ErrNotFound.
func get[T any](ctx context.Context, c Conn, scan func(Rows) (*T, error), statement string, args ...any) (*T, error) {
	var v *T
	err := one(ctx, c, func(r Rows) (err error) {
		v, err = scan(r)
		return err
	}, statement, args...)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// value returns the only column of the only row of an answer; no row is ErrNotFound.
func value[T any](ctx context.Context, c Conn, statement string, args ...any) (T, error) {
	var v T
	err := one(ctx, c, func(r Rows) error { return r.Scan(&v) }, statement, args...)
	return v, err
}

// list returns all rows of an answer.
func list[T any](ctx context.Context, c Conn, scan func(Rows) (*T, error), statement string, args ...any) ([]T, error) {
	var all []T
	err := each(ctx, c, func(r Rows) error {
		v, err := scan(r)
		if err != nil {
			return err
		}
		all = append(all, *v)
		return nil
	}, statement, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// number returns the one number that a statement answers.
func number(ctx context.Context, c Conn, statement string, args ...any) (int, error) {
	n, err := value[int64](ctx, c, statement, args...)
	return int(n), err
}
