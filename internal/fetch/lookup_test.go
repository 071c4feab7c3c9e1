package fetch

import (
	"context"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/avow-project/avow/internal/netguard"
)

// TestRefusedAddressesAreOnRecord has a mixture of addresses.
func TestRefusedAddressesAreOnRecord(t *testing.T) {
	t.Parallel()
	found := []netip.Addr{labAddr, netip.MustParseAddr("10.0.0.1")}
	l := &lab{lookup: func(context.Context, string) ([]netip.Addr, error) { return found, nil }}
	r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f"})
	is(t, r, GuardedAddress)
	if !slices.Equal(r.Last().Resolved, found) || l.count() != 0 {
		t.Errorf("resolved %v, %d connections", r.Last().Resolved, l.count())
	}
}

// TestLateLookup has a resolver that answers when the guard's time for it is over,
// as one does that waited in vain for the other family.
func TestLateLookup(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{
			serve: saying(okHead + "Content-Length: 2\r\n\r\n{}"),
			lookup: func(ctx context.Context, _ string) ([]netip.Addr, error) {
				<-ctx.Done()
				return []netip.Addr{labAddr}, nil
			},
		}
		r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true})
		is(t, r, Found)
		if r.Last().Timings.DNS != netguard.LookupTimeout {
			t.Errorf("%+v", r.Last().Timings)
		}
	})
}
