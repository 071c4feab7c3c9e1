// Package draft makes a file to begin with from what the user already has: a file with
// mistakes, one of another format, or an ads.txt. A draft authorizes no agent that was not
// authorized before.
package draft

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A Draft is a file of which is left out what only its author can put right.
type Draft struct {
	// Text is the file, and Report the check of it.
	Text   []byte
	Report *adagents.Report
	// Repaired says what was repaired before entries were left out.
	Repaired *adagents.Repaired
	opt      adagents.Options
	todo     []string
}

// Make makes a draft. Where none can be made, the draft that is returned with the error has the
// findings that are the reason.
func Make(src []byte, opt adagents.Options) (*Draft, error) {
	done := adagents.Repair(src, adagents.RepairOptions{Options: opt, Choose: new(taker).choose})
	d := &Draft{Text: done.Text, Repaired: done, opt: opt}
	err := d.finish()
	return d, err
}

// rounds is how often entries are left out: the loss of one may bring that of another, which
// refers to it.
const rounds = 10

// errLeft is the error of a file of which no draft can be made.
var errLeft = errors.New("errors are left that concern the file as a whole")

// finish leaves out the entries with errors, and says in x_todo what to do about them. What
// is left never says more about who may sell than the file did.
func (d *Draft) finish() error {
	for range rounds {
		d.Report = adagents.Check(d.Text, d.opt)
		if d.Report.Valid() {
			return nil
		}
		tree := d.Report.Tree()
		if tree == nil || !tree.Root().Is(adagents.Object) {
			return errLeft
		}
		c, err := d.cuts(tree.Root())
		if err != nil {
			return err
		}
		d.Text = c.apply(tree.Root(), d.todo)
		d.todo = nil
	}
	return errLeft
}

// cuts are what is left out of a file and what it gets.
type cuts struct {
	members []string                // of the top level
	entries map[string]map[int]bool // of lists, by their names
	added   []string                // members as text
}

// cuts returns what has to change because of the errors that are left.
func (d *Draft) cuts(root adagents.Value) (*cuts, error) {
	c := &cuts{entries: map[string]map[int]bool{}}
	shown := redact.Report(d.Text, d.Report)
	for i := range shown.Findings {
		f := &shown.Findings[i]
		if f.Severity != adagents.Error {
			continue
		}
		section, rest, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		number, _, _ := strings.Cut(rest, "/")
		index, err := strconv.Atoi(number)
		switch {
		case f.Code == "file.agents_missing":
			c.members = append(c.members, "authorized_agents")
			c.added = append(c.added, `"authorized_agents":[]`)
		case f.Code == "file.no_content" && d.opt.Domain != "":
			c.members = append(c.members, "properties")
			c.added = append(c.added, `"properties":`+string(websiteList(d.opt.Domain)))
		case section == "" || section == "authoritative_location" || section == "revoked_publisher_domains" ||
			!root.Has(section):
			return nil, errLeft
		case err == nil && root.Get(section).Is(adagents.Array):
			d.leaveOut(c, root, section, index, f)
		case section == "authorized_agents":
			return nil, errLeft
		case !slices.Contains(c.members, section):
			c.members = append(c.members, section)
			d.todo = append(d.todo, section+" was left out: "+advice(f))
		}
	}
	return c, nil
}

// longestName is how much is shown of the name of an entry.
const longestName = 300

// leaveOut notes that an entry of a list is left out, with the first reason.
func (d *Draft) leaveOut(c *cuts, root adagents.Value, section string, index int, f *adagents.Finding) {
	if c.entries[section][index] {
		return
	}
	if c.entries[section] == nil {
		c.entries[section] = map[int]bool{}
	}
	c.entries[section][index] = true
	name := fmt.Sprintf("entry %d of %s", index+1, section)
	entry := root.Get(section).Index(index)
	for _, member := range []string{"url", "property_id", "placement_id", "format_option_id", "collection_id", "id",
		"name"} {
		if text := entry.Get(member).Str(); text != "" {
			name += " (" + textsafe.Line(redact.URL(text), longestName) + ")"
			break
		}
	}
	d.todo = append(d.todo, name+" was left out: "+advice(f))
}

