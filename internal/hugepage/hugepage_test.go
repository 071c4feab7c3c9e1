package hugepage_test

import (
	"testing"

	"github.com/avow-project/avow/internal/hugepage"
)

// TestAdvise looks whether memory is as usable after the advice as before.
func TestAdvise(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 4096, 5 << 20} {
		memory := make([]byte, n)
		for i := range memory {
			memory[i] = byte(i)
		}
		hugepage.Advise(memory)
		for i := range memory {
			if memory[i] != byte(i) {
				t.Fatalf("octet %d of %d has changed", i, n)
			}
		}
	}
}
