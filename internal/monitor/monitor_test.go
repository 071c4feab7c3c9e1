package monitor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/translog"
)

const origin = "registry.example/log"

var start = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func signer(t *testing.T, kind translog.KeyType) *translog.Signer {
	t.Helper()
	seed := make([]byte, 32)
	seed[0] = byte(kind)
	s, err := translog.NewSigner(origin, kind, seed)
	ok(t, err)
	return s
}

// A log is leaves in memory, served by the paths of tiles.
type log struct {
	t      *testing.T
	leaves [][]byte
	newest map[translog.Subject]translog.Link
	at     time.Time
	// hashes are those of the tree, in the order of package tlog.
	hashes []tlog.Hash
	// change changes what is served.
	change map[string]func([]byte) []byte
	asked  []string
}

func newLog(t *testing.T) *log {
	return &log{t: t, newest: map[translog.Subject]translog.Link{}, at: start, change: map[string]func([]byte) []byte{}}
}

// ReadHashes is part of tlog.HashReader.
func (l *log) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, i := range indexes {
		all = append(all, l.hashes[i])
	}
	return all, nil
}

func (l *log) raw(text []byte) {
	l.t.Helper()
	h, err := tlog.StoredHashes(int64(len(l.leaves)), text, l)
	ok(l.t, err)
	l.leaves, l.hashes = append(l.leaves, text), append(l.hashes, h...)
}

// add adds a leaf about a subject.
func (l *log) add(leaf translog.Leaf) {
	l.t.Helper()
	leaf.Number, leaf.At = int64(len(l.leaves)+1), l.at
	if last, known := l.newest[leaf.Subject]; known && leaf.Previous == nil {
		leaf.Previous = &last
	}
	text, err := leaf.Text()
	ok(l.t, err)
	l.newest[leaf.Subject] = translog.Link{Index: int64(len(l.leaves)), Hash: translog.LeafHash(text)}
	l.raw(text)
}

func absent(domain string) translog.Leaf {
	return translog.Leaf{Kind: "publisher.absent", Subject: translog.Publisher(domain), Place: translog.Place{Method: translog.None}}
}

// fill adds leaves about others.
func (l *log) fill(n int, name string) {
	for i := range n {
		l.add(absent(fmt.Sprintf("%s%d.example", name, i%9)))
	}
}

// fork returns a log with the same first leaves.
func (l *log) fork(size int) *log {
	f := newLog(l.t)
	f.at = l.at
	for _, text := range l.leaves[:size] {
		leaf, err := translog.ParseLeaf(text)
		ok(l.t, err)
		f.newest[leaf.Subject] = translog.Link{Index: int64(len(f.leaves)), Hash: translog.LeafHash(text)}
		f.raw(text)
	}
	return f
}

// Get is part of monitor.Source.
func (l *log) Get(_ context.Context, path string) ([]byte, error) {
	l.asked = append(l.asked, path)
	body, err := l.serve(path)
	if change := l.change[path]; change != nil && err == nil {
		body = change(slices.Clone(body))
	}
	return body, err
}

func (l *log) serve(path string) ([]byte, error) {
	size := int64(len(l.leaves))
	if path == "checkpoint" {
		root, err := tlog.TreeHash(size, l)
		ok(l.t, err)
		return translog.Sign(&translog.Checkpoint{Origin: origin, Size: size, Root: root}, l.at, signer(l.t, translog.Plain), signer(l.t, translog.Timed))
	}
	tile, err := translog.ParseTile(path)
	ok(l.t, err)
	if tile.Width > tile.WidthAt(size) {
		return nil, monitor.ErrAbsent
	}
	if tile.Entries {
		return translog.Bundle(l.leaves[tile.N*256 : tile.N*256+int64(tile.Width)]), nil
	}
	return tlog.ReadTileData(tlog.Tile{H: 8, L: tile.Level, N: tile.N, W: tile.Width}, l)
}

// A watch is a monitor and what it has told.
type watch struct {
	*monitor.Monitor
	t      *testing.T
	logs   map[string]*log
	events []monitor.Event
}

func newWatch(t *testing.T, l *log, domains ...string) *watch {
	t.Helper()
	policy, err := translog.ParsePolicy(fmt.Appendf(nil, "log %s\nwitness clock %s\nquorum clock\n", signer(t, translog.Plain).String(), signer(t, translog.Timed).String()))
	ok(t, err)
	w := &watch{t: t, logs: map[string]*log{"a": l}}
	w.Monitor = &monitor.Monitor{
		Policy: policy, Domains: domains, MaxAge: 15 * time.Minute, Now: func() time.Time { return w.logs["a"].at }, States: map[string]*monitor.State{},
		Source: func(url string) monitor.Source { return w.logs[url] },
		Tell: func(e []monitor.Event) error {
			w.events = append(w.events, e...)
			return nil
		},
	}
	return w
}

