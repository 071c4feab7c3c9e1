package websource

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// PinsConfig configures a source of pins from the web.
type PinsConfig struct {
	// Discover are the options of every discovery. Conditional requests make no sense
	// here and are left out.
	Discover discover.Options
	// Timeout limits the way to one file. Zero means no limit but the context's.
	Timeout time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// NewPins returns a keypin.Source that finds files with f. A file is used for as long as
// max-age allows, and for an hour at most without one. That there is none that can be
// used is remembered for a minute; a publisher that cannot be asked takes back nothing. The
// source remembers nothing beyond that: a file that replaces a newer one, or another file
// behind a new pointer, is taken at its word, and KnownSince is when this source first saw
// the bytes. Questions about one publisher at the same time wait for one discovery. It is
// safe for concurrent use.
func NewPins(f Finder, c PinsConfig) keypin.Source {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Discover.IfNoneMatch, c.Discover.IfModifiedSince = "", ""
	return &webPins{finder: f, config: c,
		kept: flight.NewCache(flight.Limits[string, *keptPins]{Weight: keptBytes, Count: keptDocuments})}
}

// webPins is a keypin.Source over a Finder.
type webPins struct {
	finder  Finder
	config  PinsConfig
	flights flight.Group[string, *keypin.Document]

	kept    *flight.Cache[string, *keptPins]
	keeping sync.Mutex // by one at a time
}

// maxNegative is how long it is remembered that a publisher has no usable file, or could
// not be asked. Otherwise every message in its name would send us on the whole way.
const maxNegative = time.Minute

// keptPins is what a publisher said last, and how long that may be used.
type keptPins struct {
	doc         *keypin.Document
	from, until time.Time
	// sum and since are the bytes that were seen last, and since when they are known.
	sum   string
	since time.Time
}

// Pins returns the file of a publisher, as long as its keys may be used again, or for a
// short while that there is none.
func (s *webPins) Pins(ctx context.Context, publisher string) (*keypin.Document, error) {
	doc := s.lookup(publisher)
	if doc != nil {
		return doc, nil
	}
	return s.flights.Do(ctx, publisher, func(ctx context.Context) (*keypin.Document, error) {
		doc := s.lookup(publisher) // another call may have it by now
		if doc != nil {
			return doc, nil
		}
		return s.find(ctx, publisher, s.config.Discover)
	})
}

// lookup returns what may be used again of a publisher.
func (s *webPins) lookup(publisher string) *keypin.Document {
	known, _ := s.kept.Get(publisher)
	if !s.fresh(known) {
		return nil
	}
	return known.doc
}

// fresh reports whether something is kept that may be used again. A clock that has gone
// back makes it old.
func (s *webPins) fresh(k *keptPins) bool {
	now := s.config.Now()
	return k != nil && !now.Before(k.from) && now.Before(k.until)
}

// Refresh asks the publisher past all caches.
func (s *webPins) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	o := s.config.Discover
	o.NoCache = true
	return s.find(ctx, publisher, o)
}

// find asks the web and keeps what it says.
func (s *webPins) find(ctx context.Context, publisher string, o discover.Options) (*keypin.Document, error) {
	limited := ctx
	if s.config.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.config.Timeout)
		defer cancel()
	}
	d, err := s.finder.Domain(limited, publisher, o)
	var input *discover.InputError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &input):
		return &keypin.Document{Publisher: publisher, State: keypin.Absent, FetchedAt: s.config.Now(), Detail: input.Message},
			nil
	case err != nil:
		return nil, err
	}
	doc := PinsOf(publisher, d)
	s.keep(doc, len(d.Body))
	return doc, nil
}

// keep remembers what a publisher said, in place of what it said before. A publisher that
// could not be asked has said nothing, so that pins it gave out hold until their time.
func (s *webPins) keep(doc *keypin.Document, size int) {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	before, _ := s.kept.Get(doc.Publisher)
	if doc.State == keypin.Unreachable && s.fresh(before) {
		return
	}
	if doc.State != keypin.Usable {
		size = 0
	}
	s.kept.Put(doc.Publisher, s.remember(doc, before), size)
}

// remember says how long a document is used again. The bytes of a file that is gone are
// still known when they come back.
func (s *webPins) remember(doc *keypin.Document, before *keptPins) *keptPins {
	if doc.State != keypin.Usable {
		now := s.config.Now()
		k := &keptPins{doc: doc, from: now, until: now.Add(maxNegative)}
		if before != nil {
			k.sum, k.since = before.sum, before.since
		}
		return k
	}
	if before != nil && before.sum == doc.SHA256 {
		doc.KnownSince = before.since
	}
	return &keptPins{doc: doc, from: doc.FetchedAt, until: doc.KeysUntil, sum: doc.SHA256, since: doc.KnownSince}
}

// pinStates are the states of documents of pins by those of documents.
var pinStates = map[resolve.State]keypin.State{
	resolve.Usable: keypin.Usable, resolve.Unusable: keypin.Unusable, resolve.Absent: keypin.Absent,
	resolve.Unreachable: keypin.Unreachable,
}

// replacedDetail says why a file that was replaced pins nothing.
const replacedDetail = "the file was replaced by another one, which could not be had"

// PinsOf turns what was found for a publisher into the document that pins are taken from.
// KnownSince is when it was obtained. It is for a keypin.Source that stores discoveries.
func PinsOf(publisher string, d *discover.Discovery) *keypin.Document {
	doc := DocumentOf(publisher, d)
	out := &keypin.Document{
		Publisher: publisher, State: pinStates[doc.State], File: doc.File, URL: doc.URL, SHA256: doc.SHA256,
		FetchedAt: doc.FetchedAt, KeysUntil: doc.FetchedAt, KnownSince: doc.FetchedAt, Detail: doc.Detail,
	}
	if doc.Replaced {
		out.State, out.File, out.Detail = keypin.Unreachable, nil, replacedDetail
	}
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Report != nil && hop.Report == d.Report && hop.Result != nil {
			x := hop.Result.Last()
			life, _ := freshness.Lifetime(x.Caching(), x.At, freshness.KeyPolicy)
			out.KeysUntil = x.At.Add(life)
		}
	}
	return out
}
