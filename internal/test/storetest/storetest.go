// Package storetest has the tests that every registry.Store has to pass.
package storetest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// A subject opens the store of a test: an empty one when the test calls it first, the
// same one when it calls it again, also while the first is open. Somebody else closes
// what the test leaves open.
type subject = func(t *testing.T) registry.Store

// Run runs the tests, each in parallel with a store of its own.
func Run(t *testing.T, open func(t *testing.T) registry.Store) {
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

// Places remembers where the store of a test is, for the implementation of open.
type Places struct {
	mu sync.Mutex
	of map[string]string
}

// Of returns what find returned when it was asked for this test first.
func (p *Places) Of(t *testing.T, find func() string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	place, ok := p.of[t.Name()]
	if !ok {
		place = find()
		if p.of == nil {
			p.of = map[string]string{}
		}
		p.of[t.Name()] = place
	}
	return place
}

// day0 is a time with a fraction that is kept in full.
var day0 = time.Date(2026, 3, 1, 12, 30, 15, 123456000, time.UTC)

// racers is how many goroutines compete where one shall win.
const racers = 16

// ok ends the test if a call failed.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got is ok for a call with a result.
func got[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

// want compares. Records come back with times in UTC and nil for empty lists, so that
// equal ones are deeply equal.
func want(t *testing.T, have, expected any) {
	t.Helper()
	if !reflect.DeepEqual(have, expected) {
		t.Errorf("have %+v\nwant %+v", have, expected)
	}
}

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

// document stores a document and returns its hash.
func document(t *testing.T, s registry.Store, body string) registry.Hash {
	t.Helper()
	return got[registry.Hash](t)(s.PutDocument(t.Context(), []byte(body)))
}

// nasty are texts that have to come back as they were.
var nasty = []string{
	"", " ", "'", `"`, `\`, "%_", "$1", "?1", ":x", "'; DROP TABLE mirrors; --", "ünï©ode.example", "\U0001F600", "\u202e", "a\nb\tc", "NULL", "0x00", "\ufffd",
}

// unstorable are texts that PostgreSQL cannot keep; no store does.
var unstorable = []string{"a\x00b", "\xff", "a\xc3"}
