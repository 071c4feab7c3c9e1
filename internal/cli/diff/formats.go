package diff

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// showComparison writes a comparison in the format asked for.
func showComparison(a *console.App, f *diffFlags, c *Comparison) error {
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	switch f.format.Value {
	case "json":
		err = console.WriteJSONLine(out.W, comparisonDocumentOf(c))
	case "markdown":
		writeMarkdown(out.W, c, f.web.Verbose)
	case "github":
		err = writeGitHub(out.W, c, f.web.Verbose)
	default:
		t := &Text{W: out.W, Width: a.TextWidth(), Each: f.web.Verbose}
		if f.output == "" {
			t.Paint = a.Style(console.Stdout)
		}
		t.Comparison(c)
	}
	return out.Close(err)
}

// cell writes a text so that Markdown shows it as it is.
func cell(text string) string { return textsafe.Markdown(console.Safe(text)) }

// writeMarkdown writes a comment for a pull request.
func writeMarkdown(w io.Writer, c *Comparison, each bool) {
	fmt.Fprintf(w, "### %s\n\n%s.\n", cell("Changes in "+redact.Credentials(c.next.name)), comparisonWords(c))
	if reach := changes.ReachWords(c.reach); reach != "" {
		fmt.Fprintf(w, "Affected: %s.\n", reach)
	}
	if len(c.Changes) > 0 {
		fmt.Fprint(w, "\n| Severity | Change | Code |\n|---|---|---|\n")
	}
	for _, l := range c.lines(each) {
		severity := l.Severity.String()
		if l.Severity == custody.Alert {
			severity = "**" + severity + "**"
		}
		fmt.Fprintf(w, "| %s | %s | `%s` |\n", severity, cell(l.Text), l.Code)
	}
	fmt.Fprintf(w, "\nBefore: %s  \nAfter: %s\n", textsafe.Markdown(sideWords(c.old)),
		textsafe.Markdown(sideWords(c.next)))
}

var githubCommands = map[custody.Severity]string{custody.Alert: "error", custody.Warning: "warning",
	custody.Info: "notice"}

// writeGitHub writes an annotation for each change, at its line of the new version if that is a
// file.
func writeGitHub(w io.Writer, c *Comparison, each bool) error {
	file := ""
	if c.next.file != "" {
		file = report.FromBase(report.ProjectFolder(), c.next.file)
	}
	lines := c.lines(each)
	positions := c.positions(lines)
	for i, l := range lines {
		err := report.Annotate(w, githubCommands[l.Severity], file,
			positions[i]+"title="+textsafe.AnnotationProperty(l.Code), l.Text)
		if err != nil {
			return err
		}
	}
	text := comparisonWords(c)
	if reach := changes.ReachWords(c.reach); reach != "" {
		text += "; affected: " + reach
	}
	_, err := fmt.Fprintf(w, "avow: %s\n", console.Safe(text))
	return err
}

// positions are where the pointers of changes lead in the new version, as properties of annotations.
func (c *Comparison) positions(list []changes.Line) []string {
	out := make([]string, len(list))
	if c.next.file == "" || c.next.report.File == nil {
		return out
	}
	tree := c.next.report.File.Raw.Tree()
	found := map[int][]int{} // lines by the offset of what they are about
	for i := range list {
		change := list[i].First
		v, ok := tree.Lookup(change.Pointer)
		if ok && change.Pointer != "" && !strings.HasSuffix(change.Code, "removed") {
			found[v.Offset()] = append(found[v.Offset()], i)
		}
	}
	offsets := slices.Sorted(maps.Keys(found))
	for k, at := range tree.Positions(offsets) {
		for _, i := range found[offsets[k]] {
			out[i] = fmt.Sprintf("line=%d,col=%d,", at.Line, at.Column)
		}
	}
	return out
}
