package flight

import (
	"runtime"
	"testing"
)

// TestUseOf: caches with a name are counted together as long as they exist, by weight where that is
// limited.
func TestUseOf(t *testing.T) {
	t.Parallel()
	a := NewCache(Limits[int, int]{Name: t.Name(), Weight: 100})
	b := NewCache(Limits[string, int]{Name: t.Name(), Count: 7})
	a.Put(1, 1, 60)
	b.Put("x", 1, 1000)
	b.Put("y", 1, 1000)
	if got := UseOf(t.Name()); got != (Use{62, 107}) {
		t.Errorf("got %+v", got)
	}
	runtime.KeepAlive(a)
	a = nil
	for UseOf(t.Name()) != (Use{2, 7}) {
		runtime.GC()
	}
	runtime.KeepAlive(b)
	if got := UseOf("none"); got != (Use{}) {
		t.Errorf("got %+v", got)
	}
}
