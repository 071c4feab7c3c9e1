package hostname_test

import (
	"testing"

	"github.com/avow-project/avow/internal/std/hostname"
)

// TestWritten: names that may be taken for others are told apart from those that a language writes.
func TestWritten(t *testing.T) {
	t.Parallel()
	for written, doubtful := range map[string]bool{
		"bücher.example": false, "пример.example": false, "παράδειγμα.example": false, "例え.example": false, "ひらがなカタカナ漢字.example": false, "한국어漢字.example": false,
		"аррӏе.example": true, "pаypal.example": true, "ехе.example": true, "exaмple.example": true, "bücherб.example": true, "www.bücher.pаypal.example": true,
	} {
		domain, _, err := hostname.Canonical(written)
		if err != nil {
			t.Fatal(err)
		}
		if name, got := hostname.Written(domain); name != written || got != doubtful {
			t.Errorf("%s is shown as %q, doubtful %t", domain, name, got)
		}
	}
	for _, domain := range []string{"plain.example", "", "xn--a", "xn--0.example"} {
		if name, doubtful := hostname.Written(domain); name != "" || doubtful {
			t.Errorf("%s is shown as %q", domain, name)
		}
	}
}
