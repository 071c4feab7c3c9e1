package discover

import "context"

const (
	// largeBytes is the size from which a document needs a place.
	largeBytes = 1_000_000
	// largePlaces is the number of large documents that are read and checked at
	// the same time. A file of 20 MB can take five times its size for a moment, so
	// that this many, with what the collector has not found yet, fit into 512 MiB.
	largePlaces = 2
)

// waitForMemory waits until there is room for a large document; once for a question,
// however many such documents it meets. It gives up only with the context.
func (w *walk) waitForMemory(ctx context.Context) error {
	if w.placed {
		return nil
	}
	if w.o.Large != nil {
		err := w.o.Large(ctx)
		w.placed = err == nil
		return err
	}
	select {
	case w.f.places <- struct{}{}:
		w.placed, w.leave = true, func() { <-w.f.places }
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
