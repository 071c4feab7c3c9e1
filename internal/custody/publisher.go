package custody

import (
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/freshness"
)

// Take returns the record after a look at the publisher, and what happened. The record
// itself stays as it is. A new publisher has a Domain and nothing else.
//
//	found                            place             move               events
//	Whole, the first place           adopted           none               publisher.located
//	Whole, the adopted place         confirmed         cancelled          move.cancelled, publisher.returned
//	Whole, another place             kept              begins or is over  move.held, move.restarted
//	  the same one, in its time      kept              goes on            move.doubted
//	  after MoveHold, without signs  replaced          done               move.adopted
//	  by a manager, after a file     kept, not served  begins             publisher.absent, move.held
//	NotModified, and it fits         confirmed         none               publisher.recovered
//	Gone                             kept, not served  cancelled          publisher.absent, move.cancelled
//	Denied, Firm or for DenialGrace  kept, not served  goes on            publisher.denied
//	Denied otherwise                 kept              goes on            publisher.failing
//	Failed, Invalid                  kept              goes on            publisher.failing, publisher.expired
//	any, but older than the last     kept              goes on            none
//
// While there is no file that could be used at the adopted place and there never was one,
// another place is adopted at once.
func (p *Publisher) Take(w Route, at Moment) (*Publisher, []Event) {
	w.At = seen(w.At, at)
	w.To = w.To.canonical()
	t := &publisherTake{was: p, next: p.clone(), route: w, at: at}
	if overtaken(w.At, p.TriedAt, at) {
		return t.next, nil
	}
	t.next.TriedAt = w.At
	if !p.Decided.Open(at) {
		t.next.Decided = nil
	}
	if w.Outcome != NotModified {
		t.next.Reply = w.Reply
	}
	t.listen()
	switch w.Outcome {
	case Whole:
		t.whole()
	case NotModified:
		t.notModified()
	case Gone:
		t.gone()
	case Denied:
		t.denied()
	default:
		t.fail(w.Detail)
	}
	t.expire()
	return t.next, t.events
}

// A publisherTake is one Take in progress.
type publisherTake struct {
	was, next *Publisher
	route     Route
	at        Moment
	events    []Event
}

// clone copies what Take changes in place. Other lists are replaced, never changed.
func (p *Publisher) clone() *Publisher {
	next := *p
	if p.Move != nil {
		move := *p.Move
		next.Move = &move
	}
	return &next
}

func (t *publisherTake) say(code, message string) *Event {
	return say(&t.events, Event{Code: code, At: t.at.Early, Publisher: string(t.next.Domain), URL: t.next.Location.URL,
		Message: message})
}

func (t *publisherTake) whole() {
	n, w := t.next, &t.route
	switch {
	case n.Location == (Location{}):
		t.settle("publisher.located", "the publisher's authority has a first location")
	case w.To == n.Location.canonical():
		t.cancel("the publisher names the adopted location again")
		t.confirm()
	case n.SpokeAt.IsZero() && w.Usable && !slices.Contains(n.Rejected, w.To.URL):
		t.settle("publisher.located", "the publisher's authority has a first location with a file that can be used")
	default:
		t.move()
	}
}

// settle adopts the place that was seen.
func (t *publisherTake) settle(code, message string) {
	n := t.next
	e := t.say(code, message)
	e.Before, e.After, e.URL = n.Location.URL, t.route.To.URL, t.route.To.URL
	n.Location, n.AdoptedAt, n.Move = t.route.To, t.route.At, nil
	if n.FirstSeen.IsZero() {
		n.FirstSeen = t.route.At
	}
	t.confirm()
}

// confirm notes that the adopted place is the one that the publisher names.
func (t *publisherTake) confirm() {
	n, w := t.next, &t.route
	if n.Absent && n.Location == t.was.Location {
		t.say("publisher.returned", "the publisher has a file again, at the location where it was")
	}
	t.answered()
	n.Absent, n.Via = false, w.Via
	n.ConfirmedAt, n.WholeAt = w.At, w.At
	n.Headers, n.Hash = cloneHeaders(w.Headers), w.Hash
	n.FreshUntil = n.freshUntil()
	t.learn()
}

// answered notes that the well-known path gave an answer that says something.
func (t *publisherTake) answered() {
	n := t.next
	switch {
	case n.Closed != Failed:
		t.say("publisher.returned", "the publisher's answers can be used again")
	case !n.FailingSince.IsZero():
		t.say("publisher.recovered", "the publisher can be reached again; that had failed since "+stamp(n.FailingSince))
	}
	n.Closed, n.FailingSince, n.Trouble, n.Cause = Failed, time.Time{}, "", ""
	n.DeniedSince = time.Time{}
}

