package cli

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
)

const (
	// atOnce is the number of targets on the web that are asked for at the
	// same time: enough to make use of waiting, too few to be a nuisance.
	atOnce = 16
	// ahead is the number of targets that may be done before an earlier one
	// that is slow.
	ahead = 256
	// heldBytes limits the text of files that are done and wait for such a
	// one.
	heldBytes = 64 << 20
)

// A checker checks targets side by side.
type checker struct {
	app *app
	opt adagents.Options
	web *asker    // nil when no target needs it
	bar *progress // nil for none
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
	large *room
}

func (a *app) newChecker(opt adagents.Options, web *asker) *checker {
	return &checker{
		app: a, opt: opt, web: web, less: make(chan struct{}, 1), large: newRoom(),
		fileSlots: make(chan struct{}, runtime.GOMAXPROCS(0)), webSlots: make(chan struct{}, atOnce),
	}
}

// results checks targets and yields the results in their order. Work is handed
// out only so far ahead of what was consumed that memory does not grow with the
// number of targets.
func (c *checker) results(ctx context.Context, targets []target) iter.Seq[*result] {
	return func(yield func(*result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		// Requests that are given up end at once, and what they have to say
		// must come before the last word of the command.
		defer c.asking.Wait()
		defer cancel()
		depth := cap(c.fileSlots)
		if slices.ContainsFunc(targets, target.onWeb) {
			depth = ahead
		}
		queue := make(chan chan *result, depth-1)
		go c.start(ctx, targets, queue)
		for pending := range queue {
			select {
			case r := <-pending:
				if !yield(r) {
					return
				}
				c.release(r)
				c.large.shown(r.number)
			case <-ctx.Done():
				return
			}
		}
	}
}

// start starts one check per free slot.
func (c *checker) start(ctx context.Context, targets []target, queue chan<- chan *result) {
	defer close(queue)
	for i, t := range targets {
		slots := c.fileSlots
		if t.onWeb() {
			slots = c.webSlots
		}
		pending := make(chan *result, 1)
		if !c.roomFor(ctx) || !put(ctx, queue, pending) || !put(ctx, slots, struct{}{}) {
			return
		}
		run := func() {
			r := &result{target: t, number: i}
			c.check(ctx, r)
			c.held.Add(r.size())
			<-slots
			pending <- r
		}
		if t.onWeb() {
			c.asking.Go(run)
		} else {
			go run()
		}
	}
}

// put sends a value unless the context ends first.
func put[T any](ctx context.Context, ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// roomFor waits until few enough texts wait. The one that all others wait for
// has been started already, so this ends.
func (c *checker) roomFor(ctx context.Context) bool {
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
func (c *checker) release(r *result) {
	c.held.Add(-r.size())
	select {
	case c.less <- struct{}{}:
	default:
	}
}

// size is that of the texts a result keeps.
func (r *result) size() int64 {
	n := 0
	for _, doc := range r.docs {
		n += len(doc.src)
	}
	return int64(n)
}

// check looks at the target of a result. A panic is caught here because it
// would end the process from a goroutine of its own, with the exit code of a
// usage error and without the other results.
func (c *checker) check(ctx context.Context, r *result) {
	defer func() {
		p := recover()
		if p != nil {
			*r = result{target: r.target, number: r.number, err: crash(p)}
		}
	}()
	switch {
	case r.target.err != nil:
		r.err = r.target.err
	case r.target.onWeb():
		c.checkWeb(ctx, r)
		c.bar.step()
	default:
		c.checkFile(r)
	}
	if r.err == nil && c.web != nil {
		r.addAgents(c.web.agents(ctx, r.report))
		c.compareOperators(ctx, r)
	}
}

func (c *checker) checkFile(r *result) {
	src, err := c.app.read(r.target.name)
	if err != nil {
		r.err = err
		return
	}
	r.add(&document{src: src, report: redact.Report(src, adagents.Check(src, c.opt))})
}

func (c *checker) checkWeb(ctx context.Context, r *result) {
	r.at = c.web.now()
	d, err := c.web.ask(ctx, r.target.web, r.target.byURL, func(ctx context.Context) error { return c.large.enter(ctx, r.number) })
	if err != nil {
		r.err = err
		return
	}
	r.addDiscovery(d)
}

// addDiscovery fills in what was found on the web.
func (r *result) addDiscovery(d *discover.Discovery) {
	r.found = d
	for i := range d.Findings {
		r.findings = append(r.findings, wayFinding(d, &d.Findings[i]))
	}
	if d.Pointer != nil && d.Pointer != d.Report {
		r.add(fetched(d, d.Pointer, d.PointerBody, d.URL))
	}
	if d.Report != nil {
		r.add(fetched(d, d.Report, d.Body, d.ResolvedURL))
	}
}

// fetched is a document from the web. Its URL is that of the hop that brought
// it.
func fetched(d *discover.Discovery, report *adagents.Report, src []byte, url string) *document {
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Report == report && hop.Result != nil {
			url = hop.Result.URL
		}
	}
	return &document{url: redact.URL(url), src: src, report: redact.Report(src, report)}
}

// wayFinding is a finding about the way in the form of one about a file.
func wayFinding(d *discover.Discovery, f *discover.Finding) finding {
	effect := adagents.NoEffect
	if f.Severity == adagents.Error && d.Answer == discover.Unusable {
		effect = adagents.AbortFile
	}
	return finding{
		Finding: &adagents.Finding{
			Code: f.Code, Severity: f.Severity, Effect: effect, Line: f.Line,
			Message: redact.Credentials(f.Message), Hint: redact.Credentials(f.Hint), Spec: f.Spec,
		},
		url: redact.URL(f.URL), detail: redact.Credentials(f.Detail),
	}
}

// read returns the content of a file or of standard input, at most one byte
// over the limit: the check then reports that it is too large, like anything
// else about the file.
func (a *app) read(name string) ([]byte, error) {
	if name != stdinName {
		return readFile(name, maxFile)
	}
	b, err := readUpTo(a.env.Stdin, maxFile)
	if err != nil {
		return nil, failure("", "cannot read standard input: %s", reason(err))
	}
	return b, nil
}
