package directory

import "context"

// Load and Review are what Run does, for tests that decide when.
func (d *Directory) Load(ctx context.Context) error {
	_, err := d.load(ctx)
	return err
}

// Review reads what waits, and what has changed by itself.
func (d *Directory) Review(ctx context.Context) error { return d.review(ctx) }

// Counted is how much memory the directory takes by its own count.
func (d *Directory) Counted() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.size
}