// freshUntil returns how long the place may be used without asking. A file at the
// well-known path is looked at as often as any file.
func (p *Publisher) freshUntil() time.Time {
	policy := freshness.PointerPolicy
	if p.Location.Method == Direct {
		policy = freshness.AuthoritativePolicy
	}
	fresh, _ := freshness.Lifetime(p.Headers, p.ConfirmedAt, policy)
	return p.ConfirmedAt.Add(fresh)
}

// listen remembers what the file at the place that was adopted so far says, before
// anything is compared with it. While a move waits it is measured by what was known when
// it began: what a publisher has left may well be changed later.
func (t *publisherTake) listen() {
	n, v := t.next, &t.route.Adopted
	if v.Hash == "" {
		return
	}
	t.spoke()
	if n.Move == nil || t.route.Outcome == Whole && t.route.To != n.Move.To {
		t.adopted()
	}
}

// adopted learns from the file at the place that was adopted so far.
func (t *publisherTake) adopted() {
	v := &t.route.Adopted
	t.heard(v.HighWater, v.Agents)
	if v.Agents != nil {
		t.next.Learned = v.Hash
	}
}

// learn remembers what the file at the place that was seen says, unless its date shows
// that it is not going to be adopted itself.
func (t *publisherTake) learn() {
	w := &t.route
	if !w.Usable || fromFuture(w.Facts.LastUpdated, t.at) {
		return
	}
	t.spoke()
	t.heard(w.Facts.LastUpdated, w.Facts.Agents)
	t.next.Learned = w.Version
}

// spoke notes that there is a file that speaks for the publisher.
func (t *publisherTake) spoke() {
	if t.next.SpokeAt.IsZero() {
		t.next.SpokeAt = t.route.At
	}
}

// heard notes what a file says that speaks for the publisher. A date from the future,
// which was none when the clock was ahead, is never the latest one.
func (t *publisherTake) heard(date time.Time, agents []string) {
	n := t.next
	if !fromFuture(date, t.at) {
		n.HighWater = later(n.HighWater, date)
	}
	n.Agents = union(n.Agents, agents, MaxAgents)
}

// regressed reports whether the file that was seen is older than one that spoke for the
// publisher.
func (t *publisherTake) regressed() bool {
	date, high := t.route.Facts.LastUpdated, t.next.HighWater
	return !high.IsZero() && (date.IsZero() || goesBack(date, high))
}

// union returns two sorted lists as one. When they are too many, those known stay.
func union(known, more []string, most int) []string {
	added := slices.DeleteFunc(slices.Clone(more), func(s string) bool {
		_, ok := slices.BinarySearch(known, s)
		return ok
	})
	added = added[:min(len(added), max(0, most-len(known)))]
	if len(added) == 0 {
		return known
	}
	out := slices.Concat(known, added)
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *publisherTake) notModified() {
	was, w := t.was, &t.route
	switch {
	case was.Location == (Location{}) || was.Absent || was.Closed != Failed || was.Move != nil:
		t.fail("the answer was not modified, and the whole one was asked for")
	case freshness.WholeDue(was.WholeAt, lateOf(w.At, t.at)):
		t.fail("the answer was not modified, and the whole one was due")
	case !freshness.Confirms(was.Headers, w.Headers):
		t.fail("the answer was not modified, and was about another one")
	default:
		t.answered()
		n := t.next
		n.ConfirmedAt, n.Headers = w.At, cloneHeaders(freshness.Update(was.Headers, w.Headers))
		n.FreshUntil = n.freshUntil()
	}
}

func (t *publisherTake) gone() {
	t.cancel("the publisher has no file any more")
	t.answered()
	t.absent(t.route.Detail)
}

// absent ends the authority that flows through the adopted place.
func (t *publisherTake) absent(detail string) {
	n := t.next
	n.FreshUntil = t.route.At.Add(RetryFirst)
	if n.Absent {
		return
	}
	n.Absent = true
	e := t.say("publisher.absent", withDetail("the publisher has no file", detail))
	e.Before = n.Location.URL
	if n.Location == (Location{}) {
		e.Severity = Info
	}
}

