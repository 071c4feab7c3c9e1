package discover

import (
	"fmt"
	"io"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// trailText writes the way to a file for people.
type trailText struct {
	w     io.Writer
	paint console.Style
	width int
}

func (t *trailText) write(r *check.Result, several bool) error {
	d := r.Found
	if several {
		fmt.Fprintf(t.w, "%s\n\n", t.paint.Bold(console.Safe(r.Target.Label())))
	}
	for i := range d.Trail {
		t.hop(i+1, &d.Trail[i])
	}
	shown := false
	for _, f := range r.Findings {
		if f.Doc == nil {
			t.finding(f)
			shown = true
		}
	}
	if shown {
		fmt.Fprintln(t.w)
	}
	t.line("", "answer:", t.answer(r))
	for _, advice := range adviceFor(r) {
		t.line("", advice.label, advice.text)
	}
	if several {
		defer fmt.Fprintln(t.w)
	}
	return report.WriteAgents(t.w, t.paint, r.Agents)
}

// hop writes one step: a title, every request, and what it means.
func (t *trailText) hop(n int, hop *discover.Hop) {
	fmt.Fprintf(t.w, "%d. %s\n", n, t.paint.Bold(stepTitles[hop.Step]))
	switch {
	case hop.Result == nil:
		t.line("   ", "not asked:", request.ShownURL(hop.URL))
	case hop.Shared:
		t.line("   ", "known already:", request.ShownURL(hop.URL))
	}
	if hop.Result != nil {
		for i := range hop.Result.Exchanges {
			x := &hop.Result.Exchanges[i]
			if !hop.Shared {
				t.line("   ", "asked:", x.Method+" "+request.ShownURL(x.URL))
			}
			t.line("   ", "answer:", exchangeWords(x))
		}
	}
	t.line("   ", "meaning:", console.Safe(redact.Credentials(hop.Meaning)))
	t.line("   ", "next:", console.Safe(redact.Credentials(hop.Next)))
	fmt.Fprintln(t.w)
}

// stepTitles say what a step is for.
var stepTitles = map[discover.Step]string{
	discover.WellKnown:            "The file at the well-known path",
	discover.Authoritative:        "The file that the publisher points to",
	discover.AdsTxt:               "The managers named in ads.txt",
	discover.Manager:              "The manager's file",
	discover.ManagerAuthoritative: "The file that the manager points to",
	discover.Superseding:          "The file that replaces this one",
}

// exchangeWords is what came back in a few words.
func exchangeWords(x *fetch.Exchange) string {
	var parts []string
	if x.Status != 0 {
		parts = append(parts, request.Status(x))
	}
	if x.Outcome != fetch.Found {
		parts = append(parts, request.Outcome(x.Outcome))
	}
	if x.Location != "" {
		parts = append(parts, "to "+request.ShownURL(x.Location))
	}
	if x.ContentType != "" && x.Location == "" {
		parts = append(parts, console.Safe(x.ContentType))
	}
	if x.Outcome == fetch.Found {
		parts = append(parts, console.Bytes(x.Bytes))
	}
	if x.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", x.Attempt))
	}
	return strings.Join(parts, ", ")
}

// labelWidth is the width of the labels of lines.
const labelWidth = 9

// line writes a labelled text, broken into lines that are indented alike.
func (t *trailText) line(indent, label, text string) {
	if text == "" {
		return
	}
	label = console.Padded(label, labelWidth)
	width := t.width - len(indent) - len(label)
	rest := "\n" + indent + strings.Repeat(" ", len(label))
	fmt.Fprintf(t.w, "%s%s%s\n", indent, t.paint.Dim(label), strings.ReplaceAll(console.Wrap(text, width), "\n", rest))
}

func (t *trailText) finding(f check.Finding) {
	fmt.Fprintf(t.w, "%s %s %s\n", t.paint.Severity(f.Severity, f.Severity.String()+":"),
		console.Safe(f.Message), t.paint.Dim("["+f.Code+"]"))
	if f.Detail != "" {
		t.line("  ", "detail:", console.Safe(f.Detail))
	}
}

// answer is the sentence at the end, with the word for it in front.
func (t *trailText) answer(r *check.Result) string {
	word := r.Found.Answer.String()
	if r.Found.Answer == discover.Usable {
		word = t.paint.Green(word)
	} else {
		word = t.paint.Red(word)
	}
	return word + ": " + console.Safe(report.AnswerSentence(r.Found))
}

// An advice is one line at the end of a trail.
type advice struct{ label, text string }

// adviceFor lists what to do: the hints about the way, the most serious first and each
// once, and where to read about the file itself.
func adviceFor(r *check.Result) []advice {
	var list []advice
	seen := map[string]bool{"": true}
	for sev := adagents.Error; sev >= adagents.Info; sev-- {
		label := "to do:"
		if sev == adagents.Info {
			label = "also:"
		}
		for _, f := range r.Findings {
			if f.Doc == nil && f.Severity == sev && !seen[f.Hint] {
				seen[f.Hint] = true
				list = append(list, advice{label, console.Safe(f.Hint)})
			}
		}
	}
	inFile := 0
	for _, doc := range r.Docs {
		inFile += doc.Report.Count(adagents.Error)
	}
	if inFile > 0 {
		command := "avow validate " + console.Safe(console.ShellQuote(r.Target.Name))
		list = append(list, advice{"to do:", command + " shows " + words.Plural(inFile, "error", "errors") +
			" in what was found"})
	}
	return list
}
