package custody

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/words"
)

// Take returns the record after a seen, and what happened. The record itself stays as it
// is. A new file has a URL and nothing else.
//
//	seen                            adopted version   served until        events
//	Whole, the adopted bytes         confirmed         its lifetime ends   file.recovered, file.returned
//	Whole, other bytes               replaced          its lifetime ends   file.adopted or file.changed, revocation.*
//	  dated after the present        kept              as after a failure  file.future
//	  dated before the latest date   kept              as after a failure  file.rollback
//	  without a date after one       kept              as after a failure  file.date_missing
//	NotModified, and it fits         confirmed         its lifetime ends   file.recovered
//	  whole file due, or other tag   kept              as after a failure  file.failing
//	Failed, Invalid                  kept              as after a failure  file.failing, file.expired
//	Gone                             kept, not served  at once             file.gone
//	Denied for DenialGrace           kept, not served  at once             file.denied
//	  for less                       kept              as after a failure  file.failing
//	any, but older than the last     kept              no change           revocation.observed
//
// A version that added something ends earlier when its origin contradicts it: see MaxLooks.
// After a failure a version is served until MaxStale after the first failure in a row, and
// MaxAge after it was last confirmed, whichever comes first.
func (f *File) Take(s Observation, at Moment) (*File, []Event) {
	s.At = seen(s.At, at)
	t := &fileTake{was: f, next: f.clone(), seen: s, at: at}
	if overtaken(s.At, f.TriedAt, at) {
		t.late()
		return t.next, t.events
	}
	t.next.TriedAt = s.At
	switch s.Outcome {
	case Whole:
		t.whole()
	case NotModified:
		t.notModified()
	case Denied:
		t.denied()
	case Gone:
		t.close()
	default:
		t.fail(s.Detail)
	}
	t.release()
	t.expire()
	t.warn()
	return t.next, t.events
}

// A fileTake is one Take in progress.
type fileTake struct {
	was, next *File
	seen      Observation
	at        Moment
	events    []Event
}

// clone copies what Take changes in place. Revocations are replaced, never changed.
func (f *File) clone() *File {
	next := *f
	if f.Refused != nil {
		refused := *f.Refused
		next.Refused = &refused
	}
	return &next
}

func (t *fileTake) say(code, message string) *Event {
	return say(&t.events, Event{Code: code, At: t.at.Early, URL: t.next.URL, Message: message})
}

func (t *fileTake) whole() {
	s := &t.seen
	if s.Hash == t.was.Hash && s.Hash != "" {
		t.confirm(s.Headers)
		t.next.WholeAt = s.At
		t.next.Ends = upcoming(s.Facts.Ends, t.at.Early)
		if t.was.Overflow {
			t.revoke(s.Facts.Revoked)
		}
		return
	}
	code, message := t.objection()
	if code != "" && !t.next.Refused.admits(s.Hash, t.at) {
		t.refuse(code, message)
		return
	}
	t.adopt()
}

// objection returns what speaks against a version, or "".
func (t *fileTake) objection() (string, string) {
	date, high := t.seen.Facts.LastUpdated, t.was.HighWater
	switch {
	case fromFuture(date, t.at):
		return "file.future", "the file is dated " + stamp(date) + ", which is in the future"
	case high.IsZero():
		return "", ""
	case date.IsZero():
		return "file.date_missing", "the file has no last_updated any more; the latest was " + stamp(high)
	case goesBack(date, high):
		return "file.rollback", "the file is dated " + stamp(date) + ", before " + stamp(high) + ", which was there already"
	}
	return "", ""
}

// fromFuture reports whether a date lies after the present.
func fromFuture(date time.Time, at Moment) bool { return date.After(at.Early.Add(Skew)) }

// goesBack reports whether a date lies before the latest one.
func goesBack(date, high time.Time) bool { return date.Before(high.Add(-Skew)) }

func (t *fileTake) refuse(code, message string) {
	s, n := &t.seen, t.next
	n.FailingSince, n.Trouble, n.Cause = failingSince(n.FailingSince, s.At), message, CauseRefused
	n.DeniedSince = time.Time{}
	if n.Refused != nil && n.Refused.Hash == s.Hash && n.Refused.Code == code {
		t.contradict()
		return
	}
	n.Refused = &Refusal{Hash: s.Hash, LastUpdated: s.Facts.LastUpdated, Code: code, Since: s.At}
	t.contradict()
	e := t.say(code, message)
	e.Before, e.After = n.Hash, s.Hash
	e.changed(s.Changes)
}

