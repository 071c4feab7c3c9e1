package directory_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// forced looks whether it is due or not.
var forced = custodian.RefreshOptions{Force: true}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	agentA = "https://a.agent.example/mcp"
	agentB = "https://b.agent.example/mcp"
)

// A web is an internet whose pages change. It implements discover.Getter.
type web struct {
	mu    sync.Mutex
	pages map[string]string // empty for a server that fails
}

func (w *web) set(url, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[url] = body
}

func (w *web) remove(url string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.pages, url)
}

// present is later than every answer could be, so that by a clock that stands still none is older
// than the one before.
func present() time.Time { return time.Now().Add(time.Hour) }

func (w *web) Get(_ context.Context, r fetch.Request) *fetch.Result {
	w.mu.Lock()
	body, ok := w.pages[r.URL]
	w.mu.Unlock()
	x := fetch.Exchange{URL: r.URL, Method: "GET", Attempt: 1, At: present(), MediaType: "application/json", Status: http.StatusOK, Outcome: fetch.Found}
	switch {
	case !ok:
		x.Status, x.Outcome = http.StatusNotFound, fetch.Absent
	case body == "":
		x.Status, x.Outcome = http.StatusServiceUnavailable, fetch.ServerError
	}
	res := &fetch.Result{Outcome: x.Outcome, URL: r.URL, Exchanges: []fetch.Exchange{x}}
	if x.Outcome == fetch.Found {
		res.Body = []byte(body)
	}
	return res
}

// A lab is a directory with a keeper that writes it.
type lab struct {
	t      testing.TB
	web    *web
	store  *store.Store
	keeper *custodian.Keeper
	dir    *directory.Directory
	kept   *mortal
	out    func(hostname.Domain) bool

	mu  sync.Mutex
	now time.Time
}

// A mortal is the store of a process that is killed before or after it has changed something.
type mortal struct {
	custodian.Store
	mu   sync.Mutex
	left int // how many changes there are until then; negative for no end
}

var errKilled = errors.New("killed")

// step is called before and after each change.
func (m *mortal) step(change func() error) error {
	alive := func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.left > 0 {
			m.left--
		}
		return m.left != 0
	}
	if !alive() {
		return errKilled
	}
	err := change()
	if !alive() {
		return errKilled
	}
	return err
}

func (m *mortal) Commit(ctx context.Context, c *custodian.Change) error {
	return m.step(func() error { return m.Store.Commit(ctx, c) })
}

func (m *mortal) TakeTurns(ctx context.Context, at, until time.Time, most int) ([]custodian.Turn, error) {
	var out []custodian.Turn
	err := m.step(func() error {
		var err error
		out, err = m.Store.TakeTurns(ctx, at, until, most)
		return err
	})
	return out, err
}

func (m *mortal) Tell(ctx context.Context, list []custodian.TurnResult) error {
	return m.step(func() error { return m.Store.Tell(ctx, list) })
}

// killedAfter has the process end after some steps.
func (m *mortal) killedAfter(steps int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = steps
}

// stores are new stores, of each kind.
func stores() map[string]func(testing.TB) string {
	return map[string]func(testing.TB) string{
		"sqlite":   func(t testing.TB) string { return "sqlite:" + sqlitetest.Path(t) },
		"postgres": func(t testing.TB) string { return pgtest.URL(t) },
	}
}

// newLab opens a store with a keeper and a directory on it.
func newLab(t testing.TB, url string, w *web, optedOut ...hostname.Domain) *lab {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	l := &lab{t: t, web: w, store: s, now: noon}
	l.out = func(d hostname.Domain) bool { return slices.Contains(optedOut, d) }
	l.restart()
	return l
}

// restart begins anew with the same store.
func (l *lab) restart() {
	l.t.Helper()
	l.kept = &mortal{Store: l.store.Custody(), left: -1}
	finder := discover.New(discover.Config{Client: l.web, Now: l.clock})
	var err error
	l.keeper, err = custodian.New(custodian.Config{Store: l.kept, Finder: finder, Now: l.clock, OptedOut: l.out})
	if err != nil {
		l.t.Fatal(err)
	}
	l.dir = directory.New(directory.Config{Keeper: l.keeper, Store: l.store.Custody(), OptedOut: l.out})
}

// turns has everything told whose turn it is.
func (l *lab) turns() {
	l.t.Helper()
	err := l.keeper.AllTurns(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *lab) pass(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// look asks publishers now.
func (l *lab) look(domains ...string) {
	l.t.Helper()
	for _, domain := range domains {
		_, err := l.keeper.Refresh(l.t.Context(), hostname.Domain(domain), custodian.RefreshOptions{Force: true})
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

// view is the directory at present.
func (l *lab) view() *directory.View {
	l.t.Helper()
	v, err := l.dir.View(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return v
}

// wellKnown is the URL of a publisher's file.
func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }
