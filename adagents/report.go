package adagents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// A Finding is one thing the check has to say about the file.
type Finding struct {
	Code     string
	Severity Severity
	Effect   Effect
	// Pointer is the JSON Pointer of the value concerned. When a member is
	// missing it names that member; its parent then exists.
	Pointer string
	// Offset is in bytes from 0; Line and Column count from 1, columns in
	// Unicode code points. For a missing member they are those of its owner.
	Offset, Line, Column int
	// Length is the number of bytes of the value in the source, 0 when the
	// finding is about a container or the whole file.
	Length  int
	Message string
	// Hint is what to do. With Options.Fixes it is the title of the best fix, unless there
	// is none or the author has to choose.
	Hint string
	Spec string
	// More is the number of findings like this one, of the same rule and
	// severity, that are not listed; see Options.MaxFindings.
	More int
	// Fixes are ways to repair the file, the best one first; only with Options.Fixes.
	Fixes []Fix
}

// Error returns "line:column: severity: message [code]".
func (f *Finding) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s [%s]", f.Line, f.Column, f.Severity, f.Message, f.Code)
}

// A Skip is an entry that consumers leave out while they use the rest.
type Skip struct {
	Pointer string
	Code    string // the rule that decided it
	Reason  string
}

// Unusable is the error of a file that must not be used at all. It is a
// different type from Skip on purpose: the one ends the processing of a
// domain, the other never does.
type Unusable struct {
	// Findings are the errors whose effect is AbortFile.
	Findings []Finding
}

// Error returns the first reason.
func (u *Unusable) Error() string {
	return "unusable file: " + u.Findings[0].Message + " [" + u.Findings[0].Code + "]"
}

// Unwrap returns the findings as errors.
func (u *Unusable) Unwrap() []error {
	errs := make([]error, len(u.Findings))
	for i := range u.Findings {
		errs[i] = &u.Findings[i]
	}
	return errs
}

// A Kind tells an inline file from a pointer.
type Kind uint8

// The kinds. UnknownKind is the kind of a file that cannot be read.
const (
	UnknownKind Kind = iota
	Inline
	PointerKind
)

// String returns "inline", "pointer" or "".
func (k Kind) String() string { return [...]string{"", "inline", "pointer"}[k] }

// A Report is everything the check says about one file. Exactly one of
// File, Pointer and Unusable is set.
type Report struct {
	Kind     Kind
	File     *File     // the usable content of an inline file
	Pointer  *Pointer  // the content of a pointer file
	Unusable *Unusable // why the file cannot be used
	Findings []Finding // in document order, but file.authorizes_nobody is always the first
	Skipped  []Skip    // in document order
	tree     *jsontree.Tree
	byDomain bool
}

// Valid reports whether no finding is an error.
func (r *Report) Valid() bool { return r.Count(Error) == 0 }

// AuthorizesNobody reports whether the file lists agents and none of them can sell anything.
// Such a file may well be valid.
func (r *Report) AuthorizesNobody() bool {
	return len(r.Findings) > 0 && r.Findings[0].Code == nobodyRule.Code
}

// Count returns the number of findings of a severity, listed or not.
func (r *Report) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n += 1 + r.Findings[i].More
		}
	}
	return n
}

// A Rank says how important a finding is for a reader who looks at the most important ones
// first.
type Rank uint8

// The ranks, the most important first.
const (
	RankNobody  Rank = iota // the file authorizes no agent
	RankBlocks              // buyers leave out the file or an entry of it
	RankError               // another error
	RankWarning             // another warning
	RankInfo                // another info
)

// Ranks returns the rank of each finding.
func (r *Report) Ranks() []Rank {
	causes := make(map[string]string, len(r.Skipped))
	for _, s := range r.Skipped {
		causes[s.Pointer] = s.Code
	}
	ranks := make([]Rank, len(r.Findings))
	for i := range r.Findings {
		ranks[i] = RankOf(&r.Findings[i])
		if r.Findings[i].empties(causes) {
			ranks[i] = RankBlocks
		}
	}
	return ranks
}

