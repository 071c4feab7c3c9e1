package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// The kinds of completions in the protocol.
const (
	kindProperty  = 10
	kindValue     = 12
	kindEnum      = 13
	kindReference = 18
)

// mostOffered is how many values of the file are offered.
const mostOffered = 500

// quote writes a text as JSON.
func quote(text string) string { return string(adagents.AppendString(nil, text)) }

// describe says what a member is, as Markdown.
func describe(m *meaning) string {
	f := m.field
	head := "**" + f.Name + "** " + typeWords(&f.Type)
	if f.Required {
		head += ", required"
	}
	text := head + "\n\n" + textsafe.Markdown(f.Doc)
	if f.Default != "" {
		text += " Without it: `" + f.Default + "`."
	}
	if list := valuesOf(m); len(list) > 0 {
		text += "\n\nOne of: `" + strings.Join(list, "`, `") + "`."
	} else if words := model.UsualWords[m.owner.Name+"."+f.Name]; len(words) > 0 {
		text += "\n\nFor example: `" + strings.Join(words, "`, `") + "`."
	}
	return text
}

// valuesOf are the only values that a member, or the elements of its list, may have.
func valuesOf(m *meaning) []string {
	t := &m.field.Type
	if t.Kind == model.Array && t.Elem != nil {
		t = t.Elem
	}
	if t.Const != "" {
		return []string{t.Const}
	}
	return t.Enum
}

// kindWords are the kinds of values in words.
var kindWords = map[model.Kind]string{
	model.Any: "anything", model.String: "text", model.Bool: "true or false", model.Integer: "whole number",
	model.Number: "number", model.Array: "list", model.Object: "object", model.Map: "object of names",
}

// formWords are the forms of texts in words.
var formWords = map[model.Format]string{
	model.URI: "URL", model.HTTPS: "https URL", model.DateTime: "time", model.Email: "e-mail address",
	model.Domain: "domain", model.Hostname: "host name", model.Country: "country code",
	model.Digest: "digest", model.Aspect: "aspect ratio", model.SemVer: "version", model.Locale: "locale",
	model.MinorVer: "version", model.Base64URL: "base64url",
}

// typeWords says what a value is.
func typeWords(t *model.Type) string {
	words := kindWords[t.Kind]
	if form := formWords[t.Format]; form != "" {
		words = form
	}
	if t.Kind == model.Array && t.Elem != nil {
		words = "list of " + typeWords(t.Elem)
	}
	return words
}

// complete offers what may be written at a place.
func (d *document) complete(p Position, snippets bool) []completionItem {
	o, offset := d.outline(), d.offset(p)
	at := o.token(offset)
	start, end := offset, offset
	if at >= 0 {
		start, end = o.nodes[at].start, o.nodes[at].end
		if start == offset && o.nodes[at].kind != kindOther {
			at, end = -1, offset // before a string, not in it
		}
	}
	in := o.around(start)
	if in < 0 {
		return nil
	}
	spot := d.rangeOf(start, end)
	name := o.dueName(in, at, start)
	switch {
	case o.nodes[in].kind == kindObject && name < 0:
		return o.names(in, at, spot, d.followed(end), snippets)
	case o.nodes[in].kind == kindObject:
		m := o.step(o.means(in), in, name)
		return o.values(&m, spot, start, false)
	}
	m := o.means(in)
	if m.typ == nil || m.typ.Kind != model.Array {
		return nil
	}
	return o.values(&meaning{m.field, m.owner, m.typ.Elem}, spot, start, true)
}

// dueName returns the name whose value is due at a place in an object; -1 where a name is due.
func (o *outline) dueName(object, token int32, offset int) int32 {
	if o.nodes[object].kind != kindObject || token >= 0 && o.nodes[token].kind == kindKey {
		return -1
	}
	if token >= 0 {
		return o.nodes[token].name
	}
	due := int32(-1)
	for _, at := range o.members(object) {
		if o.nodes[at].end <= offset {
			due = at
		}
	}
	if due < 0 || !o.colon(o.nodes[due].end, offset) {
		return -1
	}
	v := o.valueOf(due)
	if v >= 0 && o.nodes[v].end <= offset {
		return -1
	}
	return due
}

