package postgres

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(t.Context(), url)
			if err != nil {
				t.Error(err)
				return
			}
			err = errors.Join(s.Ping(t.Context()), s.Close())
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestServerRestart: while the server is away calls fail, and say why; once it is back
// they work, on the same store.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	server, err := pgtest.Start(pgtest.Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := server.Close()
		if err != nil {
			t.Error(err)
		}
	})
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := openAt(t, url)
	storetest.Fill(t, s)
	for _, stop := range []func() error{server.Stop, server.Kill} {
		busy(t, s) // several connections are open
		err := stop()
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range calls(t.Context(), s) {
			if err == nil || errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrConflict) {
				t.Errorf("without a server a call says %v", err)
			}
		}
		err = server.Restart()
		if err != nil {
			t.Fatal(err)
		}
		recovers(t, s)
		storetest.Check(t, s)
	}
}

// calls makes some calls and returns their errors.
func calls(ctx context.Context, s registry.Store) []error {
	_, put := s.PutDocument(ctx, []byte("new"))
	_, get := s.Brand(ctx, "a.example", registry.FromCommunity)
	_, spend := s.Spend(ctx, "b", "p", 1)
	_, _, page := s.Mirrors(ctx, 1, 0)
	return []error{put, get, spend, page, s.PutBrand(ctx, &registry.Brand{Domain: "b.example", Source: registry.FromCommunity}), s.Ping(ctx)}
}

// busy uses the store from many goroutines.
func busy(t *testing.T, s registry.Store) {
	t.Helper()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for _, err := range calls(t.Context(), s) {
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// recovers waits until all calls work. Each connection may fail once more before it is
// replaced.
func recovers(t *testing.T, s registry.Store) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for {
		err := errors.Join(calls(t.Context(), s)...)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the store does not recover: %v", err)
		}
	}
}

// column is the first column of an answer.
func column(t *testing.T, url, statement string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// load runs statements on a new database.
func load(t *testing.T, url, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), statements)
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := pgtest.URL(t)
	newer := pgtest.URL(t)
	load(t, newer, `CREATE TABLE `+migrate.Table+` (id INTEGER, version_id BIGINT, is_applied BOOLEAN, tstamp TIMESTAMP);
		INSERT INTO `+migrate.Table+` VALUES (1, 0, true, now()), (2, 99, true, now())`)
	const secret = "s3cret-password"
	before, after, _ := strings.Cut(good, "@")
	user := before[:strings.LastIndex(before, ":")]
	for _, tc := range []struct{ url, want string }{
		{newer, "a newer release of avow has upgraded it: it has schema version 99, and this release knows versions up to 1"},
		{user + ":" + secret + "@" + after, "password authentication failed"},
		{"postgres://u:" + secret + "@127.0.0.1:1/db", "connection refused"},
		{"postgres://u:" + secret + "@127.0.0.1:notaport/db", "invalid port"},
		{"postgres://u:" + secret + "@127.0.0.1/db?sslmode=perhaps", "sslmode"},
		{strings.Replace(good, "statement_timeout=1h", "statement_timeout=perhaps", 1), "statement_timeout"},
	} {
		s, err := Open(t.Context(), tc.url)
		if err == nil {
			t.Errorf("%s was opened: %v", tc.want, s.Close())
			continue
		}
		if !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("error is %q, want %q", err, tc.want)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	url, _, _ := strings.Cut(pgtest.URL(t), "&connect_timeout=")
	for _, tc := range []struct{ suffix, statement, connections string }{
		{"", "30s", "16"},
		{"&statement_timeout=2s&pool_max_conns=2", "2s", "2"},
	} {
		db, err := open(t.Context(), url+tc.suffix)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		for name, want := range map[string]string{
			"statement_timeout": tc.statement, "lock_timeout": "10s", "idle_in_transaction_session_timeout": "1min", "application_name": "avow",
		} {
			var have string
			err := db.pool.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&have)
			if err != nil || have != want {
				t.Errorf("%s is %q (%v), want %q", name, have, err, want)
			}
		}
		if n := db.pool.Config().MaxConns; (n == 2) != (tc.connections == "2") || n > connections {
			t.Errorf("there may be %d connections, want %s", n, tc.connections)
		}
		if tc.statement != "2s" {
			continue
		}
		_, err = db.Exec(t.Context(), "SELECT pg_sleep(60)")
		var failure *pgconn.PgError
		if !errors.As(err, &failure) || failure.Code != "57014" {
			t.Errorf("a statement that takes long ends with %v", err)
		}
	}
}

// TestCommitsWait: a setting cannot take away that what was committed is on the disk.
func TestCommitsWait(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{"": "on", "off": "on", "remote_apply": "remote_apply", "local": "local"} {
		url := pgtest.URL(t)
		if setting != "" {
			url += "&synchronous_commit=" + setting
		}
		db, err := open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		var have string
		err = db.pool.QueryRow(t.Context(), "SELECT current_setting('synchronous_commit')").Scan(&have)
		if err != nil || have != want {
			t.Errorf("with %q it is %q (%v), want %q", setting, have, err, want)
		}
	}
}

// TestTextIsComparedByBytes: the order that callers are promised must not depend on the
// locale of somebody's database.
func TestTextIsComparedByBytes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	openAt(t, url)
	other := column(t, url, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C'`)
	if len(other) > 0 {
		t.Errorf("columns without COLLATE \"C\": %q", other)
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	ended := errors.New("ended")
	for _, tc := range []struct {
		name  string
		err   error
		calls int
	}{
		{"serialization", &pgconn.PgError{Code: serializationFailure}, attempts},
		{"deadlock", &pgconn.PgError{Code: deadlockDetected}, attempts},
		{"constraint", &pgconn.PgError{Code: "23505"}, 1},
		{"conflict", registry.ErrConflict, 1},
		{"other", ended, 1},
		{"none", nil, 1},
	} {
		calls := 0
		err := repeat(t.Context(), func() error {
			calls++
			return tc.err
		})
		if !errors.Is(err, tc.err) || calls != tc.calls {
			t.Errorf("%s: %d calls, %v", tc.name, calls, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := 0
	err := repeat(ctx, func() error {
		calls++
		return &pgconn.PgError{Code: deadlockDetected}
	})
	if err == nil || calls > 2 {
		t.Errorf("after the end of the context: %d calls, %v", calls, err)
	}
}