// confirm notes that the adopted version is the one that its origin has.
func (t *fileTake) confirm(h Headers) {
	n, s := t.next, &t.seen
	switch {
	case n.Closed != Failed:
		t.say("file.returned", "the file is back")
	case !n.FailingSince.IsZero():
		t.say("file.recovered", "the file can be had again; that had failed since "+stamp(n.FailingSince))
	}
	n.Headers = cloneHeaders(h)
	n.ConfirmedAt, n.From = s.At, s.From
	n.Closed, n.FailingSince, n.Trouble, n.Cause, n.Refused = Failed, time.Time{}, "", "", nil
	n.DeniedSince = time.Time{}
	fresh, _ := freshness.Lifetime(h, s.At, freshness.AuthoritativePolicy)
	keys, _ := freshness.Lifetime(h, s.At, freshness.KeyPolicy)
	n.FreshUntil, n.KeysUntil = s.At.Add(fresh), s.At.Add(min(keys, fresh))
	t.recheck()
}

func (t *fileTake) adopt() {
	n, s := t.next, &t.seen
	e := t.announce()
	n.Probation = time.Time{} // the previous version's
	e.Before, e.After = n.Hash, s.Hash
	e.changed(s.Changes)
	t.confirm(s.Headers)
	t.watchTag()
	t.watchMarks()
	n.Keys = t.was.age(s.Kept)
	n.Hash, n.Bytes, n.WholeAt, n.AdoptedAt = s.Hash, s.Bytes, s.At, s.At
	n.LastUpdated, n.CatalogETag, n.SupersededBy = s.Facts.LastUpdated, s.Facts.CatalogETag, s.Facts.SupersededBy
	n.Ends = upcoming(s.Facts.Ends, t.at.Early)
	if n.FirstSeen.IsZero() {
		n.FirstSeen = s.At
	}
	if !fromFuture(n.LastUpdated, t.at) {
		n.HighWater = later(n.HighWater, n.LastUpdated)
	}
	t.revoke(s.Facts.Revoked)
	t.probate()
}

func (t *fileTake) announce() *Event {
	if t.was.Hash == "" {
		return t.say("file.adopted", "the first version of the file is in effect from now on")
	}
	e := t.say("file.changed", "another version of the file is in effect from now on")
	e.Severity = Worst(t.seen.Changes)
	if t.seen.Incomparable {
		e.Severity, e.Message = Warning, e.Message+"; what it changes is not known, since the one before it is not kept"
	}
	return e
}

// watchTag looks for an entity tag that stands for two versions: requests with it may
// bring "not modified" for a file that was.
func (t *fileTake) watchTag() {
	old, tag := t.was.Headers.ETag, t.seen.Headers.ETag
	strong := len(tag) > 0 && tag[0] == '"'
	if t.was.Hash == "" || tag == "" || tag != old || !strong && len(t.seen.Changes) == 0 {
		return
	}
	e := t.say("file.etag_reused", "the ETag "+quote(tag)+" stands for two different versions")
	e.Before, e.After = t.was.Hash, t.seen.Hash
}

// watchMarks looks for a version that keeps what others tell versions by.
func (t *fileTake) watchMarks() {
	for _, c := range t.seen.Changes {
		code := reusedMarks[c.Code]
		if code == "" {
			continue
		}
		e := t.say(code, c.Message)
		e.Before, e.After = t.was.Hash, t.seen.Hash
	}
}

// reusedMarks are the events of changes that show a mark that stands for two versions.
var reusedMarks = map[string]string{
	"catalog.etag_unchanged": "file.catalog_etag_reused", "file.date_unchanged": "file.date_reused",
}

func (t *fileTake) notModified() {
	was, s := t.was, &t.seen
	switch {
	case was.Hash == "" || was.Closed != Failed:
		t.fail("the answer was not modified, and there is nothing that it could be about")
	case freshness.WholeDue(was.WholeAt, lateOf(s.At, t.at)):
		t.fail("the answer was not modified, and the whole file was due")
	case !freshness.Confirms(was.Headers, s.Headers):
		t.fail("the answer was not modified, and was about another version")
	default:
		t.confirm(freshness.Update(was.Headers, s.Headers))
	}
}

func (t *fileTake) fail(detail string) {
	n := t.next
	if n.FailingSince.IsZero() {
		t.say("file.failing", withDetail("the file cannot be had", detail))
	}
	n.FailingSince, n.Trouble, n.Cause = failingSince(n.FailingSince, t.seen.At), cut(detail), causeOf(t.seen.Outcome)
}

