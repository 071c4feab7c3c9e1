// Package catalogue is the catalogue of every code that avow gives, in the form of rules, with
// the words and the Markdown for them.
package catalogue

import (
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// All returns everything that can be explained.
func All() []adagents.Rule {
	return slices.Concat(allRules(), ReasonRules(), CustodyRules(), SignatureRules())
}

// allRules returns the rules about files and those about the way to one.
func allRules() []adagents.Rule { return append(adagents.Rules(), WayRules()...) }

// ByCode returns them by code.
func ByCode() map[string]adagents.Rule {
	rules := map[string]adagents.Rule{}
	for _, r := range allRules() {
		rules[r.Code] = r
	}
	return rules
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
		group := Group(c.Code)
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

// CustodySeverity returns the usual severity of an event or a change: info, warning or
// alert; empty for any other code.
func CustodySeverity(code string) string {
	s, ok := CustodySeverities()[code]
	if !ok {
		return ""
	}
	return s.String()
}

// CustodySeverities are the usual severities of the codes of custody.
var CustodySeverities = sync.OnceValue(func() map[string]custody.Severity {
	all := map[string]custody.Severity{}
	for _, c := range custody.Codes() {
		all[c.Code] = c.Severity
	}
	return all
})

// Group is the part of a code that names what the rule is about.
func Group(code string) string {
	group, _, _ := strings.Cut(code, ".")
	return group
}

// IsCustody reports whether a rule is an event or a change.
func IsCustody(r *adagents.Rule) bool { return r.Severity == 0 && CustodySeverity(r.Code) != "" }

// IsSignature reports whether a rule is about a signed message.
func IsSignature(r *adagents.Rule) bool {
	group := Group(r.Code)
	return group == "signature" || group == "pin"
}

// IsReason reports whether a rule is the reason of a verdict.
func IsReason(r *adagents.Rule) bool { return r.Severity == 0 && !IsCustody(r) }

// IsWay reports whether a rule is about the way to a file.
func IsWay(r *adagents.Rule) bool {
	switch Group(r.Code) {
	case "fetch", "discovery", "adstxt":
		return true
	}
	return false
}
