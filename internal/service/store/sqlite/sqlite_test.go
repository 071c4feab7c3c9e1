package sqlite

import (
	"testing"

	"github.com/avow-project/avow/internal/service/store/records"
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