// denied is treated as a failure at first, if there is something that it could end.
func (t *fileTake) denied() {
	n := t.next
	if n.Hash != "" && n.Closed == Failed {
		since, over := denied(n.DeniedSince, t.seen.At, t.at)
		if !over {
			t.fail(t.seen.Detail)
			n.DeniedSince = since
			return
		}
	}
	t.close()
}

func (t *fileTake) close() {
	n, s := t.next, &t.seen
	was := n.Closed
	n.DeniedSince = time.Time{}
	n.Closed, n.Trouble, n.Cause = s.Outcome, cut(s.Detail), ""
	if was == s.Outcome {
		return
	}
	code, message := "file.gone", "there is no file any more"
	if s.Outcome == Denied {
		code, message = "file.denied", "the file is not given out any more"
	}
	e := t.say(code, withDetail(message, s.Detail))
	e.Before = n.Hash
	if n.Hash == "" {
		e.Severity = Info
	}
}

// expire raises an event when the version that could be used at the seen before cannot
// be used any more.
func (t *fileTake) expire() {
	if t.next.Standing(t.at) == Expired && !t.next.Disowned() && t.was.Standing(At(t.was.TriedAt)).Usable() {
		t.say("file.expired", "the file was not confirmed for too long and is no longer in effect").Before = t.next.Hash
	}
}

const (
	// UsualLead is how long before its end an entry or a key is reported, and urgentLead how long
	// before it that is a warning.
	UsualLead  = 14 * 24 * time.Hour
	urgentLead = 3 * 24 * time.Hour
	// MaxEnds is how many ends of a version are remembered: the whole file is read once a week.
	MaxEnds = 32
)

// upcoming returns the first ends after a time, as many as are remembered.
func upcoming(ends []End, now time.Time) []End {
	first, _ := slices.BinarySearchFunc(ends, now, func(e End, now time.Time) int { return e.At.Compare(now) })
	return append([]End(nil), ends[first:min(len(ends), first+MaxEnds)]...)
}

// warn raises an event when an end of the adopted version came near since the look before: once at
// the lead, and once in the last days.
func (t *fileTake) warn() {
	n := t.next
	if n.Closed != Failed {
		return
	}
	for _, e := range n.Ends {
		last := t.was.TriedAt
		if t.was.Closed != Failed || !slices.ContainsFunc(t.was.Ends, func(o End) bool {
			return o.What == e.What && o.At.Equal(e.At)
		}) {
			last = time.Time{} // it was not among those that were watched
		}
		came := func(lead time.Duration) bool {
			from := e.At.Add(-lead)
			return !t.at.Early.Before(from) && last.Before(from)
		}
		urgent := came(urgentLead)
		if e.At.Before(t.at.Early) || !urgent && !came(cmp.Or(t.seen.Lead, UsualLead)) {
			continue
		}
		said := t.say("file.ends_soon", e.What+" ends at "+stamp(e.At))
		said.Before = n.Hash
		if !urgent {
			said.Severity = Info
		}
	}
}

// Standing says whether the adopted version may be used at a moment.
func (f *File) Standing(at Moment) Standing {
	switch {
	case f.Overflow:
		return Shut
	case f.Closed != Failed:
		return Ended
	case f.Hash == "":
		return Unknown
	case f.Disowned():
		return Expired
	}
	return span{f.ConfirmedAt, f.FreshUntil, f.FailingSince}.standing(at)
}

// Steady is that of a Publisher, for the Standing of a file.
func (f *File) Steady(at Moment) (time.Time, time.Time) {
	return span{f.ConfirmedAt, f.FreshUntil, f.FailingSince}.steady(at)
}

// Ask returns what to send as If-None-Match or If-Modified-Since. Both are empty when the
// whole file is due.
func (f *File) Ask(at Moment) (string, string) {
	if f.Hash == "" || f.Overflow || f.Closed != Failed || freshness.WholeDue(f.WholeAt, at.Late) {
		return "", ""
	}
	return freshness.Conditional(f.Headers)
}

// Due returns when to ask for the file next when no caller waits for it; the zero time
// when it never was asked for.
func (f *File) Due() time.Time {
	switch {
	case f.TriedAt.IsZero():
		return time.Time{}
	case !f.FailingSince.IsZero():
		return retryAt(f.TriedAt, f.FailingSince)
	case f.Closed != Failed:
		return f.TriedAt.Add(AbsentRecheck)
	}
	return later(f.FreshUntil, f.ConfirmedAt.Add(MinRecheck))
}

