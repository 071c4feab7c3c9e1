package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/conformance"
	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/internal/test/vectors"
)

func (c *collector) resolution() error {
	all, err := vectors.Cases()
	if err != nil {
		return err
	}
	for _, v := range all {
		kind := map[string]string{"authorize": "authorize", "list": "resolve", "match": "identifier",
			"canonical": "agent_url", "compare": "agent_url", "formats": "formats"}[v.Ask.Verb]
		if kind == "" || hasMirror(v) {
			c.leftOut["is about brand.json or a community mirror"]++
			continue
		}
		one := suite.Case{Question: questionOf(v), Want: wantOf(v), Time: v.Ask.At.Format(time.RFC3339Nano)}
		for _, publisher := range slices.Sorted(maps.Keys(v.Sources)) {
			one.Files = append(one.Files, documentOf(publisher, v.Sources[publisher]))
		}
		c.add(kind, "resolution", v.Name, v.Summary, one, 3)
	}
	return nil
}

func hasMirror(v *vectors.Case) bool {
	for _, s := range v.Sources {
		if s.Mirror != nil {
			return true
		}
	}
	return false
}

func documentOf(publisher string, s vectors.FileSource) suite.File {
	if s.State != "file" {
		return suite.File{Name: publisher, State: s.State}
	}
	f := fileOf(publisher, s.JSON)
	f.Method, f.URL, f.Revoked, f.Replaced = s.Method, s.URL, s.Held, s.Replaced
	return f
}

func questionOf(v *vectors.Case) map[string]any {
	a := &v.Ask
	switch a.Verb {
	case "match":
		return members("identifier", a.Args[0], "host", a.Args[1])
	case "canonical":
		return members("url", a.Args[0])
	case "compare":
		return members("url", a.Args[0], "other", a.Args[1])
	case "formats":
		return members("publisher", a.Args[0], "placement", a.Args[1], "property", a.Args[2])
	}
	var collections []string
	for _, pair := range a.Collections {
		collections = append(collections, strings.TrimSuffix(pair[0]+"/"+pair[1], "/"))
	}
	q := members("publisher", a.Args[0], "agent", a.Args[1], "property", a.Property, "identifier_type", a.IdentifierType,
		"identifier_value", a.IdentifierValue,
		"property_type", a.PropertyType, "placements", a.Placements, "collections", collections, "signal", a.Signal,
		"country", a.Country)
	if a.Inline {
		q["inline"] = true
	}
	return q
}

func wantOf(v *vectors.Case) map[string]any {
	o := &v.Want
	switch {
	case o.Error != "":
		return map[string]any{"error": true}
	case v.Ask.Verb == "match":
		return map[string]any{"match": o.Match == "true"}
	case v.Ask.Verb == "canonical":
		return map[string]any{"canonical": o.Canonical}
	case v.Ask.Verb == "compare":
		return map[string]any{"same": o.Same == "true"}
	case v.Ask.Verb == "formats":
		return map[string]any{"formats": append([]string{}, o.Formats...)}
	}
	want := members("verdict", o.Verdict, "needs", o.Needs, "entries", o.Entries)
	if v.Ask.Verb == "authorize" {
		// The other verdicts are neither a yes nor a no.
		if o.Verdict == "authorized" || o.Verdict == "not_authorized" {
			want["authorized"] = o.Verdict == "authorized"
		}
		if len(o.Placements) > 0 {
			want["placements"] = o.Placements
		}
		return want
	}
	properties, confirmed := []any{}, []any{}
	for _, line := range o.Properties {
		words := strings.Fields(line)
		p := map[string]any{"publisher_domain": words[0], "property_id": words[1]}
		properties = append(properties, p)
		if words[3] == "confirmed" {
			confirmed = append(confirmed, p)
		}
	}
	want["properties"], want["confirmed"] = properties, confirmed
	want["signals"] = append([]string{}, o.Signals...)
	return want
}

