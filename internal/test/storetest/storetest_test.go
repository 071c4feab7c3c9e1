package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// A subject opens the store of a test: an empty one when the test calls it first, the
// same one when it calls it again, also while the first is open. Somebody else closes
// what the test leaves open.
type subject = func(t *testing.T) registry.Store

// testRegistry tests a registry.Store.
func testRegistry(t *testing.T, open func(t *testing.T) registry.Store) {
	for _, group := range []struct {
		name  string
		tests map[string]func(*testing.T, subject)
	}{
		{"documents", documentTests},
		{"brands", brandTests},
		{"mirrors", mirrorTests},
		{"proposals", proposalTests},
		{"keys", keyTests},
		{"budgets", budgetTests},
		{"store", storeTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for name, test := range group.tests {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(t, open)
				})
			}
		})
	}
}

// racers is how many goroutines compete where one shall win.
const racers = 16

// wantErr asks for an error.
func wantErr(t *testing.T, err, expected error) {
	t.Helper()
	if !errors.Is(err, expected) {
		t.Errorf("error is %v, want %v", err, expected)
	}
}

// race runs f in parallel and returns how many calls returned nil. Others must return
// ErrConflict.
func race(t *testing.T, f func(ctx context.Context, i int) error) int {
	t.Helper()
	var wg sync.WaitGroup
	errs := make([]error, racers)
	start := make(chan struct{})
	for i := range racers {
		wg.Go(func() {
			<-start
			errs[i] = f(t.Context(), i)
		})
	}
	close(start)
	wg.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, registry.ErrConflict):
			t.Errorf("a call in a race failed: %v", err)
		}
	}
	return won
}

// nasty are texts that have to come back as they were.
var nasty = []string{
	"", " ", "'", `"`, `\`, "%_", "$1", "?1", ":x", "'; DROP TABLE mirrors; --", "ünï©ode.example", "\U0001F600", "\u202e", "a\nb\tc", "NULL", "0x00", "\ufffd",
}

// unstorable are texts that PostgreSQL cannot keep; no store does.
var unstorable = []string{"a\x00b", "\xff", "a\xc3"}
