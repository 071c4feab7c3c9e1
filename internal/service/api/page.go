package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
	"sync"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(pageStyle) },
		"lower": strings.ToLower,
	}).Parse(pageSource))
})

// referencePage returns the reference as a page without scripts and without anything
// loaded from elsewhere.
func referencePage(ref Reference) []byte {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, ref)
	if err != nil {
		panic("the reference cannot be shown: " + err.Error())
	}
	return b.Bytes()
}

// pageHeader permits the page its own style sheet and nothing else.
func pageHeader() http.Header {
	sum := sha256.Sum256([]byte(pageStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return http.Header{"Content-Security-Policy": {policy}}
}

// statusName is the name of a status for people.
func statusName(code int) string { return http.StatusText(code) }
