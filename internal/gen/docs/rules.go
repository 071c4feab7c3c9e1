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

// document is something public that rules cite.
type document struct {
	Title, Name, Link string
}

// documents are what the specification line of a rule may begin with.
var documents = []document{
	{"AdCP adagents.json Tech Spec", "Ad Context Protocol, adagents.json Tech Spec",
		"https://docs.adcontextprotocol.org/docs/governance/property/adagents"},
	{"AdCP adagents.json schema", "Ad Context Protocol, JSON Schema of adagents.json",
		"https://adcontextprotocol.org/schemas/v3/adagents.json"},
	{"AdCP canonical formats", "Ad Context Protocol, canonical formats",
		"https://docs.adcontextprotocol.org/docs/creative/canonical-formats"},
	{"AdCP URL canonicalization", "Ad Context Protocol, URL canonicalization",
		"https://docs.adcontextprotocol.org/docs/reference/url-canonicalization"},
	{"AdCP brand.json", "Ad Context Protocol, brand.json",
		"https://docs.adcontextprotocol.org/docs/brand-protocol/brand-json"},
	{"IAB Tech Lab ads.txt", "IAB Tech Lab, ads.txt specification", "https://iabtechlab.com/ads-txt/"},
	{"IANA special-purpose address registries", "IANA, special-purpose addresses",
		"https://www.iana.org/assignments/iana-ipv4-special-registry"},
	{"ISO 3166-1", "codes of countries", "https://www.iso.org/iso-3166-country-codes.html"},
	{"Public Suffix List", "names below which anybody can register", "https://publicsuffix.org/"},
	{"RFC", "a document of the IETF by its number", "https://www.rfc-editor.org/"},
	{"BCP 47", "tags for languages", "https://www.rfc-editor.org/info/bcp47"},
	{"avow docs/rules.md", "this page: no other document asks for it, and the rule says why it is there", ""},
}
