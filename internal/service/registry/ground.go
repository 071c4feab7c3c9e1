package registry

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Ground is what an answer about the present rests on: the two records that its document is
// from, and a time in which no entry of the file begins or ceases to hold.
type Ground struct {
	records       custodian.Ground
	after, before time.Time // both exclusive; the zero time is open
	// publisher, hash and mirrored are of the document: mirrored if it would have a mirror,
	// were there one.
	publisher hostname.Domain
	hash      string
	mirrored  bool
}

// ground returns what an answer about an instant rests on; nil if that is more than a Ground can tell.
func (k *knownPublisher) ground(at time.Time) *Ground {
	if k.state == nil || k.doc.Prepared == nil {
		return nil
	}
	records, ok := k.state.Ground()
	if !ok {
		return nil
	}
	g := &Ground{records: records, publisher: hostname.Domain(k.doc.Publisher), hash: k.doc.SHA256,
		mirrored: k.doc.WantsMirror()}
	g.after, g.before = k.doc.Prepared.Steady(at)
	return g
}

// Again returns the present if Answer would give the answer again that rests on the ground, but for its
// moments and the instant that it is about. That takes no request. Records that were read more than a
// moment ago are read again, and the store is asked for the time when that is due.
func (s *Service) Again(ctx context.Context, g *Ground) (time.Time, Moments, bool) {
	now := s.config.Now()
	if !g.after.IsZero() && !now.After(g.after) || !g.before.IsZero() && !now.Before(g.before) {
		return now, Moments{}, false
	}
	if g.mirrored {
		m, known := s.mirrorIndex.get(g.publisher, now)
		if !known || m != nil {
			return now, Moments{}, false
		}
	}
	state, ok := s.keeper.Again(ctx, g.records)
	if !ok {
		return now, Moments{}, false
	}
	doc := &resolve.Document{Publisher: string(g.publisher), State: resolve.Usable, SHA256: g.hash}
	k := knownPublisher{fresh: s.freshUntil(ctx, doc, state)}
	return now, Moments{micro(now), k.freshAt(now, nil)}, true
}
