package custodian

import (
	"context"

	"github.com/avow-project/avow/discover"
)

// A Keeping is what a discovery made elsewhere has found out about a publisher, on its way
// to the records.
type Keeping struct {
	keeper  *Keeper
	reading *reading
	// ready is the change by the records as they were; nil when it is to be made.
	ready *draft
	first bool
}

// Prepare decides by the records what a discovery changes. Nothing is changed before Keep.
func (k *Keeper) Prepare(ctx context.Context, d *discover.Discovery) *Keeping {
	p := &Keeping{keeper: k, reading: reader{d, k.since}.reading()}
	if p.reading.unasked || len(k.doubts.of(p.reading.names()...)) > 0 {
		return p
	}
	limited, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	ready, err := k.draft(limited, p.reading)
	if err != nil {
		return p // Keep says so when it still fails
	}
	p.ready = ready
	file := d.Report != nil && d.Report.File != nil && len(d.Report.File.Revocations) == 0
	p.first = file && ready.first()
	return p
}

// First reports whether the discovery is the first that is known of a publisher and its
// file, and revokes nobody. Nothing that could be lost with it counts against anybody.
func (p *Keeping) First() bool { return p.first }

// Keep keeps it. It is durable when Keep returns. Keep is called once.
func (p *Keeping) Keep(ctx context.Context) error {
	if p.reading.unasked {
		return nil
	}
	return p.keeper.apply(ctx, p.reading, p.ready)
}

// first reports whether a draft makes the records that it has.
func (d *draft) first() bool {
	c := &d.change
	return c.Publisher != nil && c.Publisher.Revision == 0 && len(c.Files) == 1 && c.Files[0].Revision == 0
}