// look looks once, and returns what was told.
func (w *watch) look(url string) (bool, string) {
	w.t.Helper()
	w.events = nil
	alarmed, err := w.Check(w.t.Context(), url)
	ok(w.t, err)
	var told []string
	for _, e := range w.events {
		if e.Alarm != "" {
			told = append(told, e.Alarm)
		} else {
			told = append(told, fmt.Sprint(e.Index))
		}
	}
	return alarmed, strings.Join(told, " ")
}

func (w *watch) expect(alarm bool, told string) {
	w.t.Helper()
	alarmed, got := w.look("a")
	if alarmed != alarm || got != told {
		w.t.Errorf("told %q, alarm %v; want %q, %v: %+v", got, alarmed, told, alarm, w.events)
	}
}

func file(name string) translog.Leaf {
	return translog.Leaf{Kind: "file.gone", Subject: translog.Subject{Kind: translog.SubjectFile, Name: translog.HashOf([]byte(name))}, Counts: translog.None}
}

func TestLeavesAreToldOnce(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(300, "p")
	l.add(absent("me.example"))                                                                                                                                                                                          // 300
	l.add(file("https://me.example/.well-known/adagents.json"))                                                                                                                                                          // 301
	l.add(file("https://network.example/files.json"))                                                                                                                                                                    // 302: before anybody says whose it is
	l.add(translog.Leaf{Kind: "publisher.located", Subject: translog.Publisher("me.example"), Seen: l.at, Place: translog.Place{Method: "direct", File: translog.HashOf([]byte("https://network.example/files.json"))}}) // 303
	w := newWatch(t, l, "me.example", "other.example")
	w.expect(false, "300 301 302 303")
	w.expect(false, "")
	l.fill(17_000, "q") // more than a step
	l.add(file("https://network.example/files.json"))
	l.add(absent("me.example"))
	w.expect(false, "17304 17305")
	// The file speaks for nobody who is watched now.
	l.add(file("https://network.example/files.json"))
	w.expect(false, "")
	l.add(absent("other.example"))
	w.Domains = append(w.Domains, "p1.example") // known to the log before it was watched
	l.add(absent("p1.example"))
	w.expect(false, "17307 17308")
	if got := w.events[0].Message; got != "other.example had no file any more; no file spoke for it then" {
		t.Errorf("told %q", got)
	}
}

func TestFewRequests(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(1000, "p")
	w := newWatch(t, l)
	w.expect(false, "")
	if got := strings.Join(l.asked, " "); got != "checkpoint tile/entries/000 tile/1/000.p/3 tile/0/003.p/232 tile/0/000 tile/entries/001 tile/0/001 tile/entries/002 tile/0/002 tile/entries/003.p/232 tile/0/003.p/232" {
		t.Errorf("asked for %s", got)
	}
}

func TestForks(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(600, "p")
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		seen := 1 + random.IntN(600)
		first := l.fork(seen)
		w := newWatch(t, first, "p1.example")
		w.look("a")
		// Another history from some leaf on, with fewer, as many or more leaves.
		other := l.fork(random.IntN(seen))
		other.fill(1+random.IntN(600), "q")
		other.at = start.Add(time.Minute)
		w.logs["b"] = other
		alarmed, told := w.look("b")
		if !alarmed || told != monitor.Forked || !strings.Contains(string(w.events[0].Evidence), w.States[origin].Checkpoint) {
			t.Fatalf("%d leaves seen, %d in the fork: told %q", seen, len(other.leaves), told)
		}
		// The same log at the same URL: it has nothing of the first history any more.
		w = newWatch(t, first, "p1.example")
		w.look("a")
		w.logs["a"] = other
		alarmed, told = w.look("a")
		if !alarmed || told != monitor.Forked && (told != monitor.Back || len(other.leaves) >= seen) {
			t.Fatalf("%d leaves seen, %d in the fork: told %q", seen, len(other.leaves), told)
		}
		w.expect(true, "") // told once, and still so
		w.logs["a"] = first
		w.expect(false, "")
	}
}

func TestBack(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(300, "p")
	w := newWatch(t, l)
	w.expect(false, "")
	old := l.fork(200)
	old.at = start.Add(-time.Minute)
	w.logs["b"] = old
	if alarmed, told := w.look("b"); alarmed || told != "" {
		t.Errorf("an old copy is told as %q", told)
	}
	old.at = start.Add(time.Minute)
	if alarmed, told := w.look("b"); !alarmed || told != monitor.Back {
		t.Errorf("a log that went back is told as %q", told)
	}
}

