package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// AgentsOf returns the agents of a result in JSON.
func AgentsOf(list []check.AgentResult) []wire.Agent {
	docs := make([]wire.Agent, 0, len(list))
	for i := range list {
		doc := wire.AgentOf(&list[i].AgentCheck, list[i].Operator)
		if c := list[i].Keys; c != nil {
			doc.Keys = &wire.AgentKeys{
				URL: redact.URL(c.Set.URL), Compared: c.Set.Message == "", Agrees: c.Agrees(),
				Message:  redact.Credentials(c.Set.Message),
				Unpinned: wire.Texts(c.Unpinned), Unpublished: wire.Texts(c.Unpublished), Replaced: wire.Texts(c.Replaced),
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// WriteAgents writes a line per endpoint, with advice for those that do not
// answer.
func WriteAgents(w io.Writer, paint console.Style, list []check.AgentResult) error {
	if len(list) == 0 {
		return nil
	}
	var width, reach int
	for i := range list {
		width = max(width, textsafe.Width(request.ShownURL(list[i].URL)))
		reach = max(reach, len(reachWords(list[i].Reach)))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", paint.Bold("agents"))
	for i := range list {
		c := &list[i]
		words := console.Padded(reachWords(c.Reach), reach)
		switch c.Reach {
		case discover.AgentReachable, discover.AgentNeedsCredentials:
			words = paint.Green(words)
		case discover.AgentUnchecked:
			words = paint.Dim(words)
		default:
			words = paint.Red(words)
		}
		fmt.Fprintf(w, "  %s  %s  %s\n", console.Padded(request.ShownURL(c.URL), width), words, console.Milliseconds(c.Took))
		if c.Message != "" {
			fmt.Fprintf(w, "    %s\n", console.Safe(redact.Credentials(c.Message)))
		}
		if c.Hint != "" {
			fmt.Fprintf(w, "    %s %s\n", paint.Dim("hint:"), console.Safe(redact.Credentials(c.Hint)))
		}
		if c.Operator != nil {
			fmt.Fprintf(w, "    %s\n", strings.Join(operatorLines(paint, c.Operator), "\n    "))
		}
		if c.Keys != nil {
			fmt.Fprintf(w, "    %s %s\n", paint.Dim("keys:"), keyWords(paint, c.Keys))
		}
		if c.Keys != nil && c.Keys.Set.Message == "" && !c.Keys.Agrees() {
			fmt.Fprintf(w, "    %s avow pin %s shows the fingerprints; ask the operator before you change a pin\n",
				paint.Dim("hint:"), console.Safe(console.ShellQuote(c.URL)))
		}
	}
	return err
}

// reachWords is the name of a reach for people.
func reachWords(r discover.Reach) string { return strings.ReplaceAll(r.String(), "_", " ") }

// OperatorWords are the result in a word or, when nothing was compared, why not.
func OperatorWords(paint console.Style, c *operator.Comparison) string {
	if len(c.Paths) == 0 {
		return "not compared: " + console.Safe(redact.Credentials(c.Statement.Detail))
	}
	text := strings.ReplaceAll(c.Agreement.String(), "_", " ")
	if c.Agreement.Proceed() {
		return paint.Green(text)
	}
	return paint.Yellow(text)
}

// PathName names the property that a path leads to.
func PathName(p *operator.Path) string {
	if p.PropertyID == "" {
		return "a property of " + p.PublisherDomain
	}
	return p.PropertyID + " of " + p.PublisherDomain
}

// operatorLines describe the comparison of an agent of a file, the most serious paths first.
func operatorLines(paint console.Style, c *operator.Comparison) []string {
	label := paint.Dim("operator:") + " "
	if len(c.Paths) == 0 {
		return []string{label + OperatorWords(paint, c)}
	}
	first := &c.Paths[slices.IndexFunc(c.Paths, func(p operator.Path) bool { return p.Agreement == c.Agreement })]
	text := label + OperatorWords(paint, c)
	if c.Total() > 1 {
		text += fmt.Sprintf(", %s of %s", words.Thousands(c.Gravest), words.Plural(c.Total(), "property", "properties"))
	}
	lines := []string{
		text,
		console.Safe(PathName(first)+": "+redact.Credentials(first.Message)) + " " +
			paint.Dim("["+operator.Code(c.Agreement)+"]"),
	}
	if !c.Agreement.Proceed() {
		lines = append(lines, paint.Dim("hint:")+" "+c.Advice())
	}
	return lines
}

// keyWords say how the pins of an agent compare with what it publishes.
func keyWords(paint console.Style, c *check.KeyComparison) string {
	switch {
	case c.Set.Message != "":
		return "not compared: " + console.Safe(redact.Credentials(c.Set.Message))
	case c.Agrees():
		return paint.Green("the pins are the keys that it publishes")
	}
	var parts []string
	add := func(kids []string, text string) {
		if len(kids) > 0 {
			parts = append(parts, console.Safe(strings.Join(kids, ", "))+" "+text)
		}
	}
	add(c.Replaced, "is another key than the one that is pinned under this name")
	add(c.Unpinned, "is published and not pinned")
	add(c.Unpublished, "is pinned and not published, so AdCP 3.3 verifiers will reject it")
	return paint.Yellow("differ: ") + strings.Join(parts, "; ")
}
