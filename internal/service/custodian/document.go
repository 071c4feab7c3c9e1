package custodian

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A State is what is known about a publisher at a moment.
type State struct {
	// Publisher and File are the records; File is nil while no place was adopted, and has no
	// Revocations.
	Publisher *custody.Publisher
	File      *custody.File
	At        custody.Moment
	// PublisherStanding and FileStanding say whether they may be used.
	PublisherStanding, FileStanding custody.Standing
	// Served is what questions are answered from, and Detail says why there is no file, or
	// why it was not confirmed recently.
	Served resolve.State
	Detail string
	// Code names the cause where the state alone does not, and Advice what to do about it;
	// both may be empty.
	Code, Advice string
	// Held are the domains that the file does not list any more and that stay revoked.
	Held []string
	// Clock is what is wrong with the clock; nil when nothing is.
	Clock *ClockError
	// Unsaved: a change could not be saved, so nothing is answered from the records.
	Unsaved bool
	// shared is the key of the file that was read.
	shared fileKey
}

// State returns what is known about a publisher. Nothing is asked. The error is the
// context's, or an ErrUnavailable.
func (k *Keeper) State(ctx context.Context, domain hostname.Domain) (*State, error) {
	stored, err := k.revisions(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.stateBy(ctx, domain,
		func(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
			return k.recentPublisher(ctx, domain, stored)
		},
		func(ctx context.Context, url string) (*custody.File, int64, error) {
			return k.recentFile(ctx, url, stored)
		})
}

// stateBy is State from records that are read by the given functions.
func (k *Keeper) stateBy(ctx context.Context, domain hostname.Domain, publisher func(context.Context, hostname.Domain) (*custody.Publisher, error), file readFile) (*State, error) {
	at, doubt, err := k.momentAndDoubt(ctx)
	if err != nil {
		return nil, err
	}
	p, err := publisher(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.stateOf(p, at, doubt, func(url string) (*custody.File, []string, error) { return k.fileAndHeld(ctx, file, url, at) })
}

// stateOf is the state of a publisher at a moment, with what is wrong with the clock. file is
// called for the record of the file without its revocations, and the domains that it holds
// revoked.
func (k *Keeper) stateOf(p *custody.Publisher, at custody.Moment, doubt *ClockError, file func(url string) (*custody.File, []string, error)) (*State, error) {
	if k.config.IgnoreSuperseded {
		p = withoutSuccessor(p)
	}
	s := &State{Publisher: p, At: at, PublisherStanding: p.Standing(at), Clock: doubt, Unsaved: k.doubts.about(string(p.Domain))}
	if p.Location.URL != "" {
		var err error
		s.File, s.Held, err = file(p.Location.URL)
		if err != nil {
			return nil, err
		}
		s.FileStanding = s.File.Standing(at)
		s.Unsaved = s.Unsaved || k.doubts.about(s.File.URL)
	}
	s.judge()
	return s, nil
}

// stale says that a file is served although it could not be confirmed; "" when it could.
func (s *State) stale() string {
	p, f := s.Publisher, s.File
	switch {
	case !f.FailingSince.IsZero():
		return withText("the file was last confirmed at "+date(f.ConfirmedAt), f.Trouble)
	case !p.FailingSince.IsZero():
		return withText("the way to the file was last confirmed at "+date(p.ConfirmedAt), p.Trouble)
	case s.Clock != nil:
		return s.Clock.Error()
	}
	return ""
}

func withText(text, more string) string {
	if more == "" {
		return text
	}
	return text + ": " + more
}

// confirmed is when something was last confirmed. A record of a store that was put back
// from an old copy, or whose clock was set, has no such time.
func confirmed(t time.Time) string {
	if t.IsZero() {
		return "an old copy of the store was put back, or its clock was set"
	}
	return date(t)
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Document returns the file that speaks for a publisher, whose domain is in canonical
// form. It implements resolve.Source: the answer comes from the records, which are
// refreshed first if necessary. When that fails they count for as long as their rules
// say. The error is the context's, or an ErrUnavailable.
func (k *Keeper) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	domain, err := ParseDomain(publisher)
	var input *discover.InputError
	if errors.As(err, &input) {
		// An invalid name has no file.
		return &resolve.Document{Publisher: publisher, State: resolve.Absent, FetchedAt: k.now(), Detail: input.Message}, nil
	}
	return k.current(ctx, domain)
}

// current is Document for those who have a domain.
func (k *Keeper) current(ctx context.Context, domain hostname.Domain) (*resolve.Document, error) {
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	asked, trouble := k.freshen(ctx, s)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if asked {
		s, err = k.State(ctx, domain)
		if err != nil {
			return nil, err
		}
	}
	s, err = k.lookForSuccessor(ctx, s)
	if err != nil {
		return nil, err
	}
	if trouble != nil && (s.Publisher.TriedAt.IsZero() || errors.Is(trouble, ErrNotAdmitted)) && !s.Unsaved {
		// There is no record that could answer in its place, or one that is not kept up to date.
		return nil, trouble
	}
	return k.document(ctx, s)
}

// freshen asks the web for what is not fresh, and reports whether it did.
func (k *Keeper) freshen(ctx context.Context, s *State) (bool, error) {
	p := s.Publisher
	way, file := k.due(s)
	var err error
	switch {
	case way:
		err = k.look(ctx, p.Domain, ifDue)
	case file:
		err = k.askFile(ctx, p.Domain, p.Location, time.Time{})
	default:
		return false, nil
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrNotAdmitted) {
		k.config.Log.WarnContext(ctx, "cannot refresh what is known about a publisher", "domain", p.Domain, "error", err)
	}
	return true, err
}

// due reports whether the way to the file is not fresh, or the file alone.
func (k *Keeper) due(s *State) (bool, bool) {
	p, f := s.Publisher, s.File
	file := f != nil && s.PublisherStanding.Usable() && k.fileDue(f, s.At)
	return k.publisherDue(p, s.At) || file && k.ownDue(p, s.At), file && !ownPlace(p)
}

// document makes the document that a state leads to.
func (k *Keeper) document(ctx context.Context, s *State) (*resolve.Document, error) {
	p, f := s.Publisher, s.File
	doc := &resolve.Document{Publisher: string(p.Domain), State: s.Served, Detail: s.Detail, Code: s.Code, Advice: s.Advice, FetchedAt: p.TriedAt}
	if s.Served != resolve.Usable {
		return doc, nil
	}
	file, err := k.read(ctx, version{f.Hash, f.URL, p.Domain, roleOf(p.Location), f.Bytes})
	if err != nil {
		return nil, err
	}
	doc.Method, doc.URL, doc.SHA256, doc.FetchedAt = p.Location.Method.Answered(), f.URL, f.Hash, f.ConfirmedAt
	s.shared = file.key
	pointer := p.Hash
	if p.Move != nil && !ownPlace(p) {
		// The record is about the pointer to the new place by now.
		pointer, err = k.pointer(ctx, p.Domain, p.Location)
		if err != nil {
			return nil, err
		}
	}
	if f.From != "" {
		doc.URL = f.From
	}
	doc.Route, err = k.wayTo(ctx, p, pointer)
	if err != nil {
		return nil, err
	}
	k.fill(doc, file, p.Location)
	doc.Revoked = s.Held
	doc.Replaced = k.replaced(p, f)
	return doc, nil
}

// fill gives a document its content, unless that cannot be used for the publisher.
func (k *Keeper) fill(doc *resolve.Document, file *parsed, at custody.Location) {
	switch {
	case file.report.File == nil:
		doc.State, doc.Detail = resolve.Unusable, unusable+"it has no content for the publisher"
		if file.report.Unusable != nil {
			doc.Detail = unusable + file.report.Unusable.Findings[0].Message
		}
	case at.Method == custody.ManagerDomain && !discover.SpeaksFor(file.report, doc.Publisher):
		doc.State, doc.Detail = resolve.Absent, "the manager's file does not speak for the publisher"
	default:
		if file.ready != nil { // it is counted as one that questions are asked about
			file.ready()
		}
		doc.File, doc.Skipped, doc.Prepared = file.report.File, file.skipped, file.prepared
	}
}

// pointer returns the hash of what led to a place when it was adopted last.
func (k *Keeper) pointer(ctx context.Context, domain hostname.Domain, at custody.Location) (string, error) {
	places, err := k.config.Store.Places(ctx, domain, time.Time{}, 10)
	if err != nil {
		return "", unavailable(ctx, err)
	}
	for i := range places {
		if places[i].Pointer != "" && places[i].Location == at {
			return places[i].Pointer, nil
		}
	}
	return "", nil
}

// wayTo returns the documents that lead to a place.
func wayTo(domain hostname.Domain, at custody.Location, hash string, when time.Time) []resolve.Evidence {
	e := resolve.Evidence{Publisher: string(domain), SHA256: hash, Method: at.Method.Answered(), FetchedAt: when, State: resolve.Usable}
	switch at.Method {
	case custody.Superseded:
		e.URL, e.Role = wellKnown(domain), "replaced"
	case custody.AuthoritativeLocation:
		e.URL, e.Role = wellKnown(domain), "pointer"
	case custody.ManagerDomain:
		e.URL, e.Role = "https://"+string(domain)+"/ads.txt", "ads_txt"
	default:
		return nil
	}
	return []resolve.Evidence{e}
}
