package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/internal/translog"
)

var logKills = flag.Int("log-kills", 10, "how many processes that keep a log are killed, for each store")

const logOrigin = "registry.example/log"

// logNow is when everything happens. On that day there is no map of the log.
func logNow() time.Time { return time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC) }

// notaryOf returns a notary for the log of a store.
func notaryOf(s *Store, keys *notary.Keys) *notary.Notary {
	return notary.New(notary.Config{Store: s.Log(), Keys: keys, Guard: s.LogGuard(), Now: logNow, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
}

// beginLog makes a log in a store, and a file with its keys.
func beginLog(t *testing.T, s *Store, keyFile string) *notary.Keys {
	t.Helper()
	keys, err := notary.NewKeys(logOrigin)
	ok(t, err)
	first := keys.First()
	first.At = logNow()
	ok(t, s.Log().Begin(t.Context(), logOrigin, first))
	ok(t, os.WriteFile(keyFile, keys.Text(), 0o600))
	return keys
}

func commitLogged(ctx context.Context, s *Store, n int) error {
	for i := range n {
		err := s.Custody().Commit(ctx, storetest.LoggedChange(i, time.Now().UTC().Truncate(time.Microsecond)))
		if err != nil {
			return err
		}
	}
	return nil
}

// TestGuard: a store that was put back, also with other entries since, signs nothing.
func TestGuard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	url := "sqlite:" + path
	s := opens(t, url)
	keys := beginLog(t, s, filepath.Join(dir, "keys"))
	ok(t, commitLogged(t.Context(), s, 5))
	ok(t, notaryOf(s, keys).Flush(t.Context()))
	ok(t, s.Close())
	old, err := os.ReadFile(path)
	ok(t, err)
	s = opens(t, url)
	ok(t, commitLogged(t.Context(), s, 5))
	n := notaryOf(s, keys)
	ok(t, n.Flush(t.Context()))
	ok(t, n.Flush(t.Context())) // the second time changes nothing
	guard, err := os.ReadFile(path + guardEnding)
	ok(t, err)
	ok(t, s.Close())

	ok(t, os.WriteFile(path, old, 0o600))
	ok(t, os.Remove(path+markEnding)) // the other mark would refuse it before
	s = opens(t, url)
	n = notaryOf(s, keys)
	var behind *notary.BehindError
	for _, more := range []int{3, 5, 1} {
		err = n.Flush(t.Context())
		if !errors.As(err, &behind) || behind.Seen != 11 {
			t.Errorf("an old copy before %d more events: %v", more, err)
		}
		err = n.Check(t.Context())
		if !errors.As(err, &behind) {
			t.Errorf("an old copy passes the check: %v", err)
		}
		ok(t, commitLogged(t.Context(), s, more))
	}
	now, err := os.ReadFile(path + guardEnding)
	ok(t, err)
	if !bytes.Equal(now, guard) {
		t.Error("the guard was changed")
	}
	signed, err := s.Log().LastSigned(t.Context())
	if err != nil || signed.Size != 6 {
		t.Errorf("it was signed: %+v %v", signed, err)
	}
	state, err := s.Log().State(t.Context())
	if err != nil || state.Size != 6 || state.Waiting != 9 {
		t.Errorf("leaves were made in the place of those that were signed: %+v %v", state, err)
	}
}

// TestGuardFails: what cannot be noted is not signed, and a guard that cannot be read, or of
// another log, stops everything.
func TestGuardFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url := "sqlite:" + filepath.Join(dir, "store.db")
	s := opens(t, url)
	keys := beginLog(t, s, filepath.Join(dir, "keys"))
	full := errors.New("no space")
	guard := s.LogGuard()
	guard.Write = func(string, []byte) error { return full }
	n := notary.New(notary.Config{Store: s.Log(), Keys: keys, Guard: guard, Now: logNow})
	err := n.Flush(t.Context())
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	signed, err := s.Log().LastSigned(t.Context())
	if err == nil {
		t.Errorf("it was signed: %+v", signed)
	}
	other, err := notary.NewKeys(logOrigin)
	ok(t, err)
	ok(t, notaryOf(s, keys).Flush(t.Context()))
	err = notaryOf(s, other).Flush(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the log does not name the key "+other.Log.String()) {
		t.Errorf("another key signs: %v", err)
	}
	named, err := notary.NewKeys("another.example/log")
	ok(t, err)
	ok(t, os.Remove(guard.Path))
	err = notaryOf(s, named).Flush(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the store has the log "+logOrigin) {
		t.Errorf("the key of another log signs: %v", err)
	}
}

