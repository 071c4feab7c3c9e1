package api

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/textsafe"
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
	const before, after = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta " +
		"charset=\"utf-8\">\n<title>API</title>\n</head>\n<body>\n<main>\n", "</main>\n</body>\n</html>\n"
	return []byte(before + string(content) + after), http.Header{
		"Content-Security-Policy": {"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	}
}

// referencePage is the reference as one page shows it: everything in a line each, an operation, or an
// object.
type referencePage struct {
	Groups []ReferenceGroup
	// Types are the objects to list, or those that the operation or the object refers to.
	Types []ReferenceType
	// Query is what is looked for, in Found of All operations.
	Query      string
	Found, All int
	// Group is the group of Route.
	Group  ReferenceGroup
	Route  *ReferenceRoute
	Object *ReferenceType
}

// longestSearch is where a search is cut.
const longestSearch = 200

// pageOf returns the page that a query asks for. An operation that does not exist is looked for.
func (ref *Reference) pageOf(q url.Values, known *ops.Sample) *referencePage {
	for _, g := range ref.Groups {
		for i := range g.Routes {
			if rt := &g.Routes[i]; rt.ID == q.Get("op") {
				shown := rt.with(known)
				return &referencePage{Group: g, Route: &shown, Types: ref.used(rt.Parameters, rt.Body, rt.Answer)}
			}
		}
	}
	for i := range ref.Types {
		if t := &ref.Types[i]; t.Name == q.Get("object") {
			return &referencePage{Object: t, Types: slices.DeleteFunc(ref.used(t.Members), func(other ReferenceType) bool {
				return other.Name == t.Name
			})}
		}
	}
	text := textsafe.Line(strings.TrimSpace(cmp.Or(q.Get("q"), q.Get("op"), q.Get("object"))), longestSearch)
	return ref.found(text)
}

// found is the page with all operations that have every word of a text in them.
func (ref *Reference) found(text string) *referencePage {
	page := &referencePage{Query: text}
	words := strings.Fields(strings.ToLower(text))
	for _, g := range ref.Groups {
		page.All += len(g.Routes)
		g.Routes = slices.DeleteFunc(slices.Clone(g.Routes), func(rt ReferenceRoute) bool {
			all := strings.ToLower(strings.Join([]string{rt.ID, rt.Method, rt.Path, rt.Summary, rt.Description}, " "))
			return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) })
		})
		page.Found += len(g.Routes)
		if len(g.Routes) > 0 {
			page.Groups = append(page.Groups, g)
		}
	}
	if text == "" {
		page.Types = ref.Types
	}
	return page
}

// used returns the objects that members refer to, and those that these refer to in turn.
func (ref *Reference) used(lists ...[]ReferenceMember) []ReferenceType {
	seen := map[string]bool{}
	for todo := slices.Concat(lists...); len(todo) > 0; todo = todo[1:] {
		of := todo[0].Of
		n := slices.IndexFunc(ref.Types, func(t ReferenceType) bool { return t.Name == of })
		if n >= 0 && !seen[of] {
			seen[of] = true
			todo = append(todo, ref.Types[n].Members...)
		}
	}
	return slices.DeleteFunc(slices.Clone(ref.Types), func(t ReferenceType) bool { return !seen[t.Name] })
}

// with returns the description of a route with what is known in the place of the sample.
func (r *ReferenceRoute) with(known *ops.Sample) ReferenceRoute {
	out := *r
	if known.Domain == "" {
		return out
	}
	put := strings.NewReplacer(
		sampleDomain, known.Domain, sampleAgent, known.Agent, url.QueryEscape(sampleAgent), url.QueryEscape(known.Agent),
		"property="+sampleProperty, "property="+known.Property, `"property": "`+sampleProperty+`"`,
		`"property": "`+known.Property+`"`,
	).Replace
	out.Example, out.Try.Open, out.Try.Body = put(out.Example), put(out.Try.Open), put(out.Try.Body)
	out.Try.Fields = slices.Clone(out.Try.Fields)
	for i := range out.Try.Fields {
		f := &out.Try.Fields[i]
		if f.Name == "property" && f.Value == sampleProperty {
			f.Value = known.Property
		}
		f.Value = put(f.Value)
	}
	return out
}

// referenceContent returns the reference for a page without scripts and without anything
// loaded from elsewhere.
func referenceContent(page *referencePage) template.HTML {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, page)
	if err != nil {
		panic("the reference cannot be shown: " + err.Error())
	}
	return template.HTML(b.String())
}
