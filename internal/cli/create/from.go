package create

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// fromSource makes a draft of what somebody has already: a file with mistakes, one of another
// format, or an ads.txt.
func (c *creator) fromSource(cmd *cobra.Command) error {
	opt, err := c.output.options(c.app.Env.Now)
	if err != nil {
		return err
	}
	opt.Check.Now = opt.Now
	target, err := c.sourceTarget(cmd, &opt.Check)
	if err != nil {
		return err
	}
	src, err := c.readSource(cmd.Context(), target, &opt.Check)
	if err != nil {
		return err
	}
	done := adagents.Repair(src, adagents.RepairOptions{Options: opt.Check, Choose: new(taker).choose})
	d := draft{text: done.Text, opt: opt.Check}
	err = d.finish()
	if err != nil {
		return c.noDraft(target, src, &d, err)
	}
	opt.ComputeETag = opt.ComputeETag || d.lacksETag()
	built, err := adagents.Build(d.text, opt)
	if err != nil {
		return refused(c.app, "", d.text, built)
	}
	err = c.app.WriteResult(c.output.path, built.File, c.output.force)
	if err != nil {
		return err
	}
	c.sayDraft(done, built)
	return nil
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
	return ok && (entry.Has("properties") || slices.ContainsFunc(model.AuthorizationTypes, entry.Has))
}

// sourceTarget reads --from.
func (c *creator) sourceTarget(cmd *cobra.Command, opt *adagents.Options) (check.Target, error) {
	for _, name := range append([]string{"file"}, contentFlagNames...) {
		if name != "domain" && cmd.Flags().Changed(name) {
			return check.Target{}, console.UsageError("make the draft first and complete it by hand", "--%s and --from exclude each other", name)
		}
	}
	targets, err := check.ExpandTargets([]string{c.source})
	if err != nil {
		return check.Target{}, err
	}
	if len(targets) != 1 {
		return check.Target{}, console.UsageError("name one file, domain or URL", "--from %s stands for %s", c.source, words.Plural(len(targets), "file", "files"))
	}
	t := targets[0]
	switch {
	case t.Err != nil:
		return t, t.Err
	case len(c.content.domains) > 1:
		return t, console.UsageError("make a draft for each", "--from goes with one --domain")
	case len(c.content.domains) == 1 && t.OnWeb() && !t.ByURL():
		return t, console.UsageError("leave out --domain", "the draft is for %s, which --from names", t.Label())
	case len(c.content.domains) == 1:
		opt.Domain, err = check.ServedFor(c.content.domains[0])
	}
	if t.Note != "" {
		c.app.Note("%s", t.Note)
	}
	return t, err
}

// readSource returns what the draft is made of, and fills in what is known about it.
func (c *creator) readSource(ctx context.Context, t check.Target, opt *adagents.Options) ([]byte, error) {
	if !t.OnWeb() {
		return c.app.ReadInput(t.Name)
	}
	c.web.NoFollow = true
	web, err := request.NewAsker(c.app, c.web, *opt)
	if err != nil {
		return nil, err
	}
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	d, err := web.Ask(ctx, t.Web, t.ByURL(), func(context.Context) error { return nil })
	switch {
	case ctx.Err() != nil:
		return nil, console.Interrupted(ctx.Err())
	case err != nil:
		return nil, err
	case !t.ByURL():
		opt.Domain = d.Domain
	}
	if d.Report != nil && d.Method != discover.ManagerDomain {
		if d.Method == discover.AuthoritativeLocation {
			c.app.Note("%s points to %s, of which the draft is made", t.Label(), textsafe.Terminal(d.ResolvedURL))
		}
		return d.Body, nil
	}
	for i := range d.Trail {
		if h := &d.Trail[i]; h.AdsTxt != nil && len(h.Result.Body) > 0 {
			c.app.Note("%s has no %s; the draft is made of its ads.txt", t.Label(), console.FileName)
			return h.Result.Body, nil
		}
	}
	return nil, console.Failure("avow init asks for what is needed and makes a first file", "%s: %s", t.Label(), report.AnswerSentence(d))
}

// draft is a file of which is left out what only its author can put right.
type draft struct {
	text   []byte
	opt    adagents.Options
	todo   []string
	report *adagents.Report // of the last text
}

// rounds is how often entries are left out: the loss of one may bring that of another, which
// refers to it.
const rounds = 10

// errLeft is the error of a file of which no draft can be made.
var errLeft = errors.New("errors are left that concern the file as a whole")

