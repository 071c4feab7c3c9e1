package authorize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// onlyForLists refuses flags that have no meaning for one publisher.
func (f *authorizeFlags) onlyForLists(cmd *cobra.Command) error {
	for _, name := range []string{"column", "resume", "ordered"} {
		if cmd.Flags().Changed(name) {
			return console.UsageError("--from names it", "--%s is for a list", name)
		}
	}
	return nil
}

// resolveList lists what an agent may sell of all publishers of a list.
func resolveList(a *console.App, cmd *cobra.Command, f *authorizeFlags, args []string) error {
	switch {
	case len(args) > 0:
		return console.UsageError("put it into the list", "--from names the publishers, and %s is another", args[0])
	case f.question.Agent() == "":
		return console.UsageError("name the agent's endpoint", "%s needs --agent", cmd.CommandPath())
	}
	read, err := f.list.Read(a)
	if err != nil {
		return err
	}
	l, err := newLister(a, f)
	if err != nil {
		return err
	}
	names := make([]string, len(read.Domains))
	for i, domain := range read.Domains {
		names[i] = string(domain)
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	l.source, err = sources.Open(ctx, a, &f.source, "")
	if err != nil {
		return console.Interrupted(err)
	}
	state, err := f.resume.Open(a, cmd, names, nil)
	if err != nil {
		return errors.Join(err, l.source.Close())
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return errors.Join(state.Close(err), l.source.Close())
	}
	run := &listRun{lister: l, sink: resume.NewSink(a, state, out.W, f.output, f.format.Value), status: console.ExitYes}
	run.table = newListingTable(state.Begun() > 0)
	run.table.Comma = a.Comma
	if read.Bad > 0 {
		run.status = console.ExitUnknown
	}
	err = state.Notes(run.known)
	if err == nil {
		rest := slices.DeleteFunc(names, state.Done)
		run.bar = a.StartProgress(len(rest), f.source.Web.Verbose)
		err = errors.Join(console.Interrupted(run.all(ctx, rest)), run.bar.Stop())
	}
	err = errors.Join(state.Close(out.Close(err)), l.source.Close())
	if err == nil && run.status != console.ExitYes {
		err = console.ExitStatus(run.status)
	}
	return err
}

// A listRun is one run over a list.
type listRun struct {
	*lister
	sink *resume.Sink
	bar  *console.Progress
	// status is the highest exit code so far.
	status int
}

// known takes note of what an earlier run has found.
func (r *listRun) known(note []byte) error {
	var code int
	err := json.Unmarshal(note, &code)
	r.status = max(r.status, code)
	return err
}

// found is what became of one publisher.
type found struct {
	publisher string
	got       *listed
	err       error
}

// all asks about publishers and writes what was found.
func (r *listRun) all(ctx context.Context, publishers []string) error {
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan *found)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { r.ask(ctx, publishers, results) })
	for f := range results {
		code, err := r.one(f)
		r.status = max(r.status, code)
		if err == nil {
			err = r.sink.Done(f.publisher, code)
		}
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err := r.sink.End()
	if err == nil && r.flags.format.Value == "csv" {
		r.table.W = r.sink.In("csv")
		err = r.table.Write()
	}
	return err
}

// ask asks about publishers side by side, and sends what was found as it comes or, on request, in
// the order of the list.
func (r *listRun) ask(ctx context.Context, publishers []string, results chan<- *found) {
	var asking sync.WaitGroup
	defer close(results)
	defer asking.Wait()
	slots := make(chan struct{}, request.AtOnce)
	before := make(chan struct{}) // closed when what comes before was sent
	close(before)
	for _, publisher := range publishers {
		if !console.Send(ctx, slots, struct{}{}) {
			return
		}
		earlier, sent := before, make(chan struct{})
		before = sent
		asking.Go(func() {
			f := r.find(ctx, publisher)
			r.bar.Step(f.err != nil || f.got.list.Verdict == resolve.Unverified)
			if r.flags.ordered {
				select {
				case <-earlier:
				case <-ctx.Done():
				}
			}
			if ctx.Err() == nil { // who gave up is told nothing
				console.Send(ctx, results, f)
			}
			close(sent)
			<-slots
		})
	}
}

