package storetest

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

var documentTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		for _, body := range []string{"", "{}", strings.Repeat("a", 100), "\x00\xff\xfe", strings.Repeat(`{"name":"value"}`, 10_000)} {
			h := document(t, s, body)
			want(t, h, registry.HashOf([]byte(body)))
			have := got[[]byte](t)(s.Document(t.Context(), h))
			if string(have) != body {
				t.Errorf("%d bytes came back as %d", len(body), len(have))
			}
		}
	},
	"may be stored twice": func(t *testing.T, open subject) {
		s := open(t)
		want(t, document(t, s, "twice"), document(t, s, "twice"))
		want(t, race(t, func(ctx context.Context, _ int) error {
			_, err := s.PutDocument(ctx, []byte("at once"))
			return err
		}), racers)
	},
	"are copied": func(t *testing.T, open subject) {
		s := open(t)
		body := []byte("before")
		h := got[registry.Hash](t)(s.PutDocument(t.Context(), body))
		body[0] = 'X'
		first := got[[]byte](t)(s.Document(t.Context(), h))
		first[0] = 'Y'
		want(t, string(got[[]byte](t)(s.Document(t.Context(), h))), "before")
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		for _, h := range []registry.Hash{"", "abc", registry.HashOf([]byte("never stored")), "' OR 1=1 --", "\x00"} {
			_, err := s.Document(t.Context(), h)
			wantErr(t, err, registry.ErrNotFound)
		}
	},
	"may be large": func(t *testing.T, open subject) {
		s := open(t)
		random := make([]byte, 20_000_000)
		_, err := rand.NewChaCha8([32]byte{1}).Read(random)
		ok(t, err)
		for _, body := range [][]byte{random, bytes.Repeat([]byte("0123456789"), 2_000_000)} {
			h := got[registry.Hash](t)(s.PutDocument(t.Context(), body))
			if !bytes.Equal(got[[]byte](t)(s.Document(t.Context(), h)), body) {
				t.Error("a large document came back changed")
			}
		}
	},
	"have a limit": func(t *testing.T, open subject) {
		s := open(t)
		_, err := s.PutDocument(t.Context(), make([]byte, 40<<20))
		if err == nil {
			t.Error("a document of 40 MiB was accepted")
		}
	},
}