// denied is treated as a failure at first, if there is something that it could end and the
// publisher does not say that it lasts.
func (t *publisherTake) denied() {
	n, w := t.next, &t.route
	if !w.Firm && n.Location != (Location{}) && n.Closed == Failed && !n.Absent {
		since, over := denied(n.DeniedSince, w.At, t.at)
		if !over {
			t.fail(w.Detail)
			n.DeniedSince = since
			return
		}
	}
	was := n.Closed
	n.DeniedSince = time.Time{}
	n.Closed, n.Trouble, n.Cause = Denied, cut(w.Detail), ""
	if was == Denied {
		return
	}
	e := t.say("publisher.denied", withDetail("the publisher refuses to answer", w.Detail))
	if n.Location == (Location{}) {
		e.Severity = Info
	}
}

func (t *publisherTake) fail(detail string) {
	n := t.next
	if n.FailingSince.IsZero() {
		t.say("publisher.failing", withDetail("could not determine where the publisher's file is", detail))
	}
	n.FailingSince, n.Trouble, n.Cause = failingSince(n.FailingSince, t.route.At), cut(detail), causeOf(t.route.Outcome)
	if t.route.Refused {
		n.Cause = CauseRefused
	}
}

// expire raises an event when the place that could be used at the look before cannot be
// used any more.
func (t *publisherTake) expire() {
	if t.next.Standing(t.at) == Expired && t.was.Standing(At(t.was.TriedAt)).Usable() {
		t.say("publisher.expired",
			"the location was not confirmed for too long and is no longer in effect").Before = t.next.Location.URL
	}
}

// Standing says whether the adopted place may be used at a moment. Ended means that the
// publisher has no file, also when it never had one.
func (p *Publisher) Standing(at Moment) Standing {
	switch {
	case p.Absent || p.Closed != Failed:
		return Ended
	case p.Location == (Location{}):
		return Unknown
	}
	return span{p.ConfirmedAt, p.FreshUntil, p.FailingSince}.standing(at)
}

// Steady returns an interval of time: Standing is the same for all moments of which no reading is
// before the first of the two, or at the second or after it; a zero second means no end. The
// interval may be empty.
func (p *Publisher) Steady(at Moment) (time.Time, time.Time) {
	return span{p.ConfirmedAt, p.FreshUntil, p.FailingSince}.steady(at)
}

// Ask returns what to send as If-None-Match or If-Modified-Since to the well-known path.
// Both are empty when the whole answer is due, which it is while a move waits.
func (p *Publisher) Ask(at Moment) (string, string) {
	if p.Location == (Location{}) || p.Absent || p.Closed != Failed || p.Move != nil ||
		freshness.WholeDue(p.WholeAt, at.Late) {
		return "", ""
	}
	return freshness.Conditional(p.Headers)
}

// Due returns when to ask the publisher next when no caller waits for it; the zero time
// when it never was asked.
func (p *Publisher) Due() time.Time {
	switch {
	case p.TriedAt.IsZero():
		return time.Time{}
	case !p.FailingSince.IsZero():
		return retryAt(p.TriedAt, p.FailingSince)
	case p.Move != nil && !p.Move.Rejected:
		return p.TriedAt.Add(MoveRecheck)
	case p.Absent || p.Closed != Failed:
		return p.TriedAt.Add(AbsentRecheck)
	}
	return later(p.FreshUntil, p.TriedAt.Add(MinRecheck))
}

// move deals with a place that is not the adopted one.
func (t *publisherTake) move() {
	n, w := t.next, &t.route
	t.answered()
	n.WholeAt, n.Headers, n.Hash = w.At, cloneHeaders(w.Headers), w.Hash
	n.FreshUntil = w.At.Add(MoveRecheck)
	if w.To.Method == ManagerDomain && n.Location.Method != ManagerDomain {
		// There is a manager only where the well-known path has nothing.
		t.absent(w.Detail)
		n.FreshUntil = w.At.Add(MoveRecheck)
	}
	if n.Move == nil || n.Move.To != w.To {
		t.begin()
		return
	}
	n.Move.LastSeen = w.At
	t.doubt()
	if !n.Move.Waits(t.at) {
		t.adopted()
		t.settle("move.adopted", "the new location has stayed the same and is in effect from now on")
	}
}

// begin starts the clock of a move.
func (t *publisherTake) begin() {
	n, w := t.next, &t.route
	code, message := "move.held", "the publisher's authority moves to another location, which is not in effect yet"
	if n.Move != nil {
		code, message = "move.restarted", "the publisher names yet another location; its time starts again"
	}
	n.Move = &Move{
		To: w.To, Since: lateOf(w.At, t.at), LastSeen: w.At, Signs: t.signs(),
		Rejected: slices.Contains(n.Rejected, w.To.URL),
	}
	e := t.say(code, message+withSigns(n.Move.Signs))
	e.Before, e.After = n.Location.URL, w.To.URL
	e.Changes = ComparePointers(n.Location.URL, w.To.URL)
}