// Confirm lets a refused version in: its next seen is adopted. The hash identifies the
// version that the operator has reviewed.
func (f *File) Confirm(hash string, at Moment) (*File, []Event, error) {
	if f.Refused == nil || f.Refused.Hash != hash {
		return nil, nil, ErrNotWaiting
	}
	t := &fileTake{was: f, next: f.clone(), at: at}
	t.next.Refused.Decided = nil
	if !t.next.Refused.Confirmed {
		t.next.Refused.Confirmed = true
		t.say("file.confirmed", "an operator has confirmed a version that was refused").After = hash
	}
	return t.next, t.events, nil
}

func cloneHeaders(h Headers) Headers {
	h.CacheControl = slices.Clone(h.CacheControl)
	return h
}

// admits reports whether an operator lets a version in by now.
func (r *Refusal) admits(hash string, at Moment) bool {
	return r != nil && r.Confirmed && r.Hash == hash && !r.Decided.Open(at)
}

// KnownSince returns since when a key was pinned for an agent, whose URL is in canonical
// form, in every version that was adopted: the first of them, if the key is in the present
// one at all. A key that was gone in between begins anew.
func (f *File) KnownSince(agent, thumbprint string) time.Time {
	i, ok := f.keyAge(keyName(agent, thumbprint))
	if !ok {
		return f.AdoptedAt
	}
	return f.Keys[i].Since
}

// keyAge finds the age of a key.
func (f *File) keyAge(name string) (int, bool) {
	return slices.BinarySearchFunc(f.Keys, name, func(k KeyAge, name string) int { return strings.Compare(k.Name, name) })
}

// age returns the ages of the keys that the next version has in common with this one. If
// they are too many, the oldest stay.
func (f *File) age(kept []string) []KeyAge {
	var all []KeyAge
	for _, name := range kept {
		since := f.AdoptedAt
		i, ok := f.keyAge(name)
		if ok {
			since = f.Keys[i].Since
		}
		all = append(all, KeyAge{name, since})
	}
	if len(all) > MaxKeys {
		slices.SortStableFunc(all, func(a, b KeyAge) int { return a.Since.Compare(b.Since) })
		all = slices.Clone(all[:MaxKeys])
		slices.SortFunc(all, func(a, b KeyAge) int { return strings.Compare(a.Name, b.Name) })
	}
	return all
}

// keyName returns a short text for an agent and the thumbprint of a key. It is compared
// and not read.
func keyName(agent, thumbprint string) string {
	sum := sha256.Sum256([]byte(agent + "\x00" + thumbprint))
	const enough = 15 // bytes
	return base64.RawURLEncoding.EncodeToString(sum[:enough])
}

// adding are the changes that put a version on probation.
var adding = []string{
	"agent.added", "agent.entry_added", "agent.entry_effective",
	"agent.scope_changed", "agent.scope_widened", "agent.countries_widened", "agent.window_widened",
	"agent.limits_widened", "signing_key.added", "signing_key.replaced", "signing_key.restored", "signing_key.repurposed",
	"encryption_key.changed", "revocation.added", "file.superseded",
}

// addingEvents are the events that do.
var addingEvents = []string{"revocation.observed", "revocation.relisted"}

// probate puts a version on probation that adds something to the one before it, or may, if that
// is not kept. An attacker between an origin and its readers for an hour would add just that.
func (t *fileTake) probate() {
	n := t.next
	n.Probation = time.Time{}
	changes := slices.ContainsFunc(t.seen.Changes, func(c Change) bool { return slices.Contains(adding, c.Code) })
	events := slices.ContainsFunc(t.events, func(e Event) bool { return slices.Contains(addingEvents, e.Code) })
	if t.was.Hash != "" && (changes || events || t.seen.Incomparable) {
		n.Probation = t.seen.At.Add(Probation)
	}
	t.recheck()
}

// recheck has a version on probation asked for again soon.
func (t *fileTake) recheck() {
	n, at := t.next, t.seen.At
	if !at.Before(n.Probation) {
		return
	}
	n.FreshUntil, n.KeysUntil = earlier(n.FreshUntil, at.Add(ProbationRecheck)),
		earlier(n.KeysUntil, at.Add(ProbationRecheck))
}

