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
	t, err := template.New("http").Funcs(template.FuncMap{"anchor": markdown.Anchor, "cell": cell,
		"lower": strings.ToLower}).Parse(httpTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	list, served, all, err := compare()
	if err != nil {
		return nil, err
	}
	err = t.Execute(&b, struct {
		api.Reference
		Areas       []comparison
		Served, All int
	}{api.New(api.Config{}).Reference(), list, served, all})
	return b.Bytes(), err
}
