package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
)

var mirrorTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		full := mirror(t, s, "full", "a")
		full.CatalogETag, full.SupersededBy, full.OwnFileURL = "etag", "https://a.example/adagents.json", "https://b.example/adagents.json"
		full.PublisherDomains = []custody.Domain{"b.example", "a.example"}
		full.UpdatedAt, full.SupersededAt = day0.Add(time.Hour), day0.Add(2*time.Hour)
		full.OwnFileAt, full.CheckedAt = day0.Add(3*time.Hour), day0.Add(4*time.Hour)
		for _, m := range []*registry.Mirror{full, mirror(t, s, "bare", "b")} {
			ok(t, s.PutMirror(t.Context(), m, ""))
			want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), m.Platform)), m)
		}
		// Everything but the platform can be replaced.
		bare := mirror(t, s, "full", "c")
		bare.CreatedAt = day0.Add(time.Minute)
		ok(t, s.PutMirror(t.Context(), bare, full.Document))
		want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "full")), bare)
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		for _, platform := range []string{"", "nobody", "a\x00b", "\xff"} {
			_, err := s.Mirror(t.Context(), platform)
			wantErr(t, err, registry.ErrNotFound)
		}
	},
	"change only from their base":   mirrorsHaveABase,
	"note files of platforms":       ownFilesAreNoted,
	"are deleted from their base":   mirrorsAreDeleted,
	"come in pages":                 mirrorsComeInPages,
	"have a document that is known": mirrorsHaveADocument,
	"one of many creates": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		m := mirror(t, first, "p", "a")
		want(t, race(t, func(ctx context.Context, i int) error {
			return []registry.Store{first, second}[i%2].PutMirror(ctx, m, "")
		}), 1)
	},
	"one of many replaces": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		m := mirror(t, first, "p", "a")
		ok(t, first.PutMirror(t.Context(), m, ""))
		var next []*registry.Mirror
		for i := range racers {
			next = append(next, mirror(t, first, "p", fmt.Sprint(i)))
		}
		want(t, race(t, func(ctx context.Context, i int) error {
			return []registry.Store{first, second}[i%2].PutMirror(ctx, next[i], m.Document)
		}), 1)
	},
	"one of many deletes": func(t *testing.T, open subject) {
		first, second := open(t), open(t)
		m := mirror(t, first, "p", "a")
		ok(t, first.PutMirror(t.Context(), m, ""))
		after := mirror(t, first, "p", "b")
		want(t, race(t, func(ctx context.Context, i int) error {
			if i == 0 {
				return first.PutMirror(ctx, after, m.Document)
			}
			err := []registry.Store{first, second}[i%2].DeleteMirror(ctx, "p", m.Document)
			if err != nil {
				return registry.ErrConflict // or not found any more
			}
			return nil
		}), 1)
	},
}

func mirrorsHaveABase(t *testing.T, open subject) {
	s := open(t)
	a, b := mirror(t, s, "p", "a"), mirror(t, s, "p", "b")
	wantErr(t, s.PutMirror(t.Context(), a, b.Document), registry.ErrConflict)
	_, err := s.Mirror(t.Context(), "p")
	wantErr(t, err, registry.ErrNotFound)
	ok(t, s.PutMirror(t.Context(), a, ""))
	wantErr(t, s.PutMirror(t.Context(), b, ""), registry.ErrConflict)
	wantErr(t, s.PutMirror(t.Context(), b, b.Document), registry.ErrConflict)
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), a)
	ok(t, s.PutMirror(t.Context(), b, a.Document))
	wantErr(t, s.PutMirror(t.Context(), a, a.Document), registry.ErrConflict)
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), b)
	// The same document at a later time.
	b.UpdatedAt = day0.Add(time.Hour)
	ok(t, s.PutMirror(t.Context(), b, b.Document))
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), b)
}

// ownFilesAreNoted: that changes nothing else, and nothing of a mirror with another document.
func ownFilesAreNoted(t *testing.T, open subject) {
	s := open(t)
	a, b := mirror(t, s, "p", "a"), mirror(t, s, "p", "b")
	ok(t, s.PutMirror(t.Context(), a, ""))
	found := *a
	found.UpdatedAt, found.SupersededAt, found.CatalogETag = day0.Add(-time.Hour), time.Time{}, "old"
	found.OwnFileURL, found.OwnFileAt, found.CheckedAt = "https://own.example/", day0, day0.Add(time.Hour)
	ok(t, s.NoteOwnFile(t.Context(), &found))
	a.OwnFileURL, a.OwnFileAt, a.CheckedAt = found.OwnFileURL, found.OwnFileAt, found.CheckedAt
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), a)
	ok(t, s.PutMirror(t.Context(), b, a.Document))
	ok(t, s.NoteOwnFile(t.Context(), &found))
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), b)
}

func mirrorsAreDeleted(t *testing.T, open subject) {
	s := open(t)
	a := mirror(t, s, "p", "a")
	wantErr(t, s.DeleteMirror(t.Context(), "p", a.Document), registry.ErrNotFound)
	ok(t, s.PutMirror(t.Context(), a, ""))
	for _, base := range []registry.Hash{"", registry.HashOf([]byte("b"))} {
		wantErr(t, s.DeleteMirror(t.Context(), "p", base), registry.ErrConflict)
	}
	ok(t, s.DeleteMirror(t.Context(), "p", a.Document))
	_, err := s.Mirror(t.Context(), "p")
	wantErr(t, err, registry.ErrNotFound)
	ok(t, s.PutMirror(t.Context(), a, ""))
}

func mirrorsComeInPages(t *testing.T, open subject) {
	s := open(t)
	page := func(limit, offset int) ([]string, int) {
		all, total, err := s.Mirrors(t.Context(), limit, offset)
		ok(t, err)
		names := []string{}
		for _, m := range all {
			names = append(names, m.Platform)
		}
		return names, total
	}
	names, total := page(10, 0)
	want(t, names, []string{})
	want(t, total, 0)
	sorted := []string{"a-b", "a.b", "aB", "a_b", "ab"}
	for _, i := range []int{3, 0, 4, 2, 1} {
		ok(t, s.PutMirror(t.Context(), mirror(t, s, sorted[i], "x"), ""))
	}
	for _, tc := range []struct{ limit, offset, from, to int }{
		{10, 0, 0, 5}, {2, 0, 0, 2}, {2, 2, 2, 4}, {2, 4, 4, 5}, {2, 5, 5, 5}, {2, 99, 5, 5}, {0, 0, 0, 0}, {-1, -1, 0, 0}, {1, -5, 0, 1},
	} {
		names, total := page(tc.limit, tc.offset)
		want(t, names, append([]string{}, sorted[tc.from:tc.to]...))
		want(t, total, 5)
	}
}

// mirrorsHaveADocument: a mirror is served, so what it serves has to be there.
func mirrorsHaveADocument(t *testing.T, open subject) {
	s := open(t)
	m := &registry.Mirror{Platform: "p", Document: registry.HashOf([]byte("never stored")), CreatedAt: day0, UpdatedAt: day0}
	if s.PutMirror(t.Context(), m, "") == nil {
		t.Error("a mirror without its document was stored")
	}
	p := proposal("1", m.Document, "")
	if s.PutProposal(t.Context(), p) == nil {
		t.Error("a proposal without its document was stored")
	}
}