func advice(f *adagents.Finding) string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "; " + f.Hint
}

// websiteList is a list with the property of a publisher's site.
func websiteList(domain string) []byte {
	quoted := string(adagents.AppendString(nil, domain))
	return []byte(`[{"property_id":"` + PropertyID(domain) + `","property_type":"website","name":` + quoted +
		`,"identifiers":[{"type":"domain","value":` + quoted + `}],"publisher_domain":` + quoted + `}]`)
}

// TodoMember is the member of a draft that says what is left to do.
const TodoMember = "x_todo"

// apply returns the file with the changes made.
func (c *cuts) apply(root adagents.Value, todo []string) []byte {
	var members [][]byte
	add := func(name string, value []byte) {
		members = append(members, append(append(adagents.AppendString(nil, name), ':'), value...))
	}
	for m := range root.Members() {
		switch gone := c.entries[m.Name()]; {
		case slices.Contains(c.members, m.Name()) || m.Name() == TodoMember && len(todo) > 0:
		case gone != nil:
			add(m.Name(), listOf(m.Value(), func(i int) bool { return !gone[i] }, nil))
		default:
			add(m.Name(), adagents.FormatValue(m.Value()))
		}
	}
	for _, text := range c.added {
		members = append(members, []byte(text))
	}
	if len(todo) > 0 {
		add(TodoMember, listOf(root.Get(TodoMember), func(int) bool { return true }, todo))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}"))
}

// listOf returns a list with the elements of another that are kept, and further texts.
func listOf(list adagents.Value, keep func(int) bool, more []string) []byte {
	var parts [][]byte
	for i, v := range list.Elems() {
		if keep(i) {
			parts = append(parts, adagents.FormatValue(v))
		}
	}
	for _, text := range more {
		parts = append(parts, adagents.AppendString(nil, text))
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

// LacksETag reports whether the draft is a catalog without its token.
func (d *Draft) LacksETag() bool {
	return d.Report.File != nil && !d.Report.Tree().Root().Has("catalog_etag") && len(d.Report.File.Properties) > 0
}

// HasCode reports whether a finding with the code is left.
func (d *Draft) HasCode(code string) bool {
	return slices.ContainsFunc(d.Report.Findings, func(f adagents.Finding) bool { return f.Code == code })
}

// taker chooses the fixes for a draft: what the author most probably meant and, for a file of
// another format, the draft that replaces it. What an entry may sell that does not say so is
// not guessed.
type taker struct {
	text []byte
	tree *jsontree.Tree // of text
}

func (k *taker) choose(text []byte, f *adagents.Finding) int {
	if f.Code == "agent.type_missing" && !k.hasScope(text, f.Pointer) {
		return -1
	}
	i := adagents.Probably(text, f)
	if i < 0 && len(f.Fixes) > 0 && (f.Code == "file.other_format" || f.Code == "file.json_invalid") {
		return 0
	}
	return i
}

// hasScope reports whether the entry around a member says what its agent may sell.
func (k *taker) hasScope(text []byte, pointer string) bool {
	if k.tree == nil || len(text) != len(k.text) || &text[0] != &k.text[0] {
		tree, err := jsontree.Parse(text, jsontree.Options{})
		if err != nil {
			return false
		}
		k.text, k.tree = text, tree
	}
	entry, ok := k.tree.Lookup(strings.TrimSuffix(pointer, "/authorization_type"))
	return ok && slices.ContainsFunc(model.Selections, func(s model.Selection) bool {
		return entry.Has(s.Member) || entry.Has(s.Type)
	})
}

// PropertyID makes a property id out of a name: only lower-case letters, digits
// and underscores are allowed in one.
func PropertyID(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.TrimSuffix(b.String(), "_")
}
