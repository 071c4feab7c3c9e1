package custodian

import (
	"context"
	"errors"
	"time"
	"weak"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

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
	route, file := k.due(s)
	var err error
	switch {
	case route:
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

// due reports whether the route to the file is not fresh, or the file alone.
func (k *Keeper) due(s *State) (bool, bool) {
	p, f := s.Publisher, s.File
	file := f != nil && s.PublisherStanding.Usable() && k.fileDue(f, s.At)
	return k.publisherDue(p, s.At) || file && k.ownDue(p, s.At), file && !ownPlace(p)
}

// document makes the document that a state leads to.
func (k *Keeper) document(ctx context.Context, s *State) (*resolve.Document, error) {
	p, f := s.Publisher, s.File
	doc := &resolve.Document{Publisher: string(p.Domain), State: s.Served, Detail: s.Detail, Code: s.Code,
		Advice: s.Advice, FetchedAt: p.TriedAt}
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
	doc.Route, err = k.routeTo(ctx, p, pointer)
	if err != nil {
		return nil, err
	}
	k.fill(doc, file, p.Location)
	doc.Revoked = s.Held
	doc.Replaced = k.replaced(p, f)
	return doc, nil
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

// routeTo returns the documents that lead to a place.
func routeTo(domain hostname.Domain, at custody.Location, hash string, when time.Time) []resolve.Evidence {
	e := resolve.Evidence{Publisher: string(domain), SHA256: hash, Method: at.Method.Answered(), FetchedAt: when,
		State: resolve.Usable}
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

// routeTo returns the documents that lead to the adopted place of a publisher. hash is that
// of what its well-known path has.
func (k *Keeper) routeTo(ctx context.Context, p *custody.Publisher, hash string) ([]resolve.Evidence, error) {
	if p.Location.Method != custody.Superseded || p.Via == "" || p.Via == wellKnown(p.Domain) {
		return routeTo(p.Domain, p.Location, hash, p.ConfirmedAt), nil
	}
	via, _, err := k.brief(ctx, p.Via)
	if err != nil {
		return nil, err
	}
	route := routeTo(p.Domain, custody.Location{Method: custody.AuthoritativeLocation}, hash, p.ConfirmedAt)
	return append(route, resolve.Evidence{
		Publisher: string(p.Domain), URL: p.Via, SHA256: via.Hash, Method: string(custody.AuthoritativeLocation),
		Role:      "replaced",
		FetchedAt: via.ConfirmedAt, State: resolve.Usable,
	}), nil
}

// A Snapshot is what is known about a publisher, with the document that answers rest on.
type Snapshot struct {
	*State
	Document *resolve.Document
	// AbsentSince is when the publisher was first seen without a file; zero when it has one,
	// or when that is not known.
	AbsentSince time.Time
}

// Snapshot returns what is known about a publisher, from the store and not from memory: a
// caller that was told of a change must see it. Nothing is asked. The error is the context's,
// or an ErrUnavailable.
func (k *Keeper) Snapshot(ctx context.Context, domain hostname.Domain) (*Snapshot, error) {
	s, err := k.stateBy(ctx, domain, k.publisher, k.brief)
	if err != nil {
		return nil, err
	}
	out := &Snapshot{State: s}
	if s.Publisher.Absent {
		places, err := k.config.Store.Places(ctx, domain, time.Time{}, 1)
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		if len(places) > 0 && places[0].Absent {
			out.AbsentSince = places[0].AdoptedAt
		}
	}
	return out, k.finish(ctx, out)
}

// finish adds the document to a snapshot.
func (k *Keeper) finish(ctx context.Context, s *Snapshot) error {
	var err error
	s.Document, err = k.document(ctx, s.State)
	return err
}

// Input is what the directory is made of.
func (s *Snapshot) Input() *projection.Input {
	p := s.Publisher
	in := &projection.Input{Domain: p.Domain, At: s.At.Early, Location: p.Location, Agents: p.Agents}
	if s.Document.State == resolve.Usable {
		in.Document, in.Adopted = s.Document, later(p.AdoptedAt, s.File.AdoptedAt)
		in.Identifiers = IdentifiersOf(resolve.Owned(s.Document))
	}
	return in
}

// Claims returns the publishers that list an identifier as their own, or did so within
// ClaimGrace before a time, the first to list it first.
func (k *Keeper) Claims(ctx context.Context, id resolve.Identifier, now time.Time, limit int) ([]Listing, error) {
	if !Indexable(id) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return k.config.Store.Claims(ctx, id, now.Add(-ClaimGrace), limit)
}

// Contradicts reports whether the records speak against what a discovery found that is not kept:
// they revoke the publisher or have a later date, or its file is known to be elsewhere.
func (k *Keeper) Contradicts(ctx context.Context, d *discover.Discovery) (bool, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return false, err
	}
	r := reader{d, k.since}.publisherObservation()
	p, err := k.publisher(ctx, r.domain)
	if err != nil || p.Location.URL != "" && p.Location.URL != r.to.URL {
		return err == nil, err
	}
	for i := range d.Trail {
		f, err := k.file(ctx, d.Trail[i].URL)
		if err != nil || f.Overflow || f.Revokes(r.domain, at) {
			return err == nil, err
		}
		if g := r.file; g != nil && g.url == f.URL && g.observation.Hash != f.Hash &&
			g.observation.Facts.LastUpdated.Before(f.HighWater) {
			return true, nil
		}
	}
	return false, nil
}

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
	route, file := k.due(s)
	if route || file {
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
	return s.Served == resolve.Usable && s.Detail == "" && len(s.Held) == 0 && p.Move == nil &&
		p.Location.Method != custody.Superseded && p.Listed == s.File.Hash
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
	at, fault, err := k.momentAndFault(ctx)
	if err != nil {
		return nil, false
	}
	held := k.held.get(f.URL, revision, at)
	if held == nil {
		return nil, false
	}
	s, err := k.stateOf(p, at, fault, func(string) (*custody.File, []string, error) { return f, held.domains, nil })
	if err != nil || !s.plain() {
		return nil, false
	}
	route, file := k.due(s)
	return s, !route && !file
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

// An OtherFile is what is kept of a file that is not an adagents.json.
type OtherFile struct {
	// File is the record, which has no Hash while no version was adopted.
	File     *custody.File
	Standing custody.Standing
	// Body is the version in effect; nil when it is not kept.
	Body []byte
	// Subject is what leaves of the transparency log about it are about.
	Subject translog.Subject
}

// OtherFile returns what is kept of the file at a URL that is not an adagents.json.
func (k *Keeper) OtherFile(ctx context.Context, url string) (*OtherFile, error) {
	url += otherFileMark
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	f, _, err := k.brief(ctx, url)
	if err != nil {
		return nil, err
	}
	b := &OtherFile{File: f, Standing: f.Standing(at), Subject: translog.File(url)}
	if f.Hash == "" || k.unsavedChanges.behind(url) {
		return b, nil
	}
	leave, err := k.reserve(ctx, f.Bytes)
	if err != nil {
		return nil, err
	}
	defer leave()
	b.Body, err = k.config.Store.Document(ctx, f.Hash)
	if errors.Is(err, ErrNotFound) {
		return b, nil // it was removed to make room
	}
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return b, nil
}

// Pins returns the file that the pinned keys of a publisher are taken from. Its keys may
// be used for a shorter time than the rest, which KeysUntil says: a verifier then asks for
// a Refresh. See KeySource.
func (k *Keeper) Pins(ctx context.Context, publisher string) (*keypin.Document, error) {
	domain, err := ParseDomain(publisher)
	var input *discover.InputError
	if errors.As(err, &input) {
		return &keypin.Document{Publisher: publisher, State: keypin.Absent, FetchedAt: k.now(), Detail: input.Message}, nil
	}
	_, err = k.current(ctx, domain)
	if err != nil {
		return nil, err
	}
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.pinsOf(ctx, s)
}

// freshPins asks a publisher past all caches. What it serves and is not adopted is a
// state of its own; what could not be obtained is not used, and neither is what was known
// before.
func (k *Keeper) freshPins(ctx context.Context, domain hostname.Domain) (*keypin.Document, error) {
	began := k.now()
	err := k.look(ctx, domain, forced)
	if err != nil {
		return nil, err
	}
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	doc, err := k.pinsOf(ctx, s)
	if err != nil || doc.State != keypin.Usable {
		return doc, err
	}
	p, f := s.Publisher, s.File
	state := keypin.Usable
	switch {
	case f.Refused != nil:
		state = keypin.RolledBack
	case p.Move != nil:
		state = keypin.PointerChanged
	case !f.FailingSince.IsZero() || !p.FailingSince.IsZero() || f.ConfirmedAt.Add(custody.Skew).Before(began):
		state = keypin.Unreachable
	}
	if state == keypin.Usable {
		return doc, nil
	}
	return &keypin.Document{
		Publisher: string(domain), State: state, URL: doc.URL, SHA256: doc.SHA256, FetchedAt: doc.FetchedAt,
		KnownSince: doc.KnownSince, Detail: s.Detail,
	}, nil
}

// pinsOf makes the document of pins that a state leads to.
func (k *Keeper) pinsOf(ctx context.Context, s *State) (*keypin.Document, error) {
	doc, err := k.document(ctx, s)
	if err != nil {
		return nil, err
	}
	out := &keypin.Document{
		Publisher: doc.Publisher, State: pinStates[doc.State], File: doc.File, URL: doc.URL, SHA256: doc.SHA256,
		FetchedAt: doc.FetchedAt, Detail: doc.Detail,
	}
	switch {
	case doc.Replaced:
		out.State, out.File, out.Detail = keypin.Unreachable, nil,
			"the file was replaced by another one, which could not be had"
	case s.PublisherStanding == custody.Expired || s.FileStanding == custody.Expired:
		out.State = keypin.Expired
	case doc.State == resolve.Usable:
		out.KeysUntil, out.KnownSince, out.KeySince = s.File.KeysUntil, s.File.AdoptedAt, s.File.KnownSince
		out.Revoked, err = k.revokes(ctx, s.File, s.Publisher.Domain, s.At)
	}
	return out, err
}

var pinStates = map[resolve.State]keypin.State{
	resolve.Unreachable: keypin.Unreachable, resolve.Absent: keypin.Absent, resolve.Unusable: keypin.Unusable,
	resolve.Usable:   keypin.Usable,
	resolve.Withheld: keypin.Unreachable,
}

// KeySource returns the keeper as the source of a keypin.Verifier.
func (k *Keeper) KeySource() keypin.Source { return keySource{k} }

type keySource struct{ *Keeper }

// Refresh implements keypin.Source.
func (s keySource) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	return s.freshPins(ctx, hostname.Domain(publisher))
}
