package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

var update = flag.Bool("update", false, "write the rows of the last schema version, if there are none; needs pg_dump")

// released are the migrations that are never changed again, by the SHA-256 of their text.
var released = map[string]string{
	"sqlite/migrations/00001_init.sql":   "242bff2437bb9e80d9b87f918a39b78d22a088ed19a2cc194884a857ce57798f",
	"postgres/migrations/00001_init.sql": "3eeb83edd2010d111d7a2ff670557f3baa54419446a94b53a3517666512cf9be",
}

// TestMigrationsStay: databases have the migrations of releases as they were, so changing one
// would make new databases differ from those that were upgraded.
func TestMigrationsStay(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*/migrations/*.sql")
	ok(t, err)
	if len(names) != len(released) {
		t.Errorf("there are %d migrations, and the hashes of %d", len(names), len(released))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		ok(t, err)
		sum := sha256.Sum256(text)
		if have := hex.EncodeToString(sum[:]); have != released[name] {
			t.Errorf("%s has the hash %s, not %q: a released migration never changes, add one with the next number instead",
				name, have, released[name])
		}
	}
}

// fill fills a store with records of every kind, for check.
func fill(t *testing.T, s *Store) {
	t.Helper()
	storetest.FillLog(t, &storetest.Logged{Custody: s.Custody(), Log: s.Log()})
	storetest.Fill(t, s)
	storetest.FillCustody(t, s.Custody())
	ok(t, s.Subscriptions().Add(t.Context(), subscription()))
}

// subscription is the one that fill adds.
func subscription() *subscribe.Subscription {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return &subscribe.Subscription{
		ID: "s", Owner: "k", URL: "https://hook.example/", Types: []string{"agent.discovered"}, CreatedAt: at, NextAt: at,
		Position: feed.Position{Number: 1, At: at},
	}
}

// TestEveryVersionOpens: a store with the schema and the rows of any release opens, and has
// everything in it. A new migration needs the rows of a store that has it; earlier ones stay.
func TestEveryVersionOpens(t *testing.T) {
	t.Parallel()
	migrations, err := filepath.Glob("sqlite/migrations/*.sql")
	ok(t, err)
	for i, name := range migrations {
		version := filepath.Base(name)[:5]
		golden := filepath.Join("testdata", "v"+version+".sql")
		if *update && i == len(migrations)-1 {
			writeRows(t, golden)
		}
		rows, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v; write it with: go test ./internal/service/store -run TestEveryVersionOpens -update", err)
		}
		t.Run("sqlite "+version, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			const ours = "PRAGMA application_id = 1635151735;"
			prepare(t, goose.DialectSQLite3, "sqlite", path, version, ours+strings.ReplaceAll(string(rows), `'\x`, "X'"))
			check(t, "sqlite:"+path)
		})
		t.Run("postgres "+version, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			prepare(t, goose.DialectPostgres, "pgx", url, version, string(rows))
			check(t, url)
		})
	}
}

// prepare makes a database with the migrations up to a version, and runs statements on it.
func prepare(t *testing.T, dialect goose.Dialect, driver, place, version, statements string) {
	t.Helper()
	dir := map[goose.Dialect]string{goose.DialectSQLite3: "sqlite", goose.DialectPostgres: "postgres"}[dialect]
	names, err := filepath.Glob(dir + "/migrations/*.sql")
	ok(t, err)
	migrations := fstest.MapFS{}
	for _, name := range names {
		base := filepath.Base(name)
		if base[:5] <= version {
			text, err := os.ReadFile(name)
			ok(t, err)
			migrations[base] = &fstest.MapFile{Data: text}
		}
	}
	db, err := sql.Open(driver, place)
	ok(t, err)
	db.SetMaxOpenConns(1)
	_, err = migrate.Up(t.Context(), dialect, db, migrations)
	ok(t, err)
	_, err = db.ExecContext(t.Context(), statements)
	ok(t, errors.Join(err, db.Close()))
}

// check looks for what fill has stored, and that the store can be used.
func check(t *testing.T, url string) {
	t.Helper()
	s := opens(t, url)
	sound(t, s)
	storetest.Check(t, s)
	storetest.CheckCustody(t, s.Custody())
	storetest.CheckFeed(t, s.Feed())
	have, err := s.Subscriptions().Get(t.Context(), "k", "s")
	if err != nil || !reflect.DeepEqual(have, subscription()) {
		t.Errorf("%+v, %v", have, err)
	}
	storetest.CheckLog(t, &storetest.Logged{Custody: s.Custody(), Log: s.Log()})
	sound(t, s)
}

// TestUpgradedInUse: a process whose store is upgraded by a newer release writes nothing more, and
// stops answering when it next looks at the clock. The older release does not open the store.
func TestUpgradedInUse(t *testing.T) {
	t.Parallel()
	path, url := filepath.Join(t.TempDir(), "store.db"), pgtest.URL(t)
	for _, tc := range []struct{ url, driver, place string }{{"sqlite:" + path, "sqlite", path}, {url, "pgx", url}} {
		s := opens(t, tc.url)
		storetest.FillCustody(t, s.Custody())
		before := exported(t, s)
		db, err := sql.Open(tc.driver, tc.place)
		ok(t, err)
		_, err = db.ExecContext(t.Context(), `UPDATE schema_versions SET version_id = 7 WHERE version_id = 1`)
		ok(t, errors.Join(err, db.Close()))
		err = s.Custody().Commit(t.Context(), storetest.LoggedChange(1, logNow()))
		if !errors.Is(err, custodian.ErrNewer) || exported(t, s) != before {
			t.Errorf("something is committed: %v", err)
		}
		_, err = s.Custody().Publisher(t.Context(), "a.example")
		_, clock := s.Custody().Clock(t.Context(), logNow())
		if !errors.Is(err, custodian.ErrNewer) || !errors.Is(clock, custodian.ErrNewer) {
			t.Errorf("answers are given: %v, %v", err, clock)
		}
		var newer *NewerError
		_, err = Open(t.Context(), tc.url)
		if !errors.As(err, &newer) || newer.Have != 7 || newer.Known != 1 {
			t.Errorf("it is opened: %v", err)
		}
	}
}

// noise is what pg_dump writes besides rows.
var noise = regexp.MustCompile(`(?m)^(\\|--|SET |SELECT pg_catalog\.).*\n|^\n`)

// writeRows writes the rows of a store with the present schema, as statements that both databases
// run but for how bytes are written. Rows that a new database has are replaced.
func writeRows(t *testing.T, golden string) {
	t.Helper()
	url := pgtest.URL(t)
	s := opens(t, url)
	fill(t, s)
	ok(t, s.Close())
	db, err := sql.Open("pgx", url)
	ok(t, err)
	// The events that the log is about would be most of the rows.
	_, err = db.ExecContext(t.Context(), `DELETE FROM custody_events WHERE publisher LIKE 'p%.example'`)
	ok(t, errors.Join(err, db.Close()))
	out, err := exec.Command("pg_dump", "--data-only", "--inserts", "--load-via-partition-root",
		"--exclude-table="+migrate.Table, "--dbname", regexp.MustCompile(`[&?]\w+_timeout=[^&]*`).ReplaceAllString(url, "")).CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out[:min(len(out), 500)]))
	}
	rows := strings.ReplaceAll(noise.ReplaceAllString(string(out), ""), "INSERT INTO public.", "INSERT INTO ")
	f, err := os.OpenFile(golden, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	ok(t, err)
	_, err = f.WriteString("DELETE FROM custody_store;\nDELETE FROM custody_history;\n" + rows)
	ok(t, errors.Join(err, f.Close()))
}
