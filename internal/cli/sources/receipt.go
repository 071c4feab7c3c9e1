package sources

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/clock"
)

// Receipt returns how an answer stands to the transparency log of the store, with a receipt if what
// it rests on is in the log, signed with the keys of the log. A receipt that is to come in a moment
// is waited for.
func (s *Source) Receipt(ctx context.Context, c *notary.Claim, keys *notary.Keys,
	wait time.Duration) (*notary.Receipted, error) {
	switch {
	case s.kept == nil:
		return &notary.Receipted{State: notary.NotLogged, Reason: "the answer does not come from a store"}, nil
	case !s.kept.asOf.IsZero():
		return &notary.Receipted{State: notary.NotLogged,
			Reason: "an answer about the past is proved leaf by leaf, with avow log prove INDEX"}, nil
	}
	prover, end := notary.Prover{Store: s.kept.store.Log()}, time.Now().Add(wait)
	for {
		r, err := prover.Receipt(ctx, c, keys)
		if err != nil || r.State != notary.Pending || !time.Now().Before(end) || !clock.Pause(ctx, askAgain) {
			return r, err
		}
	}
}

// askAgain is how long after a proof that is not there yet it is asked for again.
const askAgain = 500 * time.Millisecond
