// Package check turns arguments into targets and checks them side by side: files at hand, and
// what domains serve.
package check

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/redact"
)

const (
	// ahead is the number of targets that may be done before an earlier one
	// that is slow.
	ahead = 256
	// heldBytes limits the text of files that are done and wait for such a
	// one.
	heldBytes = 64 << 20
)

// A Checker checks targets side by side.
type Checker struct {
	app *console.App
	opt adagents.Options
	web *request.Asker    // nil when no target needs it
	Bar *console.Progress // nil for none
	// AsTheyCome yields results as they come, whatever the order of the targets.
	AsTheyCome bool
	// fileSlots and webSlots limit the checks at the same time; each holds a
	// token per check that runs.
	fileSlots, webSlots chan struct{}
	// asking are the targets on the web that are being asked for.
	asking sync.WaitGroup
	// held is the size of the texts that wait, and less gets a value when it
	// has shrunk.
	held atomic.Int64
	less chan struct{}
	// large limits the documents that are too big to be kept in any number.
	large *largeLimit
}

// NewChecker returns a checker. asker may be nil when no target is on the web.
func NewChecker(a *console.App, opt adagents.Options, web *request.Asker) *Checker {
	return &Checker{
		app: a, opt: opt, web: web, less: make(chan struct{}, 1), large: newLargeLimit(),
		fileSlots: make(chan struct{}, runtime.GOMAXPROCS(0)), webSlots: make(chan struct{}, request.AtOnce),
	}
}

// Results checks targets and yields the results in their order, unless AsTheyCome. Work is
// handed out only so far ahead of what was consumed that memory does not grow with the
// number of targets.
func (c *Checker) Results(ctx context.Context, targets []Target) iter.Seq[*Result] {
	if c.AsTheyCome {
		return c.unordered(ctx, targets)
	}
	return func(yield func(*Result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		// Requests that are given up end at once, and what they have to say
		// must come before the last word of the command.
		defer c.asking.Wait()
		defer cancel()
		depth := cap(c.fileSlots)
		if slices.ContainsFunc(targets, Target.OnWeb) {
			depth = ahead
		}
		queue := make(chan chan *Result, depth-1)
		go c.start(ctx, targets, queue)
		for pending := range queue {
			r := next(ctx, pending)
			if r == nil || !yield(r) {
				return
			}
			c.release(r)
			c.large.shown(r.number)
		}
	}
}

// unordered checks targets and yields the results as they come. A check keeps its slot until its
// result is taken.
func (c *Checker) unordered(ctx context.Context, targets []Target) iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		results := make(chan *Result)
		running.Go(func() {
			var checks sync.WaitGroup
			defer close(results)
			defer checks.Wait()
			for i, t := range targets {
				slots := c.fileSlots
				if t.OnWeb() {
					slots = c.webSlots
				}
				if !console.Send(ctx, slots, struct{}{}) {
					return
				}
				checks.Go(func() {
					r := &Result{Target: t, number: i}
					c.check(ctx, r)
					if ctx.Err() == nil { // who gave up is told nothing
						console.Send(ctx, results, r)
					}
					<-slots
				})
			}
		})
		for r := range results {
			if !yield(r) {
				return
			}
			c.large.shown(r.number)
		}
	}
}

// next waits for a result. It is nil when the context ended before there was one.
func next(ctx context.Context, pending <-chan *Result) *Result {
	select {
	case r := <-pending:
		return r
	case <-ctx.Done():
	}
	select {
	case r := <-pending:
		return r
	default:
		return nil
	}
}

// start starts one check per free slot.
func (c *Checker) start(ctx context.Context, targets []Target, queue chan<- chan *Result) {
	defer close(queue)
	for i, t := range targets {
		slots := c.fileSlots
		if t.OnWeb() {
			slots = c.webSlots
		}
		pending := make(chan *Result, 1)
		if !c.waitForTurn(ctx) || !console.Send(ctx, queue, pending) || !console.Send(ctx, slots, struct{}{}) {
			return
		}
		run := func() {
			r := &Result{Target: t, number: i}
			c.check(ctx, r)
			c.held.Add(r.size())
			if ctx.Err() == nil { // who gave up is told nothing
				pending <- r
			}
			<-slots
		}
		if t.OnWeb() {
			c.asking.Go(run)
		} else {
			go run()
		}
	}
}

