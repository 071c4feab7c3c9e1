package hostname

import (
	"fmt"
	"sync"
	"testing"
)

// TestToASCIIRemembers asks for more names than are kept, several times and from
// several sides at once, and compares with the mapper itself.
func TestToASCIIRemembers(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 4 * len(recent) {
				host := fmt.Sprintf("bücher%d.example", i/2)
				if i%7 == 0 {
					host = fmt.Sprintf("xn--%d.example", i)
				}
				want, err := lookupProfile.ToASCII(host)
				got, ok := toASCII(host)
				if got != want || ok != (err == nil) {
					t.Errorf("toASCII(%q) = %q, %v, want %q, %v", host, got, ok, want, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestToASCIIAllocations(t *testing.T) {
	const host = "bücher.example"
	toASCII(host)
	if n := testing.AllocsPerRun(100, func() { toASCII(host) }); n != 0 {
		t.Errorf("%v allocations for a name asked for before", n)
	}
}
