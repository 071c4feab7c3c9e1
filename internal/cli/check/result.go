package check

import (
	"cmp"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/operator"
)

// A Document is a file that was checked, with its text.
type Document struct {
	// url is where it was fetched from; empty for a file at hand.
	url    string
	Src    []byte
	Report *adagents.Report
}

// A Finding is one of a document or, when doc is nil, one about the way to it.
type Finding struct {
	*adagents.Finding
	Doc *Document
	// URL is the document or the request concerned; empty for a file at hand.
	URL string
	// Detail is more about a failed request. It is outside text.
	Detail string
	// Rank says how important it is.
	Rank adagents.Rank
}

// Source is the text that the place of a finding refers to.
func (f Finding) Source() []byte {
	if f.Doc == nil {
		return nil
	}
	return f.Doc.Src
}

// AgentResult is an agent of a file: whether it can be reached and, if that was asked, what
// its operator says.
type AgentResult struct {
	discover.AgentCheck
	Operator *operator.Comparison
	// Keys compares the keys that are pinned for it with those that it publishes; nil when
	// there was nothing to compare.
	Keys *KeyComparison
}

// A Result is what became of one target.
type Result struct {
	Target Target
	// number is the target's in the run.
	number int
	// Found is the way to the file, for a target on the web; nil otherwise.
	Found *discover.Discovery
	// InEffect is the way to the file that answers rest on: Found, unless the file names another one in
	// its place. It is nil for a target that was not found on the web.
	InEffect *discover.Discovery
	// At is when the question was asked, for a target on the web.
	At time.Time
	// Docs are the files that were checked: at most a pointer and what it
	// points to, which comes last.
	Docs []*Document
	// Report is the check of the file that speaks for the target. It is nil when Err or
	// Found says why there is none.
	Report *adagents.Report
	// Err says why the target could not be looked at.
	Err error
	// Findings are those of the way, of the pointer and of the file.
	Findings []Finding
	// Agents are the endpoints that were probed; nil if not requested.
	Agents []AgentResult
	// Expected says how it compares with the file that was built; nil if not requested.
	Expected *Expectation
	// Known marks the findings that the baseline lists; nil means none.
	Known []bool
	// Ignored marks the findings of codes that are accepted; nil means none.
	Ignored []bool
	// Failing is the number of findings that make the check fail; nil when that is decided by
	// the severities alone.
	Failing *int
	// AuthorizesNone says that the check fails because the file lists agents and authorizes none of them.
	AuthorizesNone bool
	// Counts are the findings that are not known, by severity.
	Counts [adagents.Error + 1]int
	// Baselined is the number of known findings.
	Baselined int
	// Shown are the indexes of the findings to show, in document order.
	Shown []int
	// Omitted is the number of findings left out by the limit alone.
	Omitted int
}

// Add appends a document and its findings. The last one added is the file that
// speaks for the target.
func (r *Result) Add(doc *Document) {
	r.Docs = append(r.Docs, doc)
	r.Report = doc.Report
	ranks := doc.Report.Ranks()
	for i := range doc.Report.Findings {
		r.Findings = append(r.Findings, Finding{Finding: &doc.Report.Findings[i], Doc: doc, URL: doc.url, Rank: ranks[i]})
	}
}

// addAgents fills in what is known about the agents; nil if not requested.
func (r *Result) addAgents(checks []discover.AgentCheck) {
	if checks == nil {
		return
	}
	r.Agents = make([]AgentResult, len(checks))
	for i := range checks {
		r.Agents[i].AgentCheck = checks[i]
	}
}

// A Verdict is the answer for one target in one word.
type Verdict uint8

const (
	// Valid means that there is a file without errors besides the known ones.
	Valid Verdict = iota
	// NotValid means that there is a file that has errors or must not be used.
	NotValid
	// NoFile means that the publisher has no file.
	NoFile
	// NoAnswer means that it could not be determined.
	NoAnswer
)

// Verdict judges the target. A file that a host failed to deliver is treated as no
// answer, although something was found on the way.
func (r *Result) Verdict() Verdict {
	switch {
	case r.Err != nil:
		return NoAnswer
	case r.Found == nil:
	case r.Found.Answer == discover.Absent:
		return NoFile
	case r.Found.Answer == discover.Unreachable || !r.Found.Found:
		return NoAnswer
	case r.Found.Answer != discover.Usable:
		return NotValid
	}
	if r.Counts[adagents.Error] > 0 {
		return NotValid
	}
	return Valid
}

// Valid reports whether the target has a file without errors besides the known
// ones.
func (r *Result) Valid() bool { return r.Verdict() == Valid }

