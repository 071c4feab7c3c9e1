package hugepage

import (
	"syscall"
	"unsafe"
)

// size is that of a large page on most processors. On others the range is merely
// rounded to something else than its borders.
const size = 2 << 20

// Advise asks for large pages for memory of the Go heap that is about to be filled. It
// is only advice: a system that does not follow it loses nothing but time, so a refusal
// is not reported.
//
// The range is rounded up to whole large pages. What lies beside it is memory of the
// same heap.
func Advise(memory []byte) {
	if len(memory) == 0 {
		return
	}
	first := unsafe.SliceData(memory)
	before := uintptr(unsafe.Pointer(first)) % size
	length := (before + uintptr(len(memory)) + size - 1) / size * size
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(unsafe.Pointer(first))-before, length, syscall.MADV_HUGEPAGE)
}
