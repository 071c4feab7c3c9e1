package keypin

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"slices"
	"testing"
	"time"
)

func TestSign(t *testing.T) {
	t.Parallel()
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Signing{
		"no key":              {},
		"a short key":         {Key: ed25519.PrivateKey("x")},
		"no P-256":            {Key: p384},
		"a nil key":           {Key: (*ecdsa.PrivateKey)(nil)},
		"a keyid in letters":  {Key: edKey("one"), KeyID: "schlüssel"},
		"no such field":       {Key: edKey("one"), KeyID: "k", Also: []string{"x-none"}},
		"a component in caps": {Key: edKey("one"), KeyID: "k", Also: []string{"X-None"}},
		"a broken component":  {Key: edKey("one"), KeyID: "k", Also: []string{`"a`}},
	} {
		s.Created = now
		fields, err := Sign(hook(), s)
		if err == nil {
			t.Errorf("%s: %v", name, fields)
		}
	}
}

func TestSignTwice(t *testing.T) {
	t.Parallel()
	// Without a source of randomness a signature depends on key and message alone.
	a := signed(t, hook(), Signing{Key: ecKey(t, "one")})
	b := signed(t, hook(), Signing{Key: ecKey(t, "one")})
	if !slices.Equal(a.Fields, b.Fields) {
		t.Error("two signatures differ")
	}
	c := signed(t, hook(), Signing{Key: ecKey(t, "one"), Rand: rand.Reader, Lifetime: time.Minute})
	wantCode(t, newWorld(t, entry(agentURL, ecJWK(t, "k1"))).verify(c, Question{}), Accepted, "signature.accepted")
	// A digest that is there is left alone.
	m := field(hook(), "Content-Digest", digestOf(hook().Body))
	d := signed(t, m, Signing{})
	if n := len(d.values("content-digest")); n != 1 {
		t.Errorf("%d digests", n)
	}
}
