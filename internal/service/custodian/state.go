package custodian

import (
	"cmp"
	"context"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
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
func (k *Keeper) stateBy(ctx context.Context, domain hostname.Domain,
	publisher func(context.Context, hostname.Domain) (*custody.Publisher, error), file readFile) (*State, error) {
	at, fault, err := k.momentAndFault(ctx)
	if err != nil {
		return nil, err
	}
	p, err := publisher(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.stateOf(p, at, fault, func(url string) (*custody.File, []string, error) {
		return k.fileAndHeld(ctx, file, url, at)
	})
}

// stateOf is the state of a publisher at a moment, with what is wrong with the clock. file is
// called for the record of the file without its revocations, and the domains that it holds
// revoked.
func (k *Keeper) stateOf(p *custody.Publisher, at custody.Moment, fault *ClockError,
	file func(url string) (*custody.File, []string, error)) (*State, error) {
	if k.config.IgnoreSuperseded {
		p = withoutSuccessor(p)
	}
	s := &State{Publisher: p, At: at, PublisherStanding: p.Standing(at), Clock: fault,
		Unsaved: k.unsavedChanges.behind(string(p.Domain))}
	if p.Location.URL != "" {
		var err error
		s.File, s.Held, err = file(p.Location.URL)
		if err != nil {
			return nil, err
		}
		s.FileStanding = s.File.Standing(at)
		s.Unsaved = s.Unsaved || k.unsavedChanges.behind(s.File.URL)
	}
	s.judge()
	return s, nil
}

// withoutSuccessor returns the record of a publisher as if nothing was named in
// superseded_by.
func withoutSuccessor(p *custody.Publisher) *custody.Publisher {
	if p.Location.Method != custody.Superseded || p.Via == "" {
		return p
	}
	first := *p
	first.Location = custody.Location{Method: custody.AuthoritativeLocation, URL: p.Via}
	if p.Via == wellKnown(p.Domain) {
		first.Location.Method = custody.Direct
	}
	return &first
}

// Judge returns what records say at a moment. The file is nil while no place was adopted. What
// is wrong with the clock is not looked up, since that takes longer than all the rest; the moment
// tells it, and the texts do not.
func (k *Keeper) Judge(p *custody.Publisher, f *custody.File, at custody.Moment) *State {
	s := &State{Publisher: p, File: f, At: at, PublisherStanding: p.Standing(at),
		Unsaved: k.unsavedChanges.behind(string(p.Domain))}
	if f != nil {
		s.FileStanding, s.Unsaved = f.Standing(at), s.Unsaved || k.unsavedChanges.behind(f.URL)
	}
	s.judge()
	return s
}

// judge decides what is served.
func (s *State) judge() {
	p := s.Publisher
	switch {
	case s.Unsaved:
		s.withhold("state.unsaved",
			"what was last seen of the publisher could not be saved; nothing is in effect until it is",
			"check the disk or the database of the store, and ask again")
	case p.Absent:
		s.Served, s.Detail = resolve.Absent, "there was none at "+date(p.TriedAt)
		s.sayMove()
	case s.PublisherStanding == custody.Unknown && p.TriedAt.IsZero():
		s.Detail = "the publisher was not asked yet"
	case s.PublisherStanding == custody.Unknown:
		s.trouble("", p.Trouble, p.Cause, resolve.CodeUnsettled,
			"ask again a day later, or ask the publisher where its file is")
	case s.PublisherStanding == custody.Ended:
		s.Detail = withText("the publisher refuses to answer", p.Trouble)
	case !s.PublisherStanding.Usable():
		s.unconfirmed()
	default:
		s.judgeFile()
	}
}

// unconfirmed says why the adopted place is no longer in effect.
func (s *State) unconfirmed() {
	p := s.Publisher
	text := "where the publisher's file is was not confirmed since " + confirmed(p.ConfirmedAt)
	switch {
	case s.badClock(p.Standing):
	case p.Move != nil && p.FailingSince.IsZero():
		s.Served, s.Detail = resolve.Withheld, text
		s.sayMove()
	default:
		s.trouble(text, p.Trouble, p.Cause, resolve.CodeUnsettled,
			"ask again a day later, or ask the publisher where its file is")
	}
}

// judgeFile decides what is served of the file at the adopted place.
func (s *State) judgeFile() {
	p, f := s.Publisher, s.File
	refusal := "ask the publisher to publish with a current date"
	code := ""
	if f.Refused != nil {
		code, refusal = f.Refused.Code, refusal+", or let the version in with avow hold confirm "+f.URL+" "+f.Refused.Hash
	}
	switch {
	case s.FileStanding == custody.Unknown:
		s.trouble("", f.Trouble, f.Cause, code, refusal)
	case s.FileStanding == custody.Ended && p.Location.Method == custody.ManagerDomain:
		// A manager without a file changes nothing: the publisher has none.
		s.Served, s.Detail = resolve.Absent, withText("the manager's file was taken away", f.Trouble)
		s.sayMove()
	case s.FileStanding == custody.Ended:
		s.Served, s.Detail = resolve.Unusable, withText("the file was taken away", f.Trouble)
		s.sayMove()
	case s.FileStanding == custody.Shut:
		s.withhold("file.overflow", "the file revokes more publishers than can be remembered, so nothing of it is in effect",
			"ask the file's maintainer to remove entries older than a week")
	case f.Disowned():
		s.withhold("file.contradicted", "the file at "+f.URL+" was replaced at "+date(f.AdoptedAt)+
			", and has the version before again since "+date(f.Refused.Since)+": which one is meant cannot be told",
			"ask the publisher which version is meant; it publishes that with a current date, or you let the older one in "+
				"with avow hold confirm "+f.URL+" "+f.Refused.Hash)
	case !s.FileStanding.Usable() && !s.badClock(f.Standing):
		s.trouble("the file was not confirmed since "+confirmed(f.ConfirmedAt), f.Trouble, f.Cause, code, refusal)
	case s.FileStanding.Usable():
		s.Served, s.Detail = resolve.Usable, s.stale()
	}
}

// withhold says that the publisher answered, and why its file is ignored.
func (s *State) withhold(code, detail, advice string) {
	s.Served, s.Code, s.Detail, s.Advice = resolve.Withheld, code, detail, advice
}

// trouble tells a file that cannot be used, and one that was refused, from one that did
// not come. The code and the advice are those of a refusal.
func (s *State) trouble(text, trouble string, cause custody.Cause, code, advice string) {
	detail := trouble
	if text != "" {
		detail = withText(text, trouble)
	}
	switch cause {
	case custody.CauseRefused:
		s.withhold(cmp.Or(code, "file.failing"), detail, advice)
	case custody.CauseUnusable:
		s.Served, s.Detail = resolve.Unusable, detail
	default:
		s.Served, s.Detail = resolve.Unreachable, detail
	}
}

// badClock says so when a record is ignored because of the clock alone: of the two
// readings of the present, the later one lies well after it.
func (s *State) badClock(standing func(custody.Moment) custody.Standing) bool {
	ahead := s.At.Late.Sub(s.At.Early)
	if ahead <= maxBack || !standing(custody.At(s.At.Early)).Usable() {
		return false
	}
	if s.Clock != nil && s.Clock.Code == codeAhead {
		s.withhold(codeAhead,
			"the clock of this machine shows "+date(s.At.Late)+", and web servers say that it is "+date(s.At.Early)+
				": how old the file is cannot be told",
			"set the clock of this machine; if it is right, say so with avow state set-clock")
		return true
	}
	s.withhold(codeBack,
		"the latest time in the store is "+date(s.At.Late)+", and the clock of this machine shows "+date(s.At.Early)+
			": how old the file is cannot be told",
		"set the clock of this machine; if it is right, the store was used with one that was ahead: avow state set-clock "+
			"repairs it")
	return true
}

// sayMove names a move that waits as the cause.
func (s *State) sayMove() {
	p := s.Publisher
	if p.Move == nil {
		return
	}
	s.Code = "move.held"
	s.Detail = withText("the publisher leads to "+p.Move.To.URL+" since "+date(p.Move.Since)+", which is pending",
		s.Detail)
	s.Advice = "ask the publisher by another way, and then let it in with avow hold confirm " + string(p.Domain) + " " +
		p.Move.To.URL
}

// A Standing is what is known about a publisher at a moment, in a few words.
type Standing struct {
	State wire.PublisherState
	// InEffect: answers rest on a file of the publisher.
	InEffect bool
	// Since is when the state began, as far as that is known. ConfirmedAt is when the file in
	// effect was last confirmed.
	Since, ConfirmedAt, LastLook, NextLook time.Time
	// Location is where its authority comes from; zero for nowhere.
	Location custody.Location
}

// Standing returns how a publisher stands whose document is in a state. absentSince is as in
// Snapshot.
func (s *State) Standing(doc resolve.State, absentSince time.Time) Standing {
	p, f := s.Publisher, s.File
	if p.TriedAt.IsZero() {
		return Standing{State: wire.NeverLooked}
	}
	out := Standing{
		InEffect: s.Served == resolve.Usable && doc == resolve.Usable, Location: p.Location,
		LastLook: p.TriedAt, NextLook: NextLook(p, f, absentSince),
	}
	if f != nil && f.TriedAt.After(out.LastLook) {
		out.LastLook = f.TriedAt
	}
	out.State, out.Since = s.word(doc, absentSince)
	if out.InEffect {
		out.ConfirmedAt = earlier(p.ConfirmedAt, f.ConfirmedAt)
	}
	return out
}

// word returns the state that records come to, and since when.
func (s *State) word(doc resolve.State, absentSince time.Time) (wire.PublisherState, time.Time) {
	served := s.Served
	if served == resolve.Usable && doc != resolve.Usable {
		served = doc // the file is not one that can be used for this publisher
	}
	failing := s.Publisher.FailingSince
	if s.File != nil && (failing.IsZero() || !s.File.FailingSince.IsZero() && s.File.FailingSince.Before(failing)) {
		failing = s.File.FailingSince
	}
	since, pending := s.pending()
	switch {
	case served == resolve.Withheld:
		if !pending {
			since = failing
		}
		return wire.Held, since
	case served == resolve.Absent && s.Publisher.Location == (custody.Location{}):
		return wire.Absent, absentSince
	case served == resolve.Absent || served == resolve.Unusable && s.FileStanding == custody.Ended:
		return wire.Gone, absentSince
	case served == resolve.Unusable:
		return wire.Unusable, failing
	case served != resolve.Usable:
		return wire.Failing, failing
	case pending:
		return wire.Held, since
	case !failing.IsZero():
		return wire.Stale, failing
	case s.PublisherStanding != custody.Fresh || s.FileStanding != custody.Fresh:
		return wire.Stale, s.FreshUntil()
	}
	return wire.Fresh, later(s.Publisher.AdoptedAt, s.File.AdoptedAt)
}

// pending reports whether something is held, and since when.
func (s *State) pending() (time.Time, bool) {
	switch {
	case s.Publisher.Move != nil && !s.Publisher.Move.Rejected:
		return s.Publisher.Move.Since, true
	case s.File != nil && s.File.Refused != nil:
		return s.File.Refused.Since, true
	}
	return time.Time{}, false
}

// FreshUntil returns how long what is known may be used without asking.
func (s *State) FreshUntil() time.Time {
	if s.File == nil || s.Publisher.FreshUntil.Before(s.File.FreshUntil) {
		return s.Publisher.FreshUntil
	}
	return s.File.FreshUntil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// WasReported reports whether the directory was told of the file that is in effect, for which Served is
// usable: of this version, or that it does not speak for the publisher any more.
func (s *State) WasReported() bool {
	reported := s.Publisher.Reported
	return reported != "" && reported[0] != docNone && (s.Publisher.Listed == s.File.Hash || reported[0] == docRevoked)
}

// Document is the state of the document by what was told.
func (s *State) Document() resolve.State { return docOf(s.Publisher.Reported) }

// What Reported begins with: how the document of a publisher was when it was told about.
const (
	docUsable   = 'u'
	docRevoked  = 'r' // it does not speak for the publisher any more
	docUnusable = 'n'
	docAbsent   = 'a'
	docNone     = '-' // nothing was in effect
)

// docOf returns the state of the document by what a publisher was told of.
func docOf(reported string) resolve.State {
	switch {
	case reported != "" && reported[0] == docUnusable:
		return resolve.Unusable
	case reported != "" && reported[0] == docAbsent:
		return resolve.Absent
	}
	return resolve.Usable
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
