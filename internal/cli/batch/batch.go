// Package batch answers a file of questions for the command authorize: it reads CSV and JSON
// lines, answers in blocks side by side, and writes the results in order.
package batch

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/resolve/index"
)

// blockSize is the number of questions that are answered in one go: enough for the cost
// of handing them around not to matter.
const blockSize = 4096

// A batch answers many questions. Documents are read when a question needs them for the
// first time, and questions are answered from an index of them.
type batch struct {
	base    resolve.Question // what questions leave out
	library *library
	format  string
	// slots limits the blocks that are worked on at once.
	slots chan struct{}
	tally batchTally
	// used are blocks that are done with: a million questions go through a few of them.
	used    sync.Pool
	workers crew
}

// A crew is a set of goroutines that can be waited for while somebody may still want to
// add to it.
type crew struct {
	mu   sync.Mutex
	done bool
	all  sync.WaitGroup
}

// start starts f unless it is too late.
func (c *crew) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.done {
		c.all.Go(f)
	}
	return !c.done
}

// finish waits for all that were started, and lets no other start.
func (c *crew) finish() {
	c.mu.Lock()
	c.done = true
	c.mu.Unlock()
	c.all.Wait()
}

// A block is a run of questions with the answers to them.
type block struct {
	questions []written
	asked     []resolve.Question
	out       []byte
	tally     batchTally
	// read is the number of bytes of the input up to its end.
	read int64
	err  error
}

// Flags are what a batch is about.
type Flags struct {
	Question *question.Flags
	Source   *sources.Flags
	// Format is empty when the user names none.
	Format string
	// Input and Output are the files of questions and of results.
	Input, Output string
}

// Run answers the questions of a batch. args are the arguments of the command.
func Run(a *console.App, cmd *cobra.Command, f *Flags, args []string) error {
	if len(args) > 1 {
		return console.UsageError("put the publishers into the file of questions", "%s --batch takes one publisher at most, got %d", cmd.CommandPath(), len(args))
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
		docs = &tellingSource{Source: source, w: a.Err, told: map[string]bool{}}
	}
	b := &batch{base: base, library: newLibrary(docs, loads), format: format, slots: make(chan struct{}, workers)}
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
		return console.UsageError("name another file after --output", "the results would replace the questions in %s", questions)
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
	a.Note("%s", b.tally.String())
	if code := b.tally.code(); code != console.ExitYes {
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

// countingReader counts what was read.
type countingReader struct {
	r io.Reader
	n int64
}

// Read reads and counts.
func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// run answers all questions, in order.
func (b *batch) run(ctx context.Context, in questionReader, counted *countingReader, out io.Writer, bar *console.Progress) error {
	_, err := out.Write(resultHeader(b.format))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer b.workers.finish()
	defer cancel()
	queue := make(chan chan *block, 2*cap(b.slots))
	// Nobody waits for the reader: standard input may be a terminal at which nobody
	// types any more.
	go b.hand(ctx, in, counted, queue)
	for {
		done, err := nextBlock(ctx, queue)
		if done == nil {
			return err
		}
		_, err = out.Write(done.out)
		if err != nil {
			return console.Failure("", "cannot write the results: %s", console.Reason(err))
		}
		b.tally.add(&done.tally)
		bar.Reached(int(done.read))
		if done.err != nil {
			return done.err
		}
		b.used.Put(done)
	}
}

// nextBlock waits for the block that comes next. It is nil when there is none, or when
// the context ends.
func nextBlock(ctx context.Context, queue <-chan chan *block) (*block, error) {
	select {
	case pending, ok := <-queue:
		if !ok {
			return nil, ctx.Err()
		}
		select {
		case done := <-pending:
			return done, nil
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return nil, ctx.Err()
}

// hand reads questions and starts one block per free slot.
func (b *batch) hand(ctx context.Context, in questionReader, counted *countingReader, queue chan<- chan *block) {
	defer close(queue)
	for {
		next := b.readBlock(in)
		next.read = counted.n
		ended := next.err != nil
		if errors.Is(next.err, io.EOF) {
			next.err = nil
		}
		pending := make(chan *block, 1)
		if !console.Send(ctx, queue, pending) || !console.Send(ctx, b.slots, struct{}{}) {
			return
		}
		started := b.workers.start(func() {
			b.answer(ctx, next)
			<-b.slots
			pending <- next
		})
		if ended || !started {
			return
		}
	}
}

// readBlock reads the next questions. The error is the one that ended the reading.
func (b *batch) readBlock(in questionReader) *block {
	next, ok := b.used.Get().(*block)
	if !ok {
		next = &block{questions: make([]written, blockSize), asked: make([]resolve.Question, blockSize)}
	}
	next.tally, next.out, next.err = batchTally{}, next.out[:0], nil
	next.questions = next.questions[:blockSize]
	n := 0
	for n < blockSize && next.err == nil {
		next.err = in.next(&next.questions[n])
		if next.err == nil {
			n++
		}
	}
	next.questions = next.questions[:n]
	next.asked = next.asked[:n]
	return next
}

// answer answers the questions of a block. A panic is caught here because it would end
// the process from a goroutine of its own.
func (b *batch) answer(ctx context.Context, next *block) {
	defer func() {
		p := recover()
		if p != nil {
			next.err = console.Crash(p)
		}
	}()
	var last instant
	for i := range next.questions {
		w := &next.questions[i]
		if w.err == nil {
			w.err = w.read()
		}
		if w.err == nil {
			next.asked[i], w.err = w.question(&b.base, &last)
		}
	}
	err := b.library.need(ctx, next)
	if err != nil {
		next.err = err
		return
	}
	r := results{format: b.format, out: next.out}
	for i := range next.questions {
		w := &next.questions[i]
		g := verdictLine{line: w.line, id: w.cells[partID], err: w.err, q: &next.asked[i]}
		if g.err == nil {
			g.err = question.Error(g.decide(b.library.index))
		}
		next.tally.count(&g)
		r.add(&g)
	}
	next.out = r.out
}

// decide asks the index. Several placements are asked about one by one, too.
func (g *verdictLine) decide(x *index.Index) error {
	d, err := x.Decide(g.q)
	if err != nil {
		return err
	}
	g.decided(d)
	if len(g.q.Placements) < 2 {
		return nil
	}
	g.placements = make(map[string]resolve.Verdict, len(g.q.Placements))
	one := *g.q
	for i, id := range g.q.Placements {
		one.Placements = g.q.Placements[i : i+1]
		d, err = x.Decide(&one)
		if err != nil {
			return err
		}
		g.placements[id] = d.Verdict
	}
	return nil
}

// decided takes over a decision of the index.
func (g *verdictLine) decided(d resolve.Decision) {
	g.verdict, g.entry, g.code = d.Verdict, d.Entry, d.Code
	if d.Verdict == resolve.Conditional {
		g.needs = needTexts[int(d.Needs)%len(needTexts)]
	}
}

// needTexts are the needs of a decision for every set of them.
var needTexts = func() [32][]string {
	var all [32][]string
	for n := range all {
		all[n] = resolve.Needs(n).Strings()
	}
	return all
}()
