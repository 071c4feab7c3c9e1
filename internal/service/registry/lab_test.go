package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
)

// A fileLab is a service with a store and a web of its own.
type fileLab struct {
	*registry.Service
	store *failingStore
	web   *fakeweb.Web
	// space is the store if its size is looked after, within limits.
	space  registry.Space
	limits retain.Limits
	optOut []string

	// gate keeps connections waiting, unless it is nil.
	gate atomic.Pointer[chan struct{}]

	mu  sync.Mutex
	now time.Time
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (l *fileLab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *fileLab) later(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// A failingStore is a store whose disk can be full.
type failingStore struct {
	registry.Store
	custody registry.Records
	full    atomic.Bool
}

// Custody returns the records of custody on the same disk.
func (s *failingStore) Custody() registry.Records { return failingCustody{s.custody, s} }

type failingCustody struct {
	registry.Records
	disk *failingStore
}

func (s failingCustody) Commit(ctx context.Context, c *custodian.Change) error {
	if s.disk.full.Load() {
		return errFull
	}
	return s.Records.Commit(ctx, c)
}

var errFull = errors.New("no space left on device")

func (s *failingStore) PutDocument(ctx context.Context, body []byte) (registry.Hash, error) {
	if s.full.Load() {
		return "", errFull
	}
	return s.Store.PutDocument(ctx, body)
}

func (s *failingStore) Ping(ctx context.Context) error {
	if s.full.Load() {
		return errFull
	}
	return s.Store.Ping(ctx)
}

// newFileLab starts a lab whose web has sections, name and text in turn.
func newFileLab(t *testing.T, sections ...string) *fileLab {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	l := &fileLab{store: &failingStore{Store: store, custody: store.Custody()}, now: noon}
	l.rewire(t, sections...)
	return l
}

// rewire restarts the service with another web.
func (l *fileLab) rewire(t *testing.T, sections ...string) {
	t.Helper()
	archive := new(txtar.Archive)
	for i := 0; i < len(sections); i += 2 {
		archive.Files = append(archive.Files, txtar.File{Name: sections[i], Data: []byte(sections[i+1] + "\n")})
	}
	web, err := fakeweb.Start(txtar.Format(archive))
	if err != nil {
		t.Fatal(err)
	}
	old := l.web
	l.web = web
	if old == nil {
		t.Cleanup(func() { l.web.Close() })
	}
	l.restart(t)
	if old != nil {
		old.Close()
	}
}

// restart replaces the service by a new one on the same store, as after a new start of
// the program.
func (l *fileLab) restart(t *testing.T) {
	t.Helper()
	if l.Service == nil {
		t.Cleanup(func() { l.Close() })
	} else {
		l.Settle() // what was found is stored after the answer
		l.Close()
	}
	network := l.web.Network()
	dial := network.Dial
	network.Dial = func(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
		gate := l.gate.Load()
		if gate != nil {
			select {
			case <-*gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return dial(ctx, at)
	}
	client := fetch.New(fetch.Config{Network: network, Attempts: 1, Budget: time.Hour, HopTimeout: time.Hour, PerHost: 100, PerSite: 100, SiteBurst: 1000})
	l.Service = registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: l.clock}), Now: l.clock, Space: l.space, Limits: l.limits, OptOut: l.optOut, CallTime: time.Hour})
}

// hold lets connections wait until what it returns is called.
func (l *fileLab) hold() func() {
	gate := make(chan struct{})
	l.gate.Store(&gate)
	return func() {
		l.gate.Store(nil)
		close(gate)
	}
}

// asked returns the number of requests so far.
func (l *fileLab) asked() int { return len(l.web.Requests()) }

// validate asks about a domain.
func (l *fileLab) validate(t *testing.T, r registry.ValidateRequest) *registry.Validation {
	t.Helper()
	v, err := l.Validate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wellKnown is the name of the section of a domain's file.
func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// served is an answer with a JSON document, and headers if any.
func served(document string, headers ...string) string {
	return "200\nContent-Type: application/json\n" + strings.Join(append(headers, ""), "\n") + "\n" + document
}

// pointerTo is a file that points to another.
func pointerTo(url string) string {
	return served(`{"authoritative_location": "` + url + `", "last_updated": "2026-01-02T00:00:00Z"}`)
}

const head = `"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": "2026-01-02T00:00:00Z", "catalog_etag": "v1"`

// site is a property of a publisher.
func site(publisher, id, host string, tags ...string) string {
	quoted := ""
	for i, tag := range tags {
		if i > 0 {
			quoted += ", "
		}
		quoted += `"` + tag + `"`
	}
	return fmt.Sprintf(`{"property_id": "%s", "property_type": "website", "name": "Site %s", "tags": [%s],
 "identifiers": [{"type": "domain", "value": "%s"}], "publisher_domain": "%s"}`, id, id, quoted, host, publisher)
}

// entry is an agent entry. rest has its other members.
func entry(agent, kind, rest string) string {
	return fmt.Sprintf(`{"url": "%s", "authorized_for": "for %s", "authorization_type": "%s", %s}`, agent, agent, kind, rest)
}

// fileOf is a document with properties and agents.
func fileOf(properties, agents string) string {
	return `{` + head + `, "properties": [` + properties + `], "authorized_agents": [` + agents + `]}`
}

// simple is the document of a publisher with one property and one agent for it.
func simple(publisher string) string {
	return fileOf(site(publisher, "home", publisher, "news"), entry("https://agent.example/mcp", "property_ids", `"property_ids": ["home"]`))
}

// kindOf returns the kind of an error for the caller, and zero for any other.
func kindOf(err error) registry.Kind {
	var e *registry.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}
