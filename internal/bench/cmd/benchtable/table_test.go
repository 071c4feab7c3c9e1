package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// some is a set of figures with a known ratio, growth and so on.
func some() *figures {
	return &figures{
		files: []fileFigures{{
			name: limitedFile, size: 19_000_000, properties: 60000, scan: 200 * time.Millisecond,
			parse: 100 * time.Millisecond, full: 280 * time.Millisecond, ratio: 1.4, heap: 57_000_000, allocs: 120000,
		}},
		growths: []growthFigures{{
			name: "large.json", n: 30000, size: [2]int{1e6, 2e6},
			full: [2]time.Duration{100 * time.Millisecond, 220 * time.Millisecond}, ratio: 2.2,
		}},
		process: &processFigures{small: 5 * time.Millisecond, textRatio: 1.02, hostileRSS: 90_000_000},
		web: &webFigures{
			rates:    webReport{bare: time.Second, discovery: 1300 * time.Millisecond, ratio: 1.3},
			ratesRSS: 80_000_000, largeRSS: 90_000_000, hostileRSS: 500_000_000,
			rollout: &rolloutFigures{bare: time.Second, network: 1400 * time.Millisecond, ratio: 1.4, rss: 130_000_000},
		},
		watch: &watchFigures{bare: time.Second, watch: 1200 * time.Millisecond, ratio: 1.2, rss: 80_000_000},
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		spoil  func(f *figures)
		missed string
	}{
		{"all met", func(*figures) {}, ""},
		{"slow", func(f *figures) { f.files[0].ratio = 1.51 }, "check / token scan"},
		{"large heap", func(f *figures) { f.files[0].heap = 76_100_000 }, "peak heap"},
		{"many allocations", func(f *figures) { f.files[0].allocs = 240001 }, "allocations per property"},
		{"not linear", func(f *figures) { f.growths[0].ratio = 2.31 }, "growth"},
		{"not credible", func(f *figures) { f.growths[0].ratio = 1.6 }, "growth"},
		{"large process", func(f *figures) { f.process.hostileRSS = 200_000_001 }, "hostile array: peak RSS"},
		{"slow start", func(f *figures) { f.process.small = 21 * time.Millisecond }, "wall time"},
		{"another file may be slow", func(f *figures) { f.files[0].name = "x"; f.files[0].ratio = 1e6 }, ""},
		{"memory not measured", func(f *figures) { f.process.hostileRSS = 0 }, ""},
		{"slow discovery", func(f *figures) { f.web.rates.ratio = 1.68 }, "discovery of 1,000 publishers: time / bare requests"},
		{"slow network", func(f *figures) { f.web.rollout.ratio = 1.51 }, "3 MB file: time / bare requests"},
		{"large network", func(f *figures) { f.web.rollout.rss = 150_000_001 }, "3 MB file: peak RSS"},
		{"slow watch", func(f *figures) { f.watch.ratio = 1.26 }, "CPU time / the same without a store"},
		{"large watch", func(f *figures) { f.watch.rss = 150_000_001 }, "avow crawl --only of 2,000 publishers: peak RSS"},
		{"watch not measured", func(f *figures) { f.watch = nil }, ""},
		{"large discovery", func(f *figures) { f.web.ratesRSS = 150_000_001 }, "discovery of 1,000 publishers: peak RSS"},
		{"large authoritative file", func(f *figures) { f.web.largeRSS = 200_000_001 }, "authoritative file: peak RSS"},
		{"large hostile files", func(f *figures) { f.web.hostileRSS = 537_000_000 }, "hostile 20 MB files"},
		{"discovery not measured", func(f *figures) { f.web = nil }, ""},
		{"process not measured", func(f *figures) { f.process = nil }, ""},
	}
	for _, tt := range tests {
		f := some()
		tt.spoil(f)
		if f.missed() != (tt.missed != "") {
			t.Errorf("%s: missed is %v", tt.name, f.missed())
		}
		for _, l := range f.limits() {
			named := tt.missed != "" && strings.Contains(l.name, tt.missed)
			if l.met() == named {
				t.Errorf("%s: met is %v for %q", tt.name, l.met(), l.name)
			}
		}
	}
}

// TestGrowthOfSquares: four times the bytes in four times the time is linear.
func TestGrowthOfSquares(t *testing.T) {
	t.Parallel()
	g := growthFigures{size: [2]int{1000, 4000}, ratio: 4}
	if got := g.growth(); got != 1 {
		t.Errorf("growth is %v, want 1", got)
	}
}

// TestRecordAndReadBack writes figures into a document, twice, and finds every
// cell again.
func TestRecordAndReadBack(t *testing.T) {
	t.Parallel()
	document := "# Title\n\n| a | b |\n| --- | --- |\n| x | 1 |\n\n" + beginMark + endMark + "\nThe end.\n"
	tables := some().tables()
	once, err := replaceFigures(document, "Recorded today.", tables)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := replaceFigures(once, "Recorded today.", tables)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Errorf("recording the same figures again changes the document:\n%s", diff)
	}
	if !strings.HasPrefix(once, "# Title\n") || !strings.HasSuffix(once, "\nThe end.\n") {
		t.Errorf("text around the figures is lost:\n%s", once)
	}
	got, err := recorded(once)
	if err != nil {
		t.Fatal(err)
	}
	want := map[cellKey]string{}
	for _, t := range tables {
		for _, row := range t.rows {
			for i, cell := range row {
				want[cellKey{row[0], t.head[i]}] = cell
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-written +read):\n%s", diff)
	}
}

func TestMarksAreNeeded(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"", beginMark, endMark + beginMark} {
		_, err := recorded(document)
		if !errors.Is(err, errMarks) {
			t.Errorf("%q: %v, want %v", document, err, errMarks)
		}
	}
}

func TestPrintShowsBoth(t *testing.T) {
	t.Parallel()
	now := table{head: []string{"file", "ms", "n"}}
	now.add("a.json", "12", "3")
	now.add("new.json", "7", "1")
	old := map[cellKey]string{{"a.json", "file"}: "a.json", {"a.json", "ms"}: "15", {"a.json", "n"}: "3"}
	var b strings.Builder
	now.print(&b, old)
	table{head: []string{"nothing"}}.print(&b, old)
	want := "\nfile      ms       n\na.json    12 [15]  3\nnew.json  7        1\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
}

func TestModelName(t *testing.T) {
	t.Parallel()
	if got := modelName("processor\t: 0\nmodel name\t: Fast CPU @ 2 GHz\n"); got != "Fast CPU @ 2 GHz" {
		t.Errorf("model name %q", got)
	}
	if got := modelName("Hardware: board\n"); got != "unknown processor" {
		t.Errorf("model name %q", got)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		ok   bool
	}{
		{nil, true},
		{[]string{"-record", "-gate", "-runs", "3"}, true},
		{[]string{"-only", "large"}, true},
		{[]string{"-only", "large", "-record"}, false},
		{[]string{"-only", "large", "-gate"}, false},
		{[]string{"-only", "("}, false},
		{[]string{"-runs", "0"}, false},
		{[]string{"extra"}, false},
	}
	for _, tt := range tests {
		_, err := parseFlags(tt.args)
		if (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.args, err)
		}
	}
}
