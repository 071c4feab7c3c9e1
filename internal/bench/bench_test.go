package bench

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
)

func check(src []byte) *adagents.Report {
	return adagents.Check(src, adagents.Options{Now: Now()})
}

func BenchmarkTokenScan(b *testing.B) {
	each(b, func(b *testing.B, src []byte) {
		for b.Loop() {
			err := TokenScan(src)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	each(b, func(b *testing.B, src []byte) {
		for b.Loop() {
			_, err := jsontree.Parse(src, jsontree.Options{})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	each(b, func(b *testing.B, src []byte) {
		properties := len(check(src).File.Properties)
		for b.Loop() {
			if !check(src).Valid() {
				b.Fatal("the file has errors")
			}
		}
		b.ReportMetric(checkAllocs(src, 1)/float64(properties), "allocs/property")
	})
}

// optionsFor are those of a check of a file that was fetched for its publisher.
func optionsFor(f File, now time.Time) adagents.Options {
	opt := adagents.Options{Now: now, Domain: f.Domain}
	if f.Shared {
		opt.Role = adagents.Authoritative
	}
	return opt
}

// BenchmarkCheckFor is BenchmarkCheck for files that were fetched for a publisher.
func BenchmarkCheckFor(b *testing.B) {
	for _, file := range Files() {
		b.Run(strings.TrimSuffix(file.Name, ".json"), func(b *testing.B) {
			src := file.Make()
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				adagents.Check(src, optionsFor(file, Now()))
			}
		})
	}
}

// each runs a benchmark on every fixed file.
func each(b *testing.B, run func(b *testing.B, src []byte)) {
	b.Helper()
	for _, file := range Files() {
		b.Run(strings.TrimSuffix(file.Name, ".json"), func(b *testing.B) {
			src := file.Make()
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			run(b, src)
		})
	}
}

// checkAllocs counts the allocations of one check, averaged over some runs.
func checkAllocs(src []byte, runs int) float64 {
	return testing.AllocsPerRun(runs, func() { check(src) })
}

// TestFilesCheckClean makes sure that the time measured on the fixed files is
// that of a clean file, and still will be in years to come.
func TestFilesCheckClean(t *testing.T) {
	t.Parallel()
	for _, file := range Files() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			src := file.Make()
			for _, now := range []time.Time{{}, Now(), Now().AddDate(15, 0, 0)} {
				report := adagents.Check(src, optionsFor(file, now))
				if report.File == nil {
					t.Fatalf("at %v: the file is not usable: %v", now, report.Unusable)
				}
				for i := range report.Findings {
					if report.Findings[i].Severity >= adagents.Warning {
						t.Errorf("at %v: %v", now, &report.Findings[i])
					}
				}
			}
		})
	}
}

// TestFamilyFindings pins what each family is about: a generator that stopped
// to provoke its findings would make the checker look fast.
func TestFamilyFindings(t *testing.T) {
	t.Parallel()
	const n = 300
	tests := []struct {
		name  string
		src   []byte
		code  string
		count int
	}{
		{"large", Large(n), "", 0},
		{"object members", ObjectMembers(n), "", 0},
		{"unknown members", UnknownMembers(n), "file.unknown_field", n},
		{"many findings", ManyFindings(n), "property.name_missing", n},
		{"duplicate ids", DuplicateIDs(n), "property.id_duplicate", n - 1},
		{"many agents", ManyAgents(n), "", 0},
		{"selectors", ManyDomainsSelectors(n), "selector.domain_repeated", n - 1},
		{"tag matrix", TagMatrix(20), "", 0},
		{"escaped strings", EscapedStrings(n), "", 0},
		{"long string", LongString(n), "", 0},
	}
	for _, tt := range tests {
		report := check(tt.src)
		if len(report.Findings) != tt.count {
			t.Errorf("%s: %d findings, want %d", tt.name, len(report.Findings), tt.count)
		}
		for i := range report.Findings {
			if report.Findings[i].Code != tt.code {
				t.Errorf("%s: %v, want only %q", tt.name, &report.Findings[i], tt.code)
			}
		}
	}
}

// TestManyFindingsOneEach makes sure that the findings are spread over the
// properties, one for each but the first, which is the good one.
func TestManyFindingsOneEach(t *testing.T) {
	t.Parallel()
	for i, f := range check(ManyFindings(300)).Findings {
		want := fmt.Sprintf("/properties/%d/name", i+1)
		if f.Pointer != want {
			t.Errorf("finding %d is at %s, want %s", i, f.Pointer, want)
		}
	}
}

// allocsPerProperty is the most a check may allocate for each property of a
// large clean file.
const allocsPerProperty = 4

func TestAllocsPerProperty(t *testing.T) {
	const n = 6000
	got := checkAllocs(Large(n), 3) / n
	if got > allocsPerProperty {
		t.Errorf("%.2f allocations for each property, want at most %d", got, allocsPerProperty)
	}
}

// smallAllocs is the most a check of the small file may allocate. A file like that has a few
// entries in each section, so most of it is what a check costs whatever the file.
const smallAllocs = 64

func TestAllocsOfSmallFile(t *testing.T) {
	got := checkAllocs(Small(), 10)
	if got > smallAllocs {
		t.Errorf("%.0f allocations, want at most %d", got, smallAllocs)
	}
}

// TestAllocsGrowLinearly doubles every family. Counts of allocations do not
// depend on the machine, so this finds quadratic work that allocates wherever
// the tests run; quadratic work that does not allocate takes a stopwatch.
func TestAllocsGrowLinearly(t *testing.T) {
	for _, family := range Families() {
		n := min(family.N/2, 1000)
		if family.Square {
			n = 40
		}
		one, two := family.Make(n), family.Make(2*n)
		before, after := checkAllocs(one, 3), checkAllocs(two, 3)
		growth := float64(len(two)) / float64(len(one))
		if after > before*growth*1.15+100 {
			t.Errorf("%s: %.0f allocations at %d, %.0f at %d", family.Name, before, n, after, 2*n)
		}
	}
}

// allocatedBytes returns the memory that some work asks for in all.
func allocatedBytes(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileAllocations bounds what short hostile files can make a check allocate.
// Each of these took over a gigabyte when findings and entries had no limit. It
// runs alone, because the allocations of other tests would count.
func TestHostileAllocations(t *testing.T) {
	const limit = 400 << 20
	for name, src := range map[string][]byte{
		"short entries":   ShortEntries(1_900_000),
		"wrong items":     WrongItems(190_000),
		"unknown members": UnknownMembers(900_000),
		"duplicate ids":   DuplicateIDs(60_000),
	} {
		if got := allocatedBytes(func() { check(src) }); got > limit {
			t.Errorf("%s: %d MB for a file of %d MB", name, got>>20, len(src)>>20)
		}
	}
}

// TestRepairGrowsLinearly repairs files with four times as many mistakes, which may take four times as much
// memory in all, and a little for what grows in steps. Each round of fixes checks the whole file again, so
// rounds of which there are more in a larger file make the work grow with its square.
func TestRepairGrowsLinearly(t *testing.T) { //nolint:paralleltest // the allocations of other tests would count
	const n = 3_000
	entries := func(text string) func(n int) []byte {
		return func(n int) []byte {
			return fmt.Appendf(nil, `{"properties":[%s],"authorized_agents":[%s]}`,
				`{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"site.example"}],"tags":["all"],"publisher_domain":"site.example"}`,
				strings.Join(slices.Repeat([]string{text}, n), ","))
		}
	}
	countries := func(n int) []byte {
		return entries(`{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["all"],"countries":[` +
			strings.Join(slices.Repeat([]string{`"UK"`, `"Germany"`}, n/2), ",") + `]}`)(1)
	}
	for name, makeFile := range map[string]func(n int) []byte{
		"repeated entries":     entries(`{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["all"]}`),
		"entries without type": entries(`{"url":"https://agent.example/mcp","authorized_for":"all","property_tags":["all"]}`),
		"countries":            countries,
		"properties":           BrokenLarge,
		"repeated ids":         DuplicateIDs,
	} {
		repair := func(src []byte) (int, uint64) {
			var done *adagents.Repaired
			allocated := allocatedBytes(func() {
				done = adagents.Repair(src, adagents.RepairOptions{Options: adagents.Options{Now: Now()}, Choose: adagents.Probably})
			})
			return len(done.Applied), allocated
		}
		applied, one := repair(makeFile(n))
		more, four := repair(makeFile(4 * n))
		t.Logf("%s: %d fixes with %d MB, %d with %d", name, applied, one>>20, more, four>>20)
		if applied < n-1 || more < 4*n-1 || four > 6*one {
			t.Errorf("%s: %d fixes with %d MB, %d with %d", name, applied, one>>20, more, four>>20)
		}
	}
}

// TestHostileRequest: agents without a scope are each given all properties, which makes a
// short request a file without end.
func TestHostileRequest(t *testing.T) { //nolint:paralleltest // the allocations of other tests would count
	const agents, properties, limit = 2_000, 20_000, 400 << 20
	request := fmt.Appendf(nil, `{"authorized_agents":[%s],"properties":[%s]}`,
		strings.Join(slices.Repeat([]string{`{"url":"https://agent.example"}`}, agents), ","),
		strings.Join(slices.Repeat([]string{`{"property_id":"site"}`}, properties), ","))
	var built *adagents.Built
	got := allocatedBytes(func() { built, _ = adagents.Build(request, adagents.BuildOptions{}) })
	if got > limit {
		t.Errorf("%d MB for a request of %d kB", got>>20, len(request)>>10)
	}
	if built.File != nil || built.Report.Findings[0].Code != "file.too_large" {
		t.Errorf("the file was not refused for its size: %v", built.Report.Findings)
	}
}

// BenchmarkRepair repairs a large file with something wrong in each property, and checks it.
func BenchmarkRepair(b *testing.B) {
	src := BrokenLarge(largeProperties)
	options := adagents.Options{Now: Now()}
	b.Run("check", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			adagents.Check(src, options)
		}
	})
	b.Run("repair", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			done := adagents.Repair(src, adagents.RepairOptions{Options: options, Choose: adagents.Probably})
			if !done.After.Valid() || len(done.Applied) < largeProperties {
				b.Fatalf("%d fixes, then %v", len(done.Applied), done.After.Err())
			}
		}
	})
}

