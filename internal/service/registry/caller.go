package registry

import (
	"context"

	"github.com/avow-project/avow/internal/service/custodian"
)

// A Caller is whoever makes a call, as far as it matters to the use cases.
type Caller struct {
	// Key is the key the caller presented; nil for an anonymous caller.
	Key *Key
	// KeyError says why a key that came with the call is not valid; empty when it is,
	// or when none came.
	KeyError string
	// Client tells anonymous callers apart, for budgets: an address or a network.
	Client string
}

// Require returns an error unless the caller's key permits something. Writers and
// moderators are told apart here and nowhere else.
func (c Caller) Require(s Scope) error {
	switch {
	case c.Key == nil:
		return &Error{
			Kind: Unauthorized, Code: "key_required", Message: "Authentication required",
			Hint: "send an API key as Authorization: Bearer avow_...; the operator of this service makes keys with avow keys create",
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
	clientKey contextKey = iota
	requestKey
	secureKey
	keyedKey
	roomyKey
	lookKey
)

// WithSecure returns a context that knows whether the client's own connection is encrypted.
func WithSecure(ctx context.Context, secure bool) context.Context {
	if !secure {
		return ctx
	}
	return context.WithValue(ctx, secureKey, true)
}

// IsSecure reports whether the client's own connection is known to be encrypted.
func IsSecure(ctx context.Context) bool {
	secure, _ := ctx.Value(secureKey).(bool)
	return secure
}

// WithClient returns a context that knows where its call comes from, in the words that
// budgets of anonymous callers are counted by: an address or a network.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey, client)
}

// ClientOf returns where the call of a context comes from; empty when nobody said so.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey).(string)
	return client
}

// WithKey returns a context that knows that its call came with a key.
func WithKey(ctx context.Context) context.Context { return context.WithValue(ctx, keyedKey, true) }

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

// WithRequestID returns a context that knows the name of its call in the log.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey, id)
}

// RequestIDOf returns the name of a context's call in the log; empty when it has none.
func RequestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey).(string)
	return id
}
