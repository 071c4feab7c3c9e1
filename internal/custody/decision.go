package custody

// Decide is Confirm or Reject by a moderator, who may take it back with Undo.
func (p *Publisher) Decide(to string, confirm bool, r Ruling, at Moment) (*Publisher, []Event, error) {
	decide := p.Reject
	if confirm {
		decide = p.Confirm
	}
	next, events, err := decide(to, at)
	if err != nil {
		return nil, nil, err
	}
	if len(events) == 0 { // it was rejected before, perhaps a moment ago
		if p.Decided.Open(at) {
			next.Decided = p.Decided
		}
		return next, nil, nil
	}
	next.Decided = &Decision{Ruling: r, At: at.Early, To: p.Move.To.URL, Confirmed: confirm}
	if confirm {
		next.Decided.Before = p.clone()
		next.Decided.Before.Decided = nil
	}
	explain(events, r)
	return next, events, nil
}

// explain adds the reason of a ruling to what it brought about.
func explain(events []Event, r Ruling) {
	for i := range events {
		events[i].Message = withDetail(events[i].Message, r.Reason)
	}
}

// Undo takes back the decision about a new location: it waits again as it did before. It is
// ErrNotWaiting when there is no such decision, its time is over, or the publisher has changed again
// since.
func (p *Publisher) Undo(to string, at Moment) (*Publisher, []Event, error) {
	d := p.Decided
	if !d.Open(at) || d.To != (Location{URL: to}).canonical().URL {
		return nil, nil, ErrNotWaiting
	}
	t := &publisherTake{was: p, next: p.clone(), at: at}
	n := t.next
	switch {
	case d.Confirmed && (p.Location.URL != d.To || p.Move != nil || p.Absent || p.Closed != Failed):
		return nil, nil, ErrNotWaiting
	case d.Confirmed:
		n = p.returned(at)
		t.next = n
	default:
		n.Rejected = without(n.Rejected, d.To)
		if n.Move != nil && n.Move.To.URL == d.To {
			n.Move.Rejected = false
		}
	}
	n.Decided = nil
	e := t.say("move.undone", "an operator has taken back the decision about the new location")
	e.Before = p.Location.URL
	if n.Move != nil {
		e.After = n.Move.To.URL
	}
	if d.Confirmed && n.Standing(at) == Expired {
		t.say("publisher.expired",
			"the location was not confirmed for too long and is no longer in effect").Before = n.Location.URL
	}
	return n, t.events, nil
}

// returned is the record before a confirmation, with what was learned since of whether the
// publisher can be reached. It is asked again at once.
func (p *Publisher) returned(at Moment) *Publisher {
	n := p.Decided.Before.clone()
	n.Listed, n.Reported, n.Revision = p.Listed, p.Reported, p.Revision
	n.TriedAt, n.FailingSince, n.Trouble, n.Cause, n.DeniedSince = p.TriedAt, p.FailingSince, p.Trouble, p.Cause,
		p.DeniedSince
	n.FreshUntil = at.Early
	return n
}

// Decide is Confirm by a moderator. The version is adopted when it is seen after UndoTime: until then Undo
// takes the decision back.
func (f *File) Decide(hash string, r Ruling, at Moment) (*File, []Event, error) {
	if was := f.Refused; was != nil && was.Hash == hash && was.Confirmed {
		return f.clone(), nil, nil // saying it again does not shorten the time to take it back
	}
	next, events, err := f.Confirm(hash, at)
	if err != nil || len(events) == 0 {
		return next, events, err
	}
	next.Refused.Decided = &Decision{Ruling: r, At: at.Early, To: hash, Confirmed: true}
	explain(events, r)
	return next, events, nil
}

// Undo takes back the confirmation of a version.
func (f *File) Undo(hash string, at Moment) (*File, []Event, error) {
	if f.Refused == nil || !f.Refused.Decided.Open(at) || f.Refused.Hash != hash {
		return nil, nil, ErrNotWaiting
	}
	t := &fileTake{was: f, next: f.clone(), at: at}
	t.next.Refused.Confirmed, t.next.Refused.Decided = false, nil
	t.say("file.undone", "an operator has taken back the confirmation of a version that was refused").After = hash
	return t.next, t.events, nil
}
