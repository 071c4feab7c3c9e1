// Command docs writes the parts of the manual that follow from the code:
// docs/rules.md from the catalogue of rules, docs/cli.md from the commands and
// their flags, and docs/http.md, docs/mcp.md, docs/registry.md and a table of the README
// from the table of operations.
//
// It is run by go generate; with -check it writes nothing and fails when a page
// is out of date.
package main

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/service/ops"
)

//go:generate go run . -dir ../../../docs

func main() { genfile.Main("docs", "docs", pages) }

// pages returns the generated pages by file name.
func pages() (map[string][]byte, error) {
	rules, err := rulesPage()
	if err != nil {
		return nil, err
	}
	commands, err := commandsPage()
	if err != nil {
		return nil, err
	}
	routes, err := httpPage()
	if err != nil {
		return nil, err
	}
	registry, err := registryPage()
	if err != nil {
		return nil, err
	}
	readme, err := readmePage()
	if err != nil {
		return nil, err
	}
	tools, err := mcpPage()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"rules.md": rules, "cli.md": commands, "http.md": routes, "mcp.md": tools,
		"registry.md": registry, "../README.md": readme}, nil
}

//go:embed mcp.md.tmpl
var mcpTemplate string

// mcpPage returns docs/mcp.md.
func mcpPage() ([]byte, error) {
	t, err := template.New("mcp").Parse(mcpTemplate)
	if err != nil {
		return nil, err
	}
	var tools []ops.Tool
	for _, op := range ops.New(ops.Config{}).All {
		if op.Tool.Name != "" {
			tools = append(tools, op.Tool)
		}
	}
	var b bytes.Buffer
	err = t.Execute(&b, tools)
	return b.Bytes(), err
}
