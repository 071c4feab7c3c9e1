//go:build !linux

package main

import (
	"os"
	"time"
)

// forgetPeak does nothing where peaks are not measured.
func forgetPeak() error { return nil }

// peakRSS returns 0: the figure is measured on Linux alone, because systems
// differ in what they count and in which unit.
func peakRSS(*os.ProcessState) int64 { return 0 }

var begun = time.Now()

// usedCPU returns the time since the start instead: the processor time is measured on Linux alone.
func usedCPU() time.Duration { return time.Since(begun) }
