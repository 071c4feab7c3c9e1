package portable

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/std/spell"
)

// A problem is what is wrong with a request. field is the member concerned, if it is one.
type problem struct{ code, message, hint, field string }

// Error returns the message.
func (p *problem) Error() string { return p.message }

func wrong(format string, args ...any) error {
	return &problem{code: "request", message: fmt.Sprintf(format, args...)}
}

// An operation is what can be asked for, with the names of its options. A question has none: its
// members are read as those of any question.
type operation struct {
	answer   func(*request) (any, error)
	options  []string
	question bool
}

var checkOptions = []string{"profile", "now", "domain", "url", "role", "scopes", "fixes"}

var operations = map[string]operation{
	"check": {check, checkOptions, false}, "fix": {fix, slices.Concat(checkOptions, []string{"likely"}), false},
	"format":    {format, nil, false},
	"authorize": {authorize, nil, true}, "list": {list, nil, true},
}

// known refuses unknown members. They are not ignored: a question without the part that was
// meant would be a wider one.
func known(v jsontree.Value, names []string) error {
	for m := range v.Members() {
		name := m.Name()
		if slices.Contains(names, name) {
			continue
		}
		hint := "the names are " + strings.Join(names, ", ")
		near, ok := spell.Nearest(strings.ToLower(name), names, 2)
		if ok {
			hint = "did you mean " + near + "?"
		}
		return &problem{"request", fmt.Sprintf("unknown member %q", name), hint, name}
	}
	return nil
}

// A request is an operation with its options, and the bytes that it is about.
type request struct {
	root jsontree.Value
	data []byte
	err  error // the first option that cannot be read
}

// Call does what a request in JSON asks for with data, and returns the result in JSON: an
// object with the member result, or with error.
func Call(ask, data []byte) []byte {
	result, err := call(ask, data)
	if err == nil {
		return object{{"result", result}}.append(nil)
	}
	out := object{{"code", "internal"}, {"message", err.Error()}}
	if p, ok := err.(*problem); ok { //nolint:errorlint // problems are not wrapped
		out = object{{"code", p.code}, {"message", p.message}}
		for _, m := range []member{{"hint", p.hint}, {"field", p.field}} {
			if m.value != "" {
				out = append(out, m)
			}
		}
	}
	return object{{"error", out}}.append(nil)
}

func call(ask, data []byte) (any, error) {
	tree, err := jsontree.Parse(ask, jsontree.Options{})
	if err != nil {
		return nil, wrong("the request is not JSON")
	}
	r := &request{root: tree.Root(), data: data}
	name := r.text("op")
	o, ok := operations[name]
	if !ok {
		return nil, wrong("there is no operation %q", name)
	}
	if !o.question {
		if len(tree.Duplicates()) > 0 {
			return nil, wrong("a member is there twice")
		}
		err = known(r.root, slices.Concat(o.options, []string{"op"}))
		if err != nil {
			return nil, err
		}
	}
	result, err := o.answer(r)
	if err == nil {
		err = r.err
	}
	return result, err
}

// text returns an option that is a text; empty when it is left out.
func (r *request) text(name string) string { return r.textIn(r.root, name) }

func (r *request) textIn(in jsontree.Value, name string) string {
	v := in.Get(name)
	if !v.Exists() || v.Is(jsontree.Null) {
		return ""
	}
	s, ok := v.AsString()
	if !ok {
		r.refuse("%s is not a text", name)
	}
	return s
}

func (r *request) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = wrong(format, args...)
	}
}

// flag returns an option that is true or false.
func (r *request) flag(name string) bool { return r.flagIn(r.root, name) }

func (r *request) flagIn(in jsontree.Value, name string) bool {
	v := in.Get(name)
	if !v.Exists() || v.Is(jsontree.Null) {
		return false
	}
	if !v.IsBool() {
		r.refuse("%s is not true or false", name)
		return false
	}
	return v.Bool()
}

// instant returns an option that is a time; zero when it is left out.
func (r *request) instant(name string) time.Time {
	text := r.text(name)
	if text == "" {
		return time.Time{}
	}
	at, err := rfc3339.Parse(text)
	if err != nil {
		r.refuse("%s is not a time like 2026-01-02T00:00:00Z", name)
	}
	return at
}

// texts returns an option that is a list of texts.
func (r *request) texts(name string) []string { return r.textsIn(r.root, name) }