// RankOf returns the rank of a finding on its own.
func RankOf(f *Finding) Rank {
	switch {
	case f.Code == nobodyRule.Code:
		return RankNobody
	case f.Effect >= EmptyEntry:
		return RankBlocks
	}
	return RankInfo - Rank(f.Severity-Info)
}

// empties reports whether a finding about a reference is why an entry is left out: it was the
// last reference. causes are the codes of such findings by the entry's pointer.
func (f *Finding) empties(causes map[string]string) bool {
	if f.Effect != DropRef {
		return false
	}
	for at := f.Pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if causes[at] == f.Code {
			return true
		}
	}
	return false
}

// Err returns the findings of severity Error as one error, or nil.
func (r *Report) Err() error {
	if r.Valid() {
		return nil
	}
	e := new(InvalidError)
	for i := range r.Findings {
		if r.Findings[i].Severity == Error {
			e.Findings = append(e.Findings, r.Findings[i])
		}
	}
	return e
}

// DependsOnDomain reports whether the check would have something else to say for
// another Options.Domain. When it does not, the report is that of every publisher
// that leads to the same bytes in the same way: many may point to one
// authoritative file, which then has to be checked once.
func (r *Report) DependsOnDomain() bool { return r.byDomain }

// Tree returns the document, or nil when it could not be parsed.
func (r *Report) Tree() *Tree { return r.tree }

// InvalidError is a file with errors, usable or not.
type InvalidError struct {
	Findings []Finding
}