func TestOldHead(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	w := newWatch(t, l)
	now := start.Add(16 * time.Minute)
	w.Now = func() time.Time { return now }
	w.expect(true, monitor.Old)
	w.expect(true, "")
	l.at = now
	w.expect(false, "")
	now = now.Add(time.Hour)
	w.expect(true, monitor.Old)
}

// TestTwoPlaces has a log at two URLs, of which one is not well: that is told once.
func TestTwoPlaces(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(300, "p")
	w := newWatch(t, l)
	w.MaxAge = time.Minute
	old := l.fork(200)
	old.at = start.Add(-time.Hour)
	w.logs["b"] = old
	for i, want := range []string{monitor.Old, "", ""} {
		w.expect(false, "")
		if alarmed, told := w.look("b"); !alarmed || told != want {
			t.Errorf("look %d at an old copy: told %q", i, told)
		}
	}
	old.change["checkpoint"] = func(b []byte) []byte { return b[:len(b)-100] }
	for i, want := range []string{monitor.Unsigned, "", ""} {
		w.expect(false, "")
		if alarmed, told := w.look("b"); !alarmed || told != want {
			t.Errorf("look %d at a head without signatures: told %q", i, told)
		}
	}
	delete(old.change, "checkpoint")
	old.at = start
	if alarmed, told := w.look("b"); alarmed || told != "" {
		t.Errorf("told %q", told)
	}
}

// TestEarlyHead has a log whose clock is ahead: what it signs later would seem to be older.
func TestEarlyHead(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	w := newWatch(t, l)
	w.Now = func() time.Time { return start.Add(-time.Hour) }
	w.expect(true, monitor.Early)
	w.expect(true, "")
	w.Now = func() time.Time { return start }
	w.expect(false, "")
}

func TestWrongLeaves(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(10, "p")
	w := newWatch(t, l, "p1.example")
	w.expect(false, "1")
	l.raw([]byte("no leaf"))
	w.expect(true, monitor.Malformed)
	w.expect(false, "")
	// A leaf that skips one, one that begins again, and one that leads to somebody else's.
	skip, hash := absent("p1.example"), translog.LeafHash(l.leaves[1])
	l.add(absent("p1.example"))
	skip.Previous = &translog.Link{Index: 1, Hash: hash}
	l.add(skip)
	w.expect(true, "11 "+monitor.Broken+" 12")
	wrong := absent("new.example")
	wrong.Previous = &translog.Link{Index: 1, Hash: hash}
	w.Domains = append(w.Domains, "new.example", "again.example")
	l.add(wrong)
	l.add(absent("again.example"))
	w.expect(true, monitor.Broken+" 13 14")
	delete(l.newest, translog.Publisher("again.example"))
	l.add(absent("again.example"))
	w.expect(true, monitor.Broken+" 15")
}

func TestAltered(t *testing.T) {
	t.Parallel()
	flip := func(b []byte) []byte {
		b[len(b)-3] ^= 1
		return b
	}
	for _, path := range []string{"tile/entries/000", "tile/entries/001.p/88", "tile/0/000", "tile/0/001.p/88", "tile/1/000.p/1"} {
		l := newLog(t)
		l.fill(300, "p")
		w := newWatch(t, l, "p1.example")
		w.expect(false, w.all(1, 300))
		l.fill(44, "p")
		w = newWatch(t, l, "p1.example")
		l.change[path] = flip
		w.expect(true, monitor.Altered)
		w.expect(true, "")
		// Nothing was taken for read, and nothing is missed.
		delete(l.change, path)
		w.expect(false, w.all(1, 300)+" "+w.all(300, 344))
	}
}

// all are the indices of the leaves about p1.example, where fill began at from.
func (w *watch) all(from, to int) string {
	begin := 0
	if from >= 300 {
		begin = 300
	}
	var list []string
	for i := begin; i < to; i++ {
		if (i-begin)%9 == 1 {
			list = append(list, fmt.Sprint(i))
		}
	}
	return strings.Join(list, " ")
}

func TestUnsigned(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	w := newWatch(t, l)
	l.change["checkpoint"] = func(b []byte) []byte { return []byte(strings.Replace(string(b), "\n3\n", "\n4\n", 1)) }
	w.expect(true, monitor.Unsigned)
	if len(w.States) != 0 {
		t.Error("it is remembered")
	}
}