func (r *request) textsIn(in jsontree.Value, name string) []string {
	v := in.Get(name)
	if !v.Exists() || v.Is(jsontree.Null) {
		return nil
	}
	var out []string
	for _, e := range v.Elems() {
		s, ok := e.AsString()
		if !ok {
			r.refuse("%s is not a list of texts", name)
		}
		out = append(out, s)
	}
	if !v.Is(jsontree.Array) {
		r.refuse("%s is not a list of texts", name)
	}
	return out
}

// roles are the words for how a file was reached.
var roles = map[string]adagents.Role{"": adagents.Direct, "direct": adagents.Direct,
	"authoritative": adagents.Authoritative, "manager": adagents.Manager, "mirror": adagents.Mirror}

// options are those of a check.
func (r *request) options() adagents.Options {
	o := adagents.Options{Now: r.instant("now"), Domain: r.text("domain"), URL: r.text("url"), Scopes: r.texts("scopes"),
		Fixes: r.flag("fixes")}
	role, ok := roles[r.text("role")]
	if !ok {
		r.refuse("role is direct, authoritative, manager or mirror")
	}
	o.Role = role
	switch r.text("profile") {
	case "", adagents.Default.String():
	case adagents.Strict.String():
		o.Profile = adagents.Strict
	default:
		r.refuse("profile is default or strict")
	}
	return o
}

func check(r *request) (any, error) {
	opt := r.options()
	if r.err != nil {
		return nil, r.err
	}
	return reportOf(adagents.Check(r.data, opt)), nil
}

// reportOf writes a report.
func reportOf(r *adagents.Report) object {
	out := object{{"kind", r.Kind.String()}, {"valid", r.Valid()}, {"usable", r.Unusable == nil},
		{"authorizes_nobody", r.AuthorizesNobody()}}
	if r.Pointer != nil {
		out = append(out, member{"authoritative_location", r.Pointer.AuthoritativeLocation})
	}
	counts := object{{"error", r.Count(adagents.Error)}, {"warning", r.Count(adagents.Warning)},
		{"info", r.Count(adagents.Info)}}
	findings := make([]object, 0, len(r.Findings))
	for i := range r.Findings {
		findings = append(findings, findingOf(&r.Findings[i]))
	}
	return append(out, member{"counts", counts}, member{"findings", findings}, member{"skipped", skipsOf(r.Skipped)})
}

func skipsOf(list []adagents.Skip) []object {
	out := make([]object, 0, len(list))
	for _, s := range list {
		out = append(out, object{{"pointer", s.Pointer}, {"code", s.Code}, {"reason", s.Reason}})
	}
	return out
}

func findingOf(f *adagents.Finding) object {
	out := object{
		{"code", f.Code}, {"severity", f.Severity.String()}, {"effect", f.Effect.String()}, {"pointer", f.Pointer},
		{"line", f.Line}, {"column", f.Column}, {"offset", f.Offset}, {"length", f.Length},
		{"message", f.Message}, {"hint", f.Hint}, {"spec", f.Spec}, {"more", f.More},
	}
	if len(f.Fixes) == 0 {
		return out
	}
	fixes := make([]object, 0, len(f.Fixes))
	for i := range f.Fixes {
		x := &f.Fixes[i]
		fixes = append(fixes, object{{"title", x.Title}, {"kind", x.Kind.String()}, {"edits", editsOf(x.Edits)}})
	}
	return append(out, member{"fixes", fixes})
}

func editsOf(list []adagents.Edit) []object {
	out := make([]object, 0, len(list))
	for _, e := range list {
		out = append(out, object{{"start", e.Start}, {"end", e.End}, {"new", e.New}})
	}
	return out
}

func fix(r *request) (any, error) {
	opt := adagents.RepairOptions{Options: r.options()}
	if r.flag("likely") {
		opt.Choose = adagents.Probably
	}
	if r.err != nil {
		return nil, r.err
	}
	done := adagents.Repair(r.data, opt)
	applied := make([]object, 0, len(done.Applied))
	for _, a := range done.Applied {
		applied = append(applied, object{{"code", a.Finding.Code}, {"pointer", a.Finding.Pointer}, {"title", a.Fix.Title},
			{"kind", a.Fix.Kind.String()}})
	}
	edits := make([]adagents.Edit, 0, len(done.Changes))
	for i := range done.Changes {
		edits = append(edits, done.Changes[i].Edit)
	}
	return object{{"changed", len(edits) > 0}, {"applied", applied}, {"edits", editsOf(edits)},
		{"report", reportOf(done.After)}}, nil
}

func format(r *request) (any, error) {
	text, err := adagents.Format(r.data)
	if err != nil {
		return nil, &problem{code: "document", message: err.Error()}
	}
	return object{{"text", string(text)}}, nil
}
