package notary_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/internal/translog"
)

// files is a copy of a log as it is exported.
type files map[string][]byte

// Get is part of monitor.Source.
func (f files) Get(_ context.Context, path string) ([]byte, error) {
	body, ok := f[path]
	if !ok {
		return nil, monitor.ErrAbsent
	}
	return body, nil
}

func (f files) put(path string, body []byte) error {
	f[path] = bytes.Clone(body)
	return nil
}

func handlerOf(s *store.Store) *notary.Handler {
	return &notary.Handler{Prover: notary.Prover{Store: s.Log()}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// exported brings a copy up to date.
func exported(t *testing.T, s *store.Store, f files) files {
	t.Helper()
	_, _, err := handlerOf(s).Export(t.Context(), f["checkpoint"], f.put)
	ok(t, err)
	return f
}

// A lostLog is a store that an old copy was put back of, with what was signed since.
type lostLog struct {
	t     *testing.T
	store *store.Store
	keys  *notary.Keys
	now   time.Time
	copy  files
}

func (l *lostLog) notary() *notary.Notary {
	return notary.New(notary.Config{Store: l.store.Log(), Keys: l.keys, Guard: l.store.LogGuard(), Now: func() time.Time { return l.now }})
}

// add logs events and signs.
func (l *lostLog) add(n int) {
	l.t.Helper()
	for i := range n {
		ok(l.t, l.store.Custody().Commit(l.t.Context(), storetest.LoggedChange(i%7, l.now)))
	}
	ok(l.t, l.notary().Flush(l.t.Context()))
}

// newLostLog returns a store with 10 leaves of a log that had 300, and a copy of all of them.
func newLostLog(t *testing.T) *lostLog {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	empty, err := os.ReadFile(sqlitetest.Path(t))
	ok(t, err)
	ok(t, os.WriteFile(path, empty, 0o600))
	l := &lostLog{t: t, now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), copy: files{}}
	l.store, err = store.Open(t.Context(), "sqlite:"+path)
	ok(t, err)
	l.keys, err = notary.NewKeys("registry.example/log")
	ok(t, err)
	first := l.keys.First()
	first.At = l.now
	ok(t, l.store.Log().Begin(t.Context(), "registry.example/log", first))
	l.add(9)
	ok(t, l.store.Close())
	old, err := os.ReadFile(path)
	ok(t, err)
	l.store, err = store.Open(t.Context(), "sqlite:"+path)
	ok(t, err)
	l.now = l.now.Add(time.Hour)
	l.add(245) // the copy has the beginning of a bundle first
	exported(t, l.store, l.copy)
	l.add(45)
	exported(t, l.store, l.copy)
	ok(t, l.store.Close())
	ok(t, os.WriteFile(path, old, 0o600))
	ok(t, os.Remove(path+".seen"))
	l.store, err = store.Open(t.Context(), "sqlite:"+path)
	ok(t, err)
	t.Cleanup(func() { ok(t, l.store.Close()) })
	return l
}

func (l *lostLog) recovery(source monitor.Source) *notary.Recovery {
	return &notary.Recovery{Store: l.store.Log(), Guard: l.store.LogGuard(), Source: source}
}

// forged returns the copy with other leaves at its end, under a head with these keys.
func (l *lostLog) forged(from int64, keys *notary.Keys, leaves ...[]byte) files {
	l.t.Helper()
	f := maps.Clone(l.copy)
	all, err := translog.Unbundle(f["tile/entries/000"])
	ok(l.t, err)
	more, err := translog.Unbundle(f["tile/entries/001.p/44"])
	ok(l.t, err)
	all = slices.Concat(slices.Concat(all, more)[:from], leaves)
	var level0 []byte
	for _, leaf := range all {
		h := tlog.RecordHash(leaf)
		level0 = append(level0, h[:]...)
	}
	size := int64(len(all))
	t := translog.Tile{N: 1}
	t.Width = t.WidthAt(size)
	f[t.Path()] = level0[256*tlog.HashSize:]
	t.Entries = true
	f[t.Path()] = translog.Bundle(all[256:])
	root, err := notary.RootAt(tilesOf{level0, f["tile/1/000.p/1"]}, size)
	ok(l.t, err)
	f["checkpoint"], err = translog.Sign(&translog.Checkpoint{Origin: "registry.example/log", Size: size, Root: root}, l.now, keys.Log, keys.Clock)
	ok(l.t, err)
	return f
}

// tilesOf are the tiles of a log of some hundred leaves.
type tilesOf struct{ level0, level1 []byte }

func (f tilesOf) Tile(level int, n int64) ([]byte, error) {
	if level == 1 {
		return f.level1, nil
	}
	return f.level0[n*256*tlog.HashSize:], nil
}

// TestRecoverRefuses: a copy that is not what was signed changes nothing.
func TestRecoverRefuses(t *testing.T) {
	t.Parallel()
	l := newLostLog(t)
	thief, err := notary.NewKeys("registry.example/log")
	ok(t, err)
	taken := &translog.Leaf{Kind: "log.key", Subject: translog.Subject{Kind: translog.SubjectLog}, Number: 1 << 40, At: l.now, Keys: thief.Public()}
	leaf, err := taken.Text()
	ok(t, err)
	without := maps.Clone(l.copy)
	delete(without, "tile/entries/000")
	changed := maps.Clone(l.copy)
	changed["tile/entries/000"] = bytes.Replace(changed["tile/entries/000"], []byte("absent"), []byte("denied"), 1)
	long := maps.Clone(l.copy)
	long["checkpoint"] = append(bytes.Clone(long["checkpoint"]), strings.Repeat("x", translog.MaxNote)...)
	for name, c := range map[string]struct {
		copy files
		why  string
	}{
		"nothing":                  {files{}, "the log has no such thing"},
		"a leaf is missing":        {without, "the log has no such thing"},
		"a leaf is changed":        {changed, "inconsistent tile"},
		"a key of its own":         {l.forged(300, thief, leaf), "no key of the log that is known here has signed the copy"},
		"no key at all":            {l.forged(300, thief), "no key of the log that is known here has signed the copy"},
		"another end":              {l.forged(299, l.keys, leaf), "is another history of the log"},
		"another end, and longer":  {l.forged(299, l.keys, leaf, leaf), "is another history of the log"},
		"too short":                {l.forged(299, l.keys), "does not have all that was signed"},
		"a number that falls":      {l.forged(300, l.keys, leaf, leaf), "leaf 301 has the number"},
		"a head that is too large": {long, "at most"},
	} {
		before, err := l.store.Log().State(t.Context())
		ok(t, err)
		_, err = l.recovery(c.copy).Check(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
		after, err := l.store.Log().State(t.Context())
		if err != nil || *after != *before {
			t.Errorf("%s: %+v became %+v (%v)", name, before, after, err)
		}
	}
	// What waits here and was signed otherwise cannot be brought together.
	ok(t, l.store.Custody().Commit(t.Context(), storetest.LoggedChange(5, l.now)))
	_, err = l.recovery(l.copy).Check(t.Context())
	if !errors.Is(err, notary.ErrOther) {
		t.Errorf("two events have one number: %v", err)
	}
}

// interrupted is a copy whose second bundle can be read once.
type interrupted struct {
	files
	reads int
}

var errLine = errors.New("the line is dead")

// Get is part of monitor.Source.
func (i *interrupted) Get(ctx context.Context, path string) ([]byte, error) {
	if path == "tile/entries/001.p/44" {
		i.reads++
		if i.reads == 2 {
			return nil, errLine
		}
	}
	return i.files.Get(ctx, path)
}

// TestRecover: the log goes on as if nothing had been lost, and no sooner than all of it is back.
func TestRecover(t *testing.T) {
	t.Parallel()
	l := newLostLog(t)
	ctx := t.Context()
	var behind *notary.BehindError
	r := l.recovery(&interrupted{files: l.copy})
	lost, err := r.Check(ctx)
	ok(t, err)
	want := notary.Lost{Size: 300, Have: 10, Signed: 300, Number: 300}
	if *lost != want {
		t.Errorf("got %+v, want %+v", *lost, want)
	}
	accepted, err := l.store.AcceptRestored(ctx, l.now, lost.Number)
	ok(t, err)
	if accepted.Publishers != 0 {
		t.Errorf("got %+v", accepted)
	}
	err = r.Append(ctx, lost)
	if !errors.Is(err, errLine) {
		t.Fatalf("got %v", err)
	}
	err = l.notary().Flush(ctx)
	if !errors.As(err, &behind) || behind.Have != 256 || behind.Seen != 300 {
		t.Errorf("half of a log signs: %v", err)
	}
	r = l.recovery(l.copy)
	lost, err = r.Check(ctx)
	ok(t, err)
	want = notary.Lost{Size: 300, Have: 256, Signed: 300, Number: 300, Accepted: true}
	if *lost != want {
		t.Errorf("got %+v, want %+v", *lost, want)
	}
	ok(t, r.Append(ctx, lost))

	// The clock is wrong by now; signatures are not dated back.
	signed, err := translog.SignedBy(l.copy["checkpoint"])
	ok(t, err)
	l.now = l.now.Add(-24 * time.Hour)
	l.add(0)
	last, err := l.store.Log().LastSigned(ctx)
	ok(t, err)
	if last.Size != 301 || last.At.Before(signed[1].At) {
		t.Errorf("signed %d leaves at %s, and before at %s", last.Size, last.At, signed[1].At)
	}
	size, err := notary.Prover{Store: l.store.Log()}.Audit(ctx)
	ok(t, err)
	now := exported(t, l.store, files{})
	if size != 301 || !bytes.Equal(now["tile/entries/000"], l.copy["tile/entries/000"]) || !bytes.HasPrefix(now["tile/entries/001.p/45"], l.copy["tile/entries/001.p/44"]) {
		t.Errorf("%d leaves, and not those that were lost", size)
	}
	exported(t, l.store, l.copy) // the copy goes on, too
	lost, err = l.recovery(l.copy).Check(ctx)
	if err != nil || lost.Size != lost.Have {
		t.Errorf("something is still missing: %+v %v", lost, err)
	}
}

// TestRecoverEnded: a log that had ended ends with the same leaf when it is back.
func TestRecoverEnded(t *testing.T) {
	t.Parallel()
	l := newLostLog(t)
	ctx := t.Context()
	begun, err := notary.Prover{Store: l.store.Log()}.Leaf(ctx, 0)
	ok(t, err)
	end := &translog.Leaf{
		Kind: notary.EndKind, Subject: translog.Subject{Kind: translog.SubjectLog}, Number: 301, At: l.now,
		Previous: &translog.Link{Hash: translog.LeafHash(begun)},
	}
	text, err := end.Text()
	ok(t, err)
	r := l.recovery(l.forged(300, l.keys, text))
	lost, err := r.Check(ctx)
	ok(t, err)
	_, err = l.store.AcceptRestored(ctx, l.now, lost.Number)
	ok(t, err)
	ok(t, r.Append(ctx, lost))
	l.add(3)
	s, err := l.store.Log().State(ctx)
	ok(t, err)
	if !s.Ended || s.Size != 301 || s.Waiting != 0 || s.Cursor != end.Number {
		t.Errorf("the log did not end with leaf 300: %+v", s)
	}
}