// finish leaves out the entries with errors, and says in x_todo what to do about them. What
// is left never says more about who may sell than the file did.
func (d *draft) finish() error {
	for range rounds {
		d.report = adagents.Check(d.text, d.opt)
		if d.report.Valid() {
			return nil
		}
		tree := d.report.Tree()
		if tree == nil || !tree.Root().Is(adagents.Object) {
			return errLeft
		}
		c, err := d.cuts(tree.Root())
		if err != nil {
			return err
		}
		d.text = c.apply(tree.Root(), d.todo)
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
func (d *draft) cuts(root adagents.Value) (*cuts, error) {
	c := &cuts{entries: map[string]map[int]bool{}}
	shown := redact.Report(d.text, d.report)
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
		case section == "" || section == "authoritative_location" || section == "revoked_publisher_domains" || !root.Has(section):
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

// leaveOut notes that an entry of a list is left out, with the first reason.
func (d *draft) leaveOut(c *cuts, root adagents.Value, section string, index int, f *adagents.Finding) {
	if c.entries[section][index] {
		return
	}
	if c.entries[section] == nil {
		c.entries[section] = map[int]bool{}
	}
	c.entries[section][index] = true
	name := fmt.Sprintf("entry %d of %s", index+1, section)
	entry := root.Get(section).Index(index)
	for _, member := range []string{"url", "property_id", "placement_id", "format_option_id", "collection_id", "id", "name"} {
		if text := entry.Get(member).Str(); text != "" {
			name += " (" + textsafe.Line(redact.URL(text), maxInferred) + ")"
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
	list, err := console.EncodeJSON([]declaredProperty{website(domain, "")})
	if err != nil {
		panic("cli: " + err.Error())
	}
	return list
}

const todoMember = "x_todo"

// apply returns the file with the changes made.
func (c *cuts) apply(root adagents.Value, todo []string) []byte {
	var members [][]byte
	add := func(name string, value []byte) {
		members = append(members, append(append(adagents.AppendString(nil, name), ':'), value...))
	}
	for m := range root.Members() {
		switch gone := c.entries[m.Name()]; {
		case slices.Contains(c.members, m.Name()) || m.Name() == todoMember && len(todo) > 0:
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
		add(todoMember, listOf(root.Get(todoMember), func(int) bool { return true }, todo))
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

// lacksETag reports whether the draft is a catalog without its token.
func (d *draft) lacksETag() bool {
	return d.report.File != nil && !d.report.Tree().Root().Has("catalog_etag") && len(d.report.File.Properties) > 0
}

// noDraft says why there is none.
func (c *creator) noDraft(t check.Target, src []byte, d *draft, err error) error {
	shown := redact.Report(d.text, d.report)
	for i := range shown.Findings {
		f := &shown.Findings[i]
		if f.Severity == adagents.Error {
			sayFinding(c.app, f)
		}
	}
	hint := "put right what is listed above, with avow fix " + console.ShellQuote(t.Name)
	if d.opt.Domain == "" && bytes.Equal(d.text, src) && d.report.Unusable != nil || d.hasCode("file.no_content") {
		hint = "say whose file it is to be, for example --domain example.com"
	}
	return &console.Error{Code: console.ExitNo, Message: "no draft could be made of " + t.Label() + ": " + err.Error(), Hint: hint}
}

func (d *draft) hasCode(code string) bool {
	return slices.ContainsFunc(d.report.Findings, func(f adagents.Finding) bool { return f.Code == code })
}

// sayDraft tells what was done to make the draft and what is left to do.
func (c *creator) sayDraft(done *adagents.Repaired, built *adagents.Built) {
	const most = 20
	for i := range done.Applied {
		if i == most {
			c.app.Note("%s more were applied; avow fix --likely shows them all", words.Plural(len(done.Applied)-most, "fix", "fixes"))
			break
		}
		c.app.Note("%s [%s]", done.Applied[i].Fix.Title, done.Applied[i].Finding.Code)
	}
	sayBuilt(c.app, built)
	todo := built.Report.Tree().Root().Get(todoMember)
	for i, v := range todo.Elems() {
		if i == most {
			c.app.Note("to do: %s more in %s", words.Thousands(todo.Len()-most), todoMember)
			break
		}
		c.app.Note("to do: %s", textsafe.Line(v.Str(), 1000))
	}
	if todo.Len() > 0 {
		c.app.Note("the draft has what is to do in %s; remove it when that is done, then run avow validate", todoMember)
	}
}
