package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

const ownFile = "https://acme.example/.well-known/brand.json"

// A brandLab is a service with a store, a web and a provider of its own.
type brandLab struct {
	*registry.Service
	store registry.Store
	web   *fakeweb.Web
	// brands and contexts count what the provider was asked.
	brands, contexts atomic.Int64

	mu     sync.Mutex
	now    time.Time
	answer http.HandlerFunc
}

func (l *brandLab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *brandLab) later(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// answers sets what the provider answers from now on.
func (l *brandLab) answers(status int, body string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func (l *brandLab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/v2/context/") {
		l.contexts.Add(1)
	} else {
		l.brands.Add(1)
	}
	l.mu.Lock()
	answer := l.answer
	l.mu.Unlock()
	answer(w, r)
}

// newBrandLab starts a lab. With a quota below zero there is no provider.
func newBrandLab(t *testing.T, quota int, sections ...string) *brandLab {
	t.Helper()
	return newHastyBrandLab(t, time.Hour, quota, sections...)
}

// newHastyBrandLab starts a lab that waits so long for a file.
func newHastyBrandLab(t *testing.T, hop time.Duration, quota int, sections ...string) *brandLab {
	t.Helper()
	l := &brandLab{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	l.answers(http.StatusOK, `{"name": "Acme", "description": "Makes anvils of steel", "meta": {"canonical_name": "Acme of context"}}`)
	archive := new(txtar.Archive)
	for i := 0; i < len(sections); i += 2 {
		archive.Files = append(archive.Files, txtar.File{Name: sections[i], Data: []byte(sections[i+1] + "\n")})
	}
	var err error
	l.web, err = fakeweb.Start(txtar.Format(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.web.Close)
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	l.store = store
	client := fetch.New(fetch.Config{Network: l.web.Network(), Attempts: 1, HopTimeout: hop, Budget: time.Hour})
	config := registry.Config{
		Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: client, Now: l.clock}), Brands: brand.NewReader(client), Quota: max(quota, 0), Now: l.clock, CallTime: time.Hour,
	}
	if quota >= 0 {
		config.Provider = newTestProvider(t, l)
	}
	l.Service = registry.New(config)
	t.Cleanup(l.Close)
	return l
}

func newTestProvider(t *testing.T, l *brandLab) *brand.Provider {
	t.Helper()
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	key, err := brand.NewKey("sk_test_of_the_registry")
	if err != nil {
		t.Fatal(err)
	}
	p, err := brand.NewProvider(brand.ProviderConfig{URL: server.URL, Key: key, Call: time.Minute, Now: l.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ask enriches a domain and returns the answer in a line.
func (l *brandLab) ask(t *testing.T, domain string, caller registry.Caller) string {
	t.Helper()
	e, err := l.Enrich(t.Context(), registry.EnrichRequest{Domain: domain, Caller: caller})
	if err != nil {
		return toldError(err)
	}
	s := fmt.Sprintf("%s %s cached=%t stale=%t from %s %s", e.Domain, e.Source, e.Cached, e.Stale, e.Provenance.Source, e.Manifest)
	if e.Context != nil {
		s += " with context of " + e.ContextSource
	}
	if e.ContextError != "" {
		s += " context error: " + e.ContextError
	}
	return s
}

func toldError(err error) string {
	var known *registry.Error
	if !errors.As(err, &known) {
		return fmt.Sprint("internal: ", err)
	}
	s := "error " + known.Code
	if known.RetryAfter > 0 {
		s += " retry"
	}
	return s
}

var (
	stranger = registry.Caller{Client: "192.0.2.1"}
	writer   = registry.Caller{Key: &registry.Key{ID: "key_w", Scope: registry.ScopeWrite}}
)

const (
	ownAcme = "200\nContent-Type: application/json\n\n" + `{"name": "Acme itself"}`
	noFile  = "404"
)

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}

func TestOrderOfBrandSources(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, noFile+" times=1", ownFile, ownAcme)
	fromProvider := `from brandfetch {"name":"Acme","url":"https://acme.example","description":"Makes anvils of steel"}`
	expect(t, l.ask(t, "https://WWW.acme.example/about", stranger), "acme.example enriched cached=false stale=false "+fromProvider)
	expect(t, l.ask(t, "acme.example", stranger), "acme.example enriched cached=true stale=false "+fromProvider)

	b, err := l.SaveBrand(t.Context(), writer, "www.acme.example", "Acme by a friend", nil)
	if err != nil || b.Revision != 1 || b.By != "key_w" {
		t.Fatalf("got %+v, %v", b, err)
	}
	expect(t, l.ask(t, "acme.example", stranger), `acme.example community cached=true stale=false from community {"name":"Acme by a friend","url":"https://acme.example"}`)

	// The domain publishes a file meanwhile, and is asked again after an hour.
	l.later(61 * time.Minute)
	expect(t, l.ask(t, "acme.example", stranger), `acme.example brand_json cached=false stale=false from brand_json {"name":"Acme itself","url":"https://acme.example"}`)
	expect(t, l.ask(t, "acme.example", stranger), `acme.example brand_json cached=true stale=false from brand_json {"name":"Acme itself","url":"https://acme.example"}`)
	_, err = l.SaveBrand(t.Context(), writer, "acme.example", "Acme by a friend", nil)
	expect(t, toldError(err), "error brand_authoritative")
	if l.brands.Load() != 1 || l.contexts.Load() != 0 {
		t.Errorf("the provider was asked %d and %d times", l.brands.Load(), l.contexts.Load())
	}
	if len(l.web.Requests()) != 2 {
		t.Errorf("the domain was asked %d times", len(l.web.Requests()))
	}
}

// TestFileGoes: a brand.json that is taken down is used no longer than a day,
// and one whose server is down counts on.
func TestFileGoes(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1, ownFile, ownAcme, ownFile, "503 times=1", ownFile, noFile)
	own := `from brand_json {"name":"Acme itself","url":"https://acme.example"}`
	expect(t, l.ask(t, "acme.example", stranger), "acme.example brand_json cached=false stale=false "+own)
	l.later(24 * time.Hour)
	expect(t, l.ask(t, "acme.example", stranger), "acme.example brand_json cached=true stale=true "+own)
	expect(t, l.ask(t, "acme.example", stranger), "acme.example brand_json cached=true stale=true "+own)
	l.later(time.Minute)
	expect(t, l.ask(t, "acme.example", stranger), "error provider_not_configured")
	b, err := l.store.Brand(t.Context(), "acme.example", registry.FromBrandJSON)
	if err != nil || len(b.Manifest) != 0 {
		t.Errorf("stored is %+v, %v", b, err)
	}
	if len(l.web.Requests()) != 3 {
		t.Errorf("the domain was asked %d times", len(l.web.Requests()))
	}
}

// TestBrandIsReadAgain: who is told that the request was accepted can rely on it. The file has been
// read by then, and nothing is lost when the process ends.
func TestBrandIsReadAgain(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1, ownFile, ownAcme, ownFile, noFile)
	l.ask(t, "acme.example", stranger)
	name, err := l.RequestBrand(t.Context(), writer, "acme.example")
	if err != nil || name != "acme.example" {
		t.Fatal(name, err)
	}
	b, err := l.store.Brand(t.Context(), "acme.example", registry.FromBrandJSON)
	if err != nil || len(b.Manifest) != 0 || len(l.web.Requests()) != 2 {
		t.Errorf("stored is %+v after %d requests, %v", b, len(l.web.Requests()), err)
	}
}

