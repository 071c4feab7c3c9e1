package pin

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// pinIn writes the keys into the entries of the agent in the file.
func (f *flags) pinIn(a *console.App, agent string, set *discover.KeySet, chosen []discover.AgentKey) error {
	src, err := a.ReadInput(f.write)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		writeKeys(a, agent, set, chosen)
		return console.Failure("ask the operator of the agent to publish an Ed25519 or P-256 key", "none of the keys can be pinned")
	}
	before := adagents.Check(src, adagents.Options{Now: a.Env.Now()})
	if before.Unusable != nil || before.File == nil {
		return console.Failure("avow validate "+console.ShellQuote(f.write)+" shows what is wrong with it", "%s is not a file with agents that can be used", f.write)
	}
	e := &fileEdit{editor: jsonedit.New(before.Tree()), src: src, report: before, set: set, chosen: chosen, add: f.add, replace: f.replace}
	err = e.entries(before.Tree().Root(), agent)
	switch {
	case err != nil:
		return err
	case e.found == 0:
		return console.Failure("avow create and avow init make an entry", "%s has no entry of %s", f.write, redact.URL(agent))
	case len(e.edits) == 0:
		a.Note("%s pins these keys already", f.write)
		return nil
	}
	e.renewDate(before.Tree().Root(), a.Env.Now())
	return e.write(a, f.write, agent)
}

// fileEdit is a change of the pins of an agent in a file.
type fileEdit struct {
	editor       *jsonedit.Editor
	src          []byte
	report       *adagents.Report // of src
	set          *discover.KeySet
	chosen       []discover.AgentKey
	add, replace bool
	found        int // entries of the agent
	edits        []textedit.Edit
}

// entries changes every entry of the agent. An entry that pins nothing gets the keys; one that
// pins others is changed if the user has said how.
func (e *fileEdit) entries(root jsontree.Value, agent string) error {
	wanted, _, err := hostname.CanonicalURL(agent)
	if err != nil {
		return console.UsageError("give the whole https URL of the agent", "the URL of the agent %v", err)
	}
	for _, entry := range root.Get("authorized_agents").Elems() {
		url, _, err := hostname.CanonicalURL(entry.Get("url").Str())
		if err != nil || url != wanted {
			continue
		}
		e.found++
		err = e.entry(entry)
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *fileEdit) entry(entry jsontree.Value) error {
	pins := entry.Get("signing_keys")
	if pins.Len() == 0 || e.replace {
		return e.put(entry, pins, e.chosen)
	}
	var list []adagents.SigningKey
	for _, v := range pins.Elems() {
		text := func(name string) string { return v.Get(name).Str() }
		list = append(list, adagents.SigningKey{Kid: text("kid"), Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y"), N: text("n"), E: text("e")})
	}
	c := check.CompareKeys(list, &discover.KeySet{Keys: e.chosen})
	switch {
	case c.Agrees():
		return nil
	case len(c.Replaced) > 0 && e.add:
		return &console.Error{Code: console.ExitNo, Message: "another key is pinned under the name " + c.Replaced[0], Hint: "two keys cannot have one name: ask the operator for another, or use --replace"}
	case !e.add:
		return &console.Error{
			Code: console.ExitNo, Message: "the entry at line " + fmt.Sprint(e.line(entry)) + " pins other keys already: " + differences(c),
			Hint: "--add keeps them and adds the new ones, --replace removes them; messages that were signed with a removed key are refused",
		}
	case len(c.Unpinned) == 0:
		return nil
	}
	for i := range e.chosen {
		if !containsKid(list, e.chosen[i].Kid) {
			text, err := e.text(pins, publicOf(&e.chosen[i]))
			if err != nil {
				return err
			}
			e.edits = append(e.edits, e.editor.Append(pins, text))
		}
	}
	return nil
}

// differences says what is different in few words.
func differences(c *check.KeyComparison) string {
	var parts []string
	for _, kind := range []struct {
		kids []string
		text string
	}{{c.Replaced, "another key under the name "}, {c.Unpublished, "not published "}, {c.Unpinned, "not pinned "}} {
		if len(kind.kids) > 0 {
			parts = append(parts, kind.text+strings.Join(kind.kids, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func containsKid(list []adagents.SigningKey, kid string) bool {
	for i := range list {
		if list[i].Kid == kid {
			return true
		}
	}
	return false
}

// put makes keys the pins of an entry.
func (e *fileEdit) put(entry, pins jsontree.Value, keys []discover.AgentKey) error {
	text, err := e.text(entry, publicKeys(keys))
	if err != nil {
		return err
	}
	switch {
	case !pins.Exists():
		e.edits = append(e.edits, e.editor.AddMember(entry, "signing_keys", text))
	case e.editor.Source(pins) != text:
		e.edits = append(e.edits, e.editor.Replace(pins, text))
	}
	return nil
}

// text is a value as it is written inside a container: over several lines like its
// surroundings, or in one.
func (e *fileEdit) text(container jsontree.Value, v any) (string, error) {
	indent, spread := e.indent(container)
	if !spread {
		text, err := console.EncodeJSON(v)
		return string(text), err
	}
	text, err := formatted(v)
	return strings.ReplaceAll(text, "\n", "\n"+indent), err
}

// indent is what stands before the members of a container, and whether they have lines of
// their own.
func (e *fileEdit) indent(container jsontree.Value) (string, bool) {
	start, end := e.editor.Span(container)
	rest := e.src[start+1 : end]
	text := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
	i := bytes.LastIndexByte(text, '\n')
	if i < 0 {
		return "", false
	}
	return string(text[i+1:]), true
}

// line is the line that an entry begins in.
func (e *fileEdit) line(v jsontree.Value) int {
	return 1 + bytes.Count(e.src[:v.Offset()], []byte("\n"))
}

// renewDate sets last_updated, if the file has one: what was changed must look newer than what
// it replaces.
func (e *fileEdit) renewDate(root jsontree.Value, now time.Time) {
	date := root.Get("last_updated")
	if date.Exists() {
		e.edits = append(e.edits, e.editor.Replace(date, jsonedit.String(now.UTC().Format(time.RFC3339))))
	}
}

// write applies the changes and shows them.
func (e *fileEdit) write(a *console.App, name, agent string) error {
	textedit.Sort(e.edits)
	changed, err := textedit.Apply(e.src, e.edits)
	if err != nil {
		return err
	}
	after := adagents.Check(changed, adagents.Options{Now: a.Env.Now()})
	if after.Unusable != nil {
		return console.Failure("", "nothing was written: %s would not be usable", name)
	}
	err = console.RewriteFile(name, changed)
	if err != nil {
		return err
	}
	writeKeys(a, agent, e.set, e.chosen)
	patch := report.Patch{Name: name, Before: e.src, After: changed, BeforeReport: e.report, AfterReport: after, Edits: e.edits}
	fmt.Fprintf(a.Out, "\n%s", textsafe.Lines(patch.Shown()))
	a.Note("pinned %s in %s of %s", words.Plural(len(e.chosen), "key", "keys"), words.Plural(e.found, "entry", "entries"), name)
	return nil
}
