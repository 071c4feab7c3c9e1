package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/service/registry"
)

type callerKey struct{}

// WithCaller returns a context that knows who makes the call. A server that has looked
// at the key already, for its limits, passes the caller on with it.
func WithCaller(ctx context.Context, c registry.Caller) context.Context {
	if c.Key != nil {
		ctx = registry.WithKey(ctx)
	}
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who makes the call; an anonymous caller when nobody said so.
func CallerOf(ctx context.Context) registry.Caller {
	c, _ := ctx.Value(callerKey{}).(registry.Caller)
	if c.Client == "" {
		c.Client = registry.ClientOf(ctx)
	}
	return c
}

// bearer returns the secret of a request, if it has one.
func bearer(r *http.Request) (string, bool) {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(secret), ok && strings.EqualFold(scheme, "Bearer")
}
