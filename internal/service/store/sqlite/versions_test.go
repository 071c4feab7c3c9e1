package sqlite

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/test/storetest"
)

var update = flag.Bool("update", false, "write the dump of the present schema version, if there is none")

// firstWithCustody is the version that has the records of custody.
const firstWithCustody = "00002"

// firstWithFeed is the first version with the change feed.
const firstWithFeed = "00007"

// versions are the numbers in the names of the migrations.
func versions(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	moves, err := filepath.Glob("moves/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range slices.Concat(names, moves) {
		number, _, _ := strings.Cut(filepath.Base(name), "_")
		all = append(all, number)
	}
	slices.Sort(all)
	return all
}

// dump is a database as statements.
func dump(t *testing.T, db *sql.DB) string {
	t.Helper()
	out := []string{fmt.Sprintf("PRAGMA application_id = %d;", applicationID)}
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`) {
		out = append(out, column(t, db, `SELECT sql || ';' FROM sqlite_schema WHERE tbl_name = $1 AND sql IS NOT NULL ORDER BY type DESC, name`, table)...)
		columns := column(t, db, `SELECT 'quote("' || name || '")' FROM pragma_table_info($1)`, table)
		out = append(out, column(t, db, fmt.Sprintf(`SELECT 'INSERT INTO %s VALUES (' || %s || ');' FROM %s`, table, strings.Join(columns, ` || ', ' || `), table))...)
	}
	return strings.Join(out, "\n") + "\n"
}

// column is the first column of an answer.
func column(t testing.TB, db *sql.DB, statement string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		var s string
		err := rows.Scan(&s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	err = rows.Err()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// shape is what a schema comes to, however it was made.
func shape(t *testing.T, path string) []string {
	t.Helper()
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	columns := column(t, db, `SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '') || ' ' || c.pk
		FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1`)
	indexes := column(t, db, `SELECT m.name || ' ' || i.name || ' ' || i."unique" || ' ' || c.seqno || ' ' || c.name
		FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c WHERE m.type = 'table' ORDER BY 1`)
	keys := column(t, db, `SELECT m.name || '.' || k."from" || ' -> ' || k."table" || '.' || k."to" || ' ' || k.on_delete
		FROM sqlite_schema m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table' ORDER BY 1`)
	return slices.Concat(columns, indexes, keys)
}

// TestEveryVersionOpens: what any release wrote, this one opens, with the same schema
// as a new database and everything in it. A new migration needs the dump of a database
// that has it; the dumps of earlier versions stay as they are.
func TestEveryVersionOpens(t *testing.T) {
	t.Parallel()
	fresh := filepath.Join(t.TempDir(), "store.db")
	s := openIn(t, fresh)
	storetest.Fill(t, s)
	storetest.FillCustody(t, s.Custody())
	storetest.FillFeed(t, s.Feed())
	all := versions(t)
	if *update {
		writeDump(t, fresh, all[len(all)-1])
	}
	for _, version := range all {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			old, err := os.ReadFile(filepath.Join("testdata", "v"+version+".sql"))
			if err != nil {
				t.Fatalf("%v; write it with: go test ./internal/service/store/sqlite -run TestEveryVersionOpens -update", err)
			}
			path := filepath.Join(t.TempDir(), "store.db")
			load(t, path, string(old))
			s := openIn(t, path)
			storetest.Check(t, s)
			if version >= firstWithCustody {
				storetest.CheckCustody(t, s.Custody())
			} else {
				storetest.CheckIdentifiers(t, s.Custody())
			}
			if version >= firstWithFeed {
				storetest.CheckFeed(t, s.Feed())
			}
			diff := cmp.Diff(shape(t, fresh), shape(t, path))
			if diff != "" {
				t.Errorf("an upgraded database differs from a new one (-new +upgraded):\n%s", diff)
			}
		})
	}
}

// TestOldLogOpens: the log that version 10 wrote, whose tables are others since, has everything in it and goes on.
func TestOldLogOpens(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile("testdata/v00010.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	load(t, path, string(old)+storetest.OldLog)
	s := openIn(t, path)
	storetest.CheckOldLog(t, &storetest.Logged{Custody: s.Custody(), Log: s.Log()})
}

// writeDump writes the dump of a version that has none.
func writeDump(t *testing.T, path, version string) {
	t.Helper()
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	f, err := os.OpenFile(filepath.Join("testdata", "v"+version+".sql"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.WriteString(dump(t, db))
	if err != nil {
		t.Fatal(err)
	}
}

// load runs statements on a new file.
func load(t *testing.T, path, statements string) {
	t.Helper()
	db := openDB(path, 1, url.Values{})
	_, err := db.ExecContext(context.WithoutCancel(t.Context()), statements)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Close()
	if err != nil {
		t.Fatal(err)
	}
}