// contradict notes another look at a version that was refused, and says so when the adopted
// one is no longer in effect because of it.
func (t *fileTake) contradict() {
	r, at := t.next.Refused, t.seen.At
	if r.Looks > 0 && at.Sub(r.LastLook).Abs() < LookApart {
		return
	}
	r.Looks, r.LastLook = min(r.Looks+1, MaxLooks), at
	if t.next.Disowned() && !t.was.Disowned() {
		e := t.say("file.contradicted",
			"a version that was seen for a short time only is not the one that its origin has, and is no longer in effect")
		e.Before, e.After = t.next.Hash, r.Hash
	}
}

// Disowned reports whether the adopted version has lost its standing: it added something,
// was confirmed for less than MaxAge, and its origin has the same older version at every
// look since. That does not put the older one in effect either.
func (f *File) Disowned() bool {
	r := f.Refused
	return r != nil && r.Looks >= MaxLooks && r.Code != "file.future" &&
		!f.Probation.IsZero() && f.ConfirmedAt.Before(f.AdoptedAt.Add(MaxAge))
}

// ErrListed is the error of a release while the file itself still revokes.
var ErrListed = errors.New("the file lists it, so there is no hold to be released")

// Release ends the hold of a revocation that the file does not list any more, by the word
// of an operator who gives a reason. It is ErrNotWaiting when nothing of that name is held.
func (f *File) Release(domain, reason string, at Moment) (*File, []Event, error) {
	i, ok := slices.BinarySearchFunc(f.Revocations, domain, byDomain)
	switch {
	case !ok || !f.Revocations[i].counts(at):
		return nil, nil, ErrNotWaiting
	case f.Revocations[i].Delisted.IsZero():
		return nil, nil, ErrListed
	}
	t := &fileTake{was: f, next: f.clone(), at: at}
	t.keep(func(r *Revocation) bool { return r.Domain != domain })
	t.say("revocation.lifted",
		withDetail("an operator has ended the hold of "+quote(domain)+", first listed at "+stamp(f.Revocations[i].First),
			reason)).Domain = domain
	return t.next, t.events, nil
}

// until is when the hold of a revocation ends.
func (r *Revocation) until() time.Time { return r.First.Add(RevocationHold) }

// counts reports whether the domain is revoked: it is listed, or still held.
func (r *Revocation) counts(at Moment) bool {
	return r.Delisted.IsZero() || !at.over(r.until())
}

// forgotten reports whether a revocation has been over for so long that its record goes.
func (r *Revocation) forgotten(at Moment) bool {
	return !r.Delisted.IsZero() && at.over(later(r.Delisted, r.until()).Add(RevocationMemory))
}

// Revokes reports whether authority from this file does not apply to a domain in
// canonical form: the file lists it, or did until a short while ago.
func (f *File) Revokes(domain Domain, at Moment) bool {
	if f.Overflow {
		return true
	}
	i, ok := slices.BinarySearchFunc(f.Revocations, string(domain), byDomain)
	return ok && f.Revocations[i].counts(at)
}

func byDomain(r Revocation, domain string) int { return cmp.Compare(r.Domain, domain) }

// Held returns the domains that the file does not list any more and that stay revoked,
// sorted.
func (f *File) Held(at Moment) []string {
	var out []string
	for i := range f.Revocations {
		if r := &f.Revocations[i]; !r.Delisted.IsZero() && r.counts(at) {
			out = append(out, r.Domain)
		}
	}
	return out
}

// revoke brings the records in line with the list of an adopted version.
func (t *fileTake) revoke(list []Revoked) {
	m := merger{at: t.at, now: lateOf(t.seen.At, t.at), complete: true}
	t.next.Revocations = m.merge(t.was.Revocations, list)
	t.tell("revocation.observed", "the file revokes", m.observed)
	t.tell("revocation.relisted", "the file revokes again", m.relisted)
	t.tell("revocation.delisted", "the file does not list any more, before the time is over,", m.delisted)
	t.tell("revocation.released", "the file does not revoke any more", m.released)
	t.limit(MaxRevocations)
}

// late takes what must not be lost of an observation that came after a later one: revocations,
// which are held like any that have disappeared since. That it is dated before the later
// one is to be expected.
func (t *fileTake) late() {
	s := &t.seen
	if s.Outcome != Whole || s.Hash == t.was.Hash || fromFuture(s.Facts.LastUpdated, t.at) {
		return
	}
	m := merger{at: t.at, now: lateOf(s.At, t.at)}
	t.next.Revocations = m.merge(t.was.Revocations, s.Facts.Revoked)
	t.tell("revocation.observed", "the file revoked for a moment", m.observed)
	t.tell("revocation.relisted", "the file revoked again for a moment", m.relisted)
	t.limit(MaxRevocations)
}

