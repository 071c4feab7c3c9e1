package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/test/storetest"
)

// openIn opens a store and closes it when the test ends.
func openIn(t testing.TB, path string) *records.Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := s.Close()
		if err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	t.Parallel()
	var places storetest.Places
	storetest.Run(t, func(t *testing.T) registry.Store {
		path := places.Of(t, func() string { return filepath.Join(t.TempDir(), "store.db") })
		return openIn(t, path)
	})
}

func TestCustodyContract(t *testing.T) {
	t.Parallel()
	var places storetest.Places
	storetest.RunCustody(t, func(t *testing.T) custodian.Store {
		return openIn(t, places.Of(t, func() string { return filepath.Join(t.TempDir(), "store.db") })).Custody()
	})
}

func TestLogContract(t *testing.T) {
	t.Parallel()
	storetest.RunLog(t, func(t *testing.T) *storetest.Logged {
		s := openIn(t, filepath.Join(t.TempDir(), "store.db"))
		return &storetest.Logged{Custody: s.Custody(), Log: s.Log()}
	})
}

func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, openIn(b, filepath.Join(b.TempDir(), "store.db")))
}

func BenchmarkCustody(b *testing.B) {
	storetest.BenchCustody(b, openIn(b, filepath.Join(b.TempDir(), "store.db")).Custody())
}

func TestRetention(t *testing.T) {
	t.Parallel()
	storetest.RunRetention(t, func(t *testing.T) *storetest.Kept {
		s := openIn(t, filepath.Join(t.TempDir(), "store.db"))
		sound := func(t *testing.T) {
			problems, err := s.Check(t.Context())
			if err != nil || len(problems) > 0 {
				t.Errorf("the store is not in order: %v, %v", problems, err)
			}
		}
		return &storetest.Kept{Store: s, Space: s, Keeping: s.Custody(), Feed: s.Feed(), Sound: sound, Export: s.Export}
	})
}
