package console

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that ends when the user does, so that
// requests under way are given up and the terminal is left in order. A second
// interrupt ends the process at once.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Interrupted is the error of a run that the user ended.
func Interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return Failure("", "interrupted: what is missing above was not looked at")
	}
	return err
}

// Stoppable returns a context that ends when the process is told to. A second time
// ends it at once.
func Stoppable(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Send sends a value unless the context ends first.
func Send[T any](ctx context.Context, ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
