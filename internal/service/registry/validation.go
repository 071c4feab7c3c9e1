package registry

import (
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/operator"
)

// A ValidateRequest asks for a check of the file that speaks for a domain, or of a
// document at hand.
type ValidateRequest struct {
	// Domain is as people write it. Content is the document instead; exactly one of
	// them is given.
	Domain  string
	Content []byte
	// Refresh asks for a new answer where an earlier one would do.
	Refresh bool
	// Known asks for an earlier answer and for nothing else: there is an error of the kind NotFound without
	// one.
	Known bool
	// CheckAgents asks whether the agents in the file can be reached.
	CheckAgents bool
	// CheckBrand compares what the file says about its agents with the brand.json of their
	// operators.
	CheckBrand bool
	// Profile and Scopes are those of the check.
	Profile adagents.Profile
	Scopes  []string
	Caller  Caller
}

// A Validation is the result of a check. It is immutable and may be shared.
type Validation struct {
	// Domain is the publisher in canonical form, or the text that was given if that is
	// not a domain; empty for a document at hand.
	Domain string
	// Input says why the text that was given is not a publisher's domain; everything
	// but Domain and CheckedAt is then empty.
	Input *discover.InputError
	// Discovery is the way to the file; nil for a document at hand.
	Discovery *discover.Discovery
	// Report is the check of the final file, and Body has its bytes; nil when there is
	// none.
	Report *adagents.Report
	Body   []byte
	// Agents are the agents of the file, when they were asked about.
	Agents []discover.AgentCheck
	// Operators says how the operator of each agent describes its paths, by the canonical
	// URL of the agent; nil if not requested.
	Operators map[string]*operator.Comparison
	// CheckedAt is when the question was asked, FreshUntil how long what was found
	// counts; zero for a document at hand.
	CheckedAt, FreshUntil time.Time
	// Cached reports whether an earlier answer was used.
	Cached bool
	// Complete is false when the time or the number of requests for one call did not
	// suffice to find out everything.
	Complete bool

	// memo is shared with all answers from the same look, and shared is set when others are
	// given the same answer, apart from agents that were asked or not.
	memo   *memo
	shared bool
	// judged is set when the documents were judged as the caller wishes, with their fixes.
	judged bool
}

// Found reports whether a file was found for the domain.
func (v *Validation) Found() bool { return v.Discovery != nil && v.Discovery.Found }

// Valid reports whether neither the file nor the way to it has an error.
func (v *Validation) Valid() bool {
	if v.Discovery != nil {
		return v.Discovery.Valid()
	}
	return v.Report != nil && v.Report.Valid()
}

// FixesUpTo is the size in bytes of the largest document whose findings have fixes here. A
// larger one is repaired with the program, where the answer need not be small.
const FixesUpTo = weighedFrom

// WithFixes returns the check with the fixes of its findings. They are made for an answer and
// not kept besides: most answers are given in the form that was made of the first. Documents are
// not checked again for findings that have none.
func (v *Validation) WithFixes() *Validation {
	d := v.Discovery
	if d == nil || v.judged || v.Report == nil || len(d.Body)+len(d.PointerBody) > FixesUpTo {
		return v
	}
	if !slices.ContainsFunc(d.Trail, func(h discover.Hop) bool { return h.Report != nil && fixable(h.Report) }) {
		return v
	}
	out := *v
	out.Discovery, out.judged = judgeAgain(d, adagents.Default, nil), true
	out.Report = out.Discovery.Report
	return &out
}

// fixable reports whether a finding may have a fix. What is wrong with a file that cannot be read
// may have one that is not of its rule.
func fixable(r *adagents.Report) bool {
	return r.Unusable != nil || slices.ContainsFunc(r.Findings, func(f adagents.Finding) bool {
		rule, known := adagents.LookupRule(f.Code)
		return !known || rule.MayFix()
	})
}

// Repaired returns the file with the fixes that choose wants, or nil when it is too large or
// there is none. choose is that of adagents.RepairOptions.
func (v *Validation) Repaired(choose func(text []byte, f *adagents.Finding) int) *adagents.Repaired {
	if v.Report == nil || len(v.Body) > FixesUpTo {
		return nil
	}
	opt := adagents.Options{Now: v.CheckedAt, Domain: v.Domain, MaxFindings: maxFindings}
	if v.Discovery != nil {
		opt.URL = v.Discovery.ResolvedURL
		switch v.Discovery.Method {
		case discover.AuthoritativeLocation:
			opt.Role = adagents.Authoritative
		case discover.ManagerDomain:
			opt.Role = adagents.Manager
		}
	}
	return adagents.Repair(v.Body, adagents.RepairOptions{Options: opt, Choose: choose})
}
