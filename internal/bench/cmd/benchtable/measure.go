package main

import (
	"fmt"
	"io"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// figures is everything one run of the program measured.
type figures struct {
	files     []fileFigures
	growths   []growthFigures
	process   *processFigures
	web       *webFigures
	watch     *watchFigures
	index     *indexFigures
	service   *serviceFigures
	batch     *batchFigures
	signed    *signatureFigures
	repair    *repairFigures
	log       *logFigures
	maps      []mappedFigures
	directory *directoryFigures
}

// fileFigures is what was measured on one fixed file.
type fileFigures struct {
	name              string
	size, properties  int
	scan, parse, full time.Duration
	single            time.Duration // the full check with one CPU
	heap, allocs      uint64
	// ratio is how many times longer the full check takes than the token scan,
	// and singleRatio the same with one CPU for both: the scan never uses a second
	// one, the check and the collector may, so this compares their work. Both are
	// medians over neighbouring runs, see compare.
	ratio, singleRatio float64
}

// heapRatio is the peak heap, the file's own bytes included, in file sizes.
func (f fileFigures) heapRatio() float64 { return float64(f.heap) / float64(f.size) }

func (f fileFigures) allocsPerProperty() float64 { return float64(f.allocs) / float64(f.properties) }

// growthFigures is what was measured on one family at a size and at twice that.
type growthFigures struct {
	name     string
	n        int
	size     [2]int
	findings int
	full     [2]time.Duration
	ratio    float64 // of neighbouring runs, see compare
}

// growth is the factor by which time grew more than the bytes did: 1 is exactly
// linear. Dividing by bytes and not by two lets the family whose files grow with
// the square of n be judged like the others.
func (g growthFigures) growth() float64 {
	bytes := float64(g.size[1]) / float64(g.size[0])
	return g.ratio / bytes
}

// sizes says at which n each family is doubled. Twice n reaches what a file
// within the limits of a consumer can hold, or the round number in the comment.
// Deep nesting is not here: the reader stops at 64 levels, which leaves nothing
// to double.
var sizes = map[string]int{
	"large.json":                  30_000,
	"object_members.json":         500_000, // to a million members
	"unknown_members.json":        500_000, // to a million findings
	"many_findings.json":          50_000,
	"duplicate_ids.json":          50_000, // to a hundred thousand duplicates
	"many_agents.json":            50_000, // to a hundred thousand agents
	"hostile_array.json":          10_000_000,
	"many_domains_selectors.json": 4_000,
	"tag_matrix.json":             400,
	"escaped_strings.json":        40_000,
	"long_string.json":            10_000_000,
	"distinct_keys.json":          5_000, // to as many as a file may have
	"international_domains.json":  30_000,
	"wrong_items.json":            100_000, // to two million wrong items
	"short_entries.json":          50_000,
}

// unlimited lifts the limits that would refuse some doubled inputs before they
// cost anything: doubling is about the algorithms, not about the limits.
func unlimited() adagents.Options {
	return adagents.Options{Now: bench.Now(), MaxBytes: 1 << 30, MaxValues: 1 << 30, MaxFindings: 1 << 30}
}

// measure takes every figure. Processes come first, while this program itself is
// small.
func measure(s settings, progress io.Writer) (*figures, error) {
	found := new(figures)
	var err error
	for _, part := range []struct {
		name    string
		measure func()
	}{
		{processName, func() { found.process, err = measureProcess() }},
		{webName, func() { found.web, err = measureWeb() }},
		{watchName, func() { found.watch, err = measureWatch() }},
		{serviceName, func() { found.service, err = measureService(s.runs) }},
		{directoryName, func() { found.directory, err = measureDirectory(s.runs) }},
		{indexName, func() { found.index, err = measureIndex(s.runs) }},
		{signatureName, func() { found.signed, err = measureSignature(s.runs) }},
		{logName, func() { found.log, err = measureLog(s.runs) }},
		{mapsName, func() { found.maps, err = measureMaps() }},
		{repairName, func() { found.repair, err = measureRepair(s.runs) }},
		{batchName, func() { found.batch, err = measureBatch(s.runs) }},
	} {
		if !s.only.MatchString(part.name) {
			continue
		}
		fmt.Fprintln(progress, "measuring", part.name)
		part.measure()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	for _, file := range bench.Files() {
		if !s.only.MatchString(file.Name) {
			continue
		}
		fmt.Fprintln(progress, "measuring", file.Name)
		f, err := measureFile(file, s.runs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		found.files = append(found.files, f)
	}
	for _, family := range bench.Families() {
		n := sizes[family.Name]
		if n == 0 || !s.only.MatchString(family.Name) {
			continue
		}
		fmt.Fprintln(progress, "doubling", family.Name)
		found.growths = append(found.growths, measureGrowth(family, n, s.runs))
	}
	return found, nil
}

func measureFile(file bench.File, runs int) (fileFigures, error) {
	src := file.Make()
	opt := adagents.Options{Now: bench.Now(), Domain: file.Domain}
	if file.Shared {
		opt.Role = adagents.Authoritative
	}
	check := func() *adagents.Report { return adagents.Check(src, opt) }
	f := fileFigures{name: file.Name, size: len(src)}
	err := bench.TokenScan(src)
	if err != nil {
		return f, err
	}
	f.properties, err = usable(check())
	if err != nil {
		return f, err
	}
	// What they return was looked at above; here only their time counts.
	scan := func() { _ = bench.TokenScan(src) }
	full := compare(runs, scan, func() { check() })
	f.scan, f.full, f.ratio = full.base, full.work, full.ratio
	single := compare(runs, scan, func() { onOneCPU(func() { check() }) })
	f.single, f.singleRatio = single.work, single.ratio
	f.parse = compare(runs, scan, func() { _, _ = jsontree.Parse(src, jsontree.Options{}) }).work
	f.allocs = allocations(func() { check() })
	f.heap = uint64(len(src)) + peakHeap(min(runs, 3), func() any { return check() })
	return f, nil
}

// usable returns the number of properties of a file, which must be one without errors:
// the time of a check that stops early means nothing.
func usable(report *adagents.Report) (int, error) {
	err := report.Err()
	if err != nil {
		return 0, err
	}
	return len(report.File.Properties), nil
}

func measureGrowth(family bench.Family, n, runs int) growthFigures {
	one, two := family.Make(n), family.Make(2*n)
	g := growthFigures{name: family.Name, n: n, size: [2]int{len(one), len(two)}}
	g.findings = len(adagents.Check(two, unlimited()).Findings)
	withoutCollector(func() {
		found := compare(runs,
			func() { adagents.Check(one, unlimited()) },
			func() { adagents.Check(two, unlimited()) })
		g.full, g.ratio = [2]time.Duration{found.base, found.work}, found.ratio
	})
	return g
}