// IsKnown reports whether finding i is accepted: the baseline lists it, or its code is ignored.
func (r *Result) IsKnown(i int) bool { return i < len(r.Known) && r.Known[i] || r.isIgnored(i) }

func (r *Result) isIgnored(i int) bool { return i < len(r.Ignored) && r.Ignored[i] }

// Count fills in the numbers, once known is final.
func (r *Result) Count() {
	for i, f := range r.Findings {
		switch {
		case r.isIgnored(i):
			r.Baselined += 1 + f.More
		case r.IsKnown(i):
			r.Baselined++
			r.Counts[f.Severity] += f.More
		default:
			r.Counts[f.Severity] += 1 + f.More
		}
	}
}

// A Filter chooses the findings to show.
type Filter struct {
	Least adagents.Severity
	// Most is the largest number shown per target; zero means all.
	Most int
	// Known includes the findings of the baseline.
	Known bool
}

// Choose fills in the findings to show. When there are too many, the more important
// ones are kept: a hundred remarks must not hide one error.
func (f Filter) Choose(r *Result) {
	r.Shown, r.Omitted = nil, 0
	var have [adagents.RankInfo + 1]int
	for i := range r.Findings {
		if f.wants(r, i) {
			have[r.Findings[i].Rank]++
		}
	}
	quota := f.quota(have)
	for i := range r.Findings {
		if !f.wants(r, i) {
			continue
		}
		rank := r.Findings[i].Rank
		if quota[rank] == 0 {
			r.Omitted++
			continue
		}
		quota[rank]--
		r.Shown = append(r.Shown, i)
	}
}

func (f Filter) wants(r *Result, i int) bool {
	return r.Findings[i].Severity >= f.Least && (f.Known || !r.IsKnown(i))
}

// quota divides the limit among the ranks, the most important first.
func (f Filter) quota(have [adagents.RankInfo + 1]int) [adagents.RankInfo + 1]int {
	if f.Most == 0 {
		return have
	}
	left := f.Most
	for rank := range have {
		have[rank] = min(have[rank], left)
		left -= have[rank]
	}
	return have
}

// KeepsBuyersAway reports whether buyers leave out the file, or an entry of it, because of
// the finding.
func (f Finding) KeepsBuyersAway() bool { return f.Rank == adagents.RankBlocks }

// Ranked returns the indexes of the findings to show, the most important first, and in
// document order among equals.
func (r *Result) Ranked() []int {
	return slices.SortedStableFunc(slices.Values(r.Shown), func(a, b int) int {
		return cmp.Compare(r.Findings[a].Rank, r.Findings[b].Rank)
	})
}

// A Summary sums up the results of a run.
type Summary struct {
	Valid, Invalid int
	// Unread are targets that could not be read, Unreached those on the web
	// for which no answer came, and absent those without a file.
	Unread, Unreached, Absent int
	// Failed are those with findings that make the check fail.
	Failed int
	// AuthorizeNone are the valid ones that authorize none of their agents, where that fails.
	AuthorizeNone int
	// Different are those that do not serve the file that was built.
	Different int
	Counts    [adagents.Error + 1]int
}

// Add counts a result in.
func (t *Summary) Add(r *Result) {
	switch r.Verdict() {
	case Valid:
		t.Valid++
	case NotValid:
		t.Invalid++
	case NoFile:
		t.Absent++
	case NoAnswer:
		if r.Target.OnWeb() {
			t.Unreached++
		} else {
			t.Unread++
		}
	}
	if r.Failing != nil && *r.Failing > 0 {
		t.Failed++
	}
	if r.AuthorizesNone && r.Valid() {
		t.AuthorizeNone++
	}
	if r.Expected != nil && r.Expected.Sameness == Different {
		t.Different++
	}
	for sev, n := range r.Counts {
		t.Counts[sev] += n
	}
}

// Merge counts in what another one counted.
func (t *Summary) Merge(o *Summary) {
	t.Valid, t.Invalid = t.Valid+o.Valid, t.Invalid+o.Invalid
	t.Unread, t.Unreached, t.Absent = t.Unread+o.Unread, t.Unreached+o.Unreached, t.Absent+o.Absent
	t.Failed, t.AuthorizeNone, t.Different = t.Failed+o.Failed, t.AuthorizeNone+o.AuthorizeNone, t.Different+o.Different
	for sev, n := range o.Counts {
		t.Counts[sev] += n
	}
}

// Incomplete reports whether some target has no answer.
func (t *Summary) Incomplete() bool { return t.Unread+t.Unreached+t.Absent > 0 }
