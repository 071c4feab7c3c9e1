package custodian

import (
	"context"
	"errors"
	"time"
	"weak"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
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
	k.parsed.ask(s.shared)
	return doc, s, err == nil
}

// A Ground is what Fresh returned a document from. It does not keep the records in memory.
type Ground struct {
	domain    hostname.Domain
	publisher weak.Pointer[custody.Publisher]
	file      weak.Pointer[custody.File]
}

// Ground returns what a document from Fresh was made from, and false if that is more than two
// records at a moment.
func (s *State) Ground() (Ground, bool) {
	return Ground{s.Publisher.Domain, weak.Make(s.Publisher), weak.Make(s.File)}, s.plain()
}

// plain reports whether the document of a state is made from its two records, and says
// nothing about the moment.
func (s *State) plain() bool {
	p := s.Publisher
	return s.Served == resolve.Usable && s.Detail == "" && len(s.Held) == 0 && p.Move == nil && p.Location.Method != custody.Superseded && p.Listed == s.File.Hash
}

// Again reports whether Fresh would return the document that it returned before, and what it would
// return beside it. Who is told no asks Fresh: that may be for no other reason than that a record was
// not remembered any more.
func (k *Keeper) Again(ctx context.Context, g Ground) (*State, bool) {
	if k.recent == nil {
		return nil, false
	}
	stored, err := k.revisions(ctx, g.domain)
	if err != nil {
		return nil, false
	}
	p, err := k.recentPublisher(ctx, g.domain, stored)
	if err != nil || p != g.publisher.Value() {
		return nil, false
	}
	f, revision, err := k.recentFile(ctx, p.Location.URL, stored)
	if err != nil || f != g.file.Value() {
		return nil, false
	}
	at, doubt, err := k.momentAndDoubt(ctx)
	if err != nil {
		return nil, false
	}
	held := k.held.get(f.URL, revision, at)
	if held == nil {
		return nil, false
	}
	s, err := k.stateOf(p, at, doubt, func(string) (*custody.File, []string, error) { return f, held.domains, nil })
	if err != nil || !s.plain() {
		return nil, false
	}
	way, file := k.due(s)
	return s, !way && !file
}

// errNothingServed is for a state without a file that counts.
var errNothingServed = errors.New("there is no file in effect")

// Report returns the check of the file that a state leads to. It was made without a
// clock.
func (k *Keeper) Report(ctx context.Context, s *State) (*adagents.Report, error) {
	if s.Served != resolve.Usable {
		return nil, errNothingServed
	}
	f, err := k.read(ctx, version{s.File.Hash, s.File.URL, s.Publisher.Domain, roleOf(s.Publisher.Location), s.File.Bytes})
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
