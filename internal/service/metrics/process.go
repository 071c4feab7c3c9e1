package metrics

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Process adds what the Go runtime and, on Linux, the kernel say about this process, under
// the names that the Prometheus client gives them.
func (s *Set) Process(started time.Time) {
	read := func(name, help string, f func() float64) { s.Read(name, help, "", "", f) }
	s.Read("go_info", "Always 1; the label is the version of Go.", "version", runtime.Version(), func() float64 {
		return 1
	})
	read("go_goroutines", "Goroutines that exist.", func() float64 { return float64(runtime.NumGoroutine()) })
	memory := func(name, help string, f func(*runtime.MemStats) uint64) {
		read(name, help, func() float64 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return float64(f(&m))
		})
	}
	memory("go_memstats_heap_alloc_bytes", "Bytes of the heap in use.", func(m *runtime.MemStats) uint64 {
		return m.HeapAlloc
	})
	memory("go_memstats_heap_objects", "Objects in the heap.", func(m *runtime.MemStats) uint64 { return m.HeapObjects })
	memory("go_memstats_next_gc_bytes", "Size of the heap at which the next collection begins.",
		func(m *runtime.MemStats) uint64 {
			return m.NextGC
		})
	memory("go_memstats_sys_bytes", "Bytes obtained from the system.", func(m *runtime.MemStats) uint64 { return m.Sys })
	read("process_start_time_seconds", "When the process started, in seconds since 1970.", func() float64 {
		return float64(started.UnixMilli()) / 1000
	})
	_, err := os.Stat(statPath)
	if err != nil {
		return
	}
	read("process_cpu_seconds_total", "Processor time used, by the program and by the system for it.", func() float64 {
		return (stat(fieldUser) + stat(fieldSystem)) / ticksPerSecond
	})
	read("process_virtual_memory_bytes", "Size of the address space.", func() float64 { return stat(fieldVirtual) })
	read("process_resident_memory_bytes", "Bytes in memory.", func() float64 {
		return stat(fieldPages) * float64(os.Getpagesize())
	})
	read("process_open_fds", "Open files and connections.", func() float64 {
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return math.NaN()
		}
		return float64(len(open) - 1) // The directory itself is open while it is read.
	})
	read("process_max_fds", "Most files and connections that may be open.", openLimit)
}

// Where Linux tells about a process, and which fields of it, counted after the name in
// parentheses.
const (
	statPath = "/proc/self/stat"

	fieldUser    = 11
	fieldSystem  = 12
	fieldVirtual = 20
	fieldPages   = 21

	ticksPerSecond = 100
)

// stat returns a field of the process's state.
func stat(field int) float64 {
	text, _ := os.ReadFile(statPath)
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if field >= len(fields) {
		return math.NaN()
	}
	return number(string(fields[field]))
}

// openLimit returns how many files may be open.
func openLimit() float64 {
	text, _ := os.ReadFile("/proc/self/limits")
	_, rest, _ := strings.Cut(string(text), "Max open files")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return math.NaN()
	}
	if fields[0] == "unlimited" {
		return math.Inf(1)
	}
	return number(fields[0])
}

// number reads a number; NaN is for what is none.
func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}
