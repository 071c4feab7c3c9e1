// Package catalogue joins the codes of all packages, with the words and the Markdown for them.
package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/rollout"
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
	// Where says where it is found; of rules about files, PartWords say that.
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
