// Package storetest fills stores for the tests of other packages, and looks for what it stored. Its own
// tests are what every store has to do: they open a SQLite store and a PostgreSQL one.
package storetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// day0 is a time with a fraction that is kept in full.
var day0 = time.Date(2026, 3, 1, 12, 30, 15, 123456000, time.UTC)

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

// document stores a document and returns its hash.
func document(t *testing.T, s registry.Store, body string) registry.Hash {
	t.Helper()
	return got[registry.Hash](t)(s.PutDocument(t.Context(), []byte(body)))
}
