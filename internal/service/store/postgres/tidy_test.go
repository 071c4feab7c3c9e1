package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/storetest"
)

// rewriteAll writes all of the due list anew.
func rewriteAll(t *testing.T, db *database) {
	t.Helper()
	for _, part := range dueParts {
		file := func() uint32 {
			var node uint32
			err := db.pool.QueryRow(t.Context(), `SELECT pg_relation_filenode($1::TEXT::REGCLASS)`, part).Scan(&node)
			if err != nil {
				t.Fatal(err)
			}
			return node
		}
		for was := file(); file() == was; { // autovacuum may be at it
			err := db.rewrite(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// openDatabase opens the database of a store once more.
func openDatabase(t *testing.T, url string) *database {
	t.Helper()
	db, err := open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A rewritten store has a part of its due list written anew whenever somebody takes something,
// one after the other.
type rewritten struct {
	custodian.Store
	db   *database
	turn int
}

func (s *rewritten) Take(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]custodian.Task, error) {
	s.turn++
	err := s.db.rewrite(ctx, dueParts[s.turn%len(dueParts)])
	if err != nil {
		return nil, err
	}
	return s.Store.Take(ctx, now, lease, limit)
}

func TestLeasesAreKeptWhenTheListIsRewritten(t *testing.T) {
	t.Parallel()
	storetest.LeasesModel(t, func(t *testing.T) custodian.Store {
		url := preparedURL(t)
		return &rewritten{openAt(t, url).Custody(), openDatabase(t, url), 0}
	})
}

// begun returns a transaction that has run a statement.
func begun(t *testing.T, url, statement string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	_, err = conn.Exec(t.Context(), `BEGIN ISOLATION LEVEL REPEATABLE READ; `+statement)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// textOf is what a query answers.
func textOf(t *testing.T, conn interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, query string) string {
	t.Helper()
	var text string
	err := conn.QueryRow(t.Context(), query).Scan(&text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRewrite: while somebody else's transaction keeps vacuum from removing anything, the due
// list gets smaller and loses nothing, also for that transaction. A partition that somebody
// uses is left alone.
func TestRewrite(t *testing.T) {
	t.Parallel()
	url := preparedURL(t)
	s, db := openAt(t, url).Custody(), openDatabase(t, url)
	const rows = 3000
	var domains []hostname.Domain
	for i := range rows {
		domains = append(domains, hostname.Domain(fmt.Sprintf("p%d.example", i)))
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, err := s.Plan(t.Context(), domains, custodian.Wanted, now)
	if err != nil {
		t.Fatal(err)
	}
	old := begun(t, url, `SELECT COUNT(*) FROM documents`)
	for range 8 {
		now = now.Add(time.Hour)
		tasks, err := s.Take(t.Context(), now, time.Second, rows)
		if err != nil || len(tasks) != rows {
			t.Fatalf("%d rows, %v", len(tasks), err)
		}
	}
	const (
		all  = `SELECT md5(string_agg(due::TEXT, ' ' ORDER BY name)) FROM due`
		size = `SELECT CAST(sum(pg_total_relation_size(relid)) AS TEXT) FROM pg_partition_tree('due')`
		file = `SELECT CAST(pg_relation_filenode('due_0') AS TEXT)`
	)
	before, large := textOf(t, db.pool, all), textOf(t, db.pool, size)
	rewriteAll(t, db)
	if textOf(t, db.pool, all) != before {
		t.Error("it has other rows than before")
	}
	if textOf(t, old, all) != before {
		t.Error("a transaction that began earlier does not find the rows")
	}
	if small := textOf(t, db.pool, size); len(small) > len(large) || len(small) == len(large) && small >= large {
		t.Errorf("it had %s bytes and has %s", large, small)
	}
	// That transaction has used it by now.
	was := textOf(t, db.pool, file)
	err = db.rewrite(t.Context(), "due_0")
	if err != nil || textOf(t, db.pool, file) != was {
		t.Errorf("it was rewritten while somebody used it, %v", err)
	}
}

// TestTidy: what has many versions that nobody needs is written anew, when something is taken.
func TestTidy(t *testing.T) {
	t.Parallel()
	url := preparedURL(t)
	db := openDatabase(t, url)
	begun(t, url, `SELECT COUNT(*) FROM documents`)
	for _, statement := range []string{
		`INSERT INTO due SELECT 'p' || n || '.example', '', 1, 0, n, 0, 0 FROM generate_series(1, 20000) AS n`,
		`UPDATE due SET fence = fence + 1, at = at + 1`,
		`VACUUM ANALYZE due`, // which notes how many those are
	} {
		_, err := db.Exec(t.Context(), statement)
		if err != nil {
			t.Fatal(err)
		}
	}
	const file = `SELECT string_agg(CAST(pg_relation_filenode(relid) AS TEXT), ' ') FROM pg_partition_tree('due') WHERE isleaf`
	was := textOf(t, db.pool, file)
	for textOf(t, db.pool, file) == was { // the server may take its time with what it notes
		err := db.Tidy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	}
}
