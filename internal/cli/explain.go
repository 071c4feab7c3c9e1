package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

func (a *app) explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "explain [CODE | GROUP]",
		DisableFlagsInUseLine: true,
		Short:                 "explain a rule, with a wrong and a right example",
		Long: `Explain tells what a finding means: what the rule looks for, why it matters, what buyers
do about it, and what to change. A code is the word in brackets at the end of a
finding, for example agent.url_missing. Codes that begin with fetch, discovery or adstxt
are about the way to a file and how it is served. The reasons of a verdict, as avow
authorize gives them, have codes as well, for example agent.not_listed; so have changes
of a file and events about it, as avow diff, avow history and avow watch give them, for
example file.rollback, and what avow verify says about a signed message, for example
pin.key_unknown.

The part before the period alone, for example agent, lists that group. Without an
argument all rules are listed.`,
		Example: `  avow explain agent.url_missing
  avow explain agent.not_listed
  avow explain file.rollback
  avow explain property
  avow explain --format json | jq -r .code`,
		Args:              atMostOne,
		ValidArgsFunction: completeCodes,
	}
	format := addChoice(cmd, "format", "output format", "text", "json", "markdown")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		rules, single, err := chooseRules(args)
		if err != nil {
			return err
		}
		return a.explain(format.value, rules, single)
	}
	return cmd
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError("explain them one by one, or a whole group", "%s takes one code, got %d", cmd.CommandPath(), len(args))
	}
	return nil
}

