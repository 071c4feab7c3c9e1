package web

import (
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/format/spread"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// report is everything the page shows about a check. All outside text in it has passed
// a pen or safe.
type report struct {
	// Domain is empty for a document that was sent.
	Domain string
	// Age is how old what is shown is; nil for a document that was sent.
	Age      *age
	Verdict  verdict
	Complete bool
	Trail    []hop
	Groups   []group
	// Others counts the findings about other publishers of a shared file, which are not shown.
	Others int
	// Found and Omitted count the findings, and those that are not shown.
	Found, Omitted int
	Usable         []counted
	Skipped        skips
	Reached        reached
	Properties     properties
	Raw            raw
	Repair         repair
	Apply          applyForm
	// hides is set when the document holds a secret.
	hides bool
}

// age says how old what a page shows is, and when its visitor may have it looked at again.
type age struct {
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

// A document is a file that findings are about.
type document struct {
	// name tells it apart from another one; empty when there is no other.
	name   string
	source *redact.Source
	report *adagents.Report
	// laid is the source laid out in lines, for a minified one; nil for others.
	laid *spread.Text
	// about tells what in it concerns the publisher; nil for everything.
	about *headline.Scope
	// applies is set when its fixes can be applied from the page.
	applies bool
}

func newDocument(name string, src []byte, r *adagents.Report) *document {
	return &document{name: name, source: redact.Of(src, r), report: redact.Report(src, r)}
}

// spread lays a minified document out in lines, as far as its findings can have fixes.
func (d *document) spread() {
	src := d.source.Bytes()
	if spread.Minified(src) && d.source.Tells(len(src), 0) {
		d.laid = spread.Of(src[:min(len(src), registry.FixesUpTo)])
	}
}

// text is what is shown of the document.
func (d *document) text() []byte {
	if d.laid != nil {
		return d.laid.Bytes
	}
	return d.source.Bytes()
}

// line is the number of the line that a finding is in, in that text; zero for one without a place.
func (d *document) line(f *adagents.Finding) int {
	offset, _ := d.source.Place(f.Offset, f.Length)
	if d.laid == nil || f.Line == 0 || offset >= registry.FixesUpTo {
		return f.Line
	}
	return d.laid.Line(offset)
}

// edits are edits of the original as edits of that text.
func (d *document) edits(list []adagents.Edit) []adagents.Edit {
	list = d.source.Edits(list)
	if d.laid == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		e := &list[i]
		from, to := d.laid.Place(e.Start), d.laid.End(e.End)
		if e.Start == e.End {
			from = to
		}
		e.Start, e.End = from, to
	}
	return list
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
