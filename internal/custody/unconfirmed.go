package custody

import "time"

// Unconfirmed returns the record of a store that was put back from an old copy: what it
// says was true once, and may have changed since. The place is not used until the publisher
// is seen to name it again, by a whole answer. A move does not wait any longer: it may have
// been taken back or rejected since, and begins anew with its next observation.
func (p *Publisher) Unconfirmed() *Publisher {
	next := p.clone()
	next.ConfirmedAt, next.WholeAt, next.FreshUntil = time.Time{}, time.Time{}, time.Time{}
	next.Move, next.Decided = nil, nil
	return next
}

// Unconfirmed is the same for a file: its version is not used until it is obtained again.
// Whom it revokes and the latest date stay. A version that an operator let in may have been
// adopted, and replaced, since; the operator is asked again.
func (f *File) Unconfirmed() *File {
	next := f.clone()
	next.ConfirmedAt, next.WholeAt = time.Time{}, time.Time{}
	next.FreshUntil, next.KeysUntil = time.Time{}, time.Time{}
	if next.Refused != nil {
		next.Refused.Confirmed, next.Refused.Decided = false, nil
	}
	return next
}