// A merger brings records and a list together, both sorted by domain. Without complete,
// the list is an older version's: what it lacks is not news, and what it has is no
// longer listed.
type merger struct {
	at       Moment
	now      time.Time
	complete bool

	observed, relisted, delisted, released []string
}

func (m *merger) merge(known []Revocation, list []Revoked) []Revocation {
	list = inOrder(list)
	out := make([]Revocation, 0, len(known)+len(list))
	for len(known) > 0 || len(list) > 0 {
		switch {
		case len(list) == 0 || len(known) > 0 && known[0].Domain < list[0].Domain:
			out = append(out, m.missing(known[0]))
			known = known[1:]
		case len(known) == 0 || list[0].Domain < known[0].Domain:
			out = append(out, m.first(list[0]))
			list = list[1:]
		default:
			out = append(out, m.again(known[0], list[0]))
			known, list = known[1:], list[1:]
		}
	}
	return out
}

// first makes the record of a domain that was not known.
func (m *merger) first(l Revoked) Revocation {
	m.observed = append(m.observed, l.Domain)
	r := Revocation{Domain: l.Domain, First: m.now, Stated: l.At}
	if !m.complete {
		r.Delisted = m.now
	}
	return r
}

// again updates the record of a domain that is listed. After an absence its time begins
// anew, and never ends sooner than it would have.
func (m *merger) again(r Revocation, l Revoked) Revocation {
	if r.Stated.IsZero() || !l.At.IsZero() && l.At.Before(r.Stated) {
		r.Stated = l.At
	}
	if r.Delisted.IsZero() {
		return r
	}
	m.relisted = append(m.relisted, r.Domain)
	r.First = later(r.First, m.now)
	if m.complete {
		r.Delisted = time.Time{}
	}
	return r
}

// missing updates the record of a domain that is not listed.
func (m *merger) missing(r Revocation) Revocation {
	if !m.complete || !r.Delisted.IsZero() {
		return r
	}
	r.Delisted = m.now
	if r.counts(m.at) {
		m.delisted = append(m.delisted, r.Domain)
	} else {
		m.released = append(m.released, r.Domain)
	}
	return r
}

// tell raises an event for each domain, and one for all that are too many.
func (t *fileTake) tell(code, message string, domains []string) {
	for i, domain := range domains {
		if i == MaxChanges {
			rest := len(domains) - i
			t.say(code, message+" "+words.Plural(rest, "more publisher", "more publishers")).More = rest
			return
		}
		t.say(code, message+" "+quote(domain)).Domain = domain
	}
}

// release raises an event for each hold that has ended since the observation before, and
// forgets what has been over for long.
func (t *fileTake) release() {
	var over []string
	old := false
	for i := range t.next.Revocations {
		r := &t.next.Revocations[i]
		old = old || r.forgotten(t.at)
		if !r.Delisted.IsZero() && r.until().After(t.was.TriedAt) && r.Delisted.Before(t.at.Late) && !r.counts(t.at) {
			over = append(over, r.Domain)
		}
	}
	t.tell("revocation.released", "the hold is over for", over)
	if old {
		t.keep(func(r *Revocation) bool { return !r.forgotten(t.at) })
	}
}

// keep replaces the records by those that a condition holds for.
func (t *fileTake) keep(wanted func(*Revocation) bool) {
	var out []Revocation
	for i := range t.next.Revocations {
		if r := &t.next.Revocations[i]; wanted(r) {
			out = append(out, *r)
		}
	}
	t.next.Revocations = out
}

// limit bounds the records. When not even those that count find room, the file is closed
// until everything that was left out would have ended or is seen again.
func (t *fileTake) limit(most int) {
	n := t.next
	if len(n.Revocations) > most {
		t.keep(func(r *Revocation) bool { return r.counts(t.at) })
	}
	if len(n.Revocations) > most {
		if !n.Overflow {
			t.say("file.overflow", "the file has "+words.Thousands(len(n.Revocations))+
				" revoked publishers, more than can be kept; nothing of it is in effect")
		}
		n.Revocations = slices.Clip(n.Revocations[:most])
		n.Overflow, n.OverflowAt = true, t.at.Late
		return
	}
	if n.Overflow && t.at.over(n.OverflowAt.Add(RevocationHold)) {
		n.Overflow, n.OverflowAt = false, time.Time{}
	}
}
