package postgres

import (
	"os"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/test/pgtest"
)

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(m))
}

// openAt opens a store and closes it when the test ends.
func openAt(t testing.TB, url string) *records.Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// prepared is a database that was a store once, and is copied for others: that takes less
// than all migrations.
var prepared struct {
	sync.Mutex
	url string
}

// preparedURL returns the URL of a database that has all tables.
func preparedURL(t testing.TB) string {
	t.Helper()
	prepared.Lock()
	defer prepared.Unlock()
	if prepared.url == "" {
		url := pgtest.URL(t)
		s, err := Open(t.Context(), url)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		prepared.url = url
	}
	return pgtest.Copy(t, prepared.url)
}