// TestDamagedLog: a tile that was changed by hand is noticed before anything is added.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	s := opens(t, "sqlite:"+path)
	keys := beginLog(t, s, filepath.Join(dir, "keys"))
	ok(t, commitLogged(t.Context(), s, 5))
	ok(t, notaryOf(s, keys).Flush(t.Context()))
	db, err := sql.Open("sqlite", path)
	ok(t, err)
	_, err = db.ExecContext(t.Context(), `UPDATE log_tiles SET data = zeroblob(length(data))`)
	ok(t, err)
	ok(t, db.Close())
	ok(t, commitLogged(t.Context(), s, 1))
	_, err = s.Log().Sequence(t.Context(), 10)
	if !errors.Is(err, notary.ErrDamaged) {
		t.Errorf("it goes on: %v", err)
	}
	problems, err := s.Check(t.Context())
	if err != nil || len(problems) == 0 || problems[0].Table != "log_state" {
		t.Errorf("the check finds %v %v", problems, err)
	}
}

// logVariable tells a child of the tests the folder with the keys of a log.
const logVariable = "AVOW_STORE_TEST_LOG"

// logChild keeps a log: it commits, makes leaves, signs, and writes down every checkpoint that
// it could show to somebody, and says so, until it is killed.
func logChild(url string) error {
	dir := os.Getenv(logVariable)
	text, err := os.ReadFile(filepath.Join(dir, "keys"))
	if err != nil {
		return err
	}
	keys, err := notary.ParseKeys(text)
	if err != nil {
		return err
	}
	s, err := OpenFor(context.Background(), url, Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // it returns only with an error, which is told
	shown, err := os.OpenFile(filepath.Join(dir, "shown"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = shown.Close() }()
	for {
		err := commitLogged(context.Background(), s, 1+rand.IntN(4))
		if err == nil {
			err = flushLog(s, keys)
		}
		if err != nil {
			return err
		}
		signed, err := s.Log().LastSigned(context.Background())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(shown, "%q\n", signed.Note)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(os.Stdout, signed.Size)
		if err != nil {
			return err
		}
	}
}

// flushLog makes leaves and signs.
func flushLog(s *Store, keys *notary.Keys) error {
	return notary.New(notary.Config{Store: s.Log(), Keys: keys, Guard: s.LogGuard(), Now: logNow}).Flush(context.Background())
}

// TestLogKilled kills pairs of processes while they commit, make leaves and sign. Every event
// is one leaf in the end, and every checkpoint that was shown is one of the log.
func TestLogKilled(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "store.db") },
		"postgres": func(t *testing.T) string { return pgtest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killLogs(t, place(t), *logKills)
		})
	}
}

func killLogs(t *testing.T, url string, kills int) {
	dir := t.TempDir()
	s, err := OpenFor(t.Context(), url, Options{Dir: dir})
	ok(t, err)
	keys := beginLog(t, s, filepath.Join(dir, "keys"))
	ok(t, s.Close())
	for range kills / 2 {
		first, second := spawn(t, url, logVariable+"="+dir), spawn(t, url, logVariable+"="+dir)
		first.kill(1 + rand.IntN(3))
		second.kill(rand.IntN(3))
	}
	s, err = OpenFor(t.Context(), url, Options{Dir: dir})
	ok(t, err)
	defer func() { ok(t, s.Close()) }()
	ok(t, flushLog(s, keys))
	size, err := notary.Prover{Store: s.Log()}.Audit(t.Context())
	ok(t, err)
	if events := countEvents(t, s); int64(events+1) != size {
		t.Errorf("%d events are %d leaves", events, size)
	}
	text, err := os.ReadFile(filepath.Join(dir, "shown"))
	ok(t, err)
	shown := 0
	for line := range strings.Lines(string(text)) {
		shown += checkShown(t, s, keys, line)
	}
	t.Logf("%d processes were killed: %d leaves, %d checkpoints shown", kills, size, shown)
}

// checkShown compares a checkpoint with the log, and returns 1 if it was written to its end.
func checkShown(t *testing.T, s *Store, keys *notary.Keys, line string) int {
	t.Helper()
	var note string
	_, err := fmt.Sscanf(line, "%q\n", &note)
	if err != nil {
		return 0
	}
	head, _, err := translog.Open([]byte(note), &keys.Log.Key)
	ok(t, err)
	root, err := notary.RootAt(s.Log().Tree(t.Context()), head.Size)
	ok(t, err)
	if root != head.Root {
		t.Fatalf("a checkpoint of %d leaves was shown that is not of this log", head.Size)
	}
	return 1
}

func countEvents(t *testing.T, s *Store) int {
	t.Helper()
	n, last := 0, int64(0)
	for {
		events, err := s.Custody().Events(t.Context(), custodian.EventFilter{}, last, 1000)
		ok(t, err)
		if len(events) == 0 {
			return n
		}
		n, last = n+len(events), events[len(events)-1].ID
	}
}
