package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// explainRule prints one rule for a person.
func (a *app) explainRule(r *adagents.Rule) {
	paint := a.style(Stdout)
	width := a.textWidth()
	fmt.Fprintf(a.out, "%s: %s\n\n", paint.bold(r.Code), r.Title)
	fmt.Fprintf(a.out, "%s\n\n", wrap(r.Why, width))
	for _, fact := range factsOf(r) {
		text := strings.ReplaceAll(wrap(fact[1], width-len(factIndent)), "\n", "\n"+factIndent)
		switch {
		case fact[0] != "severity":
		case isCustody(r):
			text = paint.custody(custodySeverities()[r.Code], text)
		default:
			text = paint.severity(r.Severity, text)
		}
		if text != "" {
			fmt.Fprintf(a.out, "  %-17s %s\n", fact[0]+":", text)
		}
	}
	if isWay(r) || r.Severity == 0 {
		return
	}
	fmt.Fprintf(a.out, "\n%s (%s):\n\n%s\n", paint.red("breaks the rule"), placeWords[r.In], indented(exampleText(r.In, r.Bad)))
	fmt.Fprintf(a.out, "\n%s:\n\n%s\n", paint.green("follows it"), indented(exampleText(r.In, r.Good)))
}

// factsOf are what is known about a rule, each with its name. A reason has no severity and
// no effect of its own.
func factsOf(r *adagents.Rule) [][2]string {
	switch {
	case isCustody(r):
		return [][2]string{{"kind", "event or change"}, {"severity", CustodySeverity(r.Code)}, {"what to do", r.Hint}}
	case isSignature(r):
		return [][2]string{{"kind", "code of a signed message"}, {"what to do", r.Hint}}
	case isReason(r):
		return [][2]string{{"kind", "reason of a verdict"}, {"what to do", r.Hint}}
	}
	return [][2]string{
		{"severity", severityWords(r)},
		{"varies", r.Varies},
		{"effect on buyers", effectOf(r)},
		{"what to do", r.Hint},
		{"specification", r.Spec},
	}
}

// effectOf is what buyers do about a finding, in words. For the way to a file
// that follows from the severity.
func effectOf(r *adagents.Rule) string {
	switch {
	case isWay(r) && r.Severity == adagents.Error:
		return "they cannot use the file, or do not get it"
	case isWay(r):
		return "none by itself"
	}
	return effectWords(r.Effect)
}

// factIndent is the room that the names of the facts take.
const factIndent = "                    "

// reflow fits paragraphs into width columns. Lines that begin with a space are
// examples and stay as they are.
func reflow(text string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, wrap(strings.Join(paragraph, " "), width))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// wrap breaks a text into lines of at most width columns.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// exampleLine is the longest example that stays on one line.
const exampleLine = 72

// exampleText lays out an example. Some are broken on purpose: those are shown
// as they are, and bytes that cannot be shown are written out.
func exampleText(in adagents.Place, example string) string {
	if strings.TrimSpace(example) == "" {
		return "(nothing)"
	}
	if in == adagents.InBytes || len(example) <= exampleLine || strings.Contains(example, "\n") {
		return safeLines(example)
	}
	tree, err := jsontree.Parse([]byte(example), jsontree.Options{})
	if err != nil {
		return safeLines(example)
	}
	return safeLines(string(adagents.FormatValue(tree.Root())))
}

// safeLines escapes each line of a text.
func safeLines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "  "), "\n")
	for i := range lines {
		lines[i] = textsafe.Terminal(lines[i])
	}
	return strings.Join(lines, "\n")
}

// RuleMarkdown returns the section of the manual about one rule, under a
// heading of the given marks.
func RuleMarkdown(r *adagents.Rule, marks string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n%s. %s\n\n", marks, r.Code, capital(r.Title), r.Why)
	if isCustody(r) {
		fmt.Fprintf(&b, "- Severity: %s\n", CustodySeverity(r.Code))
	}
	if r.Severity == 0 {
		if r.Hint != "" {
			fmt.Fprintf(&b, "- What to do: %s\n", r.Hint)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "- Severity: %s\n", severityWords(r))
	if r.Varies != "" {
		fmt.Fprintf(&b, "- Varies: %s\n", r.Varies)
	}
	fmt.Fprintf(&b, "- Effect on buyers: %s\n", effectOf(r))
	if r.Hint != "" {
		fmt.Fprintf(&b, "- What to do: %s\n", r.Hint)
	}
	fmt.Fprintf(&b, "- Specification: %s\n", r.Spec)
	if isWay(r) {
		return b.String()
	}
	fmt.Fprintln(&b)
	fmt.Fprintf(&b, "Breaks the rule (%s):\n\n%s\n", placeWords[r.In], fenced(r.In, r.Bad))
	fmt.Fprintf(&b, "Follows it:\n\n%s", fenced(r.In, r.Good))
	return b.String()
}

// fenced is an example as a block of code. Broken examples are not marked as
// JSON, because pages that colour code would stumble over them.
func fenced(in adagents.Place, example string) string {
	language := "json"
	if !jsontext.Value(example).IsValid(jsontext.AllowDuplicateNames(true)) {
		language = "text"
	}
	return "```" + language + "\n" + exampleText(in, example) + "\n```\n"
}

// capital puts a title at the beginning of a sentence. A title that begins
// with a name of the format keeps it.
func capital(title string) string {
	first, _, _ := strings.Cut(title, " ")
	if title == "" || strings.ContainsAny(first, "_$.") {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}
