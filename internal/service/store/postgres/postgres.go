// Package postgres keeps the records of the registry in a PostgreSQL database.
//
// Any number of processes may use one database. They agree because every change that
// depends on the present state is a single statement with its condition, or begins with
// one that locks the row; nothing is decided on what was read before.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/service/store/records"
)

//go:embed migrations/*.sql
var embedded embed.FS

const (
	// connections is how many connections a process opens at most, unless the URL says
	// something else.
	connections = 16
	// connectTimeout is how long to wait for one, unless the URL says something else.
	connectTimeout = 5 * time.Second
	// lockSeconds is how long to wait for another process that migrates. Its lock goes with it when
	// it dies, so this is only for one that hangs.
	lockSeconds = 24 * 60 * 60
)

// limits are settings of every connection, unless the URL has its own: nothing that
// hangs holds a row or a connection for long.
var limits = map[string]string{
	"application_name":                    "avow",
	"statement_timeout":                   "30s",
	"lock_timeout":                        "10s",
	"idle_in_transaction_session_timeout": "60s",
}

// Open opens the store in a database. The URL is postgres://user@host/name with the
// parameters of libpq.
func Open(ctx context.Context, url string) (*records.Store, error) {
	db, err := open(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("store: PostgreSQL: %w", err)
	}
	s := records.New(db, db.schema)
	// A standby can be read, which is not enough.
	err = s.Ping(ctx)
	if err != nil && !errors.Is(err, registry.ErrReadOnly) {
		return nil, errors.Join(fmt.Errorf("store: PostgreSQL: %w", err), s.Close())
	}
	return s, nil
}

// open opens a database with a schema that is up to date.
func open(ctx context.Context, url string) (*database, error) {
	config, err := configure(url)
	if err != nil {
		return nil, err
	}
	schema, err := upgrade(ctx, config.ConnConfig)
	if err != nil {
		return nil, err
	}
	for name, value := range limits {
		_, given := config.ConnConfig.RuntimeParams[name]
		if !given {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	config.AfterConnect = insist
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &database{pool, schema}, nil
}

// Target returns what a URL leads to, hosts and database, for any user; empty when it
// cannot be read.
func Target(url string) string {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return ""
	}
	hosts := []string{fmt.Sprintf("%s:%d", config.Host, config.Port)}
	for _, f := range config.Fallbacks {
		hosts = append(hosts, fmt.Sprintf("%s:%d", f.Host, f.Port))
	}
	// One host may be tried in several ways.
	return strings.Join(slices.Compact(hosts), ",") + "/" + config.Database
}

// insist makes a commit wait for the disk where a server, a database or a user is set up not
// to: what was answered for must not be lost. Settings that wait for more stay. The server's
// default cost of a random page fits a spinning disk, so it is lowered unless the
// administrator has set it; with it a few hundred rows are looked for in all of a table
// instead of its index.
func insist(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config(name, value, false) FROM (VALUES ('synchronous_commit', 'off', 'on'), ('random_page_cost', '4', '1.1'))
		AS settings (name, instead, value) WHERE current_setting(name) = instead`)
	return err
}

// configure reads the URL. An error does not contain its password.
func configure(url string) (*pgxpool.Config, error) {
	// The same text with a default in front would change what the URL says; so the
	// defaults are set where it says nothing.
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if !mentions(url, "pool_max_conns") {
		config.MaxConns = connections
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	// A server that vanished without a word does not answer; do not wait for ever.
	config.PingTimeout = connectTimeout
	return config, nil
}

// upgrade brings the schema up to date, on a connection without the limits of time: a
// migration may take long. Of several processes that start, one does it.
func upgrade(ctx context.Context, config *pgx.ConnConfig) (int64, error) {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return 0, err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, lockSeconds),
		lock.WithUnlockTimeout(1, lockSeconds))
	if err != nil {
		return 0, err
	}
	db := stdlib.OpenDB(*config)
	schema, err := migrate.Up(ctx, goose.DialectPostgres, db, migrations, goose.WithSessionLocker(locker))
	return schema, errors.Join(err, db.Close())
}
