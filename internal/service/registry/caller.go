package registry

import (
	"context"
	"net/netip"
	"strings"

	"github.com/avow-project/avow/internal/service/custodian"
)

// A Caller makes a call, as far as it matters to the use cases.
type Caller struct {
	// Key is the key the caller presented; nil for an anonymous caller.
	Key *Key
	// KeyError says why a key that came with the call is not valid; empty when it is,
	// or when none came.
	KeyError string
	// Client tells anonymous callers apart, for budgets: an address or a network.
	Client string
}

// name tells callers apart who wait for the same site: those with keys by their keys.
func (c Caller) name() string {
	if c.Key != nil {
		return "key " + c.Key.ID
	}
	return c.Client
}

// Require returns an error unless the caller's key permits something. Writers and
// moderators are told apart here and nowhere else.
func (c Caller) Require(s Scope) error {
	switch {
	case c.Key == nil:
		return &Error{
			Kind: Unauthorized, Code: "key_required", Message: "Authentication required",
			Hint: "send an API key as Authorization: Bearer avow_...; the operator of this service makes keys with avow keys " +
				"create",
		}
	case !c.Key.Permits(s):
		return &Error{
			Kind: Forbidden, Code: "scope_missing", Message: "This key does not permit that",
			Hint: "the call needs a key with the scope " + string(s),
		}
	}
	return nil
}

// contextKey names what a context carries along.
type contextKey uint8

const (
	callKey contextKey = iota
	keyedKey
	reservedKey
	lookKey
	callerKey
)

// A Call is what a context knows about the call that it belongs to.
type Call struct {
	// RequestID is its name in the log.
	RequestID string
	// Client is where it comes from, in the words that budgets of anonymous callers are
	// counted by: an address or a network.
	Client string
	// Secure: the client's own connection is encrypted.
	Secure bool
}

// WithCall returns a context that belongs to a call.
func WithCall(ctx context.Context, c Call) context.Context { return &callContext{ctx, c} }

// A callContext is a context that belongs to a call.
type callContext struct {
	context.Context
	call Call
}

// Value implements context.Context.
func (c *callContext) Value(key any) any {
	if key == callKey {
		return &c.call
	}
	return c.Context.Value(key)
}

// CallOf returns the call that a context belongs to; an empty one when it belongs to none.
func CallOf(ctx context.Context) Call {
	c, ok := ctx.Value(callKey).(*Call)
	if !ok {
		return Call{}
	}
	return *c
}

// ClientOf returns where the call of a context comes from; empty if unknown.
func ClientOf(ctx context.Context) string { return CallOf(ctx).Client }

// WithKey returns a context that knows that its call came with a key.
func WithKey(ctx context.Context) context.Context { return context.WithValue(ctx, keyedKey, true) }

// WithCaller returns a context that knows who makes the call. A server that has looked
// at the key already, for its limits, passes the caller on with it.
func WithCaller(ctx context.Context, c Caller) context.Context {
	if c.Key != nil {
		ctx = WithKey(ctx)
	}
	return context.WithValue(ctx, callerKey, c)
}

// CallerOf returns who makes the call; an anonymous caller when the context does not say.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey).(Caller)
	if c.Client == "" {
		c.Client = ClientOf(ctx)
	}
	return c
}

// asking returns a context that tells custody who asks: a call from outside that came
// without a key is that of a stranger.
func asking(ctx context.Context) context.Context {
	if !isStranger(ctx) {
		return ctx
	}
	return custodian.AskedBy(ctx, custodian.Stranger)
}

// isStranger reports whether a call is that of a stranger.
func isStranger(ctx context.Context) bool { return ClientOf(ctx) != "" && ctx.Value(keyedKey) == nil }

// A Block is a network that a client belongs to. Its clients together may have Factor times
// what one of them may.
type Block struct {
	Name   string
	Factor int
}

// wider are the networks that IPv6 clients are counted in besides their /64. A home often
// has a /56 and an office a /48, in which one person has as many /64 networks as wanted; but
// many customers of one provider may share them, too.
var wider = []struct{ bits, factor int }{{56, 4}, {48, 16}}

// BlocksOf returns the networks that a client is counted in, the smallest first: itself, and
// for an IPv6 network the wider ones. The client is written as for WithClient.
func BlocksOf(client string) []Block {
	blocks := []Block{{client, 1}}
	if !strings.Contains(client, "/") {
		return blocks // an IPv4 address, as nearly all are
	}
	network, err := netip.ParsePrefix(client)
	if err != nil || !network.Addr().Is6() {
		return blocks
	}
	for _, w := range wider {
		around, err := network.Addr().Prefix(w.bits)
		if err == nil && w.bits < network.Bits() {
			blocks = append(blocks, Block{around.String(), w.factor})
		}
	}
	return blocks
}
