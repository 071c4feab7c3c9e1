package main

import (
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// forgetPeak gives unused memory back and resets this process's own peak. The
// kernel starts the peak of a child at that of its parent, because until it
// executes another program the child shares the parent's memory.
func forgetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peakRSS returns the most physical memory, in bytes, that a finished process
// had; the kernel counts it in kilobytes.
func peakRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}

// usedCPU returns the processor time that this process has used.
func usedCPU() time.Duration {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	if err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