// completeCodes offers codes to the shell, with their titles.
func completeCodes(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	if len(args) > 0 {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, r := range allCodes() {
		words = append(words, r.Code+"\t"+r.Title)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// ruleGroup is the part of a code that names what the rule is about.
func ruleGroup(code string) string {
	group, _, _ := strings.Cut(code, ".")
	return group
}

// WayRules returns the findings about the way to a file in the form of rules.
// They have no examples, since nothing in a file brings them about.
func WayRules() []adagents.Rule {
	var rules []adagents.Rule
	for _, c := range discover.Codes() {
		rules = append(rules, adagents.Rule{Code: c.Code, Severity: c.Severity, Title: c.Title, Why: c.Why, Hint: c.Fix, Spec: c.Spec})
	}
	return rules
}

// allRules returns the rules about files and those about the way to one.
func allRules() []adagents.Rule { return append(adagents.Rules(), WayRules()...) }

// ruleCatalogue returns them by code.
func ruleCatalogue() map[string]adagents.Rule {
	rules := map[string]adagents.Rule{}
	for _, r := range allRules() {
		rules[r.Code] = r
	}
	return rules
}

// ReasonRules returns the reasons of verdicts in the form of rules. They have neither
// severity nor examples: a reason is no fault of anybody.
func ReasonRules() []adagents.Rule {
	var rules []adagents.Rule
	for _, c := range slices.Concat(resolve.Codes(), formats.Codes()) {
		rules = append(rules, adagents.Rule{Code: c.Code, Title: c.Title, Why: c.Why, Hint: c.Fix})
	}
	return rules
}

// CustodyRules returns the events about files that are kept over time, and the changes
// between their versions, in the form of rules: grouped by the first part of their codes,
// without examples. Their severities are not those of findings; see CustodySeverity.
func CustodyRules() []adagents.Rule {
	byGroup, order := map[string][]adagents.Rule{}, []string{}
	for _, c := range custody.Codes() {
		group := ruleGroup(c.Code)
		if byGroup[group] == nil {
			order = append(order, group)
		}
		byGroup[group] = append(byGroup[group], adagents.Rule{Code: c.Code, Title: c.Title, Why: c.Why, Hint: c.Fix})
	}
	var rules []adagents.Rule
	for _, group := range order {
		rules = append(rules, byGroup[group]...)
	}
	return rules
}

// SignatureRules returns the codes about signed messages in the form of rules. Like
// reasons they have neither severity nor examples.
func SignatureRules() []adagents.Rule {
	var rules []adagents.Rule
	for _, c := range keypin.Codes() {
		rules = append(rules, adagents.Rule{Code: c.Code, Title: c.Title, Why: c.Why, Hint: c.Fix})
	}
	return rules
}

// custodySeverities are the usual severities of the codes of custody.
var custodySeverities = sync.OnceValue(func() map[string]custody.Severity {
	all := map[string]custody.Severity{}
	for _, c := range custody.Codes() {
		all[c.Code] = c.Severity
	}
	return all
})

// CustodySeverity returns the usual severity of an event or a change: info, warning or
// alert; empty for any other code.
func CustodySeverity(code string) string {
	s, ok := custodySeverities()[code]
	if !ok {
		return ""
	}
	return s.String()
}

// allCodes returns everything that can be explained.
func allCodes() []adagents.Rule {
	return slices.Concat(allRules(), ReasonRules(), CustodyRules(), SignatureRules())
}

// isCustody reports whether a rule is an event or a change.
func isCustody(r *adagents.Rule) bool { return r.Severity == 0 && CustodySeverity(r.Code) != "" }

// isSignature reports whether a rule is about a signed message.
func isSignature(r *adagents.Rule) bool {
	group := ruleGroup(r.Code)
	return group == "signature" || group == "pin"
}

// isReason reports whether a rule is the reason of a verdict.
func isReason(r *adagents.Rule) bool { return r.Severity == 0 && !isCustody(r) }

// isWay reports whether a rule is about the way to a file.
func isWay(r *adagents.Rule) bool {
	switch ruleGroup(r.Code) {
	case "fetch", "discovery", "adstxt":
		return true
	}
	return false
}

// chooseRules returns the rules an argument stands for, and whether it is the
// code of one rule.
func chooseRules(args []string) ([]adagents.Rule, bool, error) {
	var chosen []adagents.Rule
	all := allCodes()
	if len(args) == 0 {
		return all, false, nil
	}
	// Codes are copied from reports, brackets and all.
	want := strings.ToLower(strings.Trim(args[0], "[] "))
	for _, r := range all {
		if r.Code == want {
			return []adagents.Rule{r}, true, nil
		}
		if ruleGroup(r.Code) == strings.TrimSuffix(want, ".") {
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
		names = append(names, r.Code, ruleGroup(r.Code))
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
	return usageError(hint, "no rule has the code %q", written)
}

func (a *app) explain(format string, rules []adagents.Rule, single bool) error {
	switch {
	case format == "json":
		for i := range rules {
			err := writeJSONLine(a.out, ruleDocumentOf(&rules[i]))
			if err != nil {
				return err
			}
		}
		return nil
	case format == "markdown":
		for i := range rules {
			fmt.Fprintf(a.out, "%s\n", RuleMarkdown(&rules[i], "##"))
		}
		return nil
	case single:
		a.explainRule(&rules[0])
		return nil
	}
	a.listRules(rules)
	return nil
}

// listRules prints one line per rule under the name of its group.
func (a *app) listRules(rules []adagents.Rule) {
	paint := a.style(Stdout)
	width := 0
	for i := range rules {
		width = max(width, len(rules[i].Code))
	}
	group, title := "", ""
	for i := range rules {
		r := &rules[i]
		if t := partTitle(r); t != title {
			title = t
			if group != "" {
				fmt.Fprintf(a.out, "\n%s\n", title)
			}
			if r.Severity == 0 && group == ruleGroup(r.Code) {
				fmt.Fprintln(a.out)
			}
		}
		if g := ruleGroup(r.Code); g != group {
			if group != "" {
				fmt.Fprintln(a.out)
			}
			group = g
			fmt.Fprintln(a.out, paint.bold(g))
		}
		fmt.Fprintf(a.out, "  %-*s  %s  %s\n", width, r.Code, severityColumn(paint, r), r.Title)
	}
	fmt.Fprintf(a.out, "\n%s; avow explain CODE tells more about one\n", words.Plural(len(rules), "rule", "rules"))
}

// partTitle is the line above a part of the list; the rules about files have none.
func partTitle(r *adagents.Rule) string {
	switch {
	case isCustody(r):
		return "Events about files over time, and changes between their versions:"
	case isSignature(r):
		return "Codes about signed messages, as avow verify gives them:"
	case isReason(r):
		return "Reasons of verdicts, as avow authorize gives them:"
	case isWay(r):
		return "Findings about the way to the file, not about its content:"
	}
	return ""
}

// severityColumn is the severity of a rule in a list.
func severityColumn(paint style, r *adagents.Rule) string {
	switch {
	case isCustody(r):
		return paint.custody(custodySeverities()[r.Code], padded(CustodySeverity(r.Code), len("warning")))
	case isSignature(r):
		return padded("message", len("warning"))
	case isReason(r):
		return padded("reason", len("warning"))
	}
	return paint.severity(r.Severity, padded(r.Severity.String(), len("warning")))
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
	Place    string `json:"place"`
	Bad      string `json:"bad"`
	Good     string `json:"good"`
}

func ruleDocumentOf(r *adagents.Rule) ruleDocument {
	place := placeWords[r.In]
	switch {
	case isCustody(r):
		return ruleDocument{Code: r.Code, Severity: CustodySeverity(r.Code), Title: r.Title, Why: r.Why, Hint: r.Hint, Place: "a file over time"}
	case isSignature(r):
		return ruleDocument{Code: r.Code, Title: r.Title, Why: r.Why, Hint: r.Hint, Place: "a signed message"}
	case isReason(r):
		return ruleDocument{Code: r.Code, Title: r.Title, Why: r.Why, Hint: r.Hint, Place: "a verdict"}
	case isWay(r):
		place = "the way to the file"
	}
	return ruleDocument{
		Code: r.Code, Severity: r.Severity.String(), Strict: strictSeverity(r).String(), Effect: r.Effect.String(),
		Title: r.Title, Why: r.Why, Hint: r.Hint, Spec: r.Spec, Varies: r.Varies,
		Place: place, Bad: r.Bad, Good: r.Good,
	}
}

// strictSeverity is the severity in the strict profile.
func strictSeverity(r *adagents.Rule) adagents.Severity {
	if r.Strict == 0 {
		return r.Severity
	}
	return r.Strict
}

// severityWords is the severity in both profiles, in words.
func severityWords(r *adagents.Rule) string {
	if strict := strictSeverity(r); strict != r.Severity {
		return r.Severity.String() + ", " + strict.String() + " in the strict profile"
	}
	return r.Severity.String()
}

// placeWords say where the examples of a rule stand.
var placeWords = map[adagents.Place]string{
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

// effectWords say what buyers do about a finding.
func effectWords(e adagents.Effect) string {
	if e == adagents.NoEffect {
		return "none: buyers use the file as it is"
	}
	return effects[e]
}
