package custodian

import (
	"context"
	"errors"
)

// An Asker is who makes a keeper look at a publisher. What only strangers asked about is
// kept within limits, and is the first to go when a store gets full.
type Asker uint8

// The askers.
const (
	// Known: the operator, or somebody with a key.
	Known Asker = iota
	// Stranger: an anonymous caller.
	Stranger
	// Nobody: it was due.
	Nobody
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

// ErrNotAdmitted is the error of questions of strangers about a publisher that is not known
// and that there is no room for. Nothing is known about it that an answer could contradict.
var ErrNotAdmitted = errors.New("there is no room for another publisher")

// admits reports whether the first reading of a publisher is kept. That is decided once,
// and counted once, however often the change is made.
func (k *Keeper) admits(ctx context.Context, asker Asker, r *reading) bool {
	if asker != Stranger || k.config.Admit == nil {
		return true
	}
	if r.admitted == nil {
		bytes := int64(len(r.lead))
		for _, g := range r.glimpses() {
			bytes += int64(len(g.body))
		}
		if r.next != nil {
			bytes += int64(len(r.next.body))
		}
		kept := k.config.Admit(ctx, r.domain, bytes)
		r.admitted = &kept
	}
	return *r.admitted
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
