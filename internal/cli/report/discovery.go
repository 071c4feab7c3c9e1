package report

import (
	"fmt"
	"io"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A leg is one request of the way as a row of a table.
type hopRow struct {
	url, what, status, rest string
}

// writeHops writes the way to a file, one request per line. Without a way
// there is nothing to write.
func writeHops(w io.Writer, paint console.Style, d *discover.Discovery) {
	legs := rowsOf(d)
	var widths [3]int
	for _, l := range legs {
		for i, text := range [...]string{l.url, l.what, l.status} {
			widths[i] = max(widths[i], textsafe.Width(text))
		}
	}
	for _, l := range legs {
		fmt.Fprintf(w, "%s  %s  %s  %s\n", console.Padded(l.url, widths[0]),
			paint.Dim(console.Padded(l.what, widths[1])), console.Padded(l.status, widths[2]), l.rest)
	}
}

// rowsOf lists the requests of a way. A repetition after a failure takes the
// place of what it repeats.
func rowsOf(d *discover.Discovery) []hopRow {
	var legs []hopRow
	if d == nil {
		return legs
	}
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Result == nil {
			legs = append(legs, hopRow{url: request.ShownURL(hop.URL), what: whatOf(hop), status: "-", rest: "not asked"})
			continue
		}
		for j := range hop.Result.Exchanges {
			if !repeated(hop.Result.Exchanges, j) {
				legs = append(legs, rowOf(hop, &hop.Result.Exchanges[j]))
			}
		}
	}
	return legs
}

// repeated reports whether the exchange after number i is the same request
// again.
func repeated(list []fetch.Exchange, i int) bool {
	return i+1 < len(list) && list[i+1].Attempt > 1
}

func rowOf(hop *discover.Hop, x *fetch.Exchange) hopRow {
	l := hopRow{url: request.ShownURL(x.URL), what: whatOf(hop), status: request.Status(x),
		rest: request.Outcome(x.Outcome)}
	switch x.Outcome {
	case fetch.Found:
		l.rest = console.Bytes(x.Bytes)
	case fetch.Redirected:
		l.what = "redirect"
		l.rest = "to " + request.ShownURL(x.Location)
	}
	return l
}

// whatOf names what was asked for or, better, what turned out to be there.
func whatOf(hop *discover.Hop) string {
	if hop.Report != nil && hop.Report.Kind == adagents.PointerKind {
		return "pointer"
	}
	return stepNouns[hop.Step]
}

// stepNouns name what is asked for in a step.
var stepNouns = map[discover.Step]string{
	discover.WellKnown: "file", discover.Authoritative: "authoritative", discover.AdsTxt: "ads.txt",
	discover.Manager: "manager", discover.ManagerAuthoritative: "authoritative", discover.Superseding: "successor",
}

// AnswerSentence says in one sentence what was found. Its outside text is
// not escaped.
func AnswerSentence(d *discover.Discovery) string {
	who := subjectOf(d)
	switch d.Answer {
	case discover.Absent:
		if d.Domain == "" {
			return "there is no file at " + who
		}
		return who + " has no " + console.FileName + "; that says nothing about any agent"
	case discover.Unusable:
		if d.Domain == "" {
			return "buyers must not use what is at " + who
		}
		return "there is a file for " + who + ", and buyers must not use it"
	case discover.Usable:
		return speakerSentence(d, who)
	}
	if d.Domain == "" {
		return who + " could not be fetched"
	}
	return "could not determine what " + who + " declares, which is not the same as having no file"
}

// speakerSentence says which file speaks for the publisher.
func speakerSentence(d *discover.Discovery, who string) string {
	switch {
	case d.Domain == "":
		return "the file at " + redact.URL(d.ResolvedURL) + " can be used"
	case d.Method == discover.AuthoritativeLocation && d.Pointer == nil:
		return who + " has a file that " + redact.URL(d.ResolvedURL) + " replaces, and that one speaks for it"
	case d.Replaced:
		return who +
			" has a file that says another one replaces it, which could not be fetched; it describes inventory and authorizes " +
			"no agent"
	case d.Method == discover.AuthoritativeLocation:
		if d.NothingFound() {
			return who + " points to " + redact.URL(d.ResolvedURL) + ", in which buyers find nothing for it"
		}
		return who + " points to " + redact.URL(d.ResolvedURL) + ", and that file speaks for it"
	case d.Method == discover.ManagerDomain:
		return who + " has no file of its own; that of its manager " + d.ManagerDomain + " speaks for it"
	}
	return who + " speaks for itself, with the file at " + redact.URL(d.ResolvedURL)
}

// subjectOf is what the question was about.
func subjectOf(d *discover.Discovery) string {
	if d.Domain != "" {
		return d.Domain
	}
	return redact.URL(d.URL)
}
