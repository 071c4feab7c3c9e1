package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

const discoverHelp = `Discover shows which file speaks for a domain and how it is found: every request, what
came back, what that means, and why the next step was or was not taken. The last lines
give the answer and what to do about it.

The way is the one that buyers take. The publisher is asked for the file at its
well-known path. The file there counts, or the one it points to. Only when the publisher
has none, its ads.txt is read; the manager named there speaks for the publisher if the
manager's file says so. A pointer is followed once, and never through redirects. A file
that says in superseded_by that another one replaces it is left for that one, once, as if
it had pointed there; --no-follow-superseded stays with the first. If the other one cannot
be had, the first one describes inventory and authorizes nobody.

There are four answers. Usable: there is a file and it counts. Unusable: there is a file
and it must not be used. Absent: the publisher has no file, which says nothing about any
agent. Unreachable: it could not be found out.

To check what is in the file, use avow validate.

Exit codes: 0 usable, 1 unusable, or a pointer leads to a file with nothing for the
domain, 2 avow was called wrongly, 3 absent or unreachable. Of several targets, the
highest counts.`

const discoverExamples = `  avow discover example.com
  avow discover example.com --verbose --refresh
  avow discover https://cdn.example.net/adagents.json
  avow discover example.com --format json | jq '.hops[].exchanges[]'`

func (a *app) discoverCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "discover [flags] DOMAIN|URL...",
		Short:   "show which file speaks for a domain, and how it is found",
		Long:    discoverHelp,
		Example: discoverExamples,
		Args:    someDomains,
		// A domain is not the name of a file.
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	w := addWebFlags(cmd).addAgentsFlag(cmd)
	format := addChoice(cmd, "format", "output format", "text", "json")
	w.addFollowFlag(cmd)
	cmd.Flags().Bool("follow-superseded", true, "the default, and accepted for scripts that say so")
	cmd.MarkFlagsMutuallyExclusive("follow-superseded", "no-follow-superseded")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.discover(cmd.Context(), w, format.value, args)
	}
	return cmd
}

func someDomains(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError("name a domain: "+cmd.CommandPath()+" example.com", "%s needs a domain or the URL of a file", cmd.CommandPath())
	}
	return nil
}

func (a *app) discover(ctx context.Context, w *webFlags, format string, args []string) error {
	targets, err := webTargets(args)
	if err != nil {
		return err
	}
	web, err := a.newAsker(w, adagents.Options{Now: a.env.Now()})
	if err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	check := a.newChecker(adagents.Options{}, web)
	status := exitYes
	for r := range check.results(ctx, targets) {
		code, err := a.showDiscovery(r, format, len(targets) > 1)
		if err != nil {
			return err
		}
		status = max(status, code)
	}
	err = ctx.Err()
	if err != nil {
		return interrupted(err)
	}
	if status != exitYes {
		return exitStatus(status)
	}
	return nil
}

// webTargets turns arguments into targets. Whatever is no URL is taken for a
// domain; what is wrong with it is found out later.
func webTargets(args []string) ([]target, error) {
	var list []target
	for _, arg := range args {
		switch {
		case arg == "":
			return nil, usageError("is a variable of your script not set?", "the name of a domain is empty")
		case strings.Contains(arg, "://"):
			list = append(list, urlTarget(arg))
		default:
			// Credentials are for the error message only, which leaves them out.
			list = append(list, target{name: arg[strings.LastIndexByte(arg, '@')+1:], web: arg})
		}
	}
	return list, nil
}

// showDiscovery writes one answer and returns the exit code it stands for.
func (a *app) showDiscovery(r *result, format string, several bool) (int, error) {
	if r.err != nil {
		code := a.sayError(r.err)
		if format == "json" {
			return code, writeJSONLine(a.out, discoverDocument{Target: r.target.name, Error: errorForJSON(r.err)})
		}
		return code, nil
	}
	r.count()
	code := answerCodes[r.found.Answer]
	if r.found.NothingFound() {
		code = exitNo
	}
	if format == "json" {
		return code, writeJSONLine(a.out, discoverDocumentOf(r))
	}
	t := &trailText{app: a, paint: a.style(Stdout), width: a.textWidth()}
	return code, t.write(r, several)
}

// answerCodes are the exit codes. An answer that is not listed is unknown.
var answerCodes = map[discover.Answer]int{
	discover.Usable: exitYes, discover.Unusable: exitNo, discover.Absent: exitUnknown, discover.Unreachable: exitUnknown,
}

// textWidth is the width that texts are fitted into.
func (a *app) textWidth() int {
	width := a.env.Width()
	if width < narrowestHelp || width > helpWidth {
		return helpWidth
	}
	return width
}

