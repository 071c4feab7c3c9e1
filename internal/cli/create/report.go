package create

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// maxInferred is how much is shown of a value that was worked out: an agent may have been
// given thousands of properties.
const maxInferred = 300

// sayBuilt tells what was put into a new file beyond the request, and what the
// check has against it. Infos are left out: a new file always earns some.
func sayBuilt(a *console.App, b *adagents.Built) {
	for _, i := range b.Inferred {
		at := "the file"
		if i.Pointer != "" {
			at = i.Pointer
		}
		a.Note("%s of %s was set to %q", i.Member, at, textsafe.Line(i.Value, maxInferred))
	}
	report := redact.Report(b.File, b.Report)
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Severity == adagents.Warning {
			sayFinding(a, f)
		}
	}
}

// sayFinding prints one finding on standard error, with its JSON Pointer: the
// reader has not seen the lines of a file that is being made.
func sayFinding(a *console.App, f *adagents.Finding) {
	paint := a.Style(console.Stderr)
	where := f.Pointer
	if where == "" {
		where = "the file"
	}
	fmt.Fprintf(a.Err, "%s: %s %s %s\n", textsafe.Terminal(where),
		paint.Severity(f.Severity, f.Severity.String()+":"), textsafe.Terminal(f.Message), paint.Dim("["+f.Code+"]"))
	if f.Hint != "" {
		fmt.Fprintf(a.Err, "  %s %s\n", paint.Dim("hint:"), textsafe.Terminal(f.Hint))
	}
}

// refused shows why no file was made, in the manner of avow validate: with the
// lines of the request file or, when there is none, of the draft.
func refused(a *console.App, name string, request []byte, b *adagents.Built) error {
	r := &check.Result{Target: check.Target{Name: name, Stdin: name == console.StdinName}}
	doc := &check.Document{Src: request, Report: b.Report}
	tree := b.Report.Tree()
	if tree != nil {
		doc.Src = tree.Source()
	}
	switch {
	case name == "":
		r.Target.Name = "draft"
	case tree != nil:
		moveToRequest(doc, request)
	}
	doc.Report = redact.Report(doc.Src, doc.Report)
	r.Add(doc)
	r.Count()
	check.Filter{Least: adagents.Error, Most: report.TextFindings}.Choose(r)
	var text bytes.Buffer
	h := &report.Text{W: &text, Paint: a.Style(console.Stderr), Width: a.Env.Width(console.Stderr)}
	h.Findings(r)
	_, err := a.Err.Write(append(bytes.TrimLeft(text.Bytes(), "\n"), '\n'))
	if err != nil {
		return err
	}
	errors := words.Plural(r.Counts[adagents.Error], "error", "errors")
	hint := ""
	if len(r.Shown) > 0 {
		hint = "avow explain " + r.Findings[r.Shown[0]].Code + " tells more about the first"
	}
	return &console.Error{Code: console.ExitNo, Message: "no file was made: it would have " + errors, Hint: hint}
}

// movable is the largest number of findings whose places are looked up in the
// request, one by one.
const movable = 200

// moveToRequest turns places in the draft into places in the request: that is
// the file the user can fix. Pointers are the same in both.
func moveToRequest(doc *check.Document, request []byte) {
	tree, err := jsontree.Parse(request, jsontree.Options{})
	if err != nil || len(doc.Report.Findings) > movable {
		return
	}
	moved := *doc.Report
	moved.Findings = slices.Clone(moved.Findings)
	offsets := make([]int, len(moved.Findings))
	for i := range moved.Findings {
		f := &moved.Findings[i]
		v, exact := nearestValue(tree, f.Pointer)
		f.Offset, f.Length = v.Offset(), 0
		if exact && !v.Is(adagents.Object) && !v.Is(adagents.Array) {
			f.Length = v.End() - v.Offset()
		}
	}
	slices.SortStableFunc(moved.Findings, func(a, b adagents.Finding) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := range moved.Findings {
		offsets[i] = moved.Findings[i].Offset
	}
	for i, at := range tree.Positions(offsets) {
		moved.Findings[i].Line, moved.Findings[i].Column = at.Line, at.Column
	}
	doc.Report, doc.Src = &moved, request
}

// nearestValue finds the value a pointer names or, when it does not exist, the
// innermost one around it.
func nearestValue(tree *jsontree.Tree, pointer string) (jsontree.Value, bool) {
	exact := true
	for {
		v, ok := tree.Lookup(pointer)
		if ok || pointer == "" {
			return v, exact
		}
		exact = false
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
}
