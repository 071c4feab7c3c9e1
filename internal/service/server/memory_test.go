package server

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestReturnMemory: what is not used any more goes back to the system, and a process that
// has not grown is left alone.
func TestReturnMemory(t *testing.T) { //nolint:paralleltest // it looks at the memory of the process
	debug.FreeOSMemory()
	last := taken()
	if last == 0 {
		t.Fatal("this version of Go does not tell what it has taken")
	}
	if giveBack(last) != last {
		t.Error("there was nothing to give back")
	}
	large := make([]byte, 4*returnFrom)
	for i := range large {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	grown := taken()
	if grown < last+3*returnFrom {
		t.Fatalf("%d bytes are taken after %d", grown, last)
	}
	left := giveBack(last)
	if left > grown-3*returnFrom {
		t.Errorf("%d bytes are left of %d", left, grown)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := 0
	ReturnMemory(ctx, func() bool { asked++; return false })
	if asked == 0 {
		t.Error("nobody looked")
	}
}
