package sources

import (
	"context"

	"github.com/avow-project/avow/internal/service/notary"
)

// Receipt returns how an answer stands to the transparency log of the store, with a receipt
// if what it rests on is in the log; with newest, it has the last map of the log as well.
func (s *Source) Receipt(ctx context.Context, c *notary.Claim, newest bool) (*notary.Receipted, error) {
	switch {
	case s.kept == nil:
		return &notary.Receipted{State: notary.NotLogged, Reason: "the answer does not come from a store"}, nil
	case !s.kept.asOf.IsZero():
		return &notary.Receipted{State: notary.NotLogged, Reason: "an answer about the past is proved leaf by leaf, with avow log prove INDEX"}, nil
	}
	return notary.Prover{Store: s.kept.store.Log()}.Receipt(ctx, c, newest)
}
