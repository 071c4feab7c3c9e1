package main

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"

	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/std/markdown"
)

//go:embed http.md.tmpl
var httpTemplate string

// httpPage returns docs/http.md.
func httpPage() ([]byte, error) {
	t, err := template.New("http").Funcs(template.FuncMap{"anchor": markdown.Anchor, "cell": cell, "lower": strings.ToLower}).Parse(httpTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, api.New(api.Config{}).Reference())
	return b.Bytes(), err
}