func TestNothingServes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		domain string
		status int
		body   string
		want   string
	}{
		{"not found", "acme.example", http.StatusNotFound, "", "error brand_not_found"},
		{"no domain", "not a domain", http.StatusOK, "{}", "error invalid_domain"},
		{"a public suffix", "co.uk", http.StatusOK, "{}", "error invalid_domain"},
		{"an address", "127.0.0.1", http.StatusOK, "{}", "error invalid_domain"},
		{"a local name", "printer.local", http.StatusOK, "{}", "error invalid_domain"},
		{"failing", "acme.example", http.StatusInternalServerError, "", "error provider_failed retry"},
		{"limited", "acme.example", http.StatusTooManyRequests, "", "error provider_limited retry"},
		{"no JSON", "acme.example", http.StatusOK, "<html>", "error provider_answer retry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newBrandLab(t, 0, ownFile, noFile)
			l.answers(tt.status, tt.body)
			expect(t, l.ask(t, tt.domain, stranger), tt.want)
			for _, source := range []registry.BrandSource{registry.FromBrandJSON, registry.FromCommunity, registry.FromProvider} {
				_, err := l.store.Brand(t.Context(), "acme.example", source)
				if !errors.Is(err, registry.ErrNotFound) {
					t.Errorf("something is stored for %s: %v", source, err)
				}
			}
		})
	}
}