// doubt adds signs to a move that goes on.
func (t *publisherTake) doubt() {
	m := t.next.Move
	signs := sortedSigns(append(t.signs(), m.Signs...))
	if len(signs) == len(m.Signs) {
		return
	}
	m.Signs = signs
	e := t.say("move.doubted", "the move is pending until an operator confirms it"+withSigns(signs))
	e.Before, e.After = t.next.Location.URL, m.To.URL
}

// signs returns what speaks against the move, by the way and by what is known.
func (t *publisherTake) signs() []Sign {
	w := &t.route
	signs := slices.Clone(w.Signs)
	switch {
	case !w.Usable || fromFuture(w.Facts.LastUpdated, t.at):
		return sortedSigns(append(signs, SignUnusable))
	case t.regressed():
		signs = append(signs, SignRegression)
	}
	if slices.ContainsFunc(w.Facts.Agents, t.neverSeen) {
		signs = append(signs, SignNewAgent)
	}
	return sortedSigns(signs)
}

func (t *publisherTake) neverSeen(agent string) bool {
	_, ok := slices.BinarySearch(t.next.Agents, agent)
	return !ok
}

func sortedSigns(signs []Sign) []Sign {
	slices.Sort(signs)
	return slices.Compact(signs)
}

func withSigns(signs []Sign) string {
	if len(signs) == 0 {
		return ""
	}
	texts := make([]string, len(signs))
	for i, s := range signs {
		texts[i] = string(s)
	}
	return "; signs against it: " + strings.Join(texts, ", ")
}

// cancel ends a move that waits.
func (t *publisherTake) cancel(why string) {
	m := t.next.Move
	if m == nil {
		return
	}
	t.next.Move = nil
	e := t.say("move.cancelled", why+", so the move does not wait any longer")
	e.Before, e.After = t.next.Location.URL, m.To.URL
}

// Confirm lets the move to a URL take effect at once, whatever speaks against it.
func (p *Publisher) Confirm(to string, at Moment) (*Publisher, []Event, error) {
	t, err := p.decide(to, at)
	if err != nil {
		return nil, nil, err
	}
	n := t.next
	m := n.Move
	e := t.say("move.confirmed", "an operator has confirmed the new location; it is in effect from now on")
	e.Before, e.After, e.URL = n.Location.URL, m.To.URL, m.To.URL
	n.Location, n.AdoptedAt, n.ConfirmedAt, n.Move, n.Absent = m.To, at.Early, m.LastSeen, nil, false
	n.FreshUntil, n.Via = n.ConfirmedAt, ""
	n.Rejected = without(n.Rejected, m.To.URL)
	return n, t.events, nil
}

// Reject keeps the move to a URL from ever taking effect by itself, also when it comes
// again later.
func (p *Publisher) Reject(to string, at Moment) (*Publisher, []Event, error) {
	t, err := p.decide(to, at)
	if err != nil {
		return nil, nil, err
	}
	n := t.next
	if !n.Move.Rejected {
		n.Move.Rejected = true
		e := t.say("move.rejected", "an operator has rejected the new location")
		e.Before, e.After = n.Location.URL, n.Move.To.URL
	}
	n.Rejected = append(without(n.Rejected, n.Move.To.URL), n.Move.To.URL)
	n.Rejected = n.Rejected[max(0, len(n.Rejected)-MaxRejected):]
	return n, t.events, nil
}

// decide begins a decision about the move to a URL.
func (p *Publisher) decide(to string, at Moment) (*publisherTake, error) {
	if p.Move == nil || p.Move.To.URL != (Location{URL: to}).canonical().URL {
		return nil, ErrNotWaiting
	}
	t := &publisherTake{was: p, next: p.clone(), at: at}
	t.next.Decided = nil
	return t, nil
}

// without returns a copy of the list without a value. An empty one is nil, as it is when
// it was read from a store.
func without(list []string, value string) []string {
	var out []string
	for _, s := range list {
		if s != value {
			out = append(out, s)
		}
	}
	return out
}

// Waits reports whether the move is not adopted by an observation at a moment.
func (m *Move) Waits(at Moment) bool {
	return m.Rejected || len(m.Signs) > 0 || !at.over(m.Until())
}

// Until returns when the move has waited long enough, if nothing speaks against it.
func (m *Move) Until() time.Time { return m.Since.Add(MoveHold) }
