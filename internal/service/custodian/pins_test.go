package custodian_test

import (
	"strings"
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
		{"first observation", tagged(file("v1", 0)), 0, keypin.Usable, keypin.Usable},
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

// TestPinsKnownSince: a key is as old as its first version, not as the present one.
func TestPinsKnownSince(t *testing.T) {
	t.Parallel()
	const (
		one = `{"kid": "one", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`
		two = `{"kid": "two", "kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`
	)
	first, ok := keypin.NewKey("one", "OKP", "Ed25519", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "")
	second, ok2 := keypin.NewKey("two", "OKP", "Ed25519", "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs", "")
	if !ok || !ok2 {
		t.Fatal("no keys")
	}
	with := func(version string, updated time.Duration, keys string) page {
		return tagged(strings.Replace(file(version, updated), `"authorized_for"`, `"signing_keys": [`+keys+`], "authorized_for"`, 1))
	}
	l := newLab(t)
	l.web.set(pub, with("v1", 0, one))
	l.want("pub.example", "usable v1")
	for _, v := range []string{"v2", "v3"} {
		l.pass(day)
		l.web.set(pub, with(v, l.clock().Sub(begin), one+", "+two))
		l.want("pub.example", "usable "+v)
	}
	l.restart()
	doc, err := l.k.Pins(t.Context(), "pub.example")
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.KeySince(agent, first.Thumbprint()); !got.Equal(begin) {
		t.Errorf("the first key is known since %v", got)
	}
	if got := doc.KeySince(agent, second.Thumbprint()); !got.Equal(begin.Add(day)) {
		t.Errorf("the second key is known since %v", got)
	}
	if !doc.KnownSince.Equal(begin.Add(2 * day)) {
		t.Errorf("the file is known since %v", doc.KnownSince)
	}
}
