package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
)

var storeTests = map[string]func(*testing.T, subject){
	"answers": func(t *testing.T, open subject) {
		s := open(t)
		ok(t, s.Ping(t.Context()))
		ok(t, s.Ping(t.Context()))
	},
	"keeps everything when it is closed": everythingIsKept,
	"opens twice and agrees": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		ok(t, first.PutBrand(t.Context(), filledBrand()))
		want(t, got[*registry.Brand](t)(second.Brand(t.Context(), "a.example", registry.FromCommunity)), filledBrand())
		h := document(t, second, "body")
		want(t, string(got[[]byte](t)(first.Document(t.Context(), h))), "body")
		ok(t, first.Close())
		want(t, string(got[[]byte](t)(second.Document(t.Context(), h))), "body")
		ok(t, second.PutKey(t.Context(), key("a", day0)))
	},
	"keeps microseconds in UTC": func(t *testing.T, open subject) {
		s := open(t)
		zone := time.FixedZone("somewhere", 5*3600+1800)
		for _, at := range []time.Time{
			day0, day0.In(zone), day0.Add(999 * time.Nanosecond), time.Now(), time.Unix(0, 0), time.Unix(-1, 999_999_999),
			time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, zone), {},
		} {
			b := &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, UpdatedAt: at}
			ok(t, s.PutBrand(t.Context(), b))
			have := got[*registry.Brand](t)(s.Brand(t.Context(), b.Domain, b.Source)).UpdatedAt
			want(t, have, at.UTC().Truncate(time.Microsecond))
		}
	},
	"keeps text as it is":         textIsKept,
	"refuses text it cannot keep": textIsRefused,
	"obeys the context": func(t *testing.T, open subject) {
		s := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.PutDocument(ctx, []byte("late"))
		wantErr(t, err, context.Canceled)
		wantErr(t, s.PutBrand(ctx, filledBrand()), context.Canceled)
		_, _, err = s.Mirrors(ctx, 1, 0)
		wantErr(t, err, context.Canceled)
		wantErr(t, s.Ping(ctx), context.Canceled)
		_, err = s.Brand(t.Context(), "a.example", registry.FromCommunity)
		wantErr(t, err, registry.ErrNotFound)
		ok(t, s.Ping(t.Context()))
	},
}

func everythingIsKept(t *testing.T, open subject) {
	s := open(t)
	Fill(t, s)
	Check(t, s)
	ok(t, s.Close())
	Check(t, open(t))
}

func textIsKept(t *testing.T, open subject) {
	s := open(t)
	h := document(t, s, "body")
	for _, text := range nasty {
		m := &registry.Mirror{
			Platform: text, Document: h, CatalogETag: text, SupersededBy: text, PublisherDomains: []custody.Domain{custody.Domain(text), custody.Domain(text)},
			CreatedAt: day0, UpdatedAt: day0, OwnFileURL: text,
		}
		ok(t, s.PutMirror(t.Context(), m, ""))
		want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), text)), m)
		k := key("key "+text, day0)
		k.Name, k.Scope = text, registry.Scope(text)
		ok(t, s.PutKey(t.Context(), k))
		want(t, got[*registry.Key](t)(s.KeyByHash(t.Context(), k.Hash)), k)
	}
	_, total, err := s.Mirrors(t.Context(), 0, 0)
	ok(t, err)
	want(t, total, len(nasty))
}

// textIsRefused: an error, no panic, and nothing is stored.
func textIsRefused(t *testing.T, open subject) {
	s := open(t)
	ctx := t.Context()
	h := document(t, s, "body")
	for _, text := range unstorable {
		m, p, k := mirror(t, s, text, "body"), proposal(text, h, ""), key(text, day0)
		_, spendErr := s.Spend(ctx, text, "p", 1)
		for name, err := range map[string]error{
			"PutBrand":       s.PutBrand(ctx, &registry.Brand{Domain: custody.Domain(text), Source: registry.FromCommunity}),
			"PutMirror":      s.PutMirror(ctx, m, ""),
			"PutMirror base": s.PutMirror(ctx, mirror(t, s, "p", "body"), registry.Hash(text)),
			"DeleteMirror":   s.DeleteMirror(ctx, text, h),
			"PutProposal":    s.PutProposal(ctx, p),
			"DecideProposal": s.DecideProposal(ctx, decided(p, registry.Rejected), nil),
			"PutKey":         s.PutKey(ctx, k),
			"RevokeKey":      s.RevokeKey(ctx, text, day0),
			"Spend":          spendErr,
		} {
			if err == nil || errors.Is(err, context.Canceled) {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
		_, _, err := s.Proposals(ctx, registry.ProposalState(text), 1, 0)
		if err == nil {
			t.Errorf("a state %q is no error", text)
		}
	}
	_, total, err := s.Mirrors(ctx, 1, 0)
	ok(t, err)
	want(t, total, 0)
}