func (c *collector) formats() error {
	all, err := vectors.FormatCases()
	if err != nil {
		return err
	}
	for _, f := range all {
		accepted, refused := []any{}, []any{}
		for _, line := range f.Accepted {
			words := strings.SplitN(line, " ", 5)
			one := map[string]any{"placement": words[0], "name": words[1], "kind": words[2], "relation": words[3]}
			if len(words) == 5 {
				one["params"] = jsontext.Value(words[4])
			}
			accepted = append(accepted, one)
		}
		for _, line := range f.Refused {
			words := strings.Fields(line)
			if strings.Contains(words[2], ".") { // a code: the format is not known, and has no kind
				words[2] = ""
			}
			refused = append(refused, map[string]any{"placement": words[0], "name": words[1], "kind": words[2]})
		}
		q := members("publisher", "pub.example", "placement", f.Placement, "refs", f.Refs)
		if f.Strict {
			q["strict"] = true
		}
		files := []suite.File{fileOf("pub.example", f.Catalog), fileOf("product", f.Product)}
		c.add("formats", "formats", "product_"+f.Name, f.Summary,
			suite.Case{Files: files, Question: q, Want: map[string]any{"accepted": accepted, "refused": refused}}, 0)
	}
	return nil
}

// checked are the groups of rules whose examples are cases. Those of formats are left out: their
// members change with every release.
var checked = []string{
	"agent", "authoritative", "collection", "collection_selector", "contact", "feature", "file", "identifier", "placement",
	"pointer", "property", "revocation", "selector", "signal", "signing_key", "signing_keys", "tag",
}

// checks makes cases of the examples of rules: one with the mistake, and, where a public document
// asks for it, one without.
func (c *collector) checks() error {
	for _, r := range adagents.Rules() {
		group, _, _ := strings.Cut(r.Code, ".")
		opt := r.ExampleOptions()
		if r.Severity != adagents.Error || !slices.Contains(checked, group) || !reflect.ValueOf(opt).IsZero() || r.Bad == "" {
			continue
		}
		bad, good := adagents.Example(r.In, r.Bad), adagents.Example(r.In, r.Good)
		s, normative := c.basis.Codes[r.Code]
		c.check(r.Code, sentenceOf(r.Title), bad, s, normative)
		if normative && r.Good != "" {
			c.check(r.Code+".right", "The right way, where the mistake would be: "+r.Title+".", good, s, normative)
		}
	}
	return nil
}

func sentenceOf(title string) string { return strings.ToUpper(title[:1]) + title[1:] + "." }

func (c *collector) check(name, title string, text []byte, s sentence, normative bool) {
	report := adagents.Check(text, adagents.Options{})
	skipped := []string{}
	for _, one := range report.Skipped {
		skipped = append(skipped, one.Pointer)
	}
	one := suite.Case{Files: []suite.File{fileOf("adagents.json", text)}, Question: map[string]any{},
		Want: map[string]any{"valid": report.Valid(), "skipped": skipped}}
	c.add("check", "check", name, title, one, 0)
	last := &c.found[len(c.found)-1]
	last.key, last.most = "check "+string(text), 1
	if normative && !slices.Contains(c.basis.Readings, "check/"+name) {
		last.Label, last.Basis = suite.Normative, c.basis.quote(s)
	}
}

// create reads the cases of kind create, which are written as they are: a request, and the answer.
func (c *collector) create() error {
	entries, err := conformance.Files.ReadDir("create")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := conformance.Files.ReadFile("create/" + e.Name())
		if err != nil {
			return err
		}
		a := txtar.Parse(text)
		title, _, _ := strings.Cut(string(a.Comment), "\n")
		one := suite.Case{Question: map[string]any{}, Want: map[string]any{}}
		for _, f := range a.Files {
			switch f.Name {
			case "request":
				one.Files = append(one.Files, fileOf("request", f.Data))
			case "want":
				err := json.Unmarshal(f.Data, &one.Want)
				if err != nil {
					return fmt.Errorf("%s: %w", e.Name(), err)
				}
			}
		}
		c.add("create", "create", strings.TrimSuffix(e.Name(), ".txtar"), title, one, 0)
	}
	return nil
}
