// Package explain has the commands about avow itself: explain, schema, completion and version.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/words"
)

// Command returns the command explain.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "explain [CODE | GROUP]",
		DisableFlagsInUseLine: true,
		Short:                 "explain a rule or a reason, with a wrong and a right example",
		Long: `Explain tells what a finding means: what the rule looks for, why it matters, what buyers
do about it, and what to change. A code is the word in brackets at the end of a
finding, for example agent.url_missing. Codes that begin with input, fetch, discovery
or adstxt are about the way to a file and how it is served. The reasons of a verdict, as
avow authorize gives them, have codes as well, for example agent.not_listed; so have changes
of a file and events about it, as avow diff, avow history and avow watch give them, for
example file.rollback, and what avow verify says about a signed message, for example
pin.key_unknown.

The part before the period alone, for example agent, lists that group. Without an
argument all rules are listed.

Exit codes: 0 it was explained, 2 wrong usage, or there is no such code.`,
		Example: `  avow explain agent.url_missing
  avow explain agent.not_listed
  avow explain file.rollback
  avow explain property
  avow explain --format json | jq -r .code`,
		Args:              atMostOne,
		ValidArgsFunction: completeCodes,
	}
	format := console.AddChoice(cmd, "format", "output format", "text", "json", "markdown")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		rules, single, err := chooseRules(args)
		if err != nil {
			return err
		}
		return explain(a, format.Value, rules, single)
	}
	return cmd
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return console.UsageError("explain them one by one, or a whole group", "%s takes one code, got %d", cmd.CommandPath(),
			len(args))
	}
	return nil
}

