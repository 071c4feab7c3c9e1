package custodian_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/resolve"
)

const (
	agent   = "https://agent.example/mcp"
	pub     = "https://pub.example/.well-known/adagents.json"
	network = "https://network.example/adagents.json"
	second  = "https://second.example/adagents.json"
	manager = "https://manager.example/.well-known/adagents.json"
)

var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A page is what an origin serves at a URL.
type page struct {
	status  int // zero means 200
	body    string
	sum     string // of its body; empty means that it is worked out
	headers custody.Headers
	// frozen: "not modified" is the answer to every condition.
	frozen  bool
	outcome fetch.Outcome // instead of an answer
}

// A web is an internet whose pages change. It implements discover.Getter.
type web struct {
	mu    sync.Mutex
	pages map[string]page
	asked []fetch.Request
	gate  chan struct{} // nil means that answers come at once
	// date is the clock of all origins; nil means that answers have no date.
	date func() time.Time
}

func (w *web) set(url string, p page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[url] = p
}

// requests returns how often a URL was asked for, or all of them for "".
func (w *web) requests(url string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for i := range w.asked {
		if url == "" || w.asked[i].URL == url {
			n++
		}
	}
	return n
}

func (w *web) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	w.mu.Lock()
	w.asked = append(w.asked, r)
	p, ok := w.pages[r.URL]
	gate := w.gate
	w.mu.Unlock()
	x := fetch.Exchange{URL: r.URL, Method: "GET", Attempt: 1, At: time.Now().Add(time.Hour), MediaType: "application/json"}
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			x.Outcome = fetch.Cancelled
			return &fetch.Result{Outcome: x.Outcome, URL: r.URL, Exchanges: []fetch.Exchange{x}}
		}
	}
	var body []byte
	if w.date != nil && p.outcome == fetch.Unasked {
		x.Date = w.date().Format(http.TimeFormat)
	}
	x.Status, x.Outcome = p.status, p.outcome
	x.ETag, x.CacheControl, x.LastModified = p.headers.ETag, p.headers.CacheControl, p.headers.LastModified
	switch {
	case x.Outcome != fetch.Unasked:
	case !ok || p.status == http.StatusNotFound:
		x.Status, x.Outcome = http.StatusNotFound, fetch.Absent
	case p.status >= 500:
		x.Outcome = fetch.ServerError
	case p.status == http.StatusForbidden:
		x.Outcome = fetch.Forbidden
	case p.status >= 400:
		x.Outcome = fetch.ClientError
	case p.frozen && r.IfNoneMatch+r.IfModifiedSince != "", r.IfNoneMatch != "" && r.IfNoneMatch == p.headers.ETag:
		x.Status, x.Outcome = http.StatusNotModified, fetch.NotModified
	default:
		x.Status, x.Outcome, body = http.StatusOK, fetch.Found, []byte(p.body)
		x.SHA256, x.Bytes = p.sum, int64(len(body))
		if x.SHA256 == "" {
			x.SHA256 = sumOf(p.body)
		}
	}
	return &fetch.Result{Outcome: x.Outcome, URL: r.URL, Body: body, Exchanges: []fetch.Exchange{x}}
}

// A lab has an internet, a store, a clock and a keeper.
type lab struct {
	// opened is the store, whose transparency log is compared with the records in the end.
	opened *store.Store
	*testing.T
	web   *web
	path  string
	store *faulty
	k     *custodian.Keeper

	mu     sync.Mutex
	now    time.Time
	events []custody.Event
	close  func()
	config custodian.Config
}

// faulty is a store that fails on demand.
type faulty struct {
	custodian.Store
	shared        bool
	mu            sync.Mutex
	commits, read error
	// count has the commits that were made, documents the bodies that were read, and reads
	// how often something else was.
	count, documents, reads int
	// told is how many publishers were told about at a time; single: no more than one can be.
	told   []int
	single bool
}

func (s *faulty) Tell(ctx context.Context, list []custodian.TurnResult) error {
	s.told = append(s.told, len(list))
	if s.single && len(list) > 1 {
		return custodian.ErrConflict
	}
	return s.Store.Tell(ctx, list)
}

func (s *faulty) Shared() bool { return s.shared }

func (s *faulty) fail(commits, read error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits, s.read = commits, read
}

func (s *faulty) Commit(ctx context.Context, c *custodian.Change) error {
	s.mu.Lock()
	err := s.commits
	s.count++
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.Store.Commit(ctx, c)
}

func (s *faulty) Known(ctx context.Context, domain hostname.Domain, url string) (bool, error) {
	err := s.reading()
	if err != nil {
		return false, err
	}
	return s.Store.Known(ctx, domain, url)
}

func (s *faulty) Publisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	err := s.reading()
	if err != nil {
		return nil, err
	}
	return s.Store.Publisher(ctx, domain)
}

func (s *faulty) Some(ctx context.Context, domains []hostname.Domain) (map[hostname.Domain]*custody.Publisher, error) {
	err := s.reading()
	if err != nil {
		return nil, err
	}
	return s.Store.Some(ctx, domains)
}

// reading is the error of reading.
func (s *faulty) reading() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.read
}

func (s *faulty) timesRead() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

