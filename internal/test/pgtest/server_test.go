package pgtest

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// count reads how many rows a test has written.
func count(t *testing.T, url string) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	var n int
	err = conn.QueryRow(t.Context(), `INSERT INTO kept VALUES (1) RETURNING (SELECT COUNT(*) FROM kept)`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEveryTestHasItsOwnDatabase(t *testing.T) {
	t.Parallel()
	first, second := URL(t), URL(t)
	for _, url := range []string{first, second} {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.Exec(t.Context(), `CREATE TABLE kept (n INTEGER)`)
		if err != nil {
			t.Fatal(err)
		}
		err = conn.Close(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, url); n != 0 {
			t.Errorf("a new database has %d rows", n)
		}
	}
}

func TestServerKeepsItsDataOverRestarts(t *testing.T) {
	t.Parallel()
	s, err := Start(Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	url, err := s.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(t.Context(), `CREATE TABLE kept (n INTEGER)`)
	if err != nil {
		t.Fatal(err)
	}
	for i, stop := range []func() error{s.Stop, s.Kill} {
		if n := count(t, url); n != i {
			t.Errorf("before stop %d there are %d rows", i, n)
		}
		err := stop()
		if err != nil {
			t.Fatal(err)
		}
		_, err = pgx.Connect(t.Context(), url)
		if err == nil {
			t.Error("a stopped server answers")
		}
		err = s.Restart()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := s.dir
	err = s.Close()
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(dir)
	if !os.IsNotExist(err) {
		t.Errorf("the data of a closed server is still there: %v", err)
	}
}

func TestNewestVersionFirst(t *testing.T) {
	t.Parallel()
	if version("/usr/lib/postgresql/9/bin") != 9 || version("/usr/lib/postgresql/15/bin") != 15 || version("/opt/bin") != 0 {
		t.Error("versions are not read from paths")
	}
}
