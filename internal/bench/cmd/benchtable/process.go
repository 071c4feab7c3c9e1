package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/avow-project/avow/internal/bench"
)

const (
	// processName is how -only selects the measurements of the whole program.
	processName = "process"
	// processRuns is how often the program is started on the small file.
	processRuns = 20
	// formatRuns is how often the formats are compared.
	formatRuns  = 7
	hostileSize = 20_000_000
)

// processFigures is what was measured on the program as a user starts it.
type processFigures struct {
	small time.Duration
	// textRatio is the processor time for the 19 MB file as text over that as JSON; median
	// over neighbouring runs.
	textRatio float64
	// hostileRSS is the most physical memory in bytes that the program had when
	// given the hostile array; 0 when this system does not tell.
	hostileRSS int64
}

// measureProcess builds the program as it is released, and runs it.
func measureProcess() (*processFigures, error) {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return nil, err
	}
	found, err := measureIn(dir)
	return found, errors.Join(err, os.RemoveAll(dir))
}

// buildProgram builds the program as it is released.
func buildProgram(name string) error {
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", name, "./cmd/avow")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	err := build.Run()
	if err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	return nil
}

func measureIn(dir string) (*processFigures, error) {
	program := filepath.Join(dir, "avow")
	err := buildProgram(program)
	if err != nil {
		return nil, err
	}
	small, large, hostile := filepath.Join(dir, "small.json"), filepath.Join(dir, limitedFile), filepath.Join(dir, "hostile.json")
	err = errors.Join(
		os.WriteFile(small, bench.Small(), 0o600),
		os.WriteFile(large, bench.Large19MB(), 0o600),
		os.WriteFile(hostile, bench.HostileArray(hostileSize), 0o600))
	if err != nil {
		return nil, err
	}
	found := new(processFigures)
	found.small, err = startTime(program, small)
	if err != nil {
		return nil, err
	}
	err = errors.Join(found.formats(program, large), forgetPeak())
	if err != nil {
		return nil, err
	}
	state, err := validate(program, hostile, 1)
	if err != nil {
		return nil, err
	}
	found.hostileRSS = peakRSS(state)
	return found, nil
}

// formats compares the output for people with the one for programs on a large file.
func (f *processFigures) formats(program, file string) error {
	var ratios []float64
	for range formatRuns {
		text, err := validate(program, file, 0)
		if err != nil {
			return err
		}
		json, err := validate(program, file, 0, "--format", "json")
		if err != nil {
			return err
		}
		ratios = append(ratios, float64(cpuTime(text))/float64(cpuTime(json)))
	}
	f.textRatio = median(ratios)
	return nil
}

func cpuTime(s *os.ProcessState) time.Duration { return s.UserTime() + s.SystemTime() }

// startTime returns the median time from starting the program to its end.
func startTime(program, file string) (time.Duration, error) {
	var samples []time.Duration
	for range processRuns {
		start := time.Now()
		_, err := validate(program, file, 0)
		if err != nil {
			return 0, err
		}
		samples = append(samples, time.Since(start))
	}
	return median(samples), nil
}

// validate runs the program on a file and expects the given exit code; a
// program that fails for another reason is quick and small without merit.
func validate(program, file string, code int, flags ...string) (*os.ProcessState, error) {
	cmd := exec.Command(program, append([]string{"validate", file}, flags...)...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if cmd.ProcessState.ExitCode() != code {
		return nil, fmt.Errorf("validating %s: %v, want exit code %d", filepath.Base(file), cmd.ProcessState, code)
	}
	return cmd.ProcessState, nil
}