// completeCodes offers codes to the shell, with their titles.
func completeCodes(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	if len(args) > 0 {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, r := range catalogue.All() {
		words = append(words, r.Code+"\t"+r.Title)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// chooseRules returns the rules an argument stands for, and whether it is the
// code of one rule.
func chooseRules(args []string) ([]adagents.Rule, bool, error) {
	var chosen []adagents.Rule
	all := catalogue.All()
	if len(args) == 0 {
		return all, false, nil
	}
	// Codes are copied from reports, brackets and all.
	want := strings.ToLower(strings.Trim(args[0], "[] "))
	for _, r := range all {
		if r.Code == want {
			return []adagents.Rule{r}, true, nil
		}
		if catalogue.Group(r.Code) == strings.TrimSuffix(want, ".") {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return nil, false, unknownCode(args[0], want, all)
	}
	return chosen, false, nil
}

// unknownCode proposes what was probably meant: a code or group one slip away,
// or the codes that contain the word.
func unknownCode(written, want string, all []adagents.Rule) error {
	var names, containing []string
	for _, r := range all {
		names = append(names, r.Code, catalogue.Group(r.Code))
		_, name, _ := strings.Cut(want, ".")
		if strings.Contains(r.Code, want) || name != "" && strings.HasSuffix(r.Code, "."+name) {
			containing = append(containing, r.Code)
		}
	}
	const most = 5
	near, ok := spell.Nearest(want, names, 2)
	hint := "avow explain lists all codes"
	switch {
	case ok:
		hint = "did you mean " + near + "?"
	case len(containing) > 0:
		hint = "did you mean " + strings.Join(containing[:min(most, len(containing))], " or ") + "?"
	}
	return console.UsageError(hint, "no rule has the code %q", written)
}

func explain(a *console.App, format string, rules []adagents.Rule, single bool) error {
	switch {
	case format == "json":
		for i := range rules {
			err := console.WriteJSONLine(a.Out, ruleDocumentOf(&rules[i]))
			if err != nil {
				return err
			}
		}
		return nil
	case format == "markdown":
		for i := range rules {
			fmt.Fprintf(a.Out, "%s\n", catalogue.Markdown(&rules[i], "##"))
		}
		return nil
	case single:
		explainRule(a, &rules[0])
		return nil
	}
	listRules(a, rules)
	return nil
}

// listRules prints one line per rule under the name of its group.
func listRules(a *console.App, rules []adagents.Rule) {
	paint := a.Style(console.Stdout)
	width := 0
	for i := range rules {
		width = max(width, len(rules[i].Code))
	}
	group, kind := "", catalogue.File
	for i := range rules {
		r := &rules[i]
		if k := catalogue.KindOf(r.Code); k != kind {
			kind = k
			if group != "" {
				fmt.Fprintf(a.Out, "\n%s\n", kind.Heading)
			}
			if kind.Name != "" && group == catalogue.Group(r.Code) {
				fmt.Fprintln(a.Out)
			}
		}
		if g := catalogue.Group(r.Code); g != group {
			if group != "" {
				fmt.Fprintln(a.Out)
			}
			group = g
			fmt.Fprintln(a.Out, paint.Bold(g))
		}
		fmt.Fprintf(a.Out, "  %-*s  %s  %s\n", width, r.Code, severityColumn(paint, r), r.Title)
	}
	fmt.Fprintf(a.Out, "\n%s; avow explain CODE tells more about one\n", words.Plural(len(rules), "rule", "rules"))
}

// severityColumn is the severity of a rule in a list, or the word in its place.
func severityColumn(paint console.Style, r *adagents.Rule) string {
	width := len("warning")
	if label := catalogue.KindOf(r.Code).Label; label != "" {
		return console.Padded(label, width)
	}
	return paint.Severity(r.Severity, console.Padded(r.Severity.String(), width))
}

// ruleDocument is the JSON output of the explain command.
type ruleDocument struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Strict   string `json:"strict_severity"`
	Effect   string `json:"effect"`
	Title    string `json:"title"`
	Why      string `json:"why"`
	Hint     string `json:"hint"`
	Spec     string `json:"spec"`
	Varies   string `json:"varies,omitempty"`
	Where    string `json:"place"`
	Bad      string `json:"bad"`
	Good     string `json:"good"`
}

func ruleDocumentOf(r *adagents.Rule) ruleDocument {
	d := ruleDocument{
		Code: r.Code, Severity: r.Severity.String(), Title: r.Title, Why: r.Why, Hint: r.Hint, Spec: r.Spec, Varies: r.Varies,
		Where: catalogue.PartWords[r.In], Bad: r.Bad, Good: r.Good,
	}
	kind := catalogue.KindOf(r.Code)
	if kind.Where != "" {
		d.Where = kind.Where
	}
	if kind.Name == "" {
		d.Strict, d.Effect = catalogue.StrictSeverity(r).String(), r.Effect.String()
	}
	return d
}

// explainRule prints one rule for a person.
func explainRule(a *console.App, r *adagents.Rule) {
	paint := a.Style(console.Stdout)
	width := a.TextWidth()
	fmt.Fprintf(a.Out, "%s: %s\n\n", paint.Bold(r.Code), r.Title)
	fmt.Fprintf(a.Out, "%s\n\n", console.Wrap(r.Why, width))
	kind := catalogue.KindOf(r.Code)
	facts := catalogue.Facts(r)
	if kind.Name != "" {
		facts = slices.Insert(facts, 0, [2]string{"kind", kind.Name})
	}
	for _, fact := range facts {
		text := strings.ReplaceAll(console.Wrap(fact[1], width-len(factIndent)), "\n", "\n"+factIndent)
		if fact[0] == "severity" {
			text = paint.Severity(r.Severity, text)
		}
		fmt.Fprintf(a.Out, "  %-17s %s\n", fact[0]+":", text)
	}
	if kind != catalogue.File {
		return
	}
	fmt.Fprintf(a.Out, "\n%s (%s):\n\n%s\n", paint.Red("breaks the rule"), catalogue.PartWords[r.In],
		indented(catalogue.ExampleText(r.In, r.Bad)))
	fmt.Fprintf(a.Out, "\n%s:\n\n%s\n", paint.Green("follows it"), indented(catalogue.ExampleText(r.In, r.Good)))
}

// factIndent is the room that the names of the facts take.
const factIndent = "                    "

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
