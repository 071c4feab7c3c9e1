// Package sqlitetest has empty SQLite stores for tests. Making one takes hundreds of
// statements, which is long under the race detector; a test gets a copy of one that was made.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/store/sqlite"
)

// Path returns the file of an empty store of the test's own. It is gone after the test.
func Path(t testing.TB) string {
	t.Helper()
	body, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	err = os.WriteFile(path, body, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// empty returns the content of an empty store.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sqlitetest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in a folder for such things
	path := filepath.Join(dir, "store.db")
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	err = s.Close()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
