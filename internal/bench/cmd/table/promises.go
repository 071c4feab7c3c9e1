//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/avow-project/avow/internal/bench"
)

// A promise is a row of the table: a figure, its limit, and the benchmarks that it is made from.
type promise struct {
	subject string
	limit   float64
	unit    string
	atLeast bool // the figure must not be lower, instead of not higher
	needs   []string
	value   func(results) float64
}

// Packages of the benchmarks, and the program as it is built.
const (
	program   = "program"
	checks    = "internal/bench:Benchmark"
	index     = "internal/index:Benchmark"
	calls     = "internal/service/api/calltest:Benchmark"
	pins      = "keypin:Benchmark"
	commands  = "internal/cli:Benchmark"
	requests  = "internal/fetch:Benchmark"
	custodian = "internal/service/custodian:Benchmark"
)

var promises = []promise{
	ratio("full check of a 19 MB file, in token scans of its bytes", 2, checks+"CheckFor/large19mb",
		checks+"TokenScan/large19mb"),
	ratio("full check of a 3 MB network file, in token scans", 2, checks+"CheckFor/network3mb",
		checks+"TokenScan/network3mb"),
	inUnits("full check of a small file", 0.1, "ms", 1e6, checks+"CheckFor/small"),
	metric("twice the input, for every input built to be slow: worst growth of time by growth of bytes", 1.25, "",
		checks+"Growth", "growth"),
	ratio("repair of a 19 MB file with 60,000 findings, in checks of it", 2, checks+"Repair/repair",
		checks+"Repair/check"),
	metric("`avow validate` of an ordinary file, start to end, median", 20, "ms", program+":small", "ms"),
	metric("`avow version`, start to end, median", 10, "ms", program+":version", "ms"),
	metric("`avow validate` of a 19 MB file as text, in CPU times of the same as JSON", 1.15, "", program+":text",
		"ratio"),
	metric("`avow validate` of a 19 MB file, physical memory", 160, "MB", program+":large", "MB"),
	metric("`avow validate` of a hostile array of 20 MB, physical memory", 200, "MB", program+":hostile", "MB"),
	metric("size of the program", 40, "MB", program+":size", "MB"),
	inUnits("decision of the index with every qualifier, 19 MB file", 0.5, "µs", 1e3, index+"Decide/large19mb"),
	metric("the same, allocations", 0, "", index+"Decide/large19mb", "allocs/op"),
	inUnits("answer about a property of a known publisher, 19 MB file, without store and HTTP", 20, "µs", 1e3,
		index+"Answer/large19mb"),
	atLeast(metric("`avow authorize --batch`, questions per second, CSV", 400_000, "", commands+"Batch/csv",
		"questions/s")),
	metric("signed message with all its checks, in bare Ed25519 checks", 2, "", pins+"Verify", "checks"),
	atLeast(ratio("fetch of a fresh host through the guard, part of the rate of bare requests", 0.6,
		requests+"FreshHosts/bare/http2=false", requests+"FreshHosts/guarded/http2=false")),
	atLeast(metric("crawl of 10,000 publishers into SQLite, part of the rate of bare requests by CPU time", 0.7, "",
		custodian+"Crawl", "cpu-ratio")),
	inUnits("adoption of a new version of a 3 MB network file", 150, "ms", 1e6, custodian+"Adoption"),
	atLeast(ratio("service: cached check, part of the rate of a bare handler", 0.4, calls+"CachedValidate/bare",
		calls+"CachedValidate/api")),
	atLeast(ratio("service: decision, part of the rate of a bare handler", 0.4, calls+"Decision/bare",
		calls+"Decision/api")),
	inUnits("service: create of a small file", 0.2, "ms", 1e6, calls+"Create/small"),
	inUnits("service: create of a file with 500 properties", 3, "ms", 1e6, calls+"Create/publisher500"),
}

func metric(subject string, limit float64, unit, name, of string) promise {
	return promise{subject: subject, limit: limit, unit: unit, needs: []string{name}, value: func(r results) float64 {
		return r.of(name, of)
	}}
}

// inUnits is the time of one operation in units of so many nanoseconds.
func inUnits(subject string, limit float64, unit string, ns float64, name string) promise {
	return promise{subject: subject, limit: limit, unit: unit, needs: []string{name}, value: func(r results) float64 {
		return r.ns(name) / ns
	}}
}

func ratio(subject string, limit float64, over, under string) promise {
	return promise{subject: subject, limit: limit, needs: []string{over, under}, value: func(r results) float64 {
		return r.ns(over) / r.ns(under)
	}}
}

func atLeast(p promise) promise {
	p.atLeast = true
	return p
}

// measureProgram builds the program as it is released and runs it.
func measureProgram(found results, dir string) error {
	binary := filepath.Join(dir, "avow")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/avow")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	err := build.Run()
	if err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	found.keep(program+":size MB", float64(info.Size())/1e6)
	small, large, hostile := filepath.Join(dir, "small.json"), filepath.Join(dir, "large.json"),
		filepath.Join(dir, "hostile.json")
	err = errors.Join(os.WriteFile(small, bench.Small(), 0o600), os.WriteFile(large, bench.Large19MB(), 0o600),
		os.WriteFile(hostile, bench.HostileArray(20_000_000), 0o600))
	if err != nil {
		return err
	}
	commands := map[string][]string{
		"small": {"validate", small}, "version": {"version"}, "large": {"validate", large},
		"json": {"validate", large, "--format", "json"}, "hostile": {"validate", hostile},
	}
	cpu := map[string]float64{}
	for name, args := range commands {
		cpu[name], err = start(found, name, binary, args)
		if err != nil {
			return err
		}
	}
	found.keep(program+":text ratio", cpu["large"]/cpu["json"])
	return nil
}

// start runs a command 15 times. It keeps the median time and the most physical memory, and returns the
// least CPU time. Only the hostile file may be refused.
func start(found results, name, binary string, args []string) (float64, error) {
	var times []float64
	least := 0.0
	for range 15 {
		cmd := exec.Command(binary, args...)
		began := time.Now()
		err := cmd.Run()
		times = append(times, float64(time.Since(began).Microseconds())/1e3)
		if cmd.ProcessState == nil || (cmd.ProcessState.ExitCode() != 0) != (name == "hostile") {
			return 0, fmt.Errorf("avow %v: %w", args, err)
		}
		if cpu := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(); least == 0 || cpu < least {
			least = cpu
		}
		used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if ok && runtime.GOOS == "linux" {
			memory := program + ":" + name + " MB"
			found[memory] = max(found[memory], float64(used.Maxrss)/1e3)
		}
	}
	slices.Sort(times)
	found.keep(program+":"+name+" ms", times[len(times)/2])
	return least, nil
}
