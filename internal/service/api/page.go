package api

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/std/words"
)

//go:embed page.html
var pageSource string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"lower":   strings.ToLower,
		"pieces":  words.Pieces,
		"base":    func() string { return exampleBase },
		"members": func(label string, list []ReferenceMember) labelled { return labelled{label, list} },
	}).Parse(pageSource))
})

// labelled is a table of members with a name of its own.
type labelled struct {
	Label string
	List  []ReferenceMember
}

// A Frame makes a page around some content, and returns it with the headers that it needs.
type Frame func(content template.HTML) ([]byte, http.Header)

// bare is the Frame of an API without pages beside it: it permits the page nothing.
func bare(content template.HTML) ([]byte, http.Header) {
	const before, after = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>API</title>\n</head>\n<body>\n<main>\n", "</main>\n</body>\n</html>\n"
	return []byte(before + string(content) + after), http.Header{
		"Content-Security-Policy": {"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	}
}

// referenceContent returns the reference for a page without scripts and without anything
// loaded from elsewhere.
func referenceContent(ref Reference) template.HTML {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, ref)
	if err != nil {
		panic("the reference cannot be shown: " + err.Error())
	}
	return template.HTML(b.String())
}

// statusName is the name of a status for people.
func statusName(code int) string { return http.StatusText(code) }