// followed reports whether a colon is next.
func (d *document) followed(offset int) bool {
	return strings.HasPrefix(strings.TrimLeft(string(d.text[offset:min(len(d.text), offset+256)]), " \t\r\n"), ":")
}

// names offers the members of an object that are not there yet.
func (o *outline) names(object, token int32, spot Range, followed, snippets bool) []completionItem {
	m := o.means(object)
	typ := m.object()
	if typ == nil {
		return nil
	}
	var there []string
	for _, at := range o.members(object) {
		if at != token {
			there = append(there, o.value(at))
		}
	}
	out := []completionItem{}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if slices.Contains(there, f.Name) {
			continue
		}
		doc := markdown(describe(&meaning{f, typ, &f.Type}))
		item := completionItem{
			Label: f.Name, Kind: kindProperty, Detail: typeWords(&f.Type), Documentation: &doc,
			SortText: fmt.Sprintf("1%03d", i), FilterText: quote(f.Name), Format: 1,
		}
		if f.Required {
			item.Detail, item.SortText = item.Detail+", required", fmt.Sprintf("0%03d", i)
		}
		item.Edit = textEdit{spot, quote(f.Name)}
		if !followed {
			item.Edit.NewText, item.Format = withValue(f, snippets)
		}
		out = append(out, item)
	}
	return out
}

// withValue writes a name and what its value begins with, as a snippet if the client knows them.
func withValue(f *model.Field, snippets bool) (string, int) {
	name := quote(f.Name) + ": "
	if !snippets {
		return name, 1
	}
	// A dollar would be one of the snippet's own.
	name = strings.ReplaceAll(name, "$", `\$`)
	switch f.Type.Kind {
	case model.String:
		return name + `"$0"`, 2
	case model.Array:
		return name + `[$0]`, 2
	case model.Object, model.Map:
		return name + `{$0}`, 2
	}
	return name + "$0", 2
}

// values offers what a value may be.
func (o *outline) values(m *meaning, spot Range, start int, listed bool) []completionItem {
	if m.typ == nil || m.field == nil {
		return nil
	}
	out := []completionItem{}
	offer := func(label, text, from string, kind int) {
		if slices.ContainsFunc(out, func(c completionItem) bool { return c.Label == label }) {
			return
		}
		out = append(out, completionItem{
			Label: label, Kind: kind, Detail: from, SortText: fmt.Sprintf("%04d", len(out)), FilterText: text, Format: 1,
			Edit: textEdit{spot, text},
		})
	}
	switch {
	case m.typ.Kind == model.Bool:
		offer("true", "true", "", kindValue)
		offer("false", "false", "", kindValue)
	case m.typ.Const != "":
		offer(m.typ.Const, quote(m.typ.Const), "", kindEnum)
	case m.typ.Kind == model.Array && !listed:
		offer("[]", "[]", typeWords(m.typ), kindValue)
	case m.typ.Kind == model.Object || m.typ.Kind == model.Map:
		offer("{}", "{}", typeWords(m.typ), kindValue)
	}
	for _, word := range slices.Concat(m.typ.Enum, model.UsualWords[m.owner.Name+"."+m.field.Name]) {
		offer(word, quote(word), "", kindEnum)
	}
	if m.typ.Kind != model.String {
		return out
	}
	for _, source := range model.SourcesOf(m.owner, m.field.Name) {
		for _, at := range o.from(source) {
			if o.nodes[at].start != start && len(out) < mostOffered {
				offer(o.value(at), quote(o.value(at)), source, kindReference)
			}
		}
	}
	return out
}
