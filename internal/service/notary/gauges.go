package notary

import (
	"context"
	"errors"
	"math"
	"time"
)

// gaugeLimit is how long a gauge may take to read.
const gaugeLimit = 5 * time.Second

// Waiting returns how many events are not in the signed log yet, for a gauge; NaN when that cannot
// be found out.
func (h *Handler) Waiting() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeLimit)
	defer cancel()
	signed, err := h.Prover.Store.LastSigned(ctx) // first, because others go on
	if errors.Is(err, ErrPending) {
		signed, err = &Signed{}, nil
	}
	if err != nil {
		return math.NaN()
	}
	s, err := h.Prover.Store.State(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(s.Waiting + s.Size - signed.Size)
}

// SignedAt returns when the head was signed last, in seconds since 1970, for a gauge; zero for never,
// and NaN when that cannot be found out.
func (h *Handler) SignedAt() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeLimit)
	defer cancel()
	signed, err := h.Prover.Store.LastSigned(ctx)
	switch {
	case errors.Is(err, ErrPending):
		return 0
	case err != nil:
		return math.NaN()
	}
	return float64(signed.At.Unix())
}
