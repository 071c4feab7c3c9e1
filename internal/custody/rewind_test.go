package custody

import (
	"testing"
	"time"
)

// TestNotAfter: dates after the present go, and nothing else does.
func TestNotAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	past, future := now.Add(-time.Hour), now.Add(365*24*time.Hour)
	f := &File{
		URL: "https://pub.example/f.json", Hash: "a", HighWater: future, TriedAt: future, ConfirmedAt: future, WholeAt: past, FreshUntil: future,
		AdoptedAt: past, Keys: []KeyAge{{"k", future}}, Refused: &Refusal{Since: future},
		Revocations: []Revocation{{Domain: "gone.example", First: future, Delisted: future}},
	}
	next, changed := f.NotAfter(now)
	switch {
	case !changed || !next.ConfirmedAt.IsZero() || !next.FreshUntil.IsZero() || next.Standing(At(now)).Usable():
		t.Errorf("what a wrong clock confirmed counts: %+v", next)
	case !next.HighWater.Equal(now) || !next.AdoptedAt.Equal(past) || !next.Keys[0].Since.Equal(now) || !next.Refused.Since.Equal(now):
		t.Errorf("%+v", next)
	case next.TriedAt.After(now.Add(-RetryMost)):
		t.Errorf("not due before %s", next.TriedAt)
	case next.Revocations[0] != f.Revocations[0] || !next.Revokes("gone.example", At(now.Add(RevocationHold-1))):
		t.Errorf("a revocation was changed: %+v", next.Revocations)
	case !f.ConfirmedAt.Equal(future) || !f.Keys[0].Since.Equal(future) || !f.Refused.Since.Equal(future):
		t.Error("the record itself was changed")
	}
	p := &Publisher{Domain: "pub.example", ConfirmedAt: past, HighWater: past, Move: &Move{Since: future, LastSeen: future}}
	moved, changed := p.NotAfter(now)
	if !changed || !moved.Move.Since.Equal(now) || !moved.ConfirmedAt.Equal(past) || !moved.Move.Waits(At(now.Add(MoveHold-1))) {
		t.Errorf("%+v %+v", moved, moved.Move)
	}
	_, changed = moved.NotAfter(now)
	if changed {
		t.Error("there is nothing left to change")
	}
}

// TestCertain: a clock that nothing vouches for ends no hold, and still ends uses.
func TestCertain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	f := &File{Revocations: []Revocation{{Domain: "gone.example", First: now, Delisted: now}}}
	later := now.Add(RevocationHold)
	if !f.Revokes("gone.example", Moment{Early: later, Late: later, Sure: now}) {
		t.Error("a hold ends by a clock that nothing vouches for")
	}
	if f.Revokes("gone.example", Moment{Early: later, Late: later, Sure: later}) || f.Revokes("gone.example", At(later)) {
		t.Error("the hold does not end")
	}
}