// TestStaleProviderData: data of the provider is used for thirty days, and longer when
// the provider is down.
func TestStaleProviderData(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, noFile)
	data := `from brandfetch {"name":"Acme","url":"https://acme.example","description":"Makes anvils of steel"}`
	expect(t, l.ask(t, "acme.example", stranger), "acme.example enriched cached=false stale=false "+data)
	l.later(30*24*time.Hour - time.Minute)
	expect(t, l.ask(t, "acme.example", stranger), "acme.example enriched cached=true stale=false "+data)
	l.later(time.Minute)
	l.answers(http.StatusBadGateway, "")
	expect(t, l.ask(t, "acme.example", stranger), "acme.example enriched cached=true stale=true "+data)
	l.answers(http.StatusNotFound, "")
	expect(t, l.ask(t, "acme.example", stranger), "error brand_not_found")
}

// TestPoorProviderData counts as community data, and is replaced by what somebody saves.
func TestPoorProviderData(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, noFile)
	l.answers(http.StatusOK, `{"name": "Placeholder", "qualityScore": 0.1, "description": "More than ten characters"}`)
	poor := `from brandfetch {"name":"Placeholder","url":"https://acme.example","description":"More than ten characters"}`
	expect(t, l.ask(t, "acme.example", stranger), "acme.example community cached=false stale=false "+poor)
	expect(t, l.ask(t, "acme.example", stranger), "acme.example community cached=true stale=false "+poor)
	_, err := l.SaveBrand(t.Context(), writer, "acme.example", "Acme", nil)
	if err != nil {
		t.Fatal(err)
	}
	l.later(40 * 24 * time.Hour)
	expect(t, l.ask(t, "acme.example", stranger), `acme.example community cached=true stale=false from community {"name":"Acme","url":"https://acme.example"}`)
}

func TestContextIsForCallersWithAKey(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, ownAcme)
	own := `brand_json cached=false stale=false from brand_json {"name":"Acme itself","url":"https://acme.example"}`
	expect(t, l.ask(t, "acme.example", writer), "acme.example "+own+" with context of brandfetch")
	l.answers(http.StatusNotFound, "")
	l.later(10 * time.Minute)
	own = strings.Replace(own, "cached=false", "cached=true", 1)
	expect(t, l.ask(t, "acme.example", writer), "acme.example "+own+" context error: Brand context not found in Brandfetch")
	expect(t, l.ask(t, "acme.example", stranger), "acme.example "+own)
	if l.contexts.Load() != 2 || l.brands.Load() != 0 {
		t.Errorf("%d contexts, %d brands", l.contexts.Load(), l.brands.Load())
	}
}

