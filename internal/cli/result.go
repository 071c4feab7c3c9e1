package cli

import (
	"github.com/avow-project/avow/adagents"
)

// A result is what became of one target.
type result struct {
	target target
	src    []byte
	// report is nil when err says why there is none.
	report *adagents.Report
	err    error
	// known marks the findings that the baseline lists; nil means none.
	known []bool
	// counts are the findings that are not known, by severity.
	counts [adagents.Error + 1]int
	// baselined is the number of known findings.
	baselined int
	// shown are the indexes of the findings to show, in document order.
	shown []int
	// omitted is the number of findings left out by the limit alone.
	omitted int
}

// valid reports whether the target could be read and has no error besides the
// known ones.
func (r *result) valid() bool { return r.err == nil && r.counts[adagents.Error] == 0 }

// isKnown reports whether the baseline lists finding i.
func (r *result) isKnown(i int) bool { return i < len(r.known) && r.known[i] }

// count fills in the numbers, once known is final.
func (r *result) count() {
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if r.isKnown(i) {
			r.baselined++
			r.counts[f.Severity] += f.More
		} else {
			r.counts[f.Severity] += 1 + f.More
		}
	}
}

// A filter chooses the findings to show.
type filter struct {
	least adagents.Severity
	// most is the largest number shown per target; zero means all.
	most int
	// known includes the findings of the baseline.
	known bool
}

// choose fills in the findings to show. When there are too many, the graver
// ones are kept: a hundred remarks must not hide one error.
func (f filter) choose(r *result) {
	var have [adagents.Error + 1]int
	for i := range r.report.Findings {
		if f.wants(r, i) {
			have[r.report.Findings[i].Severity]++
		}
	}
	quota := f.quota(have)
	for i := range r.report.Findings {
		if !f.wants(r, i) {
			continue
		}
		sev := r.report.Findings[i].Severity
		if quota[sev] == 0 {
			r.omitted++
			continue
		}
		quota[sev]--
		r.shown = append(r.shown, i)
	}
}

func (f filter) wants(r *result, i int) bool {
	return r.report.Findings[i].Severity >= f.least && (f.known || !r.isKnown(i))
}

// quota divides the limit among the severities, the gravest first.
func (f filter) quota(have [adagents.Error + 1]int) [adagents.Error + 1]int {
	if f.most == 0 {
		return have
	}
	left := f.most
	for sev := adagents.Error; sev >= adagents.Info; sev-- {
		have[sev] = min(have[sev], left)
		left -= have[sev]
	}
	return have
}

// A tally sums up the results of a run.
type tally struct {
	valid, invalid, unread int
	counts                 [adagents.Error + 1]int
	baselined              int
}

func (t *tally) add(r *result) {
	switch {
	case r.err != nil:
		t.unread++
	case r.valid():
		t.valid++
	default:
		t.invalid++
	}
	for sev, n := range r.counts {
		t.counts[sev] += n
	}
	t.baselined += r.baselined
}

// A handler writes the results of a run in one format. It gets the targets one
// after the other, in the order of the arguments, and then the tally.
type handler interface {
	// target writes one result. It must not keep it: the source text of
	// thousands of files does not fit into memory at once.
	target(r *result) error
	// finish writes what comes after the last result.
	finish(t *tally) error
}

// content returns what consumers get out of a file. It is nil for a file they
// must not use and empty for a pointer.
func content(r *adagents.Report) *adagents.File {
	switch {
	case r.Unusable != nil:
		return nil
	case r.File == nil:
		return new(adagents.File)
	}
	return r.File
}

// activeAgents counts the agent entries that authorize something.
func activeAgents(f *adagents.File) int {
	n := 0
	for i := range f.Agents {
		if !f.Agents[i].Inert() {
			n++
		}
	}
	return n
}