// trailText writes the way to a file for people.
type trailText struct {
	app   *app
	paint style
	width int
}

func (t *trailText) write(r *result, several bool) error {
	d := r.found
	if several {
		fmt.Fprintf(t.app.out, "%s\n\n", t.paint.bold(safe(r.target.label())))
	}
	for i := range d.Trail {
		t.hop(i+1, &d.Trail[i])
	}
	shown := false
	for _, f := range r.findings {
		if f.doc == nil {
			t.finding(f)
			shown = true
		}
	}
	if shown {
		fmt.Fprintln(t.app.out)
	}
	t.line("", "answer:", t.answer(r))
	for _, advice := range adviceFor(r) {
		t.line("", advice.label, advice.text)
	}
	if several {
		defer fmt.Fprintln(t.app.out)
	}
	return writeAgents(t.app.out, t.paint, r.agents)
}

// hop writes one step: a title, every request, and what it means.
func (t *trailText) hop(n int, hop *discover.Hop) {
	fmt.Fprintf(t.app.out, "%d. %s\n", n, t.paint.bold(stepTitles[hop.Step]))
	switch {
	case hop.Result == nil:
		t.line("   ", "not asked:", shownURL(hop.URL))
	case hop.Shared:
		t.line("   ", "known already:", shownURL(hop.URL))
	}
	if hop.Result != nil {
		for i := range hop.Result.Exchanges {
			x := &hop.Result.Exchanges[i]
			if !hop.Shared {
				t.line("   ", "asked:", x.Method+" "+shownURL(x.URL))
			}
			t.line("   ", "answer:", exchangeWords(x))
		}
	}
	t.line("   ", "meaning:", safe(redact.Credentials(hop.Meaning)))
	t.line("   ", "next:", safe(redact.Credentials(hop.Next)))
	fmt.Fprintln(t.app.out)
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
		parts = append(parts, statusText(x))
	}
	if x.Outcome != fetch.Found {
		parts = append(parts, outcomeWords(x.Outcome))
	}
	if x.Location != "" {
		parts = append(parts, "to "+shownURL(x.Location))
	}
	if x.ContentType != "" && x.Location == "" {
		parts = append(parts, safe(x.ContentType))
	}
	if x.Outcome == fetch.Found {
		parts = append(parts, bytesInWords(x.Bytes))
	}
	if x.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", x.Attempt))
	}
	return strings.Join(parts, ", ")
}

// labelRoom is the room for the labels of lines.
const labelRoom = 9

// line writes a labelled text, broken into lines that are indented alike.
func (t *trailText) line(indent, label, text string) {
	if text == "" {
		return
	}
	label = padded(label, labelRoom)
	room := t.width - len(indent) - len(label)
	rest := "\n" + indent + strings.Repeat(" ", len(label))
	fmt.Fprintf(t.app.out, "%s%s%s\n", indent, t.paint.dim(label), strings.ReplaceAll(wrap(text, room), "\n", rest))
}

func (t *trailText) finding(f finding) {
	fmt.Fprintf(t.app.out, "%s %s %s\n", t.paint.severity(f.Severity, f.Severity.String()+":"),
		safe(f.Message), t.paint.dim("["+f.Code+"]"))
	if f.detail != "" {
		t.line("  ", "detail:", safe(f.detail))
	}
}

// answer is the sentence at the end, with the word for it in front.
func (t *trailText) answer(r *result) string {
	word := r.found.Answer.String()
	if r.found.Answer == discover.Usable {
		word = t.paint.green(word)
	} else {
		word = t.paint.red(word)
	}
	return word + ": " + safe(answerSentence(r.found))
}

// An advice is one line at the end of a trail.
type advice struct{ label, text string }

// adviceFor lists what to do: the hints about the way, gravest first and each
// once, and where to read about the file itself.
func adviceFor(r *result) []advice {
	var list []advice
	seen := map[string]bool{"": true}
	for sev := adagents.Error; sev >= adagents.Info; sev-- {
		label := "to do:"
		if sev == adagents.Info {
			label = "also:"
		}
		for _, f := range r.findings {
			if f.doc == nil && f.Severity == sev && !seen[f.Hint] {
				seen[f.Hint] = true
				list = append(list, advice{label, safe(f.Hint)})
			}
		}
	}
	inFile := 0
	for _, doc := range r.docs {
		inFile += doc.report.Count(adagents.Error)
	}
	if inFile > 0 {
		command := "avow validate " + safe(shellQuote(r.target.name))
		list = append(list, advice{"to do:", command + " shows " + words.Plural(inFile, "error", "errors") + " in what was found"})
	}
	return list
}
