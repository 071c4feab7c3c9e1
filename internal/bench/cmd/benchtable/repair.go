package main

import (
	"fmt"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
)

const (
	// repairName is what -only matches for the figures about repairs.
	repairName = "repair"
	// brokenProperties is how many properties of the repaired file have something wrong.
	brokenProperties = 60_000
	// maxRepair is what a repair may take, in times of a check of the file as it was.
	maxRepair = 1.5
)

// repairFigures compare the repair of a large file with its check.
type repairFigures struct {
	comparison
	size, findings, fixes int
}

func measureRepair(runs int) (*repairFigures, error) {
	src := bench.BrokenLarge(brokenProperties)
	opt := adagents.Options{Now: bench.Now(), MaxFindings: 2 * brokenProperties}
	repair := func() *adagents.Repaired {
		return adagents.Repair(src, adagents.RepairOptions{Options: opt, Choose: adagents.Probably})
	}
	done := repair()
	err := done.After.Err()
	if err != nil {
		return nil, fmt.Errorf("the file is not repaired: %w", err)
	}
	found := &repairFigures{size: len(src), findings: len(done.Before.Findings), fixes: len(done.Applied)}
	found.comparison = compare(runs, func() { adagents.Check(src, opt) }, func() { repair() })
	return found, nil
}

func (found *repairFigures) limits() []limit {
	if found == nil {
		return nil
	}
	return []limit{{name: "repair of a large file: time / check", allowed: maxRepair, have: found.ratio}}
}

func (found *repairFigures) table() table {
	t := table{head: []string{"repair", "MB", "findings", "fixes", "check ms", "repair ms", "repair / check"}}
	if found != nil {
		t.add("large file", fmt.Sprintf("%.1f", megabytes(found.size)), fmt.Sprint(found.findings), fmt.Sprint(found.fixes),
			number(milliseconds(found.base)), number(milliseconds(found.work)), number(found.ratio))
	}
	return t
}
