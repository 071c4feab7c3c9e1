package batch

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/question"
)

// A batch answers many questions. Documents are read when a question needs them for the
// first time, and questions are answered from an index of them.
type batch struct {
	reader  question.Reader
	columns question.Columns
	library *library
	format  string
	comma   rune // between the cells of a table
	// slots limits the blocks that are worked on at once.
	slots  chan struct{}
	counts verdictCounts
	// used are blocks that are done with: a million questions go through a few of them.
	used    sync.Pool
	workers workerGroup
}

// A workerGroup is a set of goroutines that can be waited for while others may still add to
// it.
type workerGroup struct {
	mu   sync.Mutex
	done bool
	all  sync.WaitGroup
}

// start starts f unless it is too late.
func (c *workerGroup) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.done {
		c.all.Go(f)
	}
	return !c.done
}

// finish waits for all that were started, and lets no other start.
func (c *workerGroup) finish() {
	c.mu.Lock()
	c.done = true
	c.mu.Unlock()
	c.all.Wait()
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
func (b *batch) run(ctx context.Context, in questionReader, counted *countingReader, out io.Writer,
	bar *console.Progress) error {
	_, err := out.Write(resultHeader(b.format, b.comma))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer b.workers.finish()
	defer cancel()
	queue := make(chan chan *block, 2*cap(b.slots))
	// The run does not wait for the reader: standard input may be an idle terminal.
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
		b.counts.add(&done.counts)
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
		next = &block{questions: make([]written, blockSize)}
	}
	next.counts, next.out, next.err = verdictCounts{}, next.out[:0], nil
	next.questions = next.questions[:blockSize]
	n := 0
	for n < blockSize && next.err == nil {
		next.err = in.next(&next.questions[n])
		if next.err == nil {
			n++
		}
	}
	next.questions = next.questions[:n]
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
	readAll(&b.reader, b.columns, next.questions)
	err := b.library.need(ctx, next)
	if err != nil {
		next.err = err
		return
	}
	r := results{format: b.format, out: next.out, comma: b.comma}
	for i := range next.questions {
		w := &next.questions[i]
		g := verdictLine{line: w.line, id: w.q.ID, err: w.err, q: &w.q.Question, entry: -1}
		switch {
		case g.err != nil:
		case b.format == "csv":
			g.err = g.decide(b.library.index)
		default:
			g.err = g.judge(next.docs[g.q.Publisher])
		}
		next.counts.count(&g)
		g.err = r.add(&g)
		if g.err != nil {
			next.err = g.err
			return
		}
	}
	next.out, next.docs = r.out, nil
}
