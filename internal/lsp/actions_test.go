package lsp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textedit"
)

// TestActions: fixes are edits that an editor can make, and all safe ones come at once.
func TestActions(t *testing.T) {
	t.Parallel()
	text := `{"agents": [{"url": "http://🚀agent.example/mcp", "authorized_for": "x"}], "lastUpdated": "2026-01-02T00:00:00Z"}`
	d := documentOf(text)
	all := &actionParams{Range: d.rangeOf(0, len(text))}
	list := d.actions(all, true, adagents.Options{Now: noon})
	if len(list) == 0 {
		t.Fatal("no actions")
	}
	for _, a := range list {
		if len(a.Edit.Documents) != 1 || a.Edit.Documents[0].Document.Version != 1 || a.Title == "" {
			t.Errorf("%s: %+v", a.Title, a.Edit)
			continue
		}
		var edits []adagents.Edit
		for _, e := range a.Edit.Documents[0].Edits {
			edits = append(edits, adagents.Edit{Start: d.offset(e.Range.Start), End: d.offset(e.Range.End), New: e.NewText})
		}
		_, err := textedit.Apply(d.text, edits)
		if err != nil || len(edits) == 0 {
			t.Errorf("%s: %v %v", a.Title, edits, err)
		}
	}
	all.Context.Only = []string{"source.fixAll"}
	if got := d.actions(all, false, adagents.Options{Now: noon}); len(got) > 1 || len(got) == 1 && got[0].Kind != fixAll {
		t.Errorf("only fixAll: %+v", got)
	}
	all.Context.Only = []string{"refactor"}
	if got := d.actions(all, false, adagents.Options{Now: noon}); len(got) != 0 {
		t.Errorf("only refactor: %+v", got)
	}
	// All safe fixes together are those of avow fix.
	text = `{"authorized_agents": [{"url": " https://agent.example/mcp ", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["a", "a"], "countries": ["de"]}],
 "properties": [{"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "EXAMPLE.com"}]}]}`
	d = documentOf(text)
	all = &actionParams{Range: d.rangeOf(0, 0)}
	all.Context.Only = []string{fixAll}
	list = d.actions(all, false, adagents.Options{Now: noon})
	if len(list) != 1 {
		t.Fatalf("got %+v", list)
	}
	var edits []adagents.Edit
	for _, e := range list[0].Edit.Changes[uri] {
		edits = append(edits, adagents.Edit{Start: d.offset(e.Range.Start), End: d.offset(e.Range.End), New: e.NewText})
	}
	got, err := textedit.Apply(d.text, edits)
	want := adagents.Repair(d.text, adagents.RepairOptions{Options: adagents.Options{Now: noon}}).Text
	if err != nil || !bytes.Equal(got, want) || bytes.Equal(got, d.text) {
		t.Errorf("got %s, want %s (%v)", got, want, err)
	}
}

// TestFormat lays out the text as avow fmt does, and touches no more lines than it has to.
func TestFormat(t *testing.T) {
	t.Parallel()
	formatted, err := adagents.Format([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	crlf := strings.ReplaceAll(string(formatted), "\n", "\r\n")
	for _, text := range []string{sample, string(formatted), crlf, strings.Replace(crlf, "  \"", "\t\"", 1), strings.Replace(string(formatted), "\n", "\r\n", 2), strings.ReplaceAll(sample, "\n", "\r"), "{}", strings.ReplaceAll(string(formatted), "Top", "🚀\\u0041"), strings.Replace(string(formatted), "  \"", "\t\"", 1), strings.TrimSpace(string(formatted))} {
		d := documentOf(text)
		edits, err := d.formatted()
		if err != nil {
			t.Fatal(err)
		}
		want, _ := adagents.Format([]byte(text))
		var list []adagents.Edit
		for _, e := range edits {
			list = append(list, adagents.Edit{Start: d.offset(e.Range.Start), End: d.offset(e.Range.End), New: e.NewText})
		}
		got, err := textedit.Apply(d.text, list)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s becomes %s (%v)", text, got, err)
		}
	}
	d := documentOf(strings.Replace(string(formatted), "  \"", "\t\"", 1))
	if edits, _ := d.formatted(); len(edits) != 1 || edits[0].Range.End.Line > 2 {
		t.Errorf("got %+v", edits)
	}
	_, err = documentOf("{").formatted()
	if err == nil {
		t.Error("half a file is formatted")
	}
}
