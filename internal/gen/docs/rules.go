package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/markdown"
)

//go:embed rules.md.tmpl
var rulesTemplate string

// ruleGroup is the rules whose codes begin alike.
type ruleGroup struct {
	Name  string
	Rules []adagents.Rule
}

// groupRules divides the catalogue, which is sorted by group already.
func groupRules(rules []adagents.Rule) []ruleGroup {
	var groups []ruleGroup
	for _, r := range rules {
		name := catalogue.Group(r.Code)
		if n := len(groups); n == 0 || groups[n-1].Name != name {
			groups = append(groups, ruleGroup{Name: name})
		}
		last := &groups[len(groups)-1]
		last.Rules = append(last.Rules, r)
	}
	return groups
}

// rulesPage returns docs/rules.md.
func rulesPage() ([]byte, error) {
	rules := adagents.Rules()
	var counts [adagents.Error + 1]int
	for i := range rules {
		counts[rules[i].Severity]++
	}
	t, err := template.New("rules").Funcs(template.FuncMap{
		"section": func(r adagents.Rule) string { return catalogue.Markdown(&r, "###") },
		"anchor":  markdown.Anchor,
		"cell":    cell,
		"strict":  strictCell,
	}).Parse(rulesTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Groups": groupRules(rules), "Count": len(rules), "Way": catalogue.Way.Codes(), "Reasons": catalogue.Reason.Codes(),
		"Custody": catalogue.Event.Codes(), "Signed": catalogue.Message.Codes(), "Rollout": catalogue.Rollout.Codes(),
		"Documents": documents, "Release": model.AdCPRelease, "Schemas": model.AdCPSchemas,
		"Errors": counts[adagents.Error], "Warnings": counts[adagents.Warning], "Infos": counts[adagents.Info],
	})
	return b.Bytes(), err
}

// strictCell is the severity of a rule in a table: both, when they differ.
func strictCell(r adagents.Rule) string {
	if r.Strict == 0 || r.Strict == r.Severity {
		return r.Severity.String()
	}
	return fmt.Sprintf("%s (strict: %s)", r.Severity, r.Strict)
}

// cell makes a text fit for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}
