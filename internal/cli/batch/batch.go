// Package batch answers a file of questions for the command authorize: it reads CSV and JSON
// lines, answers in blocks side by side, and writes the results in order.
package batch

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	cli "github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/resolve"
)

// Flags are what a batch is about.
type Flags struct {
	Question *cli.Flags
	Source   *sources.Flags
	// Format is empty when the user names none.
	Format string
	// Input and Output are the files of questions and of results.
	Input, Output string
}

// Run answers the questions of a batch. args are the arguments of the command.
func Run(a *console.App, cmd *cobra.Command, f *Flags, args []string) error {
	if len(args) > 1 {
		return console.UsageError("put the publishers into the file of questions",
			"%s --batch takes one publisher at most, got %d", cmd.CommandPath(), len(args))
	}
	if f.Input == "-" && f.Source.File == "-" {
		return console.UsageError("", "standard input can be read only once")
	}
	format := f.Format
	switch format {
	case "":
		format = "json"
	case "text":
		return console.UsageError("use json or csv", "--batch has no text output")
	}
	now, err := sources.QuestionTime(a, f.Source)
	if err != nil {
		return err
	}
	// What the clock says is shown in whole seconds.
	base, err := f.Question.Question(first(args), now.Truncate(time.Second))
	if err != nil {
		return err
	}
	err = notItself(f.Input, f.Output)
	if err != nil {
		return err
	}
	source, err := sources.Open(cmd.Context(), a, f.Source, base.Publisher)
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	loads := workers
	if f.Source.File == "" {
		loads = request.AtOnce
	}
	var docs resolve.Source = source
	if f.Source.Web.Verbose {
		docs = &noticingSource{Source: source, w: a.Err, noticed: map[string]bool{}}
	}
	b := &batch{
		reader: question.Reader{On: question.Table, Base: base}, library: newLibrary(docs, loads, format != "csv"),
		format: format, slots: make(chan struct{}, workers),
	}
	err = runBatch(cmd.Context(), a, b, f)
	closed := source.Close()
	if closed != nil {
		return errors.Join(err, closed)
	}
	return err
}

// notItself refuses to write the results over the questions.
func notItself(questions, results string) error {
	if questions == "-" || results == "" || results == "-" {
		return nil
	}
	// That one of them cannot be looked at is said when it is opened.
	from, errFrom := os.Stat(questions)
	to, errTo := os.Stat(results)
	if errFrom == nil && errTo == nil && os.SameFile(from, to) {
		return console.UsageError("name another file after --output",
			"the results would replace the questions in %s", questions)
	}
	return nil
}

// first is the first argument, or nothing.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// runBatch opens what a batch reads and writes.
func runBatch(ctx context.Context, a *console.App, b *batch, f *Flags) error {
	in, size, err := a.OpenInput(f.Input)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	counted := &countingReader{r: in}
	questions, err := newQuestionReader(counted)
	if err != nil {
		return asReadError(f.Input, err)
	}
	b.columns, b.comma = questions.header()
	out, err := a.OpenOutput(f.Output)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	bar := a.StartBatchBar(size, f.Output, f.Source.Web.Verbose)
	err = b.run(ctx, questions, counted, out.W, bar)
	err = errors.Join(console.Interrupted(err), bar.Stop())
	err = out.Close(asReadError(f.Input, err))
	if err != nil {
		return err
	}
	a.Note("%s", b.counts.String())
	if code := b.counts.code(); code != console.ExitYes {
		return console.ExitStatus(code)
	}
	return nil
}

// asReadError names the file of questions in an error that does not say where it is from.
func asReadError(path string, err error) error {
	if err == nil || console.IsTyped(err) {
		return err
	}
	return console.Failure("", "cannot read %s: %s", path, console.Reason(err))
}
