package create

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/draft"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// fromSource makes a draft from what the user already has: a file with mistakes, one of
// another format, or an ads.txt.
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
	d, err := draft.Make(src, opt.Check)
	if err != nil {
		return c.noDraft(target, src, d, err, opt.Check.Domain)
	}
	opt.ComputeETag = opt.ComputeETag || d.LacksETag()
	built, err := adagents.Build(d.Text, opt)
	if err != nil {
		return refused(c.app, "", d.Text, built)
	}
	err = c.app.WriteResult(c.output.path, built.File, c.output.force)
	if err != nil {
		return err
	}
	c.sayDraft(d.Repaired, built)
	return nil
}

// sourceTarget reads --from.
func (c *creator) sourceTarget(cmd *cobra.Command, opt *adagents.Options) (check.Target, error) {
	for _, name := range append([]string{"file"}, contentFlagNames...) {
		if name != "domain" && cmd.Flags().Changed(name) {
			return check.Target{},
				console.UsageError("make the draft first and complete it by hand", "--%s and --from exclude each other", name)
		}
	}
	targets, err := check.ExpandTargets([]string{c.source})
	if err != nil {
		return check.Target{}, err
	}
	if len(targets) != 1 {
		return check.Target{}, console.UsageError("name one file, domain or URL", "--from %s stands for %s", c.source,
			words.Plural(len(targets), "file", "files"))
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
	return nil, console.Failure("avow create, without flags, asks for what is needed and makes a first file", "%s: %s",
		t.Label(), report.AnswerSentence(d))
}

// noDraft says why there is none.
func (c *creator) noDraft(t check.Target, src []byte, d *draft.Draft, err error, domain string) error {
	shown := redact.Report(d.Text, d.Report)
	for i := range shown.Findings {
		f := &shown.Findings[i]
		if f.Severity == adagents.Error {
			sayFinding(c.app, f)
		}
	}
	hint := "put right what is listed above, with avow fix " + console.ShellQuote(t.Name)
	if domain == "" && bytes.Equal(d.Text, src) && d.Report.Unusable != nil || d.HasCode("file.no_content") {
		hint = "say whose file it is to be, for example --domain example.com"
	}
	return &console.Error{Code: console.ExitNo, Message: "no draft could be made of " + t.Label() + ": " + err.Error(),
		Hint: hint}
}

// sayDraft tells what was done to make the draft and what is left to do.
func (c *creator) sayDraft(done *adagents.Repaired, built *adagents.Built) {
	const most = 20
	for i := range done.Applied {
		if i == most {
			c.app.Note("%s more were applied; avow fix --likely shows them all",
				words.Plural(len(done.Applied)-most, "fix", "fixes"))
			break
		}
		c.app.Note("%s [%s]", done.Applied[i].Fix.Title, done.Applied[i].Finding.Code)
	}
	sayBuilt(c.app, built)
	todo := built.Report.Tree().Root().Get(draft.TodoMember)
	for i, v := range todo.Elems() {
		if i == most {
			c.app.Note("to do: %s more in %s", words.Thousands(todo.Len()-most), draft.TodoMember)
			break
		}
		c.app.Note("to do: %s", textsafe.Line(v.Str(), 1000))
	}
	if todo.Len() > 0 {
		c.app.Note("the draft has what is to do in %s; remove it when that is done, then run avow validate", draft.TodoMember)
	}
}