// Error returns the errors, one per line.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Findings))
	for i := range e.Findings {
		lines[i] = e.Findings[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the findings as errors.
func (e *InvalidError) Unwrap() []error { return (*Unusable)(e).Unwrap() }

// sortFindings puts the collected findings into document order.
func (c *checker) sortFindings() {
	slices.SortStableFunc(c.findings.list, func(a, b rawFinding) int { return int(a.node) - int(b.node) })
}

// assemble turns the collected findings into the report's.
func (c *checker) assemble() {
	c.sortFindings()
	nodes := make([]uint32, len(c.findings.list))
	for i := range c.findings.list {
		nodes[i] = c.findings.list[i].node
	}
	pointers, positions, fixes := c.locate(nodes)
	c.report.Findings = make([]Finding, len(c.findings.list))
	for i := range c.findings.list {
		c.report.Findings[i] = c.findings.list[i].finding(pointers[i], positions[i])
		v := c.tree.At(c.findings.list[i].shown())
		if c.findings.list[i].missing == "" && !v.Is(Object) && !v.Is(Array) {
			c.report.Findings[i].Length = v.End() - v.Offset()
		}
		if fixes != nil {
			c.report.Findings[i].Fixes = fixes[i]
			c.report.Findings[i].Hint = cmp.Or(advice(fixes[i]), c.report.Findings[i].Hint)
		}
	}
	byOffset := func(a, b Finding) int { return a.Offset - b.Offset }
	if !slices.IsSortedFunc(c.report.Findings, byOffset) {
		slices.SortStableFunc(c.report.Findings, byOffset)
	}
	// Everything else is read in the light of this one.
	if i := slices.IndexFunc(c.report.Findings, func(f Finding) bool { return f.Code == nobodyRule.Code }); i > 0 {
		nobody := c.report.Findings[i]
		copy(c.report.Findings[1:i+1], c.report.Findings[:i])
		c.report.Findings[0] = nobody
	}
}

// locate returns the places of the findings, and their fixes if they are asked for.
func (c *checker) locate(nodes []uint32) ([]string, []jsontree.Position, [][]Fix) {
	if !c.opt.Fixes {
		return c.tree.Pointers(nodes), c.positions(), nil
	}
	var pointers []string
	var positions []jsontree.Position
	var beside sync.WaitGroup // neither needs the other
	beside.Go(func() { pointers, positions = c.tree.Pointers(nodes), c.positions() })
	fixes := c.fixes()
	beside.Wait()
	return pointers, positions, fixes
}

// positions returns the place in the source of each finding, found in one
// pass over it.
func (c *checker) positions() []jsontree.Position {
	order := make([]int, len(c.findings.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(c.findings.list[a].shown()) - int(c.findings.list[b].shown())
	})
	offsets := make([]int, len(order))
	for i, k := range order {
		offsets[i] = c.tree.At(c.findings.list[k].shown()).Offset()
	}
	sorted := c.tree.Positions(offsets)
	positions := make([]jsontree.Position, len(order))
	for i, k := range order {
		positions[k] = sorted[i]
	}
	return positions
}

// shown returns the node whose location is shown: the finding's node, unless the
// finding names a better one inside.
func (f *rawFinding) shown() uint32 { return max(f.node, f.spot) }

func (f *rawFinding) finding(pointer string, at jsontree.Position) Finding {
	hint := f.hint
	if hint == "" {
		hint = f.rule.Hint
	}
	if f.missing != "" {
		pointer = jsontree.Pointer(pointer, f.missing)
	}
	return Finding{
		Code: f.rule.Code, Severity: f.sev, Effect: f.effect, Pointer: pointer,
		Offset: at.Offset, Line: at.Line, Column: at.Column,
		Message: f.msg, Hint: hint, Spec: f.rule.Spec, More: int(f.more),
	}
}

// A Role says how the file was reached, which changes what it may contain.
type Role uint8

// The roles.
const (
	// Direct: served at the publisher's own well-known path, or not known.
	Direct Role = iota
	// Authoritative: reached through a pointer.
	Authoritative
	// Manager: reached through an ads.txt MANAGERDOMAIN line.
	Manager
	// Mirror: a community mirror of a platform's catalog.
	Mirror
)

// Options tell the check what it cannot know from the bytes. The zero value
// checks a file on its own.
type Options struct {
	Profile Profile
	// Release is the release of the protocol whose readers the file is for, one of Releases; empty
	// means the newest. What they do not know yet is reported, and the rest of the report is the same.
	Release string
	// Now is the time the file is judged at. The zero time leaves out the
	// rules that compare with the present.
	Now time.Time
	// Domain is the publisher the file is served for, as an A-label host
	// name. Empty leaves out the rules that compare with it.
	Domain string
	// URL is where the file was obtained. Empty leaves out the rules that
	// compare with it.
	URL  string
	Role Role
	// Scopes are the tasks the listed agents may perform, for example
	// "create_media_buy". Any mutating one makes pinned keys mandatory.
	Scopes []string
	// Relationships are the relationships that the operators' brand.json
	// files state, by agent URL.
	Relationships map[string]string
	// MaxBytes limits the size; zero means 20 MiB.
	MaxBytes int
	// MaxValues limits the number of JSON values; zero means 2,000,000.
	MaxValues int
	// MaxFindings limits the findings of one rule that are listed; zero means
	// 10,000. The last one listed says in More how many there are besides.
	// Verdict, counts and usable content do not depend on it.
	MaxFindings int
	// Lead is how long before its end an entry or a key is reported; zero means 14 days.
	// Without Now nothing is.
	Lead time.Duration
	// Fixes asks for the fixes of findings.
	Fixes bool

	// comparisons lowers the limit of comparisons of agents' slices, which a short
	// example could not reach. Zero means the default.
	comparisons int
	// longList lowers the number of property_ids from which tags are advised, likewise.
	longList int
	// inferred are the agent entries, in ascending order, whose scope Build worked out.
	inferred []int
}

// A Profile chooses the severities.
type Profile uint8

// The profiles.
const (
	// Default accepts what a newer protocol version may add.
	Default Profile = iota
	// Strict holds the file to the letter of the published schema.
	Strict
)

// String returns "default" or "strict".
func (p Profile) String() string {
	if p == Strict {
		return "strict"
	}
	return "default"
}
