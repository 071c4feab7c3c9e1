package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/format/spread"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// report is everything the page shows about a check. All outside text in it has passed
// a pen or safe.
type report struct {
	// Domain is empty for a document that was sent.
	Domain string
	// Age is how old what is shown is; nil for a document that was sent.
	Age      *reportAge
	Verdict  verdict
	Complete bool
	Trail    []hop
	Groups   []findingGroup
	// Others counts the findings about other publishers of a shared file, which are not shown.
	Others int
	// Found and Omitted count the findings, and those that are not shown.
	Found, Omitted int
	Usable         []counted
	Skipped        skips
	Reached        reached
	Properties     properties
	Raw            rawText
	Repair         repair
	Apply          applyForm
	// hides is set when the document holds a secret.
	hides bool
}

// reportAge says how old what a page shows is, and when its visitor may have it checked again.
type reportAge struct {
	Domain string
	Agents bool
	// CheckedAt is when the domain was asked, and Ago the same as people say it.
	CheckedAt, FreshUntil time.Time
	Ago                   string
	// Wait is how many seconds the visitor has to wait for a new check; TooSoon is set
	// when one was wanted before.
	Wait    int
	TooSoon bool
}

// counted is a number of something.
type counted struct {
	N    int
	Noun string
}

// reportOf prepares the page for a check that has a domain or a document. A minified document is laid
// out in lines unless it is wanted as it was served.
func reportOf(v *registry.Validation, h *headline.Headline, served bool) *report {
	v = v.WithFixes()
	r := &report{Domain: safe(v.Domain), Complete: v.Complete}
	docs, file := documentsOf(v)
	if v.Discovery == nil {
		r.Domain = ""
	} else {
		r.Trail = trailOf(v.Discovery, &pen{trailBytes})
	}
	if file != nil {
		if !served {
			file.spread()
		}
		r.Raw = rawOf(file)
		if v.Discovery != nil && spread.Minified(v.Body) {
			r.Raw.Switch = servedURL(v.Domain, !served)
		}
		r.Apply = applyFormOf(v)
		file.applies = r.Apply.Action != ""
		if v.Discovery != nil && v.Discovery.Method != discover.Direct && file.report.Unusable == nil {
			file.about = headline.Concerning(file.report.Tree().Root(), v.Domain)
		}
	}
	r.addFindings(v.Discovery, docs, file)
	r.Verdict = verdictOf(v, h)
	r.Reached = reachedOf(v.Agents, &pen{agentsBytes})
	if file != nil {
		r.addFile(file)
		r.Repair = repairOf(v, file)
	}
	return r
}

// OthersWords are the findings about other publishers in a line.
func (r *report) OthersWords() string {
	return words.Plural(r.Others, "finding of this shared file is", "findings of this shared file are") +
		" about other publishers, and not shown."
}

// documentsOf returns the files there are findings about, and the one in the end.
func documentsOf(v *registry.Validation) ([]*document, *document) {
	var docs []*document
	if v.Discovery != nil && v.Discovery.Pointer != nil && v.Discovery.Pointer != v.Report {
		docs = append(docs, newDocument(v.Discovery.URL, v.Discovery.PointerBody, v.Discovery.Pointer))
	}
	if v.Report == nil {
		return docs, nil
	}
	file := newDocument("", v.Body, v.Report)
	if len(docs) > 0 {
		file.name = v.Discovery.ResolvedURL
	}
	return append(docs, file), file
}

// addFile shows what is in the file in the end.
func (r *report) addFile(d *document) {
	r.hides = d.source.Hides()
	r.Skipped = skipsOf(d.report.Skipped)
	f := d.report.File
	if f == nil {
		return
	}
	r.Properties = propertiesOf(r.Domain, f.Properties, &pen{propertiesBytes})
	active := len(f.Agents)
	for i := range f.Agents {
		if f.Agents[i].Inert() {
			active--
		}
	}
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{active, "agent", "agents"}, {len(f.Properties), "property", "properties"},
		{len(f.Collections), "collection", "collections"},
		{len(f.Placements), "placement", "placements"}, {len(f.Formats), "format", "formats"},
		{len(f.Signals), "signal", "signals"},
	} {
		noun := c.many
		if c.n == 1 {
			noun = c.one
		}
		r.Usable = append(r.Usable, counted{c.n, noun})
	}
}

