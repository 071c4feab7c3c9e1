package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

func TestMain(m *testing.M) {
	if child() {
		return
	}
	os.Exit(pgtest.Main(m))
}

func TestOpen(t *testing.T) {
	t.Parallel()
	postgres := pgtest.URL(t)
	for _, url := range []string{
		"sqlite:" + filepath.Join(t.TempDir(), "a", "store.db"),
		"sqlite://" + filepath.Join(t.TempDir(), "store.db"),
		postgres,
		strings.Replace(pgtest.URL(t), "postgres:", "postgresql:", 1),
	} {
		s, err := Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Fill(t, s)
		err = s.Close()
		if err != nil {
			t.Fatal(err)
		}
		s, err = Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Check(t, s)
		err = s.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	for _, tc := range []struct{ url, want string }{
		{"", "a store is sqlite:PATH or postgres://"},
		{"store.db", "a store is sqlite:PATH or postgres://"},
		{"mysql://root:" + secret + "@db.example/avow", "a store is sqlite:PATH or postgres://"},
		{"SQLITE:x", "a store is sqlite:PATH or postgres://"},
		{"sqlite:", "the path of a file is needed"},
		{"sqlite::memory:", "the path of a file is needed"},
		{"postgres://u:" + secret + "@127.0.0.1:x/avow", "PostgreSQL"},
		{"postgres:", "a store is sqlite:PATH or postgres://"},
	} {
		s, err := Open(t.Context(), tc.url)
		if err == nil || s != nil {
			t.Errorf("%q was opened", tc.url)
			continue
		}
		if !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v, want %q", tc.url, err, tc.want)
		}
	}
}
