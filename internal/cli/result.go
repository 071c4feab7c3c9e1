package cli

import (
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
)

// A document is a file that was checked, with its text.
type document struct {
	// url is where it was fetched from; empty for a file at hand.
	url    string
	src    []byte
	report *adagents.Report
}

// A finding is one of a document or, when doc is nil, one about the way to it.
type finding struct {
	*adagents.Finding
	doc *document
	// url is the document or the request concerned; empty for a file at hand.
	url string
	// detail is more about a failed request. It is outside text.
	detail string
}

// source is the text that the place of a finding refers to.
func (f finding) source() []byte {
	if f.doc == nil {
		return nil
	}
	return f.doc.src
}

// A result is what became of one target.
type result struct {
	target target
	// number is that of the target in the run.
	number int
	// found is the way to the file, for a target on the web; nil otherwise.
	found *discover.Discovery
	// at is when the question was asked, for a target on the web.
	at time.Time
	// docs are the files that were checked: at most a pointer and what it
	// points to, which comes last.
	docs []*document
	// report is that of the file which speaks for the target. It is nil when
	// err or found says why there is none.
	report *adagents.Report
	// err says why the target could not be looked at.
	err error
	// findings are those of the way, of the pointer and of the file.
	findings []finding
	// agents are the endpoints that were probed; nil when nobody asked.
	agents []agentResult
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

// add appends a document and its findings. The last one added is the file that
// speaks for the target.
func (r *result) add(doc *document) {
	r.docs = append(r.docs, doc)
	r.report = doc.report
	for i := range doc.report.Findings {
		r.findings = append(r.findings, finding{Finding: &doc.report.Findings[i], doc: doc, url: doc.url})
	}
}

// A verdict is the answer for one target in one word.
type verdict uint8

const (
	valid verdict = iota
	notValid
	// noFile: the publisher has no file.
	noFile
	// noAnswer: it could not be found out.
	noAnswer
)

// verdict judges the target. A file that a host failed to deliver counts as no
// answer, although something was found on the way.
func (r *result) verdict() verdict {
	switch {
	case r.err != nil:
		return noAnswer
	case r.found == nil:
	case r.found.Answer == discover.Absent:
		return noFile
	case r.found.Answer == discover.Unreachable || !r.found.Found:
		return noAnswer
	case r.found.Answer != discover.Usable:
		return notValid
	}
	if r.counts[adagents.Error] > 0 {
		return notValid
	}
	return valid
}

// valid reports whether the target has a file without errors besides the known
// ones.
func (r *result) valid() bool { return r.verdict() == valid }

// isKnown reports whether the baseline lists finding i.
func (r *result) isKnown(i int) bool { return i < len(r.known) && r.known[i] }

// count fills in the numbers, once known is final.
func (r *result) count() {
	for i, f := range r.findings {
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
	for i := range r.findings {
		if f.wants(r, i) {
			have[r.findings[i].Severity]++
		}
	}
	quota := f.quota(have)
	for i := range r.findings {
		if !f.wants(r, i) {
			continue
		}
		sev := r.findings[i].Severity
		if quota[sev] == 0 {
			r.omitted++
			continue
		}
		quota[sev]--
		r.shown = append(r.shown, i)
	}
}

func (f filter) wants(r *result, i int) bool {
	return r.findings[i].Severity >= f.least && (f.known || !r.isKnown(i))
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
	valid, invalid int
	// unread are targets that could not be read, unreached those on the web
	// for which no answer came, and absent those without a file.
	unread, unreached, absent int
	counts                    [adagents.Error + 1]int
	baselined                 int
}

func (t *tally) add(r *result) {
	switch r.verdict() {
	case valid:
		t.valid++
	case notValid:
		t.invalid++
	case noFile:
		t.absent++
	case noAnswer:
		if r.target.onWeb() {
			t.unreached++
		} else {
			t.unread++
		}
	}
	for sev, n := range r.counts {
		t.counts[sev] += n
	}
	t.baselined += r.baselined
}

// incomplete reports whether some target has no answer.
func (t *tally) incomplete() bool { return t.unread+t.unreached+t.absent > 0 }

// A handler writes the results of a run in one format. It gets the targets one
// after the other, in the order of the arguments, and then the tally.
type handler interface {
	// target writes one result. It must not keep it: the source text of
	// thousands of files does not fit into memory at once.
	target(r *result) error
	// finish writes what comes after the last result.
	finish(t *tally) error
}

// unusable reports whether consumers must not use what was found.
func (r *result) unusable() bool {
	return r.report == nil || r.report.Unusable != nil || r.found != nil && r.found.Answer != discover.Usable
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
