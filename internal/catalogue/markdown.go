package catalogue

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// Markdown returns the section of the manual about one rule, under a
// heading of the given marks.
func Markdown(r *adagents.Rule, marks string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n%s. %s\n\n", marks, r.Code, capital(r.Title), r.Why)
	for _, fact := range Facts(r) {
		fmt.Fprintf(&b, "- %s: %s\n", capital(fact[0]), fact[1])
	}
	if KindOf(r.Code) != File {
		return b.String()
	}
	fmt.Fprintf(&b, "\nBreaks the rule (%s):\n\n%s\n", PartWords[r.In], Fenced(r.In, r.Bad))
	fmt.Fprintf(&b, "Follows it:\n\n%s", Fenced(r.In, r.Good))
	return b.String()
}

// Fenced is an example as a block of code. Broken examples are not marked as
// JSON, because pages that colour code would stumble over them.
func Fenced(in adagents.Part, example string) string {
	language := "json"
	if !jsontext.Value(example).IsValid(jsontext.AllowDuplicateNames(true)) {
		language = "text"
	}
	return "```" + language + "\n" + ExampleText(in, example) + "\n```\n"
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

// exampleLine is the longest example that stays on one line.
const exampleLine = 72

// ExampleText lays out an example. Some are broken on purpose: those are shown
// as they are, and bytes that cannot be shown are written out.
func ExampleText(in adagents.Part, example string) string {
	if strings.TrimSpace(example) == "" {
		return "(nothing)"
	}
	if in == adagents.InBytes || len(example) <= exampleLine || strings.Contains(example, "\n") {
		return textsafe.Lines(example)
	}
	tree, err := jsontree.Parse([]byte(example), jsontree.Options{})
	if err != nil {
		return textsafe.Lines(example)
	}
	return textsafe.Lines(string(adagents.FormatValue(tree.Root())))
}
