package custody

import (
	"cmp"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/std/words"
)

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

// inOrder returns the list sorted, each domain once with its earliest date. FactsOf makes
// it so; a list from elsewhere must not make a revocation disappear.
func inOrder(list []Revoked) []Revoked {
	strict := func(a, b Revoked) int { return cmp.Or(cmp.Compare(a.Domain, b.Domain), compareDates(a.At, b.At)) }
	same := func(a, b Revoked) bool { return a.Domain == b.Domain }
	sorted := true
	for i := 1; i < len(list) && sorted; i++ {
		sorted = list[i-1].Domain < list[i].Domain
	}
	if sorted {
		return list
	}
	list = slices.SortedFunc(slices.Values(list), strict)
	return slices.CompactFunc(list, same)
}

// compareDates puts an earlier date first, and none last.
func compareDates(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		if a.IsZero() {
			return 1
		}
		return -1
	}
	return a.Compare(b)
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
			t.say("file.overflow", "the file has "+words.Thousands(len(n.Revocations))+" revoked publishers, more than can be kept; nothing of it is in effect")
		}
		n.Revocations = slices.Clip(n.Revocations[:most])
		n.Overflow, n.OverflowAt = true, t.at.Late
		return
	}
	if n.Overflow && t.at.over(n.OverflowAt.Add(RevocationHold)) {
		n.Overflow, n.OverflowAt = false, time.Time{}
	}
}