// TestContextAlone: when only context is found, it makes a small manifest that is not
// stored.
func TestContextAlone(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, noFile)
	l.mu.Lock()
	l.answer = func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v2/context/") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(`{"meta": {"canonical_name": "Acme"}}`))
	}
	l.mu.Unlock()
	expect(t, l.ask(t, "acme.example", writer), `acme.example  cached=false stale=false from brandfetch {"name":"Acme","url":"https://acme.example"} with context of brandfetch`)
	expect(t, l.ask(t, "acme.example", stranger), "error brand_not_found")
}

func TestOneCallForMany(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 0, ownFile, noFile)
	l.mu.Lock()
	l.answer = func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(100 * time.Millisecond)
		_, _ = w.Write([]byte(`{"name": "Acme", "description": "Makes anvils of steel"}`))
	}
	l.mu.Unlock()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := l.Enrich(context.Background(), registry.EnrichRequest{Domain: "acme.example", Caller: stranger})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l.brands.Load() != 1 || len(l.web.Requests()) != 1 {
		t.Errorf("%d calls of the provider, %d of the domain", l.brands.Load(), len(l.web.Requests()))
	}
}

// A scriptedProvider does what a test says before it answers.
type scriptedProvider struct {
	refuse func()
	answer func(context.Context) error
}

func (*scriptedProvider) Name() string { return "scripted" }

func (p *scriptedProvider) BrandRefusal(hostname.Domain) error {
	p.refuse()
	return nil
}

func (*scriptedProvider) ContextRefusal(hostname.Domain) error { return nil }

func (p *scriptedProvider) Brand(ctx context.Context, _ hostname.Domain) (*registry.ProviderBrand, error) {
	return &registry.ProviderBrand{Manifest: []byte(`{"name":"Acme"}`), Good: true}, p.answer(ctx)
}

func (*scriptedProvider) Context(context.Context, hostname.Domain) ([]byte, error) {
	return nil, errors.New("it has no context")
}

// serveProvider returns a service with a provider and nothing else.
func serveProvider(t *testing.T, p registry.Provider) *registry.Service {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	s := registry.New(registry.Config{Store: store, Provider: p, Quota: 30, CallTime: time.Hour})
	t.Cleanup(s.Close)
	return s
}

// enrich asks about a domain in the background.
func enrich(ctx context.Context, s *registry.Service, domain, client string) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := s.Enrich(ctx, registry.EnrichRequest{Domain: domain, Caller: registry.Caller{Client: client}})
		done <- err
	}()
	return done
}

// awaitBrand returns when so many wait for the provider's answer about a domain.
func awaitBrand(s *registry.Service, domain hostname.Domain, n int) {
	for s.WaitingForBrand(domain) < n {
		runtime.Gosched()
	}
}

