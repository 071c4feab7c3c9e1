package sqlite

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/resolve"
)

// TestOneMemory opens a store of version 4, whose checks were kept beside the records of
// custody, and whose records may lack the cause of a failure.
func TestOneMemory(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile(filepath.Join("testdata", "v00004.sql"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	load(t, path, string(old))
	day := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	insertOld(t, path, "flawed.example", day, "usable", "", 0)
	insertOld(t, path, "unusable.example", day, "unusable", "the file cannot be used: it is no JSON", 1)
	insertOld(t, path, "silent.example", day, "unreachable", "it does not answer", 2)
	insertOld(t, path, "stranger.example", day, "usable", "", 3)
	run(t, path, `DELETE FROM custody_publishers WHERE domain = 'stranger.example'`)

	s := openIn(t, path)
	problems, err := s.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	place := custody.Location{Method: custody.AuthoritativeLocation, URL: "https://cdn.example/file.json"}
	for domain, want := range map[string]custody.Publisher{
		"flawed.example":   {Reply: custody.Reply{Status: 200, Bytes: 7, Flawed: true}, Listed: hash},
		"unusable.example": {Reply: custody.Reply{Status: 200, Bytes: 7, Place: place}, Cause: custody.CauseUnusable},
		"silent.example":   {Reply: custody.Reply{Status: 200, Bytes: 7, Place: place}, Cause: custody.CauseSilence},
		"stranger.example": {Listed: hash},
	} {
		p, err := s.Custody().Publisher(t.Context(), hostname.Domain(domain))
		if err != nil || p.Reply != want.Reply || p.Cause != want.Cause || p.Listed != want.Listed {
			t.Errorf("%s: %+v, %v", domain, p, err)
		}
	}
	// The dates of what they list are kept, also of one that no record was kept of.
	claims, err := s.Custody().Claims(t.Context(), resolve.Identifier{Type: "ab", Value: "c"}, day, 9)
	want := []custodian.Listing{{Publisher: "flawed.example", Since: day}, {Publisher: "stranger.example", Since: day.Add(3 * time.Microsecond)}}
	if err != nil || !slices.Equal(claims, want) {
		t.Errorf("%+v, %v", claims, err)
	}
	// It is a guest, which nobody asks by itself.
	tasks, err := s.Custody().Due(t.Context(), day.AddDate(99, 0, 0), 99)
	for _, task := range tasks {
		if task.Publisher == "stranger.example" {
			t.Error("a publisher that only a check has found is due")
		}
	}
	usage, usageErr := s.Usage(t.Context())
	if errors.Join(err, usageErr) != nil || usage.Guests.Names != 1 {
		t.Errorf("%+v, %v %v", usage, err, usageErr)
	}
	storetest.CheckIdentifiers(t, s.Custody())
}

// hash is that of a version.
const hash = "230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5"

// key is that of the identifier ab:c.
const key = "X'909ac45e439911193205994d09399c29fede977ab212605f29ead5250a812e73'"

// insertOld adds a publisher to a store of version 4. The trouble is that of its record.
func insertOld(t *testing.T, path, domain string, at time.Time, answer, trouble string, microseconds int) {
	t.Helper()
	record := fmt.Sprintf(`{"domain":%q,"tried_at":"2026-02-01T00:00:00Z"}`, domain)
	body := hash
	if trouble != "" {
		record = fmt.Sprintf(`{"domain":%q,"tried_at":"2026-02-01T00:00:00Z","failing_since":"2026-02-01T00:00:00Z","trouble":%q}`, domain, trouble)
		body = ""
	}
	packed, err := pack.Sized([]byte(record))
	if err != nil {
		t.Fatal(err)
	}
	run(t, path, `INSERT INTO custody_publishers (domain, revision, due, held, record, since, site) VALUES ($1, 1, 0, 0, $2, 0, $1)`, domain, packed)
	run(t, path, `INSERT INTO sightings (domain, checked_at, fresh_until, answer, method, found, valid, url, resolved_url, manager_domain, status, bytes, body, pointer)
		VALUES ($1, $2, $2, $3, 'authoritative_location', 1, 0, '', 'https://cdn.example/file.json', '', 200, 7, $4, '')`, domain, at.UnixMicro(), answer, body)
	if body != "" {
		run(t, path, `INSERT INTO identifiers (key, domain, since) VALUES (`+key+`, $1, $2)`, domain, at.UnixMicro()+int64(microseconds))
	}
}

// run runs a statement on a file.
func run(t *testing.T, path, statement string, args ...any) {
	t.Helper()
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	_, err := db.ExecContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
}