// find asks about one publisher. A panic is caught here because it would end the process from a
// goroutine of its own.
func (r *listRun) find(ctx context.Context, publisher string) *found {
	f := &found{publisher: publisher}
	func() {
		defer func() {
			p := recover()
			if p != nil {
				f.err = console.Crash(p)
			}
		}()
		f.got, f.err = r.list(ctx, publisher)
	}()
	return f
}

// one writes what was found about a publisher, and returns the exit code it stands for.
func (r *listRun) one(f *found) (int, error) {
	var code int
	if f.err != nil {
		code = r.app.SayError(f.err)
	} else {
		code = question.ExitCodes[f.got.list.Verdict]
	}
	for _, format := range r.sink.Formats("text", "json", "csv") {
		err := r.in(format, f)
		if err != nil {
			return code, err
		}
	}
	return code, nil
}

// in writes in a format what was found about a publisher.
func (r *listRun) in(format string, f *found) error {
	w := r.sink.In(format)
	if f.err == nil {
		err := r.write(w, format, f.got)
		if format == "text" {
			fmt.Fprintln(w) // between two publishers
		}
		return err
	}
	switch format {
	case "json":
		return console.WriteJSONLine(w, struct {
			Publisher string             `json:"publisher"`
			Error     *console.JSONError `json:"error"`
		}{f.publisher, console.JSONErrorOf(f.err)})
	case "csv":
		r.table.W = w
		return r.table.Write(f.publisher, "", "", "", "", "", "", "", console.AsError(f.err).Message)
	}
	return nil
}

// newListingTable returns the table of listings. Its columns are a contract: new ones may come at
// the end.
func newListingTable(begun bool) *console.Table {
	return &console.Table{Begun: begun, Names: []string{"publisher", "verdict", "property_publisher", "property_id",
		"property_type", "path", "confirmed", "entry", "message"}}
}

// writeRows writes a row for each property or signal that an agent may sell, or one that says that
// there is none.
func writeRows(t *console.Table, g *listed) error {
	verdict, rows := g.list.Verdict.String(), 0
	// A publisher is written at once, however many rows it has.
	var text bytes.Buffer
	w := t.W
	t.W = &text
	defer func() { t.W = w }()
	for i := range g.list.Grants {
		grant := &g.list.Grants[i]
		for k := range grant.Properties {
			c := &grant.Properties[k]
			kind := ""
			if c.Property != nil {
				kind = c.Property.Type
			}
			rows++
			err := t.Write(g.q.Publisher, verdict, c.PublisherDomain, c.PropertyID, kind, string(c.Path),
				strconv.FormatBool(c.Path == resolve.Own || c.Confirmed), grant.Entry, needWordsOf(grant))
			if err != nil {
				return err
			}
		}
		for _, signal := range grant.Signals {
			rows++
			err := t.Write(g.q.Publisher, verdict, g.q.Publisher, signal, "signal", "", "", grant.Entry, needWordsOf(grant))
			if err != nil {
				return err
			}
		}
	}
	if rows == 0 {
		message := ""
		if len(g.list.Reasons) > 0 {
			message = redact.Credentials(g.list.Reasons[0].Message)
		}
		err := t.Write(g.q.Publisher, verdict, "", "", "", "", "", "", message)
		if err != nil {
			return err
		}
	}
	_, err := w.Write(text.Bytes())
	return err
}

// needWordsOf says what an entry depends on, if anything.
func needWordsOf(g *resolve.Grant) string {
	if len(g.Needs) == 0 {
		return ""
	}
	return "depends on " + needWords(g.Needs)
}