// TestFirstCallerGivesUp: a caller who joins another one has its own time.
func TestFirstCallerGivesUp(t *testing.T) {
	t.Parallel()
	left, release := make(chan time.Duration, 2), make(chan struct{})
	s := serveProvider(t, &scriptedProvider{refuse: func() {}, answer: func(ctx context.Context) error {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		<-release
		return ctx.Err()
	}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first := enrich(ctx, s, "acme.example", "192.0.2.1")
	if got := <-left; got < 30*time.Minute {
		t.Errorf("the provider has %s to answer everyone, because the first caller has no more", got)
	}
	second := enrich(t.Context(), s, "acme.example", "192.0.2.2")
	awaitBrand(s, "acme.example", 2)
	cancel()
	if got := toldError(<-first); got != "error enrich_timeout retry" {
		t.Error(got)
	}
	close(release)
	err := <-second
	if err != nil || len(left) > 0 {
		t.Errorf("%v, and %d further calls of the provider", err, len(left))
	}
}

// TestFirstCallerHasNoShare: who waits for a caller that may not ask the provider any more asks itself.
func TestFirstCallerHasNoShare(t *testing.T) {
	t.Parallel()
	var s *registry.Service
	var shared atomic.Bool
	s = serveProvider(t, &scriptedProvider{
		refuse: func() {
			if shared.CompareAndSwap(true, false) {
				awaitBrand(s, "acme.example", 2)
			}
		},
		answer: func(context.Context) error { return nil },
	})
	for i := range 20 { // as many as one stranger may have
		err := <-enrich(t.Context(), s, fmt.Sprintf("brand%d.example", i), "192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
	}
	shared.Store(true)
	first := enrich(t.Context(), s, "acme.example", "192.0.2.1")
	awaitBrand(s, "acme.example", 1)
	second := enrich(t.Context(), s, "acme.example", "192.0.2.2")
	if got := toldError(<-first); got != "error enrich_share_spent retry" {
		t.Error(got)
	}
	err := <-second
	if err != nil {
		t.Errorf("the second caller has its share: %v", err)
	}
}

// TestQuotaOfNetworks: a home with many networks has the share of a home.
func TestQuotaOfNetworks(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 30)
	l.answers(http.StatusNotFound, "")
	for i := range 20 {
		expect(t, l.ask(t, fmt.Sprintf("brand%d.example", i), registry.Caller{Client: home(i)}), "error brand_not_found")
	}
	expect(t, l.ask(t, "brand20.example", registry.Caller{Client: home(20)}), "error enrich_share_spent retry")
	expect(t, l.ask(t, "brand20.example", registry.Caller{Client: "192.0.2.2"}), "error brand_not_found")
}

func TestQuota(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, 30)
	l.answers(http.StatusNotFound, "")
	name := func(i int) string { return fmt.Sprintf("brand%d.example", i) }
	for i := range 20 {
		expect(t, l.ask(t, name(i), stranger), "error brand_not_found")
	}
	expect(t, l.ask(t, name(20), stranger), "error enrich_share_spent retry")
	// What is known to be absent costs nothing.
	expect(t, l.ask(t, name(1), stranger), "error brand_not_found")
	other := registry.Caller{Client: "192.0.2.2"}
	for i := range 10 {
		expect(t, l.ask(t, name(100+i), other), "error brand_not_found")
	}
	expect(t, l.ask(t, name(110), other), "error enrich_quota_spent retry")
	if l.brands.Load() != 30 {
		t.Errorf("%d calls of the provider, want 30", l.brands.Load())
	}
	l.later(12 * time.Hour)
	expect(t, l.ask(t, name(200), stranger), "error brand_not_found")
}

func TestGivesUpInTime(t *testing.T) {
	t.Parallel()
	l := newHastyBrandLab(t, time.Second, 0, ownFile, "200 stall\nContent-Type: application/json\n\n{}")
	got := l.ask(t, "acme.example", stranger)
	if !strings.HasPrefix(got, "acme.example enriched") {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Enrich(ctx, registry.EnrichRequest{Domain: "other.example", Caller: stranger})
	if err == nil {
		t.Error("want an error for a caller without time")
	}
}

func TestSaveBrandChecks(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1)
	long := strings.Repeat("x", 50_000)
	tests := []struct{ name, brandName, manifest, want string }{
		{"all members", "Acme", `{"description": "x", "tagline": "kept", "logos": [{"url": "https://acme.example/a.svg", "tags": ["logo"]}], "colors": {"primary": "#FF0000", "text": ["#000"]},
		 "fonts": [{"name": "Inter", "role": "title"}], "company": {"name": "A", "industries": ["x"], "founded": 1947}}`, ""},
		{"the name in the manifest", "", `{"name": "Acme"}`, ""},
		{"no name", "", `{"description": "x"}`, "brand_name_missing"},
		{"an odd name", "Ac\u0007me", ``, "manifest_invalid"},
		{"a long name", strings.Repeat("x", 201), ``, "manifest_invalid"},
		{"no object", "Acme", `[]`, "manifest_invalid"},
		{"no JSON", "Acme", `{`, "manifest_invalid"},
		{"twice", "Acme", `{"a": 1, "a": 2}`, "manifest_invalid"},
		{"too large", "Acme", `{"description": "` + long + `"}`, "manifest_too_large"},
		{"too deep", "Acme", `{"x": ` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`, "manifest_invalid"},
		{"context", "Acme", `{"brand_context": {}}`, "manifest_invalid"},
		{"a logo that runs", "Acme", `{"logos": [{"url": "javascript:alert(1)", "tags": []}]}`, "manifest_invalid"},
		{"a logo over http", "Acme", `{"logos": [{"url": "http://acme.example/a.png", "tags": []}]}`, "manifest_invalid"},
		{"a logo inline", "Acme", `{"logos": [{"url": "data:image/svg+xml;base64,AAAA"}]}`, "manifest_invalid"},
		{"a logo without address", "Acme", `{"logos": [{"tags": []}]}`, "manifest_invalid"},
		{"logos of another kind", "Acme", `{"logos": "https://acme.example/a.png"}`, "manifest_invalid"},
		{"tags of another kind", "Acme", `{"logos": [{"url": "https://acme.example/a.png", "tags": [1]}]}`, "manifest_invalid"},
		{"an address elsewhere", "Acme", `{"social": {"profile_url": "http://x.example"}}`, "manifest_invalid"},
		{"code elsewhere", "Acme", `{"x": {"y": ["\tjavascript:alert(1)"]}}`, "manifest_invalid"},
		{"control characters", "Acme", `{"x": "\u001b[31m"}`, "manifest_invalid"},
		{"a colour by name", "Acme", `{"colors": {"primary": "red"}}`, "manifest_invalid"},
		{"fonts without names", "Acme", `{"fonts": [{}]}`, "manifest_invalid"},
		{"a company of another kind", "Acme", `{"company": {"founded": "1947"}}`, "manifest_invalid"},
		{"a url of another kind", "Acme", `{"url": 5}`, "manifest_invalid"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			domain := fmt.Sprintf("brand%d.example", i)
			b, err := l.SaveBrand(t.Context(), writer, domain, tt.brandName, []byte(tt.manifest))
			if tt.want == "" {
				if err != nil || b.Revision != 1 || !strings.Contains(string(b.Manifest), `"name":"Acme"`) {
					t.Errorf("got %+v, %v", b, err)
				}
				return
			}
			var known *registry.Error
			if !errors.As(err, &known) || known.Code != tt.want || known.Code == "manifest_invalid" && len(known.Details) == 0 {
				t.Errorf("got %#v, want %s", err, tt.want)
			}
		})
	}
}

// TestSavedBrandBelongsToItsKey: another key that may write does not replace what one
// saved; a moderator does, and it is the moderator's from then on.
func TestSavedBrandBelongsToItsKey(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1)
	other := registry.Caller{Key: &registry.Key{ID: "key_other", Scope: registry.ScopeWrite}}
	save := func(who registry.Caller, name string) string {
		_, err := l.SaveBrand(t.Context(), who, "acme.example", name, nil)
		if err != nil {
			return toldError(err)
		}
		b, err := l.store.Brand(t.Context(), "acme.example", registry.FromCommunity)
		if err != nil {
			t.Fatal(err)
		}
		return b.By + " " + string(b.Manifest)
	}
	expect(t, save(writer, "Acme"), `key_w {"name":"Acme","url":"https://acme.example"}`)
	expect(t, save(other, "Thief"), "error brand.other_key")
	expect(t, save(writer, "Acme 2"), `key_w {"name":"Acme 2","url":"https://acme.example"}`)
	expect(t, save(moderator, "Acme 3"), `key_moderator {"name":"Acme 3","url":"https://acme.example"}`)
	expect(t, save(writer, "Acme 4"), "error brand.other_key")
}

func TestSaveBrandNeedsAKey(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1)
	_, err := l.SaveBrand(t.Context(), stranger, "acme.example", "Acme", nil)
	expect(t, toldError(err), "error key_required")
	_, err = l.SaveBrand(t.Context(), writer, "acme", "Acme", nil)
	expect(t, toldError(err), "error invalid_domain")
}
