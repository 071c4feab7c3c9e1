package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

var keyTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		old := key("old", day0)
		old.Scope, old.RevokedAt = registry.ScopeModerate, day0.Add(time.Hour)
		for _, k := range []*registry.Key{key("new", day0), old} {
			ok(t, s.PutKey(t.Context(), k))
			want(t, got[*registry.Key](t)(s.KeyByHash(t.Context(), k.Hash)), k)
		}
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		for _, h := range []registry.Hash{"", "x", registry.HashOf(nil), "\x00"} {
			_, err := s.KeyByHash(t.Context(), h)
			wantErr(t, err, registry.ErrNotFound)
		}
		wantErr(t, s.RevokeKey(t.Context(), "nobody", day0), registry.ErrNotFound)
	},
	"ids and hashes are taken once": func(t *testing.T, open subject) {
		s := open(t)
		ok(t, s.PutKey(t.Context(), key("a", day0)))
		sameID, sameHash := key("a", day0), key("b", day0)
		sameID.Hash, sameHash.Hash = registry.HashOf([]byte("other")), registry.HashOf([]byte("a"))
		wantErr(t, s.PutKey(t.Context(), sameID), registry.ErrConflict)
		wantErr(t, s.PutKey(t.Context(), sameHash), registry.ErrConflict)
		want(t, got[[]registry.Key](t)(s.Keys(t.Context())), []registry.Key{*key("a", day0)})
		want(t, race(t, func(ctx context.Context, _ int) error { return s.PutKey(ctx, key("c", day0)) }), 1)
	},
	"are listed by age": func(t *testing.T, open subject) {
		s := open(t)
		want(t, len(got[[]registry.Key](t)(s.Keys(t.Context()))), 0)
		for _, k := range []*registry.Key{key("c", day0), key("a", day0.Add(time.Second)), key("b", day0)} {
			ok(t, s.PutKey(t.Context(), k))
		}
		want(t, got[[]registry.Key](t)(s.Keys(t.Context())), []registry.Key{*key("b", day0), *key("c", day0), *key("a", day0.Add(time.Second))})
	},
	"are revoked once": func(t *testing.T, open subject) {
		s := open(t)
		k := key("a", day0)
		ok(t, s.PutKey(t.Context(), k))
		ok(t, s.PutKey(t.Context(), key("b", day0)))
		for i := range 3 {
			ok(t, s.RevokeKey(t.Context(), "a", day0.Add(time.Duration(1+i)*time.Hour)))
		}
		k.RevokedAt = day0.Add(time.Hour)
		want(t, got[*registry.Key](t)(s.KeyByHash(t.Context(), k.Hash)), k)
		want(t, got[*registry.Key](t)(s.KeyByHash(t.Context(), registry.HashOf([]byte("b")))), key("b", day0))
	},
}

var budgetTests = map[string]func(*testing.T, subject){
	"end": func(t *testing.T, open subject) {
		s := open(t)
		spend := func(budget, period string, limit int) bool {
			return got[bool](t)(s.Spend(t.Context(), budget, period, limit))
		}
		want(t, spend("a", "1", 0), false)
		want(t, spend("a", "1", -1), false)
		for i := range 5 {
			want(t, spend("a", "1", 3), i < 3)
		}
		want(t, spend("a", "2", 3), true)
		want(t, spend("b", "1", 3), true)
		// A limit may change while a period lasts.
		want(t, spend("a", "1", 4), true)
		want(t, spend("a", "1", 2), false)
		want(t, spend("a", "1", 4), false)
	},
	"are never overdrawn": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		var taken atomic.Int64
		want(t, race(t, func(ctx context.Context, i int) error {
			for range 5 {
				took, err := []registry.Store{first, second}[i%2].Spend(ctx, "b", "p", 33)
				if err != nil {
					return err
				}
				if took {
					taken.Add(1)
				}
			}
			return nil
		}), racers)
		want(t, taken.Load(), int64(33))
	},
	"are told apart": func(t *testing.T, open subject) {
		s := open(t)
		for i, text := range nasty {
			want(t, got[bool](t)(s.Spend(t.Context(), text, fmt.Sprint(i), 1)), true)
			want(t, got[bool](t)(s.Spend(t.Context(), fmt.Sprint(i), text, 1)), true)
			want(t, got[bool](t)(s.Spend(t.Context(), text, fmt.Sprint(i), 1)), false)
		}
	},
}
