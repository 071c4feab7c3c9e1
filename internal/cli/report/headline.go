package report

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// headlines makes the headlines of publishers. What was read of a file serves the next publisher
// that shares it, too.
type headlines struct {
	report *adagents.Report
	doc    *resolve.Document
}

// of returns the headline of a target; nil for one that is not a publisher, and for one that could
// not be looked at.
func (x *headlines) of(r *check.Result) *headline.Headline {
	d := r.InEffect
	if d == nil || d.Domain == "" {
		return nil
	}
	doc := websource.Describe(d.Domain, d)
	switch {
	case doc.State != resolve.Usable:
	case x.report == d.Report && !d.Report.DependsOnDomain():
		doc.File, doc.Prepared, doc.Skipped = x.doc.File, x.doc.Prepared, x.doc.Skipped
	default:
		doc = websource.DocumentOf(d.Domain, d)
		x.report, x.doc = d.Report, doc
	}
	h := headline.Of(headline.Facts{Document: doc, At: r.At})
	return &h
}
