package custodian

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/resolve"
)

// Last returns the document that the records lead to, without asking anybody, however
// long they have been due. The rest is as with Document.
func (k *Keeper) Last(ctx context.Context, publisher string) (*resolve.Document, error) {
	s, err := k.State(ctx, publisher)
	if err != nil {
		return nil, err
	}
	return k.document(ctx, s)
}

// errNothingServed is for a state without a file that counts.
var errNothingServed = errors.New("there is no file that counts")

// Report returns the check of the file that a state leads to. It was made without a
// clock.
func (k *Keeper) Report(ctx context.Context, s *State) (*adagents.Report, error) {
	if s.Served != resolve.Usable {
		return nil, errNothingServed
	}
	f, err := k.read(ctx, version{s.File.Hash, s.File.URL, s.Publisher.Domain, roleOf(s.Publisher.Location)})
	if err != nil {
		return nil, err
	}
	return f.report, nil
}

// FreshUntil returns how long what is known may be used without asking.
func (s *State) FreshUntil() time.Time {
	if s.File == nil || s.Publisher.FreshUntil.Before(s.File.FreshUntil) {
		return s.Publisher.FreshUntil
	}
	return s.File.FreshUntil
}

// First reports whether a discovery is the first that is known of a publisher and its
// file, and revokes nobody. Nothing that could be lost with it counts against anybody.
func (k *Keeper) First(ctx context.Context, d *discover.Discovery) bool {
	if d.Report == nil || d.Report.File == nil || len(d.Report.File.Revocations) > 0 {
		return false
	}
	_, err := k.config.Store.Publisher(ctx, d.Domain)
	if !errors.Is(err, ErrNotFound) {
		return false
	}
	r := reader{d, k.since}.reading()
	if r.unasked || r.file == nil {
		return false
	}
	_, err = k.config.Store.File(ctx, r.file.url)
	return errors.Is(err, ErrNotFound)
}
