package batch

import (
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/resolve"
)

// blockSize is the number of questions that are answered in one go: enough for the cost
// of handing them around not to matter.
const blockSize = 4096

// mostShown is the length of a list in an answer. A question about everything that a network has
// would otherwise fill the disk.
const mostShown = 100

// A block is a run of questions with the answers to them.
type block struct {
	questions []written
	out       []byte
	counts    verdictCounts
	// docs are the documents of the publishers asked about, where whole answers are wanted.
	docs map[string]*resolve.Document
	// read is the number of bytes of the input up to its end.
	read int64
	err  error
}

// verdictLine is the answer to one question of a batch.
type verdictLine struct {
	line int
	id   string
	q    *resolve.Question
	// err says why the question could not be answered; the rest is then empty.
	err     error
	verdict resolve.Verdict
	// whole is the answer in JSON; the following are for a row of CSV.
	whole answer.Answer
	// entry is the number of the entry that decided, -1 for none.
	entry      int32
	code       string
	needs      []string
	placements map[string]resolve.Verdict
}

// judge answers a question as avow authorize does.
func (g *verdictLine) judge(doc *resolve.Document) error {
	a, err := resolve.Judge(doc, *g.q)
	if err == nil {
		g.verdict, g.whole = a.Verdict, answer.Of(g.q, a, mostShown)
	}
	return err
}

// decide asks the index, which is faster and needs less memory, for what a row has. Several
// placements are asked about one by one, too.
func (g *verdictLine) decide(x *index.Index) error {
	d, err := x.Decide(g.q)
	if err != nil {
		return err
	}
	g.verdict, g.entry, g.code = d.Verdict, d.Entry, d.Code
	if d.Verdict == resolve.Conditional {
		g.needs = d.Needs.Strings()
	}
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
