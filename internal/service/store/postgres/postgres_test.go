package postgres

import (
	"os"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

func TestMain(m *testing.M) {
	if !storetest.Main(openStore) {
		os.Exit(pgtest.Main(m))
	}
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

func TestContract(t *testing.T) {
	t.Parallel()
	var places storetest.Places
	storetest.Run(t, func(t *testing.T) registry.Store {
		return openAt(t, places.Of(t, func() string { return preparedURL(t) }))
	})
}

func TestCustodyContract(t *testing.T) {
	t.Parallel()
	var places storetest.Places
	storetest.RunCustody(t, func(t *testing.T) custodian.Store {
		return openAt(t, places.Of(t, func() string { return preparedURL(t) })).Custody()
	})
}

func TestLogContract(t *testing.T) {
	t.Parallel()
	storetest.RunLog(t, func(t *testing.T) *storetest.Logged {
		s := openAt(t, preparedURL(t))
		return &storetest.Logged{Custody: s.Custody(), Log: s.Log()}
	})
}

func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, openAt(b, pgtest.URL(b)))
}

func BenchmarkCustody(b *testing.B) {
	storetest.BenchCustody(b, openAt(b, pgtest.URL(b)).Custody())
}

func TestRetention(t *testing.T) {
	t.Parallel()
	storetest.RunRetention(t, func(t *testing.T) *storetest.Kept {
		s := openAt(t, preparedURL(t))
		sound := func(t *testing.T) {
			problems, err := s.Check(t.Context())
			if err != nil || len(problems) > 0 {
				t.Errorf("the store is not in order: %v, %v", problems, err)
			}
		}
		return &storetest.Kept{Store: s, Space: s, Keeping: s.Custody(), Feed: s.Feed(), Sound: sound, Export: s.Export}
	})
}
