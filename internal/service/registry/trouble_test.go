package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/resolve"
)

// A pill is a Finder that one domain brings down.
type pill struct{ stub }

func (p pill) Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error) {
	if domain == "pill.example" {
		panic("a document nobody thought of")
	}
	return p.stub.Domain(ctx, domain, o)
}

func TestPoisonPill(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	s := registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: pill{stub{[]byte(simple("pub.example"))}}, CallTime: time.Hour})
	defer s.Close()
	for range 3 {
		_, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: "pill.example"})
		if err == nil || kindOf(err) != 0 {
			t.Errorf("a fault in the program is shown to callers: %v", err)
		}
		v, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
		if err != nil || !v.Valid() {
			t.Errorf("%+v, %v", v, err)
		}
	}
}

// TestLostRevocation has a publisher that takes its file away while the disk is full,
// and then cannot be reached: nothing is in effect until that was saved after all.
func TestLostRevocation(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("pub.example"), strings.Replace(served(simple("pub.example")), "200", "200 times=1", 1),
		wellKnown("pub.example"), "404 times=1",
		wellKnown("pub.example"), "503",
	)
	states := []resolve.State{resolve.Usable, resolve.Withheld, resolve.Absent, resolve.Absent}
	for i, want := range states {
		l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
		l.Settle()
		doc, err := l.Document(t.Context(), "pub.example")
		if err != nil || doc.State != want {
			t.Errorf("step %d: %+v, %v", i, doc, err)
		}
		l.store.full.Store(i == 0) // the second answer cannot be stored
		l.later(2 * time.Minute)
	}
	err := l.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
}

// FuzzQuestions asks with any text. What comes back is an answer, or an error that the
// caller can do something about.
func FuzzQuestions(f *testing.F) {
	for _, s := range [][3]string{
		{"pub.example", "https://agent.example/mcp", "domain"}, {"PUB.example.", "https://agent.example:443", "ios_bundle"},
		{"*.pub.example", "http://", "rss_url"}, {"\x00", "\xff", ""}, {"com", "https://[::1]/", "subdomain"}, {"www.m.pub.example", "agent", "domain"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	store, err := sqlite.Open(f.Context(), sqlitetest.Path(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = store.Close() })
	s := registry.New(registry.Config{Store: store, Custody: store.Custody(), Finder: stub{[]byte(simple("pub.example"))}})
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, name, agent, kind string) {
		_, validated := s.Validate(t.Context(), registry.ValidateRequest{Domain: name})
		_, published := s.Publisher(t.Context(), name)
		_, authorized := s.Authorization(t.Context(), name, agent, registry.Narrowing{})
		_, property := s.PropertyAuthorization(t.Context(), agent, registry.Identifier{Type: kind, Value: name}, registry.PropertyOptions{})
		_, expanded := s.Expand(t.Context(), agent, []adagents.Selector{{PublisherDomain: name, SelectionType: "all"}})
		for _, err := range []error{validated, published, authorized, property, expanded} {
			var known *registry.Error
			if err != nil && !errors.As(err, &known) {
				t.Errorf("%q %q %q: %v", name, agent, kind, err)
			}
		}
	})
}

func TestBusy(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example")))
	l.Limits(100*time.Millisecond, 50*time.Millisecond)
	l.Occupy()
	_, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
	var e *registry.Error
	if !errors.As(err, &e) || e.Kind != registry.Unavailable || e.RetryAfter == 0 || l.asked() != 0 {
		t.Error(err)
	}
	// Publishers whose time is over are not known; the call is answered nevertheless.
	p, err := l.ProductAuthorization(t.Context(), seller, []adagents.Selector{{PublisherDomain: "pub.example", SelectionType: "all"}})
	if err != nil || p.Authorized || p.Selectors[0].Verdict != resolve.Unverified || p.Selectors[0].Reasons[0].Code != "file.unreachable" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestCallersWait lets one who looks leave, while others wait for the same.
func TestCallersWait(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example")))
	l.Limits(time.Hour, time.Hour)
	release := l.hold()
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error), make(chan error)
	for done, ctx := range map[chan error]context.Context{first: ctx, second: t.Context()} {
		go func() {
			v, err := l.Validate(ctx, registry.ValidateRequest{Domain: "pub.example"})
			if err == nil && !v.Valid() {
				err = errors.New("not valid")
			}
			done <- err
		}()
	}
	for l.Waiting("pub.example") < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	gone := <-first
	release()
	stayed := <-second
	if !errors.Is(gone, context.Canceled) || stayed != nil || l.asked() != 1 {
		t.Errorf("%v, %v, %d requests", gone, stayed, l.asked())
	}
}

// TestNamelessProperties has properties without ids: they are told apart by how the
// market knows them.
func TestNamelessProperties(t *testing.T) {
	t.Parallel()
	nameless := func(host string) string {
		return strings.Replace(site("pub.example", "x", host, "news"), `"property_id": "x", `, "", 1)
	}
	l := newFileLab(t, wellKnown("pub.example"), served(fileOf(
		nameless("a.pub.example")+","+nameless("b.pub.example")+","+site("pub.example", "c", "c.pub.example"),
		entry(seller, "property_tags", `"property_tags": ["news"]`)+","+
			entry(partial, "inline_properties", `"properties": [`+site("pub.example", "d", "d.pub.example")+`, `+site("pub.example", "c", "c.pub.example")+`]`),
	)))
	v, err := l.Authorization(t.Context(), "pub.example", seller, registry.Narrowing{})
	if err != nil || counts(v.AgentView) != "2+0/4" {
		t.Errorf("%s, %v", counts(v.AgentView), err)
	}
	v, err = l.Authorization(t.Context(), "pub.example", partial, registry.Narrowing{})
	if err != nil || counts(v.AgentView) != "2+0/4" {
		t.Errorf("%s, %v", counts(v.AgentView), err)
	}
	p, err := l.ProductAuthorization(t.Context(), partial, []adagents.Selector{{PublisherDomain: "pub.example", SelectionType: "all"}})
	if err != nil || p.Coverage() != 50 || strings.Join(p.Selectors[0].Unauthorized, ",") != "Site x,Site x" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestWishesAboutAManager checks the file of a manager again as the caller wishes.
func TestWishesAboutAManager(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, ways()...)
	for _, domain := range []string{"managed.example", "both.example"} {
		plain := l.validate(t, registry.ValidateRequest{Domain: domain})
		asked := l.asked()
		strict := l.validate(t, registry.ValidateRequest{Domain: domain, Profile: adagents.Strict})
		if !plain.Valid() || strict.Discovery.Method != discover.ManagerDomain || strict.Report == plain.Report || l.asked() != asked {
			t.Errorf("%s: %+v", domain, strict.Discovery.Findings)
		}
	}
}
