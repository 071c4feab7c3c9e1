package create

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// fromAnswers asks, shows the file and writes it.
func (c *creator) fromAnswers(opt adagents.BuildOptions) error {
	if c.output.path == "" && c.app.Env.IsTerminal(console.Stdout) {
		c.output.path = console.FileName
	}
	w := &wizard{Prompter: console.NewPrompter(c.app), opt: opt, flags: &c.content, read: c.app.ReadInput}
	d, err := w.ask()
	if err != nil {
		return err
	}
	d.complete()
	body, err := console.EncodeJSON(d)
	if err != nil {
		return err
	}
	built, err := adagents.Build(body, opt)
	if err != nil {
		return refused(c.app, "", body, built)
	}
	fmt.Fprintf(c.app.Err, "\n%s\n", textsafe.Lines(string(built.File)))
	sayBuilt(c.app, built)
	ok, err := c.consent(w)
	if err != nil {
		return err
	}
	if !ok {
		c.app.Note("nothing was written")
		return console.ExitStatus(console.ExitNo)
	}
	err = c.app.WriteResult(c.output.path, built.File, true)
	if err != nil {
		return err
	}
	c.closingWords(d, true)
	return nil
}

// consent asks before anything is written.
func (c *creator) consent(w *wizard) (bool, error) {
	_, err := os.Lstat(c.output.path)
	switch {
	case c.output.path == "" || c.output.path == console.StdinName:
		return true, nil
	case err == nil && !c.output.force:
		return w.Yes(c.output.path+" exists. Replace it?", false)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, console.Failure("", "cannot write %s: %s", c.output.path, console.Reason(err))
	}
	return w.Yes("Write this to "+c.output.path+"?", true)
}

// closingWords say what to do with the file. asked says that the other form of the domain was a
// question.
func (c *creator) closingWords(d *declaration, asked bool) {
	if c.output.path == "" || c.output.path == console.StdinName {
		return
	}
	if d.Agents != nil && slices.ContainsFunc(*d.Agents, func(a declaredAgent) bool { return len(a.Selectors) > 0 }) {
		c.app.Note(
			"serve it over https, and then avow pointer makes what each of the publishers has to serve; avow network says how " +
				"far they are")
		return
	}
	domain := "<your domain>"
	if len(d.Properties) > 0 && d.Properties[0].Publisher != "" {
		domain = d.Properties[0].Publisher
	}
	c.app.Note("serve it at https://%s/.well-known/adagents.json with the content type application/json", domain)
	other, ok := otherForm(domain)
	switch {
	case ok && slices.ContainsFunc(d.Properties, func(p declaredProperty) bool { return p.Publisher == other }):
		c.app.Note("serve it at https://%s/.well-known/adagents.json as well: buyers ask each of the two for its own file",
			other)
	case ok && len(d.Properties) > 0 && !asked:
		c.app.Note("buyers take %s for another publisher: if it is in use, --www covers it as well", other)
	}
	c.app.Note("then check that it is there: avow validate --expect %s %s", console.ShellQuote(c.output.path), domain)
}
