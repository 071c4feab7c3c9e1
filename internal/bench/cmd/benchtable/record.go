package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// The recorded figures stand between these lines; everything else in the
// document is written by hand.
const (
	beginMark = "<!-- figures: begin, written by benchtable -record -->\n"
	endMark   = "<!-- figures: end -->\n"
)

var errMarks = errors.New("the lines that enclose the recorded figures are missing")

// split cuts a document into what precedes the figures, the figures, and what
// follows. The marks belong to the outer parts.
func split(document string) ([3]string, error) {
	before, rest, ok := strings.Cut(document, beginMark)
	if !ok {
		return [3]string{}, errMarks
	}
	figures, after, ok := strings.Cut(rest, endMark)
	if !ok {
		return [3]string{}, errMarks
	}
	return [3]string{before + beginMark, figures, endMark + after}, nil
}

// recorded returns the figures of a document.
func recorded(document string) (map[cellKey]string, error) {
	parts, err := split(document)
	if err != nil {
		return nil, err
	}
	return readTables(parts[1]), nil
}

// replaceFigures returns the document with other figures.
func replaceFigures(document, origin string, tables []table) (string, error) {
	parts, err := split(document)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", origin)
	for _, t := range tables {
		fmt.Fprintf(&b, "\n%s", t.markdown())
	}
	b.WriteString("\n")
	return parts[0] + b.String() + parts[2], nil
}

// describe says when, on what and how the figures were taken.
func describe(runs int, load string) string {
	return fmt.Sprintf("Taken on %s: %s; median of %d runs; load average at the start: %s.",
		time.Now().UTC().Format(time.DateOnly), machine(), runs, load)
}

// loadAverage returns how many processes competed for the CPUs during the last
// minute. Times taken next to other work are worth less, and the reader of a
// table should see that.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// machine describes what the figures were taken on.
func machine() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// processor returns the model name where the system has it in the usual file.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	return modelName(string(text))
}

func modelName(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