// mostFindings is the number of findings on a page.
const mostFindings = 500

// hintOther is how package discover begins the hint to check another domain, which is a link here.
const hintOther = "check it with: avow discover "

// findingGroup is the findings of like importance.
type findingGroup struct {
	least adagents.Rank // the least important rank in it
	// ID is the address of the group within the page.
	ID, Title string
	// Count is the number of findings, shown or not; Omitted are not.
	Count, Omitted int
	Problems       []*ruleFindings
}

// ruleFindings is everything one rule found.
type ruleFindings struct {
	Code, Title, Why string
	Findings         []shownFinding
	// More are like these and were not even listed by the check.
	More int
}

// shownFinding is one finding.
type shownFinding struct {
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

// sourceFinding is a finding before it is written onto a page.
type sourceFinding struct {
	*adagents.Finding
	doc  *document // nil for a finding about the way
	url  string
	rank adagents.Rank
}

// findingGroups are the groups, the most important first.
var findingGroups = []findingGroup{
	{least: adagents.RankBlocks, ID: "blocking", Title: "What keeps buyers away"},
	{least: adagents.RankError, ID: "errors", Title: "Other errors"},
	{least: adagents.RankWarning, ID: "warnings", Title: "Warnings"},
	{least: adagents.RankInfo, ID: "remarks", Title: "Remarks"},
}

// addFindings shows the findings about the way, if there was one, and about files, the
// most important first.
func (r *report) addFindings(d *discover.Discovery, docs []*document, file *document) {
	all := r.withoutOthers(collectFindings(d, docs))
	p := &pen{findingsBytes}
	shown := 0
	next := adagents.RankNobody
	for _, g := range findingGroups {
		first := next
		next = g.least + 1
		byCode := map[string]*ruleFindings{}
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
			x.Findings = append(x.Findings, at)
			g.Omitted += f.More
		}
		if g.Count == 0 {
			continue
		}
		r.Groups = append(r.Groups, g)
		r.Found, r.Omitted = r.Found+g.Count, r.Omitted+g.Omitted
	}
}

// collectFindings puts all findings into one list. Those about the way come first: they are why
// there may be no others. d is nil when there was no way.
func collectFindings(d *discover.Discovery, docs []*document) []sourceFinding {
	var all []sourceFinding
	for i := 0; d != nil && i < len(d.Findings); i++ {
		f := d.Findings[i].Public()
		shown := &adagents.Finding{Code: f.Code, Severity: f.Severity, Line: f.Line, Message: f.Message, Hint: f.Hint}
		rank := adagents.RankOf(shown)
		if d.Answer == discover.Unusable && f.Severity == adagents.Error {
			rank = adagents.RankBlocks
		}
		all = append(all, sourceFinding{shown, nil, f.URL, rank})
	}
	for _, d := range docs {
		ranks := d.report.Ranks()
		for i := range d.report.Findings {
			all = append(all, sourceFinding{&d.report.Findings[i], d, d.name, ranks[i]})
		}
	}
	return all
}

// withoutOthers leaves out the findings about other publishers of a shared file.
func (r *report) withoutOthers(all []sourceFinding) []sourceFinding {
	return slices.DeleteFunc(all, func(f sourceFinding) bool {
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

// add shows a finding with the others of its rule; the first one adds the rule to the group.
func (g *findingGroup) add(f sourceFinding, byCode map[string]*ruleFindings, p *pen) (*ruleFindings, shownFinding) {
	x := byCode[f.Code]
	if x == nil {
		rule := catalogue.Lookup(f.Code)
		x = &ruleFindings{Code: f.Code, Title: capital(rule.Title), Why: p.took(rule.Why)}
		if x.Title == "" {
			x.Title = f.Code
		}
		byCode[f.Code] = x
		g.Problems = append(g.Problems, x)
	}
	x.More += f.More
	at := shownFinding{
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
func (at *shownFinding) offer(probable int) {
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

// mostOpen is the number of findings of a rule that are shown at once.
const mostOpen = 3

// Open are the first findings, and Folded the others.
func (x *ruleFindings) Open() []shownFinding { return x.Findings[:min(len(x.Findings), mostOpen)] }

// Folded are the findings after the first ones.
func (x *ruleFindings) Folded() []shownFinding { return x.Findings[len(x.Open()):] }
