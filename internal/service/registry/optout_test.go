package registry_test

import (
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// TestOptOut asks about domains that want nothing to do with the service, and about one
// that leads there.
func TestOptOut(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("out.example"), served(simple("out.example")),
		wellKnown("pub.example"), pointerTo("https://files.out.example/file.json"),
		"https://files.out.example/file.json", served(simple("pub.example")),
		wellKnown("inout.example"), served(simple("inout.example")),
	)
	out := []string{"out.example"}
	client := fetch.New(fetch.Config{Network: l.web.Network(), Attempts: 1, OptOut: out, HopTimeout: time.Hour, Budget: time.Hour})
	s := registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: discover.New(discover.Config{Client: client, Now: l.clock}), Now: l.clock, OptOut: out, CallTime: time.Hour})
	t.Cleanup(s.Close)
	refused := func(what string, err error) {
		t.Helper()
		var e *registry.Error
		if !errors.As(err, &e) || e.Kind != registry.Forbidden || e.Code != "domain_opted_out" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, domain := range []string{"out.example", "OUT.example.", "www.out.example"} {
		_, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: domain})
		refused("a check of "+domain, err)
		_, err = s.Enrich(t.Context(), registry.EnrichRequest{Domain: domain})
		refused("the brand of "+domain, err)
	}
	_, err := s.PublishMirror(t.Context(), moderator, "p", []byte(`{"properties": [`+site("out.example", "p1", "out.example")+`]}`))
	refused("a mirror", err)
	doc, err := s.Document(t.Context(), "out.example")
	if err != nil || doc.State != resolve.Unreachable {
		t.Errorf("a lookup: %v %+v", err, doc)
	}
	v, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
	if err != nil || v.Valid() {
		t.Errorf("a pointer there: %v %+v", err, v)
	}
	v, err = s.Validate(t.Context(), registry.ValidateRequest{Domain: "inout.example"})
	if err != nil || !v.Valid() {
		t.Errorf("a name that ends alike: %v %+v", err, v)
	}
	for _, r := range l.web.Requests() {
		if r.URL != wellKnown("pub.example") && r.URL != wellKnown("inout.example") {
			t.Errorf("%s was asked", r.URL)
		}
	}
}
