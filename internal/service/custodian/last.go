package custodian

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Last returns the document that the records lead to, without asking anybody, however
// long they have been due. The rest is as with Document.
func (k *Keeper) Last(ctx context.Context, domain hostname.Domain) (*resolve.Document, error) {
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.document(ctx, s)
}

// Fresh returns the document that the records lead to, with what they say, and whether it
// may be used without asking anybody first.
func (k *Keeper) Fresh(ctx context.Context, domain hostname.Domain) (*resolve.Document, *State, bool) {
	s, err := k.State(ctx, domain)
	if err != nil || s.Served != resolve.Usable || k.replaced(s.Publisher, s.File) {
		return nil, nil, false
	}
	way, file := k.due(s)
	if way || file {
		return nil, nil, false
	}
	doc, err := k.document(ctx, s)
	return doc, s, err == nil
}

// errNothingServed is for a state without a file that counts.
var errNothingServed = errors.New("there is no file in effect")

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
