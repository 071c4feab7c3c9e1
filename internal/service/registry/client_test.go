package registry_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

func TestBlocksOf(t *testing.T) {
	t.Parallel()
	for client, want := range map[string][]registry.Block{
		"192.0.2.1":            {{Name: "192.0.2.1", Factor: 1}},
		"unknown":              {{Name: "unknown", Factor: 1}},
		"":                     {{Name: "", Factor: 1}},
		"2001:db8:1:2ff::/64":  {{Name: "2001:db8:1:2ff::/64", Factor: 1}, {Name: "2001:db8:1:200::/56", Factor: 4}, {Name: "2001:db8:1::/48", Factor: 16}},
		"2001:db8:1:1234::/64": {{Name: "2001:db8:1:1234::/64", Factor: 1}, {Name: "2001:db8:1:1200::/56", Factor: 4}, {Name: "2001:db8:1::/48", Factor: 16}},
	} {
		if got := registry.BlocksOf(client); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", client, got, want)
		}
	}
}

// home returns the n-th network of a home with a /56.
func home(n int) string { return fmt.Sprintf("2001:db8:1:%x::/64", 0x1200+n) }
