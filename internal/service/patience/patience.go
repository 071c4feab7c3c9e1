// Package patience marks a change that no caller waits for: a store may delay it a moment,
// and make it together with others. When its call returns it is as durable as any.
package patience

import "context"

type key struct{}

// With returns a context for changes that are in no hurry.
func With(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, true) }

// Of reports whether a context is one.
func Of(ctx context.Context) bool { return ctx.Value(key{}) != nil }
