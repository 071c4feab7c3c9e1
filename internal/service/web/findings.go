package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/catalogue"
)

// hintOther is how package discover begins the hint to check another domain, which is a link here.
const hintOther = "check it with: avow discover "

// mostFindings is the number of findings on a page.
const mostFindings = 500

// group is the findings of like importance.
type group struct {
	least adagents.Rank // the least important rank in it
	// ID is the address of the group within the page.
	ID, Title string
	// Count is the number of findings, shown or not; Omitted are not.
	Count, Omitted int
	Problems       []*problem
}

// problem is everything one rule found.
type problem struct {
	Code, Title, Why string
	Places           []place
	// More are like these and were not even listed by the check.
	More int
}

// place is one finding.
type place struct {
	Code, Severity, Class, Message, Hint, Effect string
	// Document names the file, when there are several, or the request.
	Document, Pointer string
	Line, Column      int
	// ID is the address of the finding within the page; Linked is set when the line is shown
	// with the file.
	ID     string
	Linked bool
	// Other is a domain to be checked, which is the publisher's own in another form.
	Other string
	Lines []sourceLine
	Fixes []shownFix
	// Do is the fix that the button of the row applies, and Verb what that says; without Do the
	// fixes are to be chosen from.
	Do   *shownFix
	Verb string
}

// found is a finding before it is written onto a page.
type found struct {
	*adagents.Finding
	doc  *document // nil for a finding about the way
	url  string
	rank adagents.Rank
}

// groupWords are the groups, the most important first.
var groupWords = []group{
	{least: adagents.RankBlocks, ID: "blocking", Title: "What keeps buyers away"},
	{least: adagents.RankError, ID: "errors", Title: "Other errors"},
	{least: adagents.RankWarning, ID: "warnings", Title: "Warnings"},
	{least: adagents.RankInfo, ID: "remarks", Title: "Remarks"},
}

// addFindings shows the findings about the way, if there was one, and about files, the
// most important first.
func (r *report) addFindings(d *discover.Discovery, docs []*document, file *document) {
	all := r.withoutOthers(collect(d, docs))
	p := &pen{findingsBytes}
	shown := 0
	next := adagents.RankNobody
	for _, g := range groupWords {
		first := next
		next = g.least + 1
		byCode := map[string]*problem{}
		for _, f := range all {
			if f.rank < first || f.rank > g.least {
				continue
			}
			g.Count += 1 + f.More
			if shown == mostFindings || p.dry() {
				g.Omitted += 1 + f.More
				continue
			}
			shown++
			x, at := g.add(f, byCode, p)
			at.ID = "finding-" + strconv.Itoa(shown)
			if f.doc != nil && f.doc == file {
				at.Linked = r.mark(at.Line, g.ID, at.ID, x.Title)
				if at.Linked {
					at.Lines = nil // the line is beside the findings
				}
			}
			x.Places = append(x.Places, at)
			g.Omitted += f.More
		}
		if g.Count == 0 {
			continue
		}
		r.Groups = append(r.Groups, g)
		r.Found, r.Omitted = r.Found+g.Count, r.Omitted+g.Omitted
	}
}

// collect puts all findings into one list. Those about the way come first: they are why
// there may be no others. d is nil when there was no way.
func collect(d *discover.Discovery, docs []*document) []found {
	var all []found
	for i := 0; d != nil && i < len(d.Findings); i++ {
		f := d.Findings[i].Public()
		shown := &adagents.Finding{Code: f.Code, Severity: f.Severity, Line: f.Line, Message: f.Message, Hint: f.Hint}
		rank := adagents.RankOf(shown)
		if d.Answer == discover.Unusable && f.Severity == adagents.Error {
			rank = adagents.RankBlocks
		}
		all = append(all, found{shown, nil, f.URL, rank})
	}
	for _, d := range docs {
		ranks := d.report.Ranks()
		for i := range d.report.Findings {
			all = append(all, found{&d.report.Findings[i], d, d.name, ranks[i]})
		}
	}
	return all
}

// withoutOthers leaves out the findings about other publishers of a shared file.
func (r *report) withoutOthers(all []found) []found {
	return slices.DeleteFunc(all, func(f found) bool {
		if f.doc == nil || f.doc.about == nil || f.doc.about.Concerns(f.Pointer) {
			return false
		}
		r.Others += 1 + f.More
		return true
	})
}

// mark marks a line of the file, unless a more serious finding has done so. It reports whether
// the line is shown.
func (r *report) mark(number int, class, id, title string) bool {
	line := r.Raw.at(number)
	if line != nil && line.Finding == "" {
		line.Class, line.Finding, line.Title = class, id, title
	}
	return line != nil
}

// add makes a place of a finding, and the problem of the group that it belongs to.
func (g *group) add(f found, byCode map[string]*problem, p *pen) (*problem, place) {
	x := byCode[f.Code]
	if x == nil {
		rule := catalogue.Lookup(f.Code)
		x = &problem{Code: f.Code, Title: capital(rule.Title), Why: p.took(rule.Why)}
		if x.Title == "" {
			x.Title = f.Code
		}
		byCode[f.Code] = x
		g.Problems = append(g.Problems, x)
	}
	x.More += f.More
	at := place{
		Code: f.Code, Severity: f.Severity.String(), Class: chipClasses[f.Severity],
		Message: sentence(p.words(f.Message)), Hint: sentence(p.words(f.Hint)), Effect: sentence(catalogue.Effects[f.Effect]),
		Document: p.url(f.url),
		Pointer:  p.line(f.Pointer, longestText), Line: f.Line, Column: f.Column,
	}
	if other, ok := strings.CutPrefix(f.Hint, hintOther); ok {
		at.Hint, at.Other = "", p.words(other)
	}
	if f.doc != nil {
		at.Line = f.doc.line(f.Finding)
		at.Lines = excerptOf(f.doc.source, f.Finding, p)
		at.Fixes = fixesOf(f.doc, f.Finding, p)
		if slices.ContainsFunc(at.Fixes, func(x shownFix) bool { return x.Title == at.Hint }) {
			at.Hint = "" // it is said with the fix
		}
		at.offer(adagents.Probably(nil, f.Finding))
	}
	return x, at
}

// chipClasses are the styles of severities.
var chipClasses = [...]string{adagents.Info: "", adagents.Warning: "warn", adagents.Error: "bad"}

// offer puts a fix into the row: the probable one, or the only one, which is called by what it does.
func (at *place) offer(probable int) {
	switch {
	case probable >= 0:
		at.Do, at.Verb = &at.Fixes[probable], "Fix"
	case len(at.Fixes) == 1:
		at.Do = &at.Fixes[0]
		at.Verb, _, _ = strings.Cut(at.Do.Title, " ")
		if at.Verb == "Let" { // which says nothing by itself
			at.Verb = "Allow"
		}
	}
}

// mostOpen is the number of places of a problem that are shown at once.
const mostOpen = 3

// Open are the first places, and Folded the others.
func (x *problem) Open() []place { return x.Places[:min(len(x.Places), mostOpen)] }

// Folded are the places after the first ones.
func (x *problem) Folded() []place { return x.Places[len(x.Open()):] }
