package notary_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/internal/translog"
)

// A lostWorld is a history in which keys change, old copies of the store are put back, events go on,
// and the log is recovered from a mirror that may be behind. Chance comes from the seed.
type lostWorld struct {
	lostLog
	rng    *rand.Rand
	copier copier
	// guard is where the machine notes what was signed, whatever is put back.
	guard string
	// heads are all that were signed, and copies the stores that can be put back.
	heads  []translog.Checkpoint
	copies []string
	url    string
	// gone: the operator deletes the guard instead of recovering, which has to be found.
	gone               bool
	recovered, refused int
}

// sign signs whatever can be signed, and remembers the head.
func (w *lostWorld) sign() error {
	err := w.notary().Flush(w.t.Context())
	if err != nil {
		return err
	}
	last, err := w.store.Log().LastSigned(w.t.Context())
	if err != nil {
		return err
	}
	head, err := translog.Read(last.Note)
	if err != nil {
		return err
	}
	w.heads = append(w.heads, *head)
	for _, before := range w.heads {
		root, err := notary.RootAt(w.store.Log().Tree(w.t.Context()), min(before.Size, head.Size))
		if err != nil || before.Size > head.Size || root != before.Root {
			return violated(secondHistory, "%d leaves after %d (%v)", head.Size, before.Size, err)
		}
	}
	return nil
}

func (w *lostWorld) commit() {
	w.now = w.now.Add(time.Duration(w.rng.IntN(60)) * time.Second)
	for range 1 + w.rng.IntN(40) {
		ok(w.t, w.store.Custody().Commit(w.t.Context(), storetest.LoggedChange(w.rng.IntN(9), w.now)))
	}
}

// rotate changes the keys in one of the ways that there are.
func (w *lostWorld) rotate() {
	fresh, err := notary.NewKeys("registry.example/log")
	ok(w.t, err)
	switch {
	case w.keys.Old != nil:
		w.keys = &notary.Keys{Log: w.keys.Log, Clock: w.keys.Clock}
	case w.rng.IntN(2) == 0:
		fresh.Old = w.keys
		w.keys = fresh
	default:
		w.keys = fresh
	}
	ok(w.t, w.notary().Announce(w.t.Context()))
}

// A copier returns the URL of a new store that has what another one has, which nobody uses
// meanwhile.
type copier func(t testing.TB, of string) string

