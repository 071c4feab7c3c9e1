// Program wasm is the checker, the fixer and the resolver as a WebAssembly module for other
// languages. A host calls avow_alloc for room, writes a request and its data there, and calls
// avow_call; the result is at the place that it returns until the next call.
package main

import (
	"unsafe"

	"github.com/avow-project/avow/internal/portable"
)

// input and output are kept, so that they stay where the host was told.
var input, output []byte

// alloc returns the place of n bytes for the next call.
//
//go:wasmexport avow_alloc
func alloc(n uint32) uint32 {
	input = make([]byte, max(n, 1))
	return place(input)
}

// call answers a request, which is the first n bytes of the input; the rest is its data. The
// upper half of what it returns is the place of the answer, the lower half its length.
//
//go:wasmexport avow_call
func call(n, size uint32) uint64 {
	output = portable.Call(input[:n], input[n:n+size])
	input = nil
	return uint64(place(output))<<32 | uint64(len(output))
}

// place is an address for the host.
func place(b []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) //nolint:gosec // a module has 32 bits
}

func main() {}
