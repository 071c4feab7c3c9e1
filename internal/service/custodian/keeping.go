package custodian

import (
	"context"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Check asks a publisher for everything as a whole, with fresh past all caches on the way,
// for a caller who wants the current state. Prepare and Keep give it to the records.
func (k *Keeper) Check(ctx context.Context, domain hostname.Domain, fresh bool) (*discover.Discovery, error) {
	return k.config.Finder.Domain(ctx, string(domain), discover.Options{IgnoreSuperseded: true, NoCache: fresh})
}

// A Keeping is the result of a discovery of a publisher, on its way to the records.
type Keeping struct {
	keeper  *Keeper
	reading *reading
	first   bool
}

// Prepare looks whether there are records that a discovery is about. Nothing is changed
// before Keep.
func (k *Keeper) Prepare(ctx context.Context, d *discover.Discovery) *Keeping {
	k.witness(d)
	p := &Keeping{keeper: k, reading: reader{d, k.since}.reading()}
	revokes := d.Report == nil || d.Report.File == nil || len(d.Report.File.Revocations) > 0
	p.first = !revokes && !p.reading.named() && k.absent(ctx, p.reading)
	return p
}

// First reports whether the discovery is the first that is known of a publisher and its
// file, and revokes no publisher. Nothing that could be lost with it counts against
// anybody.
func (p *Keeping) First() bool { return p.first }

// Keep keeps it. It is durable when Keep returns. That there were no records is not found
// out again: if there are by now, the store says so.
func (p *Keeping) Keep(ctx context.Context) error {
	if p.reading.unasked {
		return nil
	}
	if !p.first && p.succeed(ctx) != nil {
		// What is known cannot be read. What was found is remembered without it.
		p.reading.replaced = p.reading.named()
	}
	return p.keeper.apply(ctx, p.reading, p.first)
}

// succeed leads on to the file that the one which was found names in its place.
func (p *Keeping) succeed(ctx context.Context) error {
	known, err := p.keeper.publisher(ctx, p.reading.domain)
	if err != nil {
		return err
	}
	return p.keeper.succeed(ctx, known, p.reading, time.Time{})
}

// absent reports whether there is no record of a publisher and of the file that was found.
func (k *Keeper) absent(ctx context.Context, r *reading) bool {
	if r.unasked || r.file == nil || len(k.doubts.of(r.names()...)) > 0 {
		return false
	}
	known, err := k.config.Store.Known(ctx, r.domain, r.file.url)
	return err == nil && !known
}
