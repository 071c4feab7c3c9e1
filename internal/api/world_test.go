package api

import (
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/api/answertest"
	"github.com/avow-project/avow/internal/fakeweb"
	"github.com/avow-project/avow/internal/registry"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// memory is a store that keeps little: calls over a real one are in package calltest.
type memory struct {
	registry.Store
	mu        sync.Mutex
	documents map[registry.Hash][]byte
	sightings map[string]*registry.Sighting
	keys      map[registry.Hash]registry.Key
	brands    map[string]*registry.Brand
	mirrors   map[string]registry.Mirror
	proposals map[string]registry.Proposal
}

func newMemory() *memory {
	return &memory{
		documents: map[registry.Hash][]byte{}, sightings: map[string]*registry.Sighting{},
		keys: map[registry.Hash]registry.Key{}, brands: map[string]*registry.Brand{},
		mirrors: map[string]registry.Mirror{}, proposals: map[string]registry.Proposal{},
	}
}

// get looks something up.
func get[K comparable, V any](mu *sync.Mutex, m map[K]V, k K) (V, error) {
	mu.Lock()
	defer mu.Unlock()
	v, ok := m[k]
	if !ok {
		return v, registry.ErrNotFound
	}
	return v, nil
}

func put[K comparable, V any](mu *sync.Mutex, m map[K]V, k K, v V) error {
	mu.Lock()
	defer mu.Unlock()
	m[k] = v
	return nil
}

func (s *memory) PutDocument(_ context.Context, body []byte) (registry.Hash, error) {
	h := registry.HashOf(body)
	return h, put(&s.mu, s.documents, h, slices.Clone(body))
}

func (s *memory) Document(_ context.Context, h registry.Hash) ([]byte, error) {
	return get(&s.mu, s.documents, h)
}

func (s *memory) PutSighting(_ context.Context, x *registry.Sighting) error {
	return put(&s.mu, s.sightings, x.Domain, x)
}

func (s *memory) Sighting(_ context.Context, domain string) (*registry.Sighting, error) {
	return get(&s.mu, s.sightings, domain)
}

func (s *memory) PublishersWith(context.Context, registry.Identifier, int) ([]string, error) {
	return nil, nil
}

func (s *memory) PutKey(_ context.Context, k *registry.Key) error {
	return put(&s.mu, s.keys, k.Hash, *k)
}

func (s *memory) KeyByHash(_ context.Context, h registry.Hash) (*registry.Key, error) {
	k, err := get(&s.mu, s.keys, h)
	return &k, err
}

func (s *memory) PutBrand(_ context.Context, b *registry.Brand) error {
	before, err := get(&s.mu, s.brands, b.Domain+string(b.Source))
	b.Revision = 1
	if err == nil {
		b.Revision = before.Revision + 1
	}
	kept := *b
	return put(&s.mu, s.brands, b.Domain+string(b.Source), &kept)
}

func (s *memory) Brand(_ context.Context, domain string, source registry.BrandSource) (*registry.Brand, error) {
	return get(&s.mu, s.brands, domain+string(source))
}

func (s *memory) PutMirror(_ context.Context, m *registry.Mirror, base registry.Hash) error {
	before, _ := get(&s.mu, s.mirrors, m.Platform)
	if before.Document != base {
		return registry.ErrConflict
	}
	return put(&s.mu, s.mirrors, m.Platform, *m)
}

func (s *memory) Mirror(_ context.Context, platform string) (*registry.Mirror, error) {
	m, err := get(&s.mu, s.mirrors, platform)
	return &m, err
}

func (s *memory) Mirrors(_ context.Context, limit, offset int) ([]registry.Mirror, int, error) {
	list, n := page(&s.mu, s.mirrors, limit, offset)
	return list, n, nil
}

func (s *memory) DeleteMirror(_ context.Context, platform string, base registry.Hash) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.mirrors[platform]
	if !ok || m.Document != base {
		return registry.ErrConflict
	}
	delete(s.mirrors, platform)
	return nil
}

func (s *memory) PutProposal(_ context.Context, p *registry.Proposal) error {
	return put(&s.mu, s.proposals, p.ID, *p)
}

func (s *memory) Proposal(_ context.Context, id string) (*registry.Proposal, error) {
	p, err := get(&s.mu, s.proposals, id)
	return &p, err
}

func (s *memory) Proposals(_ context.Context, _ registry.ProposalState, limit, offset int) ([]registry.Proposal, int, error) {
	list, n := page(&s.mu, s.proposals, limit, offset)
	return list, n, nil
}

func (s *memory) DecideProposal(_ context.Context, p *registry.Proposal, m *registry.Mirror) error {
	err := put(&s.mu, s.proposals, p.ID, *p)
	if m == nil || err != nil {
		return err
	}
	return put(&s.mu, s.mirrors, m.Platform, *m)
}

// page returns some of the values in the order of their keys, and how many there are.
func page[V any](mu *sync.Mutex, m map[string]V, limit, offset int) ([]V, int) {
	mu.Lock()
	defer mu.Unlock()
	var list []V
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[k])
	}
	from := min(offset, len(list))
	return list[from:min(from+limit, len(list))], len(m)
}

func (s *memory) Spend(context.Context, string, string, int) (bool, error) { return true, nil }
func (s *memory) Ping(context.Context) error                               { return nil }

// A world is a service on a real listener, with a web of its own. Its store is not a
// real one: see package calltest.
type world struct {
	api     *API
	service *registry.Service
	store   registry.Store
	web     *fakeweb.Web
	server  *httptest.Server
	log     *lockedBuffer
}

// newWorld starts a service in an internet.
func newWorld(t testing.TB, archive string) *world {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	now := func() time.Time { return noon }
	w := &world{web: web, store: newMemory(), log: new(lockedBuffer)}
	log := textLog(w.log)
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: 5 * time.Second, SiteBurst: 1 << 20})
	w.service = registry.New(registry.Config{Store: w.store, Finder: discover.New(client, now), Now: now, Log: log})
	t.Cleanup(w.service.Close)
	w.api = New(Config{Service: w.service, Log: log, Now: now})
	w.server = httptest.NewServer(w.api.Handler())
	t.Cleanup(w.server.Close)
	return w
}

// An answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// call makes a request. Headers are name and value in turn.
func (w *world) call(t testing.TB, method, path, body string, headers ...string) answered {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return w.do(t, req)
}

func (w *world) do(t testing.TB, req *http.Request) answered {
	t.Helper()
	resp, err := w.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, b}
}

// member returns the text of a member of the body by its JSON Pointer; strings without
// their quotes, and empty for none.
func (a answered) member(t testing.TB, pointer string) string {
	t.Helper()
	v, err := answertest.Member(a.body, pointer)
	if err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	return v
}

// conforms compares an answer with what the OpenAPI document says about it.
func conforms(t *testing.T, a *API, method, path string, got answered) {
	t.Helper()
	err := answertest.Conforms(a.static.json.Body, method, path, got.status, got.body)
	if err != nil {
		t.Error(err)
	}
}
