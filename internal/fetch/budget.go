package fetch

import (
	"context"
	"sync/atomic"
)

// budgetKey is the key under which a context carries its budget.
type budgetKey struct{}

// clientKey is the key under which a context carries the client.
type clientKey struct{}

// WithClient returns a context for requests on behalf of a client. Of all its requests
// one at a time waits for a turn with a site, so that a client with many does not keep
// others from theirs.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// A requestBudget is the number of exchanges that may still be made for a context.
type requestBudget struct {
	left  atomic.Int64
	outer *requestBudget
}

// WithBudget returns a context for at most n exchanges. Every exchange made under it
// counts, redirects and repetitions included; when n were made, further ones are not
// sent and end with NoTurn and the reason BudgetSpent. Callers who share a request
// leave the counting to the one who asked first. A budget within another takes from
// both.
//
// It is for services: what a stranger asks for must not become more requests to
// others than was meant.
func WithBudget(ctx context.Context, n int) context.Context {
	b := &requestBudget{outer: budgetOf(ctx)}
	b.left.Store(int64(max(n, 0)))
	return context.WithValue(ctx, budgetKey{}, b)
}

// BudgetLeft returns how many exchanges may still be made for a context, and false
// when that is not limited.
func BudgetLeft(ctx context.Context) (int, bool) {
	b := budgetOf(ctx)
	if b == nil {
		return 0, false
	}
	left := b.left.Load()
	for b = b.outer; b != nil; b = b.outer {
		left = min(left, b.left.Load())
	}
	return int(max(left, 0)), true
}

func budgetOf(ctx context.Context) *requestBudget {
	b, _ := ctx.Value(budgetKey{}).(*requestBudget)
	return b
}

// take takes one exchange, and reports whether there was one left. Without a budget
// there always is.
func (b *requestBudget) take() bool {
	if b == nil {
		return true
	}
	if b.left.Add(-1) < 0 || !b.outer.take() {
		b.left.Add(1)
		return false
	}
	return true
}

// giveBack returns one exchange that was taken and not made.
func (b *requestBudget) giveBack() {
	for ; b != nil; b = b.outer {
		b.left.Add(1)
	}
}
