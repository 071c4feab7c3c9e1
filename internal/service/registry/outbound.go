package registry

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// What one call may send. The longest way to a file that is served without trouble
// takes 15 requests: four to the publisher, six for its ads.txt, four to the manager
// and one for the file that the manager points to.
const (
	anonymousRequests = 16
	keyedRequests     = 64
)

// Outbound fills in how a service makes requests, where c leaves it open. A call may be
// made by anybody and name anybody, so that a site is asked 8 + 60/1.2 = 58 times in
// any minute at most, whatever the names of its hosts, and an address has two exchanges
// at a time and 16 + 60/0.1 = 616 in any minute, whatever the names that lead there.
// And an answer has to come soon enough for a waiting caller.
func Outbound(c fetch.Config) fetch.Config {
	set(&c.HopTimeout, 5*time.Second)
	set(&c.Budget, 8*time.Second)
	set(&c.Attempts, 2)
	set(&c.SiteBurst, 8)
	set(&c.SiteEvery, 1200*time.Millisecond)
	set(&c.PerAddress, 2)
	set(&c.AddressBurst, 16)
	set(&c.AddressEvery, 100*time.Millisecond)
	return c
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// budgeted returns a context with the budget of an anonymous call, unless it has one.
func budgeted(ctx context.Context) context.Context {
	_, limited := fetch.BudgetLeft(ctx)
	if limited {
		return ctx
	}
	return fetch.WithClient(fetch.WithBudget(ctx, anonymousRequests), CallerOf(ctx).name())
}

// budgetFor returns a context with the budget of a caller's call.
func budgetFor(ctx context.Context, c Caller) context.Context {
	n := anonymousRequests
	if c.Key != nil {
		n = keyedRequests
	}
	return fetch.WithClient(fetch.WithBudget(ctx, n), c.name())
}
