package custodian

import (
	"cmp"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/resolve"
)

// judge decides what is served.
func (s *State) judge() {
	p := s.Publisher
	switch {
	case s.Unsaved:
		s.withhold("state.unsaved", "what was last seen of the publisher could not be saved; nothing is in effect until it is", "check the disk or the database of the store, and ask again")
	case p.Absent:
		s.Served, s.Detail = resolve.Absent, "there was none at "+date(p.TriedAt)
		s.sayMove()
	case s.PublisherStanding == custody.Unknown && p.TriedAt.IsZero():
		s.Detail = "the publisher was not asked yet"
	case s.PublisherStanding == custody.Unknown:
		s.trouble("", p.Trouble, p.Cause, resolve.CodeUnsettled, "ask again a day later, or ask the publisher where its file is")
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
		s.trouble(text, p.Trouble, p.Cause, resolve.CodeUnsettled, "ask again a day later, or ask the publisher where its file is")
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
		s.withhold("file.overflow", "the file revokes more publishers than can be remembered, so nothing of it is in effect", "ask the file's maintainer to remove entries older than a week")
	case f.Disowned():
		s.withhold("file.contradicted", "the file at "+f.URL+" was replaced at "+date(f.AdoptedAt)+", and has the version before again since "+date(f.Refused.Since)+": which one is meant cannot be told",
			"ask the publisher which version is meant; it publishes that with a current date, or you let the older one in with avow hold confirm "+f.URL+" "+f.Refused.Hash)
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
			"the clock of this machine shows "+date(s.At.Late)+", and web servers say that it is "+date(s.At.Early)+": how old the file is cannot be told",
			"set the clock of this machine; if it is right, say so with avow state set-clock")
		return true
	}
	s.withhold(codeBack,
		"the latest time in the store is "+date(s.At.Late)+", and the clock of this machine shows "+date(s.At.Early)+": how old the file is cannot be told",
		"set the clock of this machine; if it is right, the store was used with one that was ahead: avow state set-clock repairs it")
	return true
}

// sayMove names a move that waits as the cause.
func (s *State) sayMove() {
	p := s.Publisher
	if p.Move == nil {
		return
	}
	s.Code = "move.held"
	s.Detail = withText("the publisher leads to "+p.Move.To.URL+" since "+date(p.Move.Since)+", which is pending", s.Detail)
	s.Advice = "ask the publisher by another way, and then let it in with avow hold confirm " + string(p.Domain) + " " + p.Move.To.URL
}
