package registry_test

import (
	"errors"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// TestBrandStoreFails: a store that cannot be read is not a brand that nobody knows.
func TestBrandStoreFails(t *testing.T) {
	t.Parallel()
	l := newBrandLab(t, -1)
	_, err := l.KnownBrand(t.Context(), "acme.example")
	var known *registry.Error
	if !errors.As(err, &known) || known.Kind != registry.NotFound {
		t.Fatalf("nothing is stored: %v", err)
	}
	err = l.store.Close()
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.KnownBrand(t.Context(), "acme.example")
	if err == nil || errors.As(err, &known) && known.Kind == registry.NotFound {
		t.Fatalf("the store is closed: %v", err)
	}
}
