package storetest

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// Fill stores a record of every kind, for Check.
func Fill(t *testing.T, s registry.Store) {
	t.Helper()
	ctx := t.Context()
	m := mirror(t, s, "p", "body")
	ok(t, s.PutBrand(ctx, filledBrand()))
	ok(t, s.PutMirror(ctx, m, ""))
	ok(t, s.PutProposal(ctx, proposal("1", m.Document, "")))
	ok(t, s.PutKey(ctx, key("k", day0)))
	ok(t, s.RevokeKey(ctx, "k", day0))
	want(t, got[bool](t)(s.Spend(ctx, "b", "p", 1)), true)
}

// filledBrand is the brand that Fill stores.
func filledBrand() *registry.Brand {
	return &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte("{}"), UpdatedAt: day0,
		By: "k", Revision: 1}
}

// Check looks for what Fill stored, without changing anything.
func Check(t *testing.T, s registry.Store) {
	t.Helper()
	ctx := t.Context()
	h := registry.HashOf([]byte("body"))
	want(t, string(got[[]byte](t)(s.Document(ctx, h))), "body")
	want(t, got[*registry.Brand](t)(s.Brand(ctx, "a.example", registry.FromCommunity)), filledBrand())
	want(t, got[*registry.Mirror](t)(s.Mirror(ctx, "p")),
		&registry.Mirror{Platform: "p", Document: h, CreatedAt: day0, UpdatedAt: day0})
	want(t, got[*registry.Proposal](t)(s.Proposal(ctx, "1")), proposal("1", h, ""))
	k := key("k", day0)
	k.RevokedAt = day0
	want(t, got[[]registry.Key](t)(s.Keys(ctx)), []registry.Key{*k})
	want(t, got[bool](t)(s.Spend(ctx, "b", "p", 1)), false)
}

// mirror is a mirror with a stored document.
func mirror(t *testing.T, s registry.Store, platform, body string) *registry.Mirror {
	t.Helper()
	return &registry.Mirror{Platform: platform, Document: document(t, s, body), CreatedAt: day0, UpdatedAt: day0}
}

// proposal is a pending proposal for the platform p.
func proposal(id string, document, base registry.Hash) *registry.Proposal {
	return &registry.Proposal{
		ID: id, Platform: "p", Document: document, Base: base, Digest: registry.HashOf([]byte(id)),
		State: registry.Pending, SubmittedAt: day0, SubmittedBy: "writer",
	}
}

// key is a valid key.
func key(id string, at time.Time) *registry.Key {
	return &registry.Key{ID: id, Name: "name of " + id, Scope: registry.ScopeWrite, Hash: registry.HashOf([]byte(id)),
		CreatedAt: at}
}
