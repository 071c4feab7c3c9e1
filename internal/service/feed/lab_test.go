package feed_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	agentA = "https://A.agent.example/mcp"
	agentB = "https://b.agent.example/mcp"
)

// A web is an internet whose pages change. It implements discover.Getter.
type web struct {
	mu    sync.Mutex
	pages map[string]string
}

func (w *web) set(domain, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if body == "" {
		delete(w.pages, wellKnown(domain))
		return
	}
	w.pages[wellKnown(domain)] = body
}

func (w *web) Get(_ context.Context, r fetch.Request) *fetch.Result {
	w.mu.Lock()
	body, ok := w.pages[r.URL]
	w.mu.Unlock()
	// By a clock that stands still no answer is older than the one before.
	x := fetch.Exchange{URL: r.URL, Method: "GET", Attempt: 1, At: time.Now().Add(time.Hour), MediaType: "application/json", Status: http.StatusOK, Outcome: fetch.Found}
	if !ok {
		x.Status, x.Outcome = http.StatusNotFound, fetch.Absent
	}
	res := &fetch.Result{Outcome: x.Outcome, URL: r.URL, Exchanges: []fetch.Exchange{x}}
	if ok {
		res.Body = []byte(body)
	}
	return res
}

func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// A lab is a feed with everything that it rests on.
type lab struct {
	t      *testing.T
	web    *web
	store  *store.Store
	keeper *custodian.Keeper
	dir    *directory.Directory
	feed   *feed.Feed
	clock  *clock
	stop   func()
}

// A clock shows what a test says.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func stores() map[string]func(*testing.T) string {
	return map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + sqlitetest.Path(t) },
		"postgres": func(t *testing.T) string { return pgtest.URL(t) },
	}
}

// newLab opens a store with a keeper, whose commits write the feed.
func newLab(t *testing.T, url string, w *web, c *clock) *lab {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, web: w, store: s, clock: c}
	l.keeper, err = custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: w, Now: c.time}), Now: c.time})
	if err != nil {
		t.Fatal(err)
	}
	l.dir = directory.New(directory.Config{Keeper: l.keeper, Store: s.Custody()})
	l.feed = feed.New(feed.Config{Describe: feed.Describe(l.dir.View), Store: s.Feed(), Now: c.time})
	l.stop = sync.OnceFunc(func() { _ = s.Close() })
	t.Cleanup(l.stop)
	return l
}

func (l *lab) view() *directory.View {
	l.t.Helper()
	v, err := l.dir.View(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return v
}

// put changes the file of a publisher, and looks.
func (l *lab) put(domain, body string) {
	l.t.Helper()
	l.web.set(domain, body)
	l.clock.pass(24 * time.Hour)
	for range 2 { // what is gone has to be seen twice
		l.clock.pass(3 * time.Hour)
		_, err := l.keeper.Refresh(l.t.Context(), hostname.Domain(domain), custodian.RefreshOptions{Force: true})
		if err != nil {
			l.t.Fatal(err)
		}
	}
	err := l.keeper.AllTurns(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
}

// commit writes events about a publisher at a time.
func (l *lab) commit(domain hostname.Domain, at time.Time, events ...projection.Event) {
	l.t.Helper()
	change := &projection.Change{Domain: domain, At: at, Events: events}
	err := l.store.Custody().Commit(l.t.Context(), &custodian.Change{
		Publisher: &custody.Publisher{Domain: domain, TriedAt: at}, Index: &custodian.Index{At: at, Directory: change},
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// prune removes what is old.
func (l *lab) prune() {
	l.t.Helper()
	_, err := l.store.Prune(l.t.Context(), retain.Options{Now: l.clock.time()})
	if err != nil {
		l.t.Fatal(err)
	}
}

// read reads all pages after a cursor, and returns the events and the cursor.
func (l *lab) read(cursor string, limit int) ([]event, string) {
	l.t.Helper()
	var all []event
	for {
		page, err := l.feed.Read(l.t.Context(), cursor, &feed.Filter{}, limit)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, text := range page.Events {
			var e event
			err := json.Unmarshal(text, &e)
			if err != nil {
				l.t.Fatal(err)
			}
			all = append(all, e)
		}
		cursor = page.Cursor
		if !page.More {
			return all, cursor
		}
	}
}

// truth returns what holds: pairs with the types and scopes of their rows.
func (l *lab) truth() map[string]string {
	l.t.Helper()
	out := map[string]string{}
	list, _ := l.view().All("", 1000, nil)
	for _, e := range list {
		known, err := l.keeper.Snapshot(l.t.Context(), e.Domain)
		if err != nil {
			l.t.Fatal(err)
		}
		in := known.Input()
		if in.Document == nil {
			continue
		}
		for _, r := range in.Rows("") {
			out[r.AgentURL+"|"+string(e.Domain)+"|"+string(r.Type)] = strings.Join(append(append([]string{}, r.PropertyIDs...), r.PropertyTags...), ",")
		}
	}
	return out
}

// An entry is one of a file.
type entry struct{ agent, kind, scope string }

// file is that of a publisher with entries.
func file(domain string, version int, entries ...entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, fmt.Sprintf(`{"url": %q, "authorized_for": "x", "authorization_type": %q, %[2]q: ["%s"]}`, e.agent, e.kind, strings.ReplaceAll(e.scope, ",", `","`)))
	}
	return fmt.Sprintf(`{"last_updated": "%s", "properties": [
		{"property_id": "site", "property_type": "website", "name": "Site", "tags": ["news"], "identifiers": [{"type": "domain", "value": "%[2]s"}]},
		{"property_id": "app", "property_type": "mobile_app", "name": "App", "tags": ["news"], "identifiers": [{"type": "ios_bundle", "value": "com.%[2]s"}]}],
		"authorized_agents": [%[3]s]}`, noon.AddDate(0, -1, version).Format(time.RFC3339), domain, strings.Join(list, ","))
}
