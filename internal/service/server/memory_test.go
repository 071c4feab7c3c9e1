package server

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// occupy starts goroutines that have so many bytes together, as connections do, and returns what ends
// them. What they had is in a pool afterwards.
func occupy(goroutines, bytes int) func() {
	var pool sync.Pool
	var ready, ended sync.WaitGroup
	release := make(chan struct{})
	for range goroutines {
		ready.Add(1)
		ended.Go(func() {
			own := make([]byte, bytes/goroutines)
			ready.Done()
			<-release
			pool.Put(&own)
		})
	}
	ready.Wait()
	return func() {
		close(release)
		ended.Wait()
	}
}

// TestReturnMemory: what is not used any more goes back to the system, and a process that
// has not grown is left alone.
func TestReturnMemory(t *testing.T) { //nolint:paralleltest // it looks at the memory of the process
	debug.FreeOSMemory()
	last := extent{taken(), runtime.NumGoroutine()}
	if last.memory == 0 {
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
	if grown < last.memory+3*returnFrom {
		t.Fatalf("%d bytes are taken after %d", grown, last)
	}
	left := giveBack(last)
	if left.memory > grown-3*returnFrom {
		t.Errorf("%d bytes are left of %d", left.memory, grown)
	}
	end := occupy(2*returnAfter, 4*returnFrom)
	occupied := extent{taken(), runtime.NumGoroutine()}
	left = giveBack(left)
	if left.memory < occupied.memory-returnFrom {
		t.Fatalf("what is in use was given back: %d bytes are left of %d", left.memory, occupied.memory)
	}
	end()
	for runtime.NumGoroutine() > occupied.goroutines-returnAfter {
		runtime.Gosched()
	}
	if after := giveBack(left); after.memory > left.memory-3*returnFrom {
		t.Errorf("%d bytes are left of %d, of which nothing is used", after.memory, left.memory)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := 0
	ReturnMemory(ctx, func() bool { asked++; return false })
	if asked == 0 {
		t.Error("nobody looked")
	}
}
