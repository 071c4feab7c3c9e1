package diff

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
)

// webSide asks for the file of a domain or of a URL, as a buyer would.
func webSide(ctx context.Context, a *console.App, f *diffFlags, arg string) (*Side, error) {
	targets, err := check.ExpandTargets([]string{arg})
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, console.UsageError("name one of them", "%s is %d files, and a version is one", arg, len(targets))
	}
	t := targets[0]
	if t.Err != nil {
		return nil, t.Err
	}
	if !t.OnWeb() { // a pattern
		return readSide(ctx, a, f, t.Name)
	}
	flags := *f.web
	flags.NoFollow = true // what is compared is the file that the publisher serves
	web, err := request.NewAsker(a, &flags, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return nil, err
	}
	d, err := web.Ask(ctx, t.Web, t.ByURL(), func(context.Context) error { return nil })
	if err != nil {
		return nil, err
	}
	if d.Report == nil {
		hint := "avow discover " + console.ShellQuote(t.Name) + " shows each request"
		if !t.ByURL() {
			hint += "; " + d.Domain + "@HASH and " + d.Domain + "@TIME stand for versions that are kept"
		}
		return nil, console.Failure(hint, "cannot compare %s: %s", t.Label(), report.AnswerSentence(d))
	}
	s, err := NewSide(t.Label(), "", d.Body)
	if err != nil {
		return nil, err
	}
	s.domain, s.url = d.Domain, d.ResolvedURL
	if d.Pointer != nil {
		s.pointer, err = NewSide(t.Label(), "", d.PointerBody)
	}
	return s, err
}
