package registry

import (
	"context"
	"slices"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A LastCheck is what was found when a publisher was last looked at.
type LastCheck struct {
	CheckedAt, FreshUntil time.Time
	// Valid: neither the file nor the way to it has an error.
	Valid bool
	// Method is the stable name of how the file was found; empty when none was. Status and
	// Bytes are those of the answer at the well-known path; zero without one.
	Method, ResolvedURL, ManagerDomain string
	Status                             int
	Bytes                              int64
}

// lastCheck returns what was found when the publisher of a document was last looked at: the
// look that it is from, if that was a moment ago, and else what the records have of it.
func (s *Service) lastCheck(ctx context.Context, doc *resolve.Document) LastCheck {
	c := s.foundBy(doc)
	if c != nil {
		return c.summary()
	}
	state := s.recordOf(ctx, doc)
	out := LastCheck{CheckedAt: micro(doc.FetchedAt), FreshUntil: freshBy(doc, state), Method: doc.Method,
		ResolvedURL: doc.URL}
	if state == nil {
		return out
	}
	reply := state.Publisher.Reply
	out.Status, out.Bytes = reply.Status, reply.Bytes
	at := reply.Place
	if doc.State == resolve.Usable {
		at = state.Publisher.Location
		out.Valid = !reply.Flawed && s.reportValid(ctx, state)
	} else {
		out.Method, out.ResolvedURL = methodOf(at), at.URL
	}
	out.ManagerDomain = at.Manager
	return out
}

// freshUntil is that of lastCheck, which is all that most questions need of it. The records
// are read unless they are given.
func (s *Service) freshUntil(ctx context.Context, doc *resolve.Document, state *custodian.State) time.Time {
	c := s.foundBy(doc)
	if c != nil {
		return c.freshUntil
	}
	if state == nil {
		state = s.recordOf(ctx, doc)
	}
	return freshBy(doc, state)
}

// foundBy returns the look that a document is from, if that was a moment ago; nil if not.
func (s *Service) foundBy(doc *resolve.Document) *checked {
	c := s.checks.last(hostname.Domain(doc.Publisher), reuseTime)
	if c != nil && c.leadsTo(doc) {
		return c
	}
	return nil
}

// recordOf returns what the records have of the publisher of a document; nil for nothing.
func (s *Service) recordOf(ctx context.Context, doc *resolve.Document) *custodian.State {
	domain := hostname.Domain(doc.Publisher)
	state, err := s.keeper.State(ctx, domain)
	if err != nil || state.Publisher.Revision == 0 || s.hasOptedOut(domain) {
		return nil
	}
	return state
}

// freshBy returns how long a document is fresh by the records, which may be nil.
func freshBy(doc *resolve.Document, state *custodian.State) time.Time {
	if doc.State == resolve.Usable && state != nil {
		return micro(state.FreshUntil())
	}
	return micro(doc.FetchedAt).Add(freshFor(doc.State))
}

// reportValid reports whether the file in force has no error.
func (s *Service) reportValid(ctx context.Context, state *custodian.State) bool {
	report, err := s.keeper.Report(ctx, state)
	return err == nil && report.Valid()
}

// methodOf returns the name of how a place is found; that of a publisher's own when
// nothing else is known.
func methodOf(at custody.Location) string {
	if at.Method == "" {
		return string(custody.Direct)
	}
	return string(at.Method)
}

// leadsTo reports whether a document is what a look found.
func (c *checked) leadsTo(doc *resolve.Document) bool {
	d := c.discovery
	if d.Answer != discover.Usable || doc.State != resolve.Usable {
		return answerStates[d.Answer] == doc.State
	}
	return slices.ContainsFunc(d.Trail, func(h discover.Hop) bool {
		return h.Result != nil && h.Report == d.Report && h.Result.Last().SHA256 == doc.SHA256
	})
}

// summary is what a look found.
func (c *checked) summary() LastCheck {
	d := c.discovery
	out := LastCheck{
		CheckedAt: micro(d.At), FreshUntil: c.freshUntil, Valid: d.Valid(),
		Method: d.Method.String(), ResolvedURL: d.ResolvedURL, ManagerDomain: d.ManagerDomain,
	}
	if len(d.Trail) > 0 && d.Trail[0].Result != nil {
		first := d.Trail[0].Result.Last()
		out.Status, out.Bytes = first.Status, first.Bytes
	}
	return out
}

// checkedOf sums a discovery up.
func (s *Service) checkedOf(d *discover.Discovery, complete bool) *checked {
	fresh := lifetimeOf(d)
	if !complete {
		fresh = reuseTime
	}
	return &checked{discovery: d, freshUntil: micro(d.At.Add(fresh)), complete: complete, spent: spent(d),
		at: s.config.Now()}
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// freshFor returns how long it may be said that a publisher has no file that can be used.
// What is not there, or cannot be used, may be put right any moment.
func freshFor(s resolve.State) time.Duration {
	if s == resolve.Absent || s == resolve.Unusable {
		return freshness.DecisionPolicy.Cap
	}
	return reuseTime
}

// lifetimeOf returns how long a discovery counts, from when it began. A file is used as
// long as its origin says, within the limits of the policy.
func lifetimeOf(d *discover.Discovery) time.Duration {
	if d.Answer != discover.Usable {
		return freshFor(answerStates[d.Answer])
	}
	fresh := freshness.AuthoritativePolicy.Cap
	for i := range d.Trail {
		h := &d.Trail[i]
		switch {
		case h.Report == nil || h.Result == nil:
		case h.Report == d.Report:
			fresh = min(fresh, lifetime(h, freshness.AuthoritativePolicy))
		case h.Report == d.Pointer:
			fresh = min(fresh, lifetime(h, freshness.PointerPolicy))
		}
	}
	return max(fresh, reuseTime)
}

// answerStates are the answers of discovery as states; others are like Unreachable.
var answerStates = map[discover.Answer]resolve.State{
	discover.Usable: resolve.Usable, discover.Absent: resolve.Absent, discover.Unusable: resolve.Unusable,
}

// sharedAge is the greatest age of an answer that was obtained for another question.
const sharedAge = time.Minute

// lifetime returns how long the answer of a hop may be used.
func lifetime(h *discover.Hop, p freshness.Policy) time.Duration {
	x := h.Result.Last()
	d, _ := freshness.Lifetime(x.Caching(), x.At, p)
	if h.Shared {
		d -= sharedAge
	}
	return d
}
