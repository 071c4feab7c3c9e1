package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
)

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
	fmt.Fprintf(a.Out, "\n%s (%s):\n\n%s\n", paint.Red("breaks the rule"), catalogue.PlaceWords[r.In],
		indented(catalogue.ExampleText(r.In, r.Bad)))
	fmt.Fprintf(a.Out, "\n%s:\n\n%s\n", paint.Green("follows it"), indented(catalogue.ExampleText(r.In, r.Good)))
}

// factIndent is the room that the names of the facts take.
const factIndent = "                    "

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
