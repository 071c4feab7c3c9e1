package batch

import (
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/resolve/index"
)

// blockSize is the number of questions that are answered in one go: enough for the cost
// of handing them around not to matter.
const blockSize = 4096

// A block is a run of questions with the answers to them.
type block struct {
	questions []written
	asked     []resolve.Question
	out       []byte
	counts    verdictCounts
	// read is the number of bytes of the input up to its end.
	read int64
	err  error
}

// decide asks the index. Several placements are asked about one by one, too.
func (g *verdictLine) decide(x *index.Index) error {
	d, err := x.Decide(g.q)
	if err != nil {
		return err
	}
	g.decided(d)
	if len(g.q.Placements) < 2 {
		return nil
	}
	g.placements = make(map[string]resolve.Verdict, len(g.q.Placements))
	one := *g.q
	for i, id := range g.q.Placements {
		one.Placements = g.q.Placements[i : i+1]
		d, err = x.Decide(&one)
		if err != nil {
			return err
		}
		g.placements[id] = d.Verdict
	}
	return nil
}

// decided takes over a decision of the index.
func (g *verdictLine) decided(d resolve.Decision) {
	g.verdict, g.entry, g.code = d.Verdict, d.Entry, d.Code
	if d.Verdict == resolve.Conditional {
		g.needs = needTexts[int(d.Needs)%len(needTexts)]
	}
}

// needTexts are the needs of a decision for every set of them.
var needTexts = func() [32][]string {
	var all [32][]string
	for n := range all {
		all[n] = resolve.Needs(n).Strings()
	}
	return all
}()
