// Package catalogue joins the codes of all packages, with the words and the Markdown for them.
package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// A Kind is what codes are about.
type Kind struct {
	// Heading stands above the codes in a list; rules about files have none.
	Heading string
	// Name says what a code is, and Label is written instead of its severity; findings have no
	// name, and what has a severity has no label.
	Name, Label string
	// Where says where it is found; for rules about files, PartWords say it.
	Where string
	// Codes returns the codes in the order of lists.
	Codes func() []adagents.Rule
}

// The kinds.
var (
	File = &Kind{Codes: adagents.Rules}
	Way  = &Kind{
		Heading: "Findings about the way to the file, not about its content:",
		Where:   "the way to the file", Codes: discover.Codes,
	}
	Reason = &Kind{
		Heading: "Reasons of verdicts, as avow authorize gives them:",
		Name:    "reason of a verdict", Label: "reason", Where: "a verdict",
		Codes: func() []adagents.Rule { return slices.Concat(resolve.Codes(), formats.Codes(), operator.Codes()) },
	}
	Event = &Kind{
		Heading: "Events about files over time, and changes between their versions:",
		Name:    "event or change", Where: "a file over time", Codes: events,
	}
	Message = &Kind{
		Heading: "Codes about signed messages, as avow verify gives them:",
		Name:    "code of a signed message", Label: "message", Where: "a signed message", Codes: keypin.Codes,
	}
	Rollout = &Kind{
		Heading: "How publishers of a network stand to its file, as avow network says:",
		Name:    "code of a rollout", Label: "rollout", Where: "a network", Codes: rollout.Codes,
	}
)

var kinds = []*Kind{File, Way, Reason, Event, Message, Rollout}

// Kinds returns the kinds in the order of lists.
func Kinds() []*Kind { return slices.Clone(kinds) }

// All returns everything that can be explained.
func All() []adagents.Rule {
	var all []adagents.Rule
	for _, k := range kinds {
		all = append(all, k.Codes()...)
	}
	return all
}

// events returns the codes of custody, those with the same first part together.
func events() []adagents.Rule {
	all, first := custody.Codes(), map[string]int{}
	for i, r := range slices.Backward(all) {
		first[Group(r.Code)] = i
	}
	slices.SortStableFunc(all, func(a, b adagents.Rule) int {
		return cmp.Compare(first[Group(a.Code)], first[Group(b.Code)])
	})
	return all
}

type entry struct {
	rule adagents.Rule
	kind *Kind
}

var entries = sync.OnceValue(func() map[string]entry {
	all := map[string]entry{}
	for _, k := range kinds {
		for _, r := range k.Codes() {
			all[r.Code] = entry{r, k}
		}
	}
	return all
})

// Lookup returns what there is to say about a code; nothing about an unknown one.
func Lookup(code string) adagents.Rule { return entries()[code].rule }

// KindOf returns the kind of a code of the catalogue.
func KindOf(code string) *Kind { return entries()[code].kind }

// Group is the part of a code that names what the rule is about.
func Group(code string) string {
	group, _, _ := strings.Cut(code, ".")
	return group
}

// Facts are what is known about a code, each with its name. A code that is not a finding has
// no effect, and one that is not a fault has no severity.
func Facts(r *adagents.Rule) [][2]string {
	facts := [][2]string{
		{"severity", severityWords(r)},
		{"varies", r.Varies},
		{"effect on buyers", effectOf(r)},
		{"what to do", r.Hint},
		{"fix", fixWords[r.FixKind()]},
		{"specification", r.Spec},
	}
	return slices.DeleteFunc(facts, func(f [2]string) bool { return f[1] == "" })
}

// fixWords say what avow fix does about a finding of a rule.
var fixWords = map[adagents.FixKind]string{
	adagents.Safe:   "safe, applied by avow fix",
	adagents.Likely: "likely, applied by avow fix --likely",
	adagents.Choice: "a choice, applied by avow fix --choose",
}

// severityWords is the severity in both profiles, in words.
func severityWords(r *adagents.Rule) string {
	if strict := StrictSeverity(r); strict != r.Severity {
		return r.Severity.String() + ", " + strict.String() + " in the strict profile"
	}
	return r.Severity.String()
}

// StrictSeverity is the severity in the strict profile.
func StrictSeverity(r *adagents.Rule) adagents.Severity {
	return cmp.Or(r.Strict, r.Severity)
}

// effectOf is what buyers do about a finding, in words. For the way to a file
// that follows from the severity.
func effectOf(r *adagents.Rule) string {
	k := KindOf(r.Code)
	switch {
	case k.Name != "":
		return ""
	case k == Way && r.Severity == adagents.Error:
		return "they cannot use the file, or do not get it"
	case k == Way:
		return "none on its own"
	case r.Effect == adagents.NoEffect:
		return "none: buyers use the file as it is"
	}
	return Effects[r.Effect]
}

// Effects say what consumers do about a finding. NoEffect has no words.
var Effects = map[adagents.Effect]string{
	adagents.DropRef:    "buyers ignore this reference and use the rest of the entry",
	adagents.EmptyEntry: "this entry authorizes nothing",
	adagents.SkipEntry:  "buyers leave this entry out and use the rest of the file",
	adagents.AbortFile:  "buyers must not use this file at all",
}

// PartWords say where the examples of a rule stand.
var PartWords = map[adagents.Part]string{
	adagents.InFile:               "the whole file",
	adagents.InStateful:           "the params of a stateful format",
	adagents.InComponents:         "the params of a coordinated format",
	adagents.InAgents:             "the whole authorized_agents",
	adagents.InTopLevel:           "members of the top level",
	adagents.InContact:            "the contact",
	adagents.InProperty:           "an entry of properties",
	adagents.InIdentifier:         "an entry of a property's identifiers",
	adagents.InCollection:         "an entry of collections",
	adagents.InPlacement:          "an entry of placements",
	adagents.InMirror:             "an entry of placements of a community mirror",
	adagents.InFormatOption:       "an entry of a placement's format_options",
	adagents.InFormat:             "an entry of formats",
	adagents.InParams:             "the params of an image format",
	adagents.InSignal:             "an entry of signals",
	adagents.InTags:               "the tag maps of the top level",
	adagents.InAgent:              "an entry of authorized_agents",
	adagents.InSelector:           "an entry of an agent's publisher_properties",
	adagents.InCollectionSelector: "an entry of an agent's collections",
	adagents.InSigningKey:         "an entry of an agent's signing_keys",
	adagents.InEncryptionKey:      "an entry of an agent's encryption_keys",
	adagents.InRevocation:         "an entry of revoked_publisher_domains",
	adagents.InFeature:            "an entry of property_features",
	adagents.InBytes:              "the bytes of the whole file",
}

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
