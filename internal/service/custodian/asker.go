package custodian

import (
	"context"
	"errors"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/retain"
)

// An Asker is who makes a keeper look at a publisher. What only strangers asked about is
// kept within limits, and is the first to go when a store gets full.
type Asker uint8

// The askers.
const (
	// Known: the operator, or a keyholder.
	Known Asker = iota
	// Stranger: an anonymous caller.
	Stranger
	// Scheduled: the schedule asked, not a caller.
	Scheduled
)

type askerKey struct{}

// AskedBy returns a context that knows who asks. Without it the asker is Known.
func AskedBy(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// askerOf returns who asks.
func askerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}

// ErrNotAdmitted is the error of questions about a publisher that only strangers asked for when
// there is no room for what the web says of it. What is known of it, if anything, stays as it is.
var ErrNotAdmitted = errors.New("there is no room for what a publisher has")

// admits reports whether the first reading of a publisher is kept. That is decided once, however
// often the change is made.
func (k *Keeper) admits(ctx context.Context, asker Asker, r *reading) bool {
	if asker != Stranger || k.config.Admit == nil {
		return true
	}
	if r.admitted == nil {
		charges := []retain.Charge{{Site: retain.SiteOf(string(r.domain)), Share: retain.Share{Names: 1, Bytes: int64(len(r.lead))}}}
		for _, g := range append(r.glimpses(), r.next) {
			if g != nil {
				charges = append(charges, retain.Charge{Site: retain.SiteOfURL(g.url), Share: retain.Share{Bytes: int64(len(g.body))}})
			}
		}
		kept := k.config.Admit(ctx, charges)
		r.admitted = &kept
	}
	return *r.admitted
}

// Contradicts reports whether the records speak against what a discovery found that is not kept:
// they revoke the publisher or have a later date, or its file is known to be elsewhere.
func (k *Keeper) Contradicts(ctx context.Context, d *discover.Discovery) (bool, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return false, err
	}
	r := reader{d, k.since}.reading()
	p, err := k.publisher(ctx, r.domain)
	if err != nil || p.Location.URL != "" && p.Location.URL != r.to.URL {
		return err == nil, err
	}
	for i := range d.Trail {
		f, err := k.file(ctx, d.Trail[i].URL)
		if err != nil || f.Overflow || f.Revokes(r.domain, at) {
			return err == nil, err
		}
		if g := r.file; g != nil && g.url == f.URL && g.observation.Hash != f.Hash && g.observation.Facts.LastUpdated.Before(f.HighWater) {
			return true, nil
		}
	}
	return false, nil
}

// onlyFiles makes the change that a reading leads to for files that are known, when the
// publisher that led there is not kept: whom they revoke is revoked for others as well.
func (d *draft) onlyFiles(ctx context.Context, r *reading) error {
	d.turnedAway = true
	if r.file == nil || r.file.known {
		return nil
	}
	f, err := d.file(ctx, r.file.url)
	if err != nil || f.Revision == 0 {
		return err
	}
	return d.takeFile(ctx, r.file)
}
