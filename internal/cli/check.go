package cli

import (
	"context"
	"iter"
	"runtime"

	"github.com/avow-project/avow/adagents"
)

// results checks targets side by side and yields the results in the order of
// the targets. Work is handed out only a little ahead of what was consumed, so
// that memory does not grow with the number of targets.
func (a *app) results(ctx context.Context, targets []target, opt adagents.Options) iter.Seq[*result] {
	return func(yield func(*result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		queue := make(chan chan *result, runtime.GOMAXPROCS(0)-1)
		go a.startChecks(ctx, targets, opt, queue)
		for pending := range queue {
			if ctx.Err() != nil || !yield(<-pending) {
				return
			}
		}
	}
}

// startChecks starts one check per free place in the queue.
func (a *app) startChecks(ctx context.Context, targets []target, opt adagents.Options, queue chan<- chan *result) {
	defer close(queue)
	for _, t := range targets {
		pending := make(chan *result, 1)
		select {
		case queue <- pending:
			go func() {
				r := &result{target: t}
				a.check(r, opt)
				pending <- r
			}()
		case <-ctx.Done():
			return
		}
	}
}

// check reads and checks the target of a result. A panic is caught here
// because it would end the process from a goroutine of its own, with the exit
// code of a usage error and without the other results.
func (a *app) check(r *result, opt adagents.Options) {
	defer func() {
		p := recover()
		if p != nil {
			r.report, r.err = nil, crash(p)
		}
	}()
	r.src, r.err = a.read(r.target)
	if r.err == nil {
		r.report = concealMessages(r.src, adagents.Check(r.src, opt))
	}
}

// read returns the content of a target, at most one byte over the limit: the
// check then reports that it is too large, like anything else about the file.
func (a *app) read(t target) ([]byte, error) {
	if t.err != nil {
		return nil, t.err
	}
	if !t.stdin {
		return readFile(t.name, maxFile)
	}
	b, err := readUpTo(a.env.Stdin, maxFile)
	if err != nil {
		return nil, failure("", "cannot read standard input: %s", reason(err))
	}
	return b, nil
}