// doubledSizes says at which n each family is doubled. Twice n reaches what a file within the limits
// of a consumer can hold, or a round number. Deep nesting is not here: the reader stops at 64 levels.
var doubledSizes = map[string]int{
	"large.json": 30_000, "object_members.json": 500_000, "unknown_members.json": 500_000, "many_findings.json": 50_000,
	"duplicate_ids.json": 50_000, "many_agents.json": 50_000, "hostile_array.json": 10_000_000,
	"many_domains_selectors.json": 4_000, "tag_matrix.json": 400, "escaped_strings.json": 40_000,
	"long_string.json": 10_000_000, "distinct_keys.json": 5_000, "international_domains.json": 30_000,
	"wrong_items.json": 100_000, "short_entries.json": 50_000,
}

// BenchmarkGrowth doubles every family. The growth of the time divided by that of the bytes is 1 where
// the work is linear, and 2 where it is quadratic. The collector is off during a check: how often it
// starts depends on what else is alive.
func BenchmarkGrowth(b *testing.B) {
	worst := 0.0
	for b.Loop() {
		for _, family := range Families() {
			n := doubledSizes[family.Name]
			if n == 0 {
				continue
			}
			one, two := family.Make(n), family.Make(2*n)
			growth := shortestCheck(two).Seconds() / shortestCheck(one).Seconds() * float64(len(one)) / float64(len(two))
			b.Logf("%s: %.2f", family.Name, growth)
			worst = max(worst, growth)
		}
	}
	b.ReportMetric(worst, "growth")
}

// shortestCheck returns the shortest time of five checks. The limits that would refuse the file before
// it costs anything are lifted.
func shortestCheck(src []byte) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	shortest := time.Duration(math.MaxInt64)
	for range 5 {
		runtime.GC()
		began := time.Now()
		adagents.Check(src, adagents.Options{Now: Now(), MaxBytes: 1 << 30, MaxValues: 1 << 30, MaxFindings: 1 << 30})
		shortest = min(shortest, time.Since(began))
	}
	return shortest
}
