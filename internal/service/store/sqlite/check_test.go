package sqlite

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/test/storetest"
)

// TestTablesAreAllMoved: what is exported is what there is.
func TestTablesAreAllMoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	openIn(t, path)
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	have := map[string][]string{}
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`) {
		if table != "schema_versions" && table != "probes" && table != "site_leases" {
			have[table] = column(t, db, `SELECT name FROM pragma_table_info($1)`, table)
		}
	}
	diff := cmp.Diff(have, records.Columns())
	if diff != "" {
		t.Errorf("tables differ (-schema +moved):\n%s", diff)
	}
}

// TestCheckFinds: whatever is changed behind the back of a store is found.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Fill(t, s)
	storetest.FillCustody(t, s.Custody())
	err = s.Close()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, statement, want string }{
		{"nothing", `SELECT 1`, ""},
		{"change", `UPDATE feed_events SET payload = X'00' WHERE live`, "feed_events "},
		{"document", `UPDATE documents SET packed = X'00' WHERE size = 4`, "documents 230d"},
		{"size", `UPDATE documents SET size = 5 WHERE size = 4`, "documents 230d"},
		{"hash", `UPDATE documents SET hash = replace(hash, '2', '3') WHERE size = 4`, "refers to a row of documents"},
		{"document gone", `DELETE FROM documents WHERE size = 4`, "there is no document 230d"},
		{"listed", `UPDATE custody_publishers SET listed = ''`, "identifiers without a version that lists them"},
		{"listed hash", `UPDATE custody_publishers SET listed = 'x'`, "custody_publishers a.example: the version that it lists identifiers of has no hash"},
		{"identifiers", `UPDATE identifiers SET key = X'00' WHERE key = (SELECT MAX(key) FROM identifiers)`, "identifiers 00 a.example: the key is not that of an identifier"},
		{"identifiers of nobody", `UPDATE identifiers SET domain = 'b.example'`, "refers to a row of custody_publishers"},
		{"brand", `UPDATE brands SET manifest = X'7B'`, "the manifest is not JSON"},
		{"brand revision", `UPDATE brands SET revision = 0`, "revision is not positive"},
		{"mirror", `UPDATE mirrors SET publisher_domains = X'01'`, "mirrors p"},
		{"state", `UPDATE proposals SET state = 'x'`, "no such state"},
		{"key", `UPDATE api_keys SET hash = 'x'`, "the hash of the key is none"},
		{"publisher", `UPDATE custody_publishers SET record = X'01'`, "custody_publishers a.example: stored bytes are damaged"},
		{"publisher cut", `UPDATE custody_publishers SET record = substr(record, 1, 99)`, "custody_publishers a.example: stored bytes are damaged"},
		{"domain", `UPDATE custody_publishers SET domain = 'b.example'`, "the record is about another publisher"},
		{"revision", `UPDATE custody_publishers SET revision = 0`, "revision is not positive"},
		{"file of a publisher", `UPDATE custody_publishers SET file = X'01'`, "disagree about the file"},
		{"held", `UPDATE custody_publishers SET held = 0`, "disagree about a hold"},
		{"file", `UPDATE custody_files SET record = (SELECT record FROM custody_publishers)`, "stored bytes are damaged"},
		{"file revision", `UPDATE custody_files SET revision = -1`, "stored bytes are damaged"},
		{"file held", `UPDATE custody_files SET held = 0`, "disagree about a hold"},
		{"url", `UPDATE custody_files SET url = 'x'`, "the key does not match the URL"},
		{"due", `UPDATE due SET url = 'x' WHERE url <> ''`, "the name does not match the URL"},
		{"revocations gone", `DELETE FROM custody_revocations`, "stored bytes are damaged"},
		{"revocations", `UPDATE custody_revocations SET packed = X'00'`, "stored bytes are damaged"},
		{"revocations first", `UPDATE custody_revocations SET first = 'b'`, "begins with another domain"},
		{"revocations digest", `UPDATE custody_revocations SET digest = X'00'`, "does not match the digest"},
		{"version", `UPDATE custody_versions SET hash = 'x'`, "there is no document x"},
		{"version number", `UPDATE custody_versions SET number = 99`, "the number was never given"},
		{"version file", `UPDATE custody_versions SET file = X'00'`, "refers to a row of custody_files"},
		{"place number", `UPDATE custody_places SET number = -1`, "the number was never given"},
		{"event", `UPDATE custody_events SET record = X''`, "custody_events 4: stored bytes are damaged"},
		{"event publisher", `UPDATE custody_events SET publisher = 'x'`, "the record is about something else"},
		{"event number", `UPDATE custody_events SET number = 9 WHERE number = 4`, "custody_events 9: the number was never given"},
		{"counter", `UPDATE custody_store SET last = -1`, "the identity or the counter is missing"},
		{"store", `DELETE FROM custody_store`, "the row is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			err := os.WriteFile(path, whole, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			load(t, path, tc.statement)
			found(t, path, tc.want)
		})
	}
}

// found checks a store, and looks for a problem, or none if it is empty.
func found(t *testing.T, path, want string) {
	t.Helper()
	problems, err := openIn(t, path).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want == "" && len(problems) == 0 {
		return
	}
	ok := slices.ContainsFunc(problems, func(p records.Problem) bool { return want != "" && strings.Contains(p.String(), want) })
	if !ok {
		t.Errorf("problems are %v, want %q", problems, want)
	}
}

// TestCheckFindsDamage: pages that were overwritten are found, whichever they are, and
// nothing panics.
func TestCheckFindsDamage(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	storetest.FillMany(t, s.Custody())
	err = s.Close()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	pages := len(whole) / pageSize
	for page := 20; page < pages; page += pages / 12 {
		damaged := slices.Clone(whole)
		for i := range 2000 {
			damaged[page*pageSize+i] ^= 0x55
		}
		path := filepath.Join(t.TempDir(), "store.db")
		err := os.WriteFile(path, damaged, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(context.WithoutCancel(t.Context()), path)
		if err != nil {
			continue // that is found early
		}
		problems, err := s.Check(t.Context())
		if err == nil && len(problems) == 0 {
			t.Errorf("page %d of %d is damaged, and nothing was found", page, pages)
		}
		_ = s.Close() // it may say that the file is damaged
	}
}