// waitForTurn waits until few enough texts wait. The one that all others wait for
// has been started already, so this ends.
func (c *Checker) waitForTurn(ctx context.Context) bool {
	for c.held.Load() > heldBytes {
		select {
		case <-c.less:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// release takes note that a result is done with.
func (c *Checker) release(r *Result) {
	c.held.Add(-r.size())
	select {
	case c.less <- struct{}{}:
	default:
	}
}

// size is the size of the texts a result keeps.
func (r *Result) size() int64 {
	n := 0
	for _, doc := range r.Docs {
		n += len(doc.Src)
	}
	return int64(n)
}

// check looks at the target of a result. A panic is caught here because it
// would end the process from a goroutine of its own, with the exit code of a
// usage error and without the other results.
func (c *Checker) check(ctx context.Context, r *Result) {
	defer func() {
		p := recover()
		if p != nil {
			*r = Result{Target: r.Target, number: r.number, Err: console.Crash(p)}
		}
	}()
	switch {
	case r.Target.Err != nil:
		r.Err = r.Target.Err
	case r.Target.Ask != nil:
		r.At = c.app.Env.Now()
		r.addDiscovery(r.Target.Ask(ctx))
	case r.Target.OnWeb():
		c.checkWeb(ctx, r)
		c.Bar.Step(r.Err != nil || r.Found.Answer == discover.Unreachable)
	default:
		c.checkFile(r)
	}
	if r.Err == nil && c.web != nil {
		r.addAgents(c.web.Agents(ctx, r.Report))
		compareOperators(ctx, c.web, &c.opt, r)
		compareKeys(ctx, c.web, r)
	}
}

func (c *Checker) checkFile(r *Result) {
	src, err := c.app.Read(r.Target.Name)
	if err != nil {
		r.Err = err
		return
	}
	r.Add(&Document{Src: src, Report: redact.Report(src, adagents.Check(src, c.opt))})
}

func (c *Checker) checkWeb(ctx context.Context, r *Result) {
	r.At = c.web.Now()
	large := func(ctx context.Context) error { return c.large.enter(ctx, r.number) }
	d, err := c.web.Ask(ctx, r.Target.Web, r.Target.byURL, large)
	if err == nil {
		r.InEffect, err = c.web.InEffect(ctx, d, large)
	}
	if err != nil {
		r.Err = err
		return
	}
	r.addDiscovery(d)
}

// addDiscovery fills in what was found on the web.
func (r *Result) addDiscovery(d *discover.Discovery) {
	r.Found = d
	for i := range d.Findings {
		r.Findings = append(r.Findings, wayFinding(d, &d.Findings[i]))
	}
	if d.Pointer != nil && d.Pointer != d.Report {
		r.Add(fetched(d, d.Pointer, d.PointerBody, d.URL))
	}
	if d.Report != nil {
		r.Add(fetched(d, d.Report, d.Body, d.ResolvedURL))
	}
}

// fetched is a document from the web. Its URL is the last hop's.
func fetched(d *discover.Discovery, report *adagents.Report, src []byte, url string) *Document {
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Report == report && hop.Result != nil {
			url = hop.Result.URL
		}
	}
	return &Document{url: redact.URL(url), Src: src, Report: redact.Report(src, report)}
}

// wayFinding is a finding about the way in the form of one about a file.
func wayFinding(d *discover.Discovery, f *discover.Finding) Finding {
	effect := adagents.NoEffect
	if f.Severity == adagents.Error && d.Answer == discover.Unusable {
		effect = adagents.AbortFile
	}
	shown := &adagents.Finding{
		Code: f.Code, Severity: f.Severity, Effect: effect, Line: f.Line,
		Message: redact.Credentials(f.Message), Hint: redact.Credentials(f.Hint), Spec: f.Spec,
	}
	return Finding{
		Finding: shown, Rank: adagents.RankOf(shown),
		URL: redact.URL(f.URL), Detail: redact.Credentials(f.Detail),
	}
}

// largeAtOnce is the number of targets with large documents that are kept at the
// same time, under way or waiting to be shown.
const largeAtOnce = 2

// A largeLimit limits the large documents in memory. Results are shown in order, so the
// target that comes next is always let in: the others wait for it.
type largeLimit struct {
	mu    sync.Mutex
	freed *sync.Cond
	// next is the number of the target that is shown next.
	next int
	// inside are the numbers of the targets that hold a large document.
	inside map[int]bool
}

func newLargeLimit() *largeLimit {
	r := &largeLimit{inside: map[int]bool{}}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// enter waits until target i may keep a large document.
func (r *largeLimit) enter(ctx context.Context, i int) error {
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.freed.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.inside) >= largeAtOnce && i != r.next && ctx.Err() == nil {
		r.freed.Wait()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.inside[i] = true
	return nil
}

// shown tells that target i and all before it were shown and let go.
func (r *largeLimit) shown(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = i + 1
	delete(r.inside, i)
	r.freed.Broadcast()
}
