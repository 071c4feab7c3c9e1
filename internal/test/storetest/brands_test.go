package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
)

var brandTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		for _, source := range []registry.BrandSource{registry.FromBrandJSON, registry.FromCommunity, registry.FromProvider} {
			b := &registry.Brand{Domain: "a.example", Source: source, Manifest: []byte(`{"name":"` + string(source) + `"}`), UpdatedAt: day0, By: "key"}
			ok(t, s.PutBrand(t.Context(), b))
			want(t, b.Revision, 1)
			want(t, got[*registry.Brand](t)(s.Brand(t.Context(), "a.example", source)), b)
		}
		// The source was asked and has nothing.
		none := &registry.Brand{Domain: "b.example", Source: registry.FromProvider, UpdatedAt: day0}
		ok(t, s.PutBrand(t.Context(), none))
		want(t, got[*registry.Brand](t)(s.Brand(t.Context(), "b.example", registry.FromProvider)), none)
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		ok(t, s.PutBrand(t.Context(), &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, UpdatedAt: day0}))
		for _, k := range [][2]string{{"a.example", "enriched"}, {"b.example", "community"}, {"a.example", ""}, {"a\x00", "community"}} {
			_, err := s.Brand(t.Context(), custody.Domain(k[0]), registry.BrandSource(k[1]))
			wantErr(t, err, registry.ErrNotFound)
		}
	},
	"are listed by domain": func(t *testing.T, open subject) {
		s := open(t)
		put := func(domain string, source registry.BrandSource, manifest string) {
			t.Helper()
			ok(t, s.PutBrand(t.Context(), &registry.Brand{Domain: custody.Domain(domain), Source: source, Manifest: []byte(manifest), UpdatedAt: day0}))
		}
		put("c.example", registry.FromProvider, `{"name":"c"}`)
		put("a.example", registry.FromBrandJSON, "") // it had one
		put("a.example", registry.FromProvider, "{}")
		put("b.example", registry.FromProvider, "{}")
		put("b.example", registry.FromCommunity, "{}")
		put("b.example", registry.FromBrandJSON, "{}")
		put("gone.example", registry.FromBrandJSON, "")
		names := func(after string, limit int) []string {
			t.Helper()
			var out []string
			for _, b := range got[[]registry.Brand](t)(s.Brands(t.Context(), custody.Domain(after), limit)) {
				out = append(out, string(b.Domain)+" "+string(b.Source))
			}
			return out
		}
		b := []string{"b.example brand_json", "b.example community", "b.example enriched"}
		want(t, names("", 9), slices.Concat([]string{"a.example enriched"}, b, []string{"c.example enriched"}))
		want(t, names("a.example", 1), b)
		want(t, len(names("c.example", 9)), 0)
		want(t, got[[]registry.Brand](t)(s.Brands(t.Context(), "b.example", 1)), []registry.Brand{{Domain: "c.example", Source: registry.FromProvider, Manifest: []byte(`{"name":"c"}`), UpdatedAt: day0, Revision: 1}})
	},
	"revisions count changes": func(t *testing.T, open subject) {
		s := open(t)
		for i, step := range []struct {
			manifest, by string
			revision     int
		}{{"{}", "", 1}, {"{}", "", 1}, {`{"a":1}`, "", 2}, {`{"a":1}`, "key", 3}, {"", "key", 4}} {
			b := &registry.Brand{
				Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte(step.manifest), By: step.by,
				UpdatedAt: day0.Add(time.Duration(i) * time.Hour), Revision: 77,
			}
			ok(t, s.PutBrand(t.Context(), b))
			stored := got[*registry.Brand](t)(s.Brand(t.Context(), "a.example", registry.FromCommunity))
			want(t, b.Revision, step.revision)
			want(t, stored.Revision, step.revision)
			want(t, stored.UpdatedAt, b.UpdatedAt)
			want(t, string(stored.Manifest), step.manifest)
		}
	},
	"what somebody saved stays": func(t *testing.T, open subject) {
		s := open(t)
		saved := &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte("{}"), By: "key", UpdatedAt: day0}
		ok(t, s.PutBrand(t.Context(), saved))
		ok(t, s.PutBrand(t.Context(), &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte(`{"a":1}`), UpdatedAt: day0}))
		want(t, got[*registry.Brand](t)(s.Brand(t.Context(), "a.example", registry.FromCommunity)), saved)
	},
	"the data of one key is not replaced by another": func(t *testing.T, open subject) {
		s := open(t)
		put := func(by, manifest string, override bool) error {
			return s.PutBrand(t.Context(), &registry.Brand{
				Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte(manifest), By: by, UpdatedAt: day0, Override: override,
			})
		}
		ok(t, put("key", "{}", false))
		wantErr(t, put("other", `{"a":1}`, false), registry.ErrConflict)
		want(t, got[*registry.Brand](t)(s.Brand(t.Context(), "a.example", registry.FromCommunity)).By, "key")
		ok(t, put("moderator", `{"a":2}`, true))
		wantErr(t, put("key", `{"a":3}`, false), registry.ErrConflict)
		stored := got[*registry.Brand](t)(s.Brand(t.Context(), "a.example", registry.FromCommunity))
		want(t, stored.By+string(stored.Manifest), `moderator{"a":2}`)
		want(t, stored.Revision, 2)
	},
	"no change is lost from the count": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		want(t, race(t, func(ctx context.Context, i int) error {
			s := []registry.Store{first, second}[i%2]
			return s.PutBrand(ctx, &registry.Brand{Domain: "a.example", Source: registry.FromCommunity, Manifest: []byte{byte(i)}, UpdatedAt: day0})
		}), racers)
		want(t, got[*registry.Brand](t)(first.Brand(t.Context(), "a.example", registry.FromCommunity)).Revision, racers)
	},
}
