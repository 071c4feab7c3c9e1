package custody

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/std/freshness"
)

// ErrNotWaiting is the error of a decision about something that does not wait for one, or
// not for this one: what an operator has read may have changed since.
var ErrNotWaiting = errors.New("nothing of that name is pending")

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
		if t.was.Closed != Failed || !slices.ContainsFunc(t.was.Ends, func(o End) bool { return o.What == e.What && o.At.Equal(e.At) }) {
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

// CatalogKey returns a text that changes whenever what the file refers to has to be
// resolved anew, and that no other file has; "" while there is no version.
func (f *File) CatalogKey() string {
	switch {
	case f.Hash == "":
		return ""
	case f.CatalogETag != "":
		return f.URL + " catalog_etag " + f.CatalogETag
	case f.Headers.ETag != "":
		return f.URL + " etag " + f.Headers.ETag
	case f.Headers.LastModified != "":
		return f.URL + " last_modified " + f.Headers.LastModified
	}
	return f.URL + " sha256 " + f.Hash
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