func (s *faulty) Document(ctx context.Context, hash string) ([]byte, error) {
	s.mu.Lock()
	s.documents++
	s.mu.Unlock()
	return s.Store.Document(ctx, hash)
}

var errDisk = errors.New("no space left")

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{T: t, web: &web{pages: map[string]page{}}, now: begin, path: sqlitetest.Path(t)}
	l.web.date = l.clock
	l.restart()
	t.Cleanup(func() { l.close() })
	return l
}

func (l *lab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// pass lets time pass.
func (l *lab) pass(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// restart ends everything and begins anew with the same store.
func (l *lab) restart() {
	l.Helper()
	if l.close != nil {
		l.close()
	}
	s, err := store.Open(context.Background(), "sqlite:"+l.path)
	if err != nil {
		l.Fatal(err)
	}
	l.beginLog(s)
	l.opened = s
	l.close = func() {
		if s.Ping(context.Background()) == nil { // the test has not closed it
			l.checkLog(s)
		}
		_ = s.Close()
	}
	l.store = &faulty{Store: s.Custody()}
	l.k = l.keeper()
}

// keeper returns another keeper on the same store.
func (l *lab) keeper() *custodian.Keeper {
	l.Helper()
	c := l.config
	c.Store, c.Finder, c.Now = l.store, discover.New(discover.Config{Client: l.web, Now: l.clock}), l.clock
	c.Notify = func(events []custody.NumberedEvent) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for i := range events {
			l.events = append(l.events, events[i].Event)
		}
	}
	k, err := custodian.New(c)
	if err != nil {
		l.Fatal(err)
	}
	return k
}

// codes returns those of the events since the last call.
func (l *lab) codes() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for i := range l.events {
		out = append(out, l.events[i].Code)
	}
	l.events = nil
	return strings.Join(out, " ")
}

func (l *lab) document(publisher string) *resolve.Document {
	l.Helper()
	d, err := l.k.Document(l.Context(), publisher)
	if err != nil {
		l.Fatal(err)
	}
	return d
}

// served says what a publisher's question is answered from: "usable v1", "absent".
func (l *lab) served(publisher string) string {
	l.Helper()
	return told(l.document(publisher))
}

func told(d *resolve.Document) string {
	out := d.State.String()
	if d.File != nil {
		out += " " + d.File.CatalogETag
	}
	if len(d.Revoked) > 0 {
		out += " held " + strings.Join(d.Revoked, " ")
	}
	return out
}

// want compares what is served.
func (l *lab) want(publisher, want string) {
	l.Helper()
	d := l.document(publisher)
	if got := told(d); got != want {
		l.Fatalf("%s at %s: served %s (%s), want %s", publisher, l.clock().Sub(begin), got, d.Detail, want)
	}
}

// at is a time of the virtual past or future as files write it.
func at(d time.Duration) string { return begin.Add(d).Format(time.RFC3339) }

// file is a file with a version, a date, and revoked domains.
func file(version string, updated time.Duration, revoked ...string) string {
	return fileFor("pub.example", version, updated, revoked...)
}

func fileFor(publisher, version string, updated time.Duration, revoked ...string) string {
	var list []string
	for _, domain := range revoked {
		list = append(list, fmt.Sprintf(`{"publisher_domain": %q, "revoked_at": "2026-02-01T00:00:00Z"}`, domain))
	}
	return fmt.Sprintf(`{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": %q, "catalog_etag": %q,
		"authorized_agents": [{"url": %q, "authorized_for": "everything", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domains": [%q, "other.example"], "selection_type": "all"}]}],
		"revoked_publisher_domains": [%s]}`, at(updated), version, agent, publisher, strings.Join(list, ", "))
}

func pointer(to string) page {
	return page{body: fmt.Sprintf(`{"authoritative_location": %q, "last_updated": %q}`, to, at(-time.Hour)), headers: custody.Headers{ETag: `"` + to + `"`}}
}

// tagged is a page with an entity tag that stands for its content.
func tagged(body string) page {
	sum := sumOf(body)
	return page{body: body, sum: sum, headers: custody.Headers{ETag: `"` + sum[:8] + `"`}}
}

func sumOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// lasting is a page that is fresh for a while.
func lasting(d time.Duration, p page) page {
	p.headers.CacheControl = []string{fmt.Sprintf("max-age=%d", int(d.Seconds()))}
	return p
}

// refresh asks pub.example now.
func (l *lab) refresh() *custodian.State {
	l.Helper()
	s, err := l.k.Refresh(l.Context(), "pub.example", custodian.RefreshOptions{})
	if err != nil {
		l.Fatal(err)
	}
	return s
}

func (l *lab) has(codes string, want ...string) {
	l.Helper()
	list := strings.Fields(codes)
	for _, code := range want {
		if !slices.Contains(list, code) {
			l.Errorf("no event %s among: %s", code, codes)
		}
	}
}

func replace(text, old, next string) string { return strings.ReplaceAll(text, old, next) }

func brand(agents []string) func(context.Context, hostname.Domain) ([]string, time.Time, bool) {
	return func(context.Context, hostname.Domain) ([]string, time.Time, bool) { return agents, begin, true }
}
