package custodian_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/keypin"
)

// TestPins asks for the keys of a publisher whose file changes in ways that must not be
// believed.
func TestPins(t *testing.T) {
	t.Parallel()
	steps := []struct {
		name string
		// page is what the publisher serves from then on.
		page page
		pass time.Duration
		// pins is the state that is known, fresh the one after the publisher was asked.
		pins, fresh keypin.State
	}{
		{"first sight", tagged(file("v1", 0)), 0, keypin.Usable, keypin.Usable},
		{"silence", page{status: 503}, 10 * time.Minute, keypin.Usable, keypin.Unreachable},
		{"a rollback", tagged(file("old", -time.Hour)), 10 * time.Minute, keypin.Usable, keypin.RolledBack},
		{"a later version", tagged(file("v2", 30*time.Minute)), 30 * time.Minute, keypin.Usable, keypin.Usable},
		{"another place", pointer(network), 10 * time.Minute, keypin.Usable, keypin.PointerChanged},
		{"no file", page{status: 404}, 10 * time.Minute, keypin.Usable, keypin.Absent},
	}
	l := newLab(t)
	l.web.set(network, tagged(file("other", 50*time.Minute)))
	for _, s := range steps {
		l.web.set(pub, s.page)
		l.pass(s.pass)
		doc, err := l.k.Pins(t.Context(), "pub.example")
		if err != nil || doc.State != s.pins {
			t.Fatalf("%s: %s, %v: %s", s.name, doc.State, err, doc.Detail)
		}
		if doc.File == nil || doc.KeysUntil.IsZero() || doc.KnownSince.IsZero() || doc.SHA256 == "" || doc.Revoked {
			t.Errorf("%s: %+v", s.name, doc)
		}
		doc, err = l.k.KeySource().Refresh(t.Context(), "pub.example")
		if err != nil || doc.State != s.fresh || (doc.File != nil) != (s.fresh == keypin.Usable) {
			t.Fatalf("%s: after a refresh %s, %v: %s", s.name, doc.State, err, doc.Detail)
		}
	}
}

// TestPinsEnd has keys whose time is over sooner than that of the file: the document says
// so, and only a refresh that succeeds gives them more.
func TestPinsEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	first, err := l.k.Pins(t.Context(), "pub.example")
	if err != nil || !first.KeysUntil.Equal(begin.Add(time.Hour)) {
		t.Fatalf("until %s, %v", first.KeysUntil, err)
	}
	l.pass(61 * time.Minute)
	doc, err := l.k.Pins(t.Context(), "pub.example")
	if err != nil || doc.State != keypin.Usable || !doc.KeysUntil.Equal(first.KeysUntil) || l.web.requests(pub) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
	fresh, err := l.k.KeySource().Refresh(t.Context(), "pub.example")
	if err != nil || !fresh.KeysUntil.Equal(l.clock().Add(time.Hour)) || l.web.requests(pub) != 2 {
		t.Errorf("%+v, %v", fresh, err)
	}
	// A file that was not confirmed for too long is over for everybody.
	l.web.set(pub, page{status: 503})
	l.pass(8 * 24 * time.Hour)
	doc, err = l.k.Pins(t.Context(), "pub.example")
	if err != nil || doc.State != keypin.Expired {
		t.Errorf("%s, %v", doc.State, err)
	}
	doc, err = l.k.Pins(t.Context(), "not a domain")
	if err != nil || doc.State != keypin.Absent {
		t.Errorf("%s, %v", doc.State, err)
	}
}
