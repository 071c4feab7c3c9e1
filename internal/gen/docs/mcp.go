package main

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/avow-project/avow/internal/service/ops"
)

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
