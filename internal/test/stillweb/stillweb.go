// Package stillweb asks the web for tests whose clock stands still.
package stillweb

import (
	"context"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// A Client is one for those whose clock stands still: none of its answers is any older than the
// present. What asks by such a clock counts an answer by its age, so that on a busy machine the
// second of two answers may seem to be from before the first.
type Client struct{ *fetch.Client }

// Get makes a request.
func (c Client) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	out := *c.Client.Get(ctx, r) // which others may have too
	out.Exchanges = slices.Clone(out.Exchanges)
	for i := range out.Exchanges {
		out.Exchanges[i].At = time.Now().Add(time.Hour)
	}
	return &out
}
