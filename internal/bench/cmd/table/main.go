//go:build unix

// Command table measures what docs/performance.md promises. It runs benchmarks and the built
// program, prints a table of promises and figures, and with -record writes it into the document.
// Run it from the top of the repository on an otherwise idle machine.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	document = "docs/performance.md"
	begin    = "<!-- figures: begin, written by make bench -->\n"
	end      = "<!-- figures: end -->\n"
)

func main() {
	record := flag.Bool("record", false, "write the table into "+document)
	gate := flag.Bool("gate", false, "exit with status 1 when a limit is missed")
	only := flag.String("only", "", "measure only subjects that match this regular expression")
	rounds := flag.Int("rounds", 5, "how often each benchmark runs; the best round counts")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err == nil && *record && *only != "" {
		err = errors.New("-record needs every figure; leave out -only")
	}
	var missed int
	if err == nil {
		missed, err = run(pattern, *rounds, *record)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if *gate && missed > 0 {
		os.Exit(1)
	}
}

// run measures, prints the table and returns how many limits were missed.
func run(only *regexp.Regexp, rounds int, record bool) (int, error) {
	wanted := slices.DeleteFunc(slices.Clone(promises), func(p promise) bool { return !only.MatchString(p.subject) })
	dir, err := os.MkdirTemp("", "table")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	found, err := measureAll(wanted, dir, rounds)
	if err != nil {
		return 0, err
	}
	text, missed := render(wanted, found)
	fmt.Print(text)
	if !record {
		return missed, nil
	}
	old, err := os.ReadFile(document)
	if err != nil {
		return missed, err
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return missed, fmt.Errorf("%s has no place for the figures", document)
	}
	return missed, os.WriteFile(document, []byte(before+begin+"\n"+text+"\n"+end+after), 0o644)
}

// measureAll runs each benchmark that a promise needs, in rounds, so that what slows the machine
// down for a while slows all of them.
func measureAll(wanted []promise, dir string, rounds int) (results, error) {
	needed := map[string]map[string]bool{}
	for _, p := range wanted {
		for _, name := range p.needs {
			where, benchmark, _ := strings.Cut(name, ":")
			if needed[where] == nil {
				needed[where] = map[string]bool{}
			}
			needed[where][benchmark] = true
		}
	}
	found := results{}
	if needed[program] != nil {
		fmt.Fprintln(os.Stderr, "the program")
		err := measureProgram(found, dir)
		if err != nil {
			return nil, err
		}
		delete(needed, program)
	}
	for _, where := range slices.Sorted(maps.Keys(needed)) {
		name := filepath.Join(dir, strings.ReplaceAll(where, "/", "_")+".test")
		build := exec.Command("go", "test", "-c", "-o", name, "./"+where)
		build.Stderr = os.Stderr
		err := build.Run()
		if err != nil {
			return nil, fmt.Errorf("building the benchmarks of %s: %w", where, err)
		}
		for round := range rounds {
			for _, benchmark := range slices.Sorted(maps.Keys(needed[where])) {
				fmt.Fprintf(os.Stderr, "%s %s, round %d\n", where, benchmark, round+1)
				err = measure(found, name, where, benchmark)
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return found, nil
}

// measure runs one benchmark once and keeps its figures.
func measure(found results, binary, where, benchmark string) error {
	pattern := "^" + strings.ReplaceAll(benchmark, "/", "$/^") + "$"
	cmd := exec.Command(binary, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+benchtime(benchmark),
		"-test.benchmem")
	cmd.Dir = where
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s of %s: %w\n%s%s", benchmark, where, err, out, failed.Bytes())
	}
	return found.read(where, out)
}

// benchtime is how long a benchmark runs. What takes seconds runs once.
func benchtime(benchmark string) string {
	switch benchmark {
	case "BenchmarkCrawl", "BenchmarkBatch", "BenchmarkGrowth":
		return "1x"
	}
	return "500ms"
}

// results are the figures of benchmarks, from the best of all rounds. A key is a package, a colon, a
// benchmark, a space, and a unit.
type results map[string]float64

var processors = regexp.MustCompile(`-\d+$`)

func (r results) read(where string, out []byte) error {
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := where + ":" + processors.ReplaceAllString(fields[0], "")
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			r.keep(name+" "+fields[i+1], value)
		}
	}
	return nil
}

// keep keeps the better one of two rounds: a rate, or a part of one, is better when it is higher, all else
// when it is lower.
func (r results) keep(name string, value float64) {
	old, ok := r[name]
	higher := strings.HasSuffix(name, "/s") || strings.HasSuffix(name, " cpu-ratio")
	if !ok || (value > old) == higher {
		r[name] = value
	}
}

// ns returns the time of one operation of a benchmark.
func (r results) ns(name string) float64 { return r.of(name, "ns/op") }

func (r results) of(name, unit string) float64 {
	value, ok := r[name+" "+unit]
	if !ok {
		return math.NaN()
	}
	return value
}

// render writes the table, and counts the limits that were missed.
func render(wanted []promise, found results) (string, int) {
	var b strings.Builder
	missed := 0
	fmt.Fprintf(&b, "Taken on %s: %s, %d CPUs, %s/%s, %s; load average at the end %s.\n\n",
		time.Now().UTC().Format(time.DateOnly),
		processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load())
	b.WriteString("| subject | limit | measured | kept |\n| --- | ---: | ---: | --- |\n")
	for _, p := range wanted {
		value := p.value(found)
		kept := "yes"
		if p.atLeast != (value >= p.limit) && value != p.limit || math.IsNaN(value) {
			kept = "**no**"
			missed++
		}
		limit := show(p.limit)
		if p.atLeast {
			limit = "at least " + limit
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.subject, strings.TrimSpace(limit+" "+p.unit), show(value), kept)
	}
	return b.String(), missed
}

// show rounds to three digits.
func show(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// processor and load are what the kernel tells of the machine, where there is such a file.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	_, rest, ok := strings.Cut(string(text), "model name\t: ")
	name, _, _ := strings.Cut(rest, "\n")
	if !ok {
		return "an unknown processor"
	}
	return strings.NewReplacer("(R)", "", "(TM)", "").Replace(name)
}

func load() string {
	file, err := os.Open("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	defer func() { _ = file.Close() }()
	text, _ := io.ReadAll(io.LimitReader(file, 64))
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
