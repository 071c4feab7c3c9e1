package main

import (
	"fmt"
	"time"
)

// The promised limits. Those on one file are about the largest one, where they
// are hardest to keep.
const (
	limitedFile  = "large19mb.json"
	maxRatio     = 1.5
	maxHeapRatio = 4
	maxAllocs    = 4
	maxGrowth    = 1.15
	maxHostileMB = 200
	maxStartMS   = 20
	maxTextRatio = 1.15
	// Discovery over HTTPS: the rate as a part of that of bare requests is at least
	// 60 %, so its time is at most so many times theirs.
	maxDiscovery   = 1 / 0.6
	maxDiscoveryMB = 150
	maxLargeMB     = 200
	maxHostilesMB  = 512 * 1.048576
)

// minGrowth is the other end of the tolerance. Time that grows this much less
// than the input is not good news but a disturbed measurement, which could hide
// the opposite as well.
const minGrowth = 2 - maxGrowth

// limit is one promise and what was measured.
type limit struct {
	name          string
	allowed, have float64
	unit          string
	// credible is the least that can be believed; 0 when everything can.
	credible float64
}

// verdict says in one word whether the promise is kept.
func (l limit) verdict() string {
	switch {
	case l.have > l.allowed:
		return "**no**"
	case l.have < l.credible:
		return "**unclear**"
	default:
		return "yes"
	}
}

func (l limit) met() bool { return l.have <= l.allowed && l.have >= l.credible }

// limits lists the promises that this run can judge.
func (f *figures) limits() []limit {
	var all []limit
	for _, file := range f.files {
		if file.name == limitedFile {
			all = append(all,
				limit{name: file.name + ": check / token scan", allowed: maxRatio, have: file.ratio},
				limit{name: file.name + ": peak heap / file size", allowed: maxHeapRatio, have: file.heapRatio()},
				limit{name: file.name + ": allocations per property", allowed: maxAllocs, have: file.allocsPerProperty()})
		}
	}
	for _, g := range f.growths {
		all = append(all, limit{name: g.name + ": growth", allowed: maxGrowth, have: g.growth(), credible: minGrowth})
	}
	all = append(all, f.web.limits()...)
	all = append(all, f.watch.limits()...)
	all = append(all, f.index.limits()...)
	all = append(all, f.service.limits()...)
	all = append(all, f.directory.limits()...)
	all = append(all, f.batch.limits()...)
	all = append(all, f.signed.limits()...)
	all = append(all, f.repair.limits()...)
	all = append(all, f.log.limits()...)
	all = append(all, mapsLimits(f.maps)...)
	if f.process == nil {
		return all
	}
	all = append(all, limit{
		name: "avow validate small.json: wall time", allowed: maxStartMS, have: milliseconds(f.process.small), unit: " ms",
	})
	all = append(all, limit{name: "avow validate of the 19 MB file: CPU for text / for JSON", allowed: maxTextRatio, have: f.process.textRatio})
	if f.process.hostileRSS > 0 {
		all = append(all, limit{
			name: "avow validate of the hostile array: peak RSS", allowed: maxHostileMB, have: megabytes(f.process.hostileRSS), unit: " MB",
		})
	}
	return all
}

// missed reports whether any promise is broken, or not shown to be kept.
func (f *figures) missed() bool {
	for _, l := range f.limits() {
		if !l.met() {
			return true
		}
	}
	return false
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func megabytes[N int | int64](n N) float64 { return float64(n) / 1e6 }

// tables lays the figures out for people.
func (f *figures) tables() []table {
	return []table{f.fileTable(), f.growthTable(), f.web.table(), f.watch.table(), f.index.table(), f.batch.table(), f.signed.table(), f.repair.table(), f.log.table(), mapsTable(f.maps), f.service.table(), f.directory.table(), f.limitTable()}
}

func (f *figures) fileTable() table {
	t := table{head: []string{
		"file", "MB", "properties", "token scan ms", "parse ms", "check ms", "check / scan",
		"check ms, 1 CPU", "check / scan, 1 CPU", "peak heap / size", "allocs per property",
	}}
	for _, x := range f.files {
		t.add(x.name, fmt.Sprintf("%.3f", megabytes(x.size)), fmt.Sprint(x.properties),
			number(milliseconds(x.scan)), number(milliseconds(x.parse)), number(milliseconds(x.full)),
			number(x.ratio), number(milliseconds(x.single)), number(x.singleRatio), number(x.heapRatio()), number(x.allocsPerProperty()))
	}
	return t
}

func (f *figures) growthTable() table {
	t := table{head: []string{"doubled input", "n", "MB at 2n", "findings at 2n", "check ms at n", "check ms at 2n", "growth"}}
	for _, g := range f.growths {
		t.add(g.name, fmt.Sprint(g.n), fmt.Sprintf("%.1f", megabytes(g.size[1])), fmt.Sprint(g.findings),
			number(milliseconds(g.full[0])), number(milliseconds(g.full[1])), number(g.growth()))
	}
	return t
}

func (f *figures) limitTable() table {
	t := table{head: []string{"limit", "allowed", "measured", "met"}}
	for _, l := range f.limits() {
		t.add(l.name, fmt.Sprintf("%.4g%s", l.allowed, l.unit), number(l.have)+l.unit, l.verdict())
	}
	return t
}

// number shows a figure with as many decimals as its size deserves.
func number(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 0.1:
		return fmt.Sprintf("%.2f", x)
	default:
		return fmt.Sprintf("%.4f", x)
	}
}
