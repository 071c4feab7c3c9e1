package suite

import (
	"context"
	"sync"
	"time"
)

// A Result is what became of one case.
type Result struct {
	Case    *Case
	Outcome Outcome
	// Detail says what is wrong, or why it is unsupported.
	Detail string
	Took   time.Duration
}

// Options are how the cases are run.
type Options struct {
	// Jobs is how many answerers are asked at the same time.
	Jobs int
	// Open makes an answerer.
	Open func() Answerer
	// Done is told of each result, from several goroutines; nil for none.
	Done func(*Result)
}

// Run asks about all cases and returns the results in their order. The error is that of an answerer
// that cannot go on; there are no results then.
func Run(ctx context.Context, cases []*Case, o Options) ([]*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]*Result, len(cases))
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(1, min(o.Jobs, len(cases))) {
		workers.Go(func() {
			answerer := o.Open()
			defer answerer.Close()
			for i := range next {
				r, err := ask(ctx, answerer, cases[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = r
				if o.Done != nil {
					o.Done(r)
				}
			}
		})
	}
	func() {
		defer close(next)
		for i := range cases {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	workers.Wait()
	err := context.Cause(ctx)
	if err != nil {
		return nil, err
	}
	return results, nil
}

func ask(ctx context.Context, a Answerer, c *Case) (*Result, error) {
	began := time.Now()
	answer, err := a.Ask(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &Result{Case: c, Took: time.Since(began)}
	r.Outcome, r.Detail = Judge(c, answer)
	return r, nil
}