// copySQLite is a copier of databases in files.
func copySQLite(t testing.TB, of string) string {
	body, err := os.ReadFile(strings.TrimPrefix(of, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	err = os.WriteFile(path, body, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// keep makes a copy of the store and goes on with another one, and reopen puts one in its place.
func (w *lostWorld) keep() {
	w.copies = append(w.copies, w.url)
	w.reopen(w.url)
}

func (w *lostWorld) reopen(of string) {
	ok(w.t, w.store.Close())
	w.open(of)
}

func (w *lostWorld) open(of string) {
	w.url = w.copier(w.t, of)
	var err error
	w.store, err = store.Open(w.t.Context(), w.url)
	ok(w.t, err)
	w.store.GuardLog(w.guard)
}

// lose puts an old copy back. If the mirror has all that was signed, and nothing else has happened,
// the log is recovered byte for byte; otherwise nothing changes, and the store that was there is
// put back.
func (w *lostWorld) lose() error {
	w.keep()
	current := w.copies[len(w.copies)-1]
	w.reopen(w.copies[w.rng.IntN(len(w.copies))])
	if w.rng.IntN(3) == 0 {
		w.commit()
	}
	ctx := w.t.Context()
	guard := w.store.LogGuard()
	s, err := w.store.Log().State(ctx)
	ok(w.t, err)
	if !guard.Ahead(s) {
		return w.sign() // everything that was signed is there: it goes on
	}
	err = w.sign()
	if err == nil {
		return violated(secondHistory, "a store that was put back signs")
	}
	if w.gone {
		ok(w.t, os.Remove(guard.Path))
		return w.sign()
	}
	s, err = w.store.Log().State(ctx)
	ok(w.t, err)
	r := w.recovery(w.copy)
	lost, err := r.Check(ctx)
	after, stateErr := w.store.Log().State(ctx)
	ok(w.t, stateErr)
	switch {
	case *after != *s:
		return violated("a check changes nothing", "%+v became %+v", s, after)
	case errors.Is(err, notary.ErrShort) || errors.Is(err, notary.ErrOther) || errors.Is(err, monitor.ErrAbsent): // or there is no mirror yet
		w.refused++
		w.reopen(current)
		return w.sign()
	case err != nil:
		return err
	}
	_, err = w.store.AcceptRestored(ctx, w.now, lost.Number)
	ok(w.t, err)
	ok(w.t, r.Append(ctx, lost))
	w.recovered++
	return w.sign()
}

// live lives through a world, and returns what does not hold.
func (w *lostWorld) live() error {
	for range 30 {
		var err error
		switch w.rng.IntN(6) {
		case 0, 1:
			w.commit()
			err = w.sign()
		case 2:
			err = w.sign()
			exported(w.t, w.store, w.copy)
		case 3:
			w.rotate()
			err = w.sign()
		case 4:
			w.keep()
		case 5:
			err = w.lose()
		}
		if err != nil {
			return err
		}
	}
	_, err := notary.Prover{Store: w.store.Log()}.Audit(w.t.Context())
	return err
}

func newLostWorld(t *testing.T, seed uint64, c copier, empty string) *lostWorld {
	t.Helper()
	w := &lostWorld{rng: rand.New(rand.NewPCG(seed, 69)), copier: c, guard: filepath.Join(t.TempDir(), "checkpoint")}
	w.lostLog = lostLog{t: t, now: time.Date(2026, 11, 17, 23, 58, 0, 0, time.UTC), copy: files{}}
	w.open(empty)
	var err error
	w.keys, err = notary.NewKeys("registry.example/log")
	ok(t, err)
	first := w.keys.First()
	first.At = w.now
	ok(t, w.store.Log().Begin(t.Context(), "registry.example/log", first))
	ok(t, w.sign())
	return w
}

// TestLogSimulationRecovers: whatever was put back and recovered, one history is signed; an operator
// who deletes the guard instead is found. PostgreSQL, which takes longer, has a part of the worlds.
func TestLogSimulationRecovers(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]struct {
		copier copier
		empty  func(t *testing.T) string
		worlds int
	}{
		"sqlite":   {copySQLite, func(t *testing.T) string { return "sqlite:" + sqlitetest.Path(t) }, *worldsFlag},
		"postgres": {pgtest.BriefCopy, func(t *testing.T) string { return pgtest.URL(t) }, (*worldsFlag + 39) / 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			empty := place.empty(t)
			s, err := store.Open(t.Context(), empty) // the tables are made once
			ok(t, err)
			ok(t, s.Close())
			recoverWorlds(t, place.worlds, place.copier, empty)
		})
	}
}

func recoverWorlds(t *testing.T, worlds int, c copier, empty string) {
	t.Helper()
	recovered, refused, found := 0, 0, 0
	for seed := *worldFlag; seed < *worldFlag+uint64(worlds); seed++ {
		for _, gone := range []bool{false, true} {
			if gone && found > 0 {
				continue // one is enough to know that it is noticed
			}
			t.Run(fmt.Sprintf("world %d %t", seed, gone), func(t *testing.T) { // what it leaves behind is removed at its end
				w := newLostWorld(t, seed, c, empty)
				w.gone = gone
				err := w.live()
				var v *violation
				switch {
				case gone && errors.As(err, &v) && v.invariant == secondHistory:
					found++
				case !gone && err != nil:
					t.Error(err)
				}
				ok(t, w.store.Close())
				recovered, refused = recovered+w.recovered, refused+w.refused
			})
		}
	}
	t.Logf("%d worlds: %d logs recovered, %d copies refused; with a deleted guard %d fork found", worlds, recovered, refused, found)
	if worlds >= 8 && (recovered == 0 || refused == 0 || found == 0) {
		t.Errorf("the worlds are too quiet: %d logs recovered, %d copies refused, %d forks found", recovered, refused, found)
	}
}
