package directory

import "context"

// Load and Review are what Run does, for tests that decide when.
func (d *Directory) Load(ctx context.Context) error {
	d.load(ctx)
	return ctx.Err()
}

// Begin is what Run does before Load, and Note what it does from time to time and at its end.
func (d *Directory) Begin(ctx context.Context) (int64, bool) { return d.begin(ctx) }

// Note notes the outline after an event.
func (d *Directory) Note(ctx context.Context, last int64) { d.save(ctx, last) }

// Unread is how many publishers are known from an outline alone.
func (d *Directory) Unread() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := 0
	for _, p := range d.publishers {
		if p.unread {
			n++
		}
	}
	return n
}

// Review reads what waits, and what has changed by itself.
func (d *Directory) Review(ctx context.Context) error { return d.review(ctx) }

// Counted is how much memory the directory takes by its own count.
func (d *Directory) Counted() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.size
}
