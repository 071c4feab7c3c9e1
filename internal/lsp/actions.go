package lsp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// The kinds of actions in the protocol.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.avow"
)

// wants reports whether a client asks for a kind of actions. It may name a family of them.
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(one string) bool {
		return kind == one || strings.HasPrefix(kind, one+".")
	})
}

// actions returns the fixes of what is wrong in a range, and the one that applies all that are
// safe.
func (d *document) actions(in *actionParams, documents bool, opt adagents.Options) []action {
	out := []action{}
	if len(d.text) > fixesUpTo {
		return out
	}
	start, end := d.offset(in.Range.Start), d.offset(in.Range.End)
	report, safe := d.report(), false
	for i := range report.Findings {
		f := &report.Findings[i]
		safe = safe || adagents.Safely(nil, f) >= 0
		from, to := span(f)
		if from > end || to < start || !wants(in.Context.Only, quickFix) {
			continue
		}
		for k := range f.Fixes {
			fix := &f.Fixes[k]
			out = append(out, action{
				Title: title(fix), Kind: quickFix, Diagnostics: []diagnostic{d.diagnostic(f)}, Preferred: k == 0 &&
					fix.Kind == adagents.Safe,
				Edit: d.editing(fix.Edits, documents),
			})
		}
	}
	if safe && wants(in.Context.Only, fixAll) {
		done := adagents.Repair(d.text, adagents.RepairOptions{Options: opt})
		var edits []adagents.Edit
		for i := range done.Changes {
			edits = append(edits, done.Changes[i].Edit)
		}
		if len(edits) > 0 {
			out = append(out, action{Title: "Apply all safe fixes of avow", Kind: fixAll, Edit: d.editing(edits, documents)})
		}
	}
	return out
}

// title is what a fix does, and how sure that is.
func title(f *adagents.Fix) string {
	text := textsafe.Line(f.Title, 200)
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if f.Kind == adagents.Safe {
		return text
	}
	return text + " (" + f.Kind.String() + ")"
}

// editing makes an edit of the protocol. With the version of the document the client refuses it
// when the text has changed meanwhile.
func (d *document) editing(edits []adagents.Edit, documents bool) workspaceEdit {
	list := make([]textEdit, 0, len(edits))
	for _, e := range edits {
		list = append(list, textEdit{d.rangeOf(e.Start, e.End), e.New})
	}
	if documents {
		return workspaceEdit{Documents: []documentEdit{{d.DocumentID, list}}}
	}
	return workspaceEdit{Changes: map[string][]textEdit{d.URI: list}}
}

// formatted returns the edit that lays out the document as avow fmt does: only the lines from
// the first that changes to the last.
func (d *document) formatted() ([]textEdit, error) {
	text, err := adagents.Format(d.text)
	if err != nil {
		return nil, &failure{requestFailed, "cannot format: " + textsafe.Line(err.Error(), 300)}
	}
	if bytes.Equal(text, d.text) {
		return []textEdit{}, nil
	}
	start := common(d.text, text)
	start = bytes.LastIndexByte(d.text[:start], '\n') + 1
	end := len(d.text)
	more := len(text)
	for end > start && more > start && d.text[end-1] == text[more-1] {
		end, more = end-1, more-1
	}
	if i := bytes.IndexByte(d.text[end:], '\n'); i >= 0 {
		end, more = end+i+1, more+i+1 // with the line end, which may have two characters
	} else {
		end, more = len(d.text), len(text)
	}
	return []textEdit{{d.rangeOf(start, end), string(text[start:more])}}, nil
}

// common returns how many bytes two texts begin with that are the same.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
