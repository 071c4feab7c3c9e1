package edge

import (
	"context"

	"github.com/avow-project/avow/internal/service/registry"
)

type chargeKey struct{}

// WithCharge returns a context of a request whose class is not all that it costs: charge
// counts one more piece of work of a class for the caller.
func WithCharge(ctx context.Context, charge func(*Class) *registry.Error) context.Context {
	return context.WithValue(ctx, chargeKey{}, charge)
}

// Charge counts a piece of work, and is an error beyond the rate of its class. Without a
// counter, as on standard input and output, everything is free.
func Charge(ctx context.Context, c *Class) error {
	charge, ok := ctx.Value(chargeKey{}).(func(*Class) *registry.Error)
	if !ok {
		return nil
	}
	refused := charge(c)
	if refused != nil {
		return refused
	}
	return nil
}
