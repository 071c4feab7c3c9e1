package explain

import (
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
)

// explainRule prints one rule for a person.
func explainRule(a *console.App, r *adagents.Rule) {
	paint := a.Style(console.Stdout)
	width := a.TextWidth()
	fmt.Fprintf(a.Out, "%s: %s\n\n", paint.Bold(r.Code), r.Title)
	fmt.Fprintf(a.Out, "%s\n\n", console.Wrap(r.Why, width))
	for _, fact := range factsOf(r) {
		text := strings.ReplaceAll(console.Wrap(fact[1], width-len(factIndent)), "\n", "\n"+factIndent)
		switch {
		case fact[0] != "severity":
		case catalogue.IsCustody(r):
			text = paint.Custody(catalogue.CustodySeverities()[r.Code], text)
		default:
			text = paint.Severity(r.Severity, text)
		}
		if text != "" {
			fmt.Fprintf(a.Out, "  %-17s %s\n", fact[0]+":", text)
		}
	}
	if catalogue.IsWay(r) || r.Severity == 0 {
		return
	}
	fmt.Fprintf(a.Out, "\n%s (%s):\n\n%s\n", paint.Red("breaks the rule"), catalogue.PlaceWords[r.In], indented(catalogue.ExampleText(r.In, r.Bad)))
	fmt.Fprintf(a.Out, "\n%s:\n\n%s\n", paint.Green("follows it"), indented(catalogue.ExampleText(r.In, r.Good)))
}

// factsOf are what is known about a rule, each with its name. A reason has no severity and
// no effect of its own.
func factsOf(r *adagents.Rule) [][2]string {
	switch {
	case catalogue.IsCustody(r):
		return [][2]string{{"kind", "event or change"}, {"severity", catalogue.CustodySeverity(r.Code)}, {"what to do", r.Hint}}
	case catalogue.IsSignature(r):
		return [][2]string{{"kind", "code of a signed message"}, {"what to do", r.Hint}}
	case catalogue.IsReason(r):
		return [][2]string{{"kind", "reason of a verdict"}, {"what to do", r.Hint}}
	}
	return [][2]string{
		{"severity", catalogue.SeverityWords(r)},
		{"varies", r.Varies},
		{"effect on buyers", catalogue.EffectOf(r)},
		{"what to do", r.Hint},
		{"specification", r.Spec},
	}
}

// factIndent is the room that the names of the facts take.
const factIndent = "                    "

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
