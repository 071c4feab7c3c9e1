package postgres

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

var update = flag.Bool("update", false, "write the dump of the present schema version, if there is none (needs pg_dump)")

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

// shape is what a schema comes to, however it was made.
func shape(t *testing.T, url string) []string {
	t.Helper()
	return column(t, url, `
		SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || a.attstorage::text
			|| ' ' || coalesce((SELECT collname FROM pg_collation WHERE oid = a.attcollation), '') || ' '
			|| coalesce((SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum), '')
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
		UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
			WHERE connamespace = 'public'::regnamespace
		ORDER BY 1`)
}

// TestEveryVersionOpens: what any release wrote, this one opens, with the same schema
// as a new database and everything in it. A new migration needs the dump of a database
// that has it; the dumps of earlier versions stay as they are.
func TestEveryVersionOpens(t *testing.T) {
	t.Parallel()
	fresh := pgtest.URL(t)
	s := openAt(t, fresh)
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
				t.Fatalf("%v; write it with: go test ./internal/service/store/postgres -run TestEveryVersionOpens -update", err)
			}
			url := pgtest.URL(t)
			load(t, url, string(old))
			s := openAt(t, url)
			storetest.Check(t, s)
			if version >= firstWithCustody {
				storetest.CheckCustody(t, s.Custody())
			} else {
				storetest.CheckIdentifiers(t, s.Custody())
			}
			if version >= firstWithFeed {
				storetest.CheckFeed(t, s.Feed())
			}
			diff := cmp.Diff(shape(t, fresh), shape(t, url))
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
	url := pgtest.URL(t)
	load(t, url, string(old)+strings.ReplaceAll(storetest.OldLog, "X'", `'\x`))
	s := openAt(t, url)
	storetest.CheckOldLog(t, &storetest.Logged{Custody: s.Custody(), Log: s.Log()})
}

// noise is what pg_dump writes that is not SQL, or not about the database.
var noise = regexp.MustCompile(`(?m)^(\\|--|SET |SELECT pg_catalog\.set_config).*\n`)

// writeDump writes the dump of a version that has none.
func writeDump(t *testing.T, url, version string) {
	t.Helper()
	out, err := exec.Command("pg_dump", "--no-owner", "--no-privileges", "--inserts", "--dbname", url).Output()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`\n{3,}`).ReplaceAllString(noise.ReplaceAllString(string(out), ""), "\n\n")
	f, err := os.OpenFile(filepath.Join("testdata", "v"+version+".sql"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.WriteString(strings.TrimSpace(text) + "\n")
	if err != nil {
		t.Fatal(err)
	}
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
