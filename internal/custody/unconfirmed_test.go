package custody_test

import (
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// TestUnconfirmedFile: only the bytes themselves make a version of an old copy count again.
func TestUnconfirmedFile(t *testing.T) {
	t.Parallel()
	const h = time.Hour
	was := adopted("revoked.example")
	f := was.Unconfirmed()
	if f.Standing(at(second)) != custody.Expired || !was.Standing(at(second)).Usable() {
		t.Errorf("it is %v, and was %v", f.Standing(at(second)), was.Standing(at(second)))
	}
	if f.Due().After(start) || f.HighWater != was.HighWater || !f.Revokes("revoked.example", at(h)) {
		t.Errorf("what was known is not kept: %+v", f)
	}
	tag, date := f.Ask(at(h))
	if tag != "" || date != "" {
		t.Errorf("it asks with a condition: %q %q", tag, date)
	}
	for _, s := range []custody.Observation{
		outcome(custody.Failed), {Outcome: custody.NotModified, Headers: was.Headers}, whole("older", was.LastUpdated.Add(-h)),
	} {
		next, _ := take(f, s, at(h))
		if next.Standing(at(h)).Usable() || next.Hash != was.Hash {
			t.Errorf("after %v it is %v", s.Outcome, next.Standing(at(h)))
		}
	}
	next, codes := take(f, whole(was.Hash, was.LastUpdated, "revoked.example"), at(h))
	if next.Standing(at(h)) != custody.Fresh || len(codes) > 0 {
		t.Errorf("seen again it is %v, with %v", next.Standing(at(h)), codes)
	}
}

// TestUnconfirmedDecision: what an operator has let in is not let in a second time.
func TestUnconfirmedDecision(t *testing.T) {
	t.Parallel()
	old := whole("older", adopted().LastUpdated.Add(-24*time.Hour))
	f, _ := take(adopted(), old, at(time.Hour))
	f, _, err := f.Confirm("older", at(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	next, _ := take(f, old, at(2*time.Hour))
	if next.Hash != "older" {
		t.Fatal("it is not let in at all")
	}
	next, _ = take(f.Unconfirmed(), old, at(2*time.Hour))
	if next.Hash == "older" || !f.Refused.Confirmed {
		t.Error("it is let in again, or the record was changed")
	}
}

// TestUnconfirmedPublisher: the place counts when it is named again, and a move waits anew.
func TestUnconfirmedPublisher(t *testing.T) {
	t.Parallel()
	const h = time.Hour
	p, _ := look(settled(placeA), names(placeB), at(h))
	p = p.Unconfirmed()
	if p.Standing(at(h)) != custody.Expired || p.Move != nil || p.Location != placeA || len(p.Agents) == 0 {
		t.Errorf("it is %v: %+v", p.Standing(at(h)), p)
	}
	for _, w := range []custody.Route{finds(custody.Failed), {Outcome: custody.NotModified, Headers: p.Headers}} {
		next, _ := look(p, w, at(2*h))
		if next.Standing(at(2 * h)).Usable() {
			t.Errorf("after %v it is usable", w.Outcome)
		}
	}
	next, _ := look(p, names(placeA), at(2*h))
	if next.Standing(at(2*h)) != custody.Fresh {
		t.Errorf("seen again it is %v", next.Standing(at(2*h)))
	}
	// The old copy had seen the new place a day ago, which proves nothing.
	next, codes := look(p, names(placeB), at(48*h))
	if next.Location != placeA || !slices.Equal(codes, []string{"move.held"}) || next.Standing(at(48*h)).Usable() {
		t.Errorf("it is at %v with %v", next.Location, codes)
	}
	next, codes = look(next, names(placeB), at(72*h))
	if next.Location != placeB || !slices.Equal(codes, []string{"move.adopted"}) {
		t.Errorf("a day later it is at %v with %v", next.Location, codes)
	}
}

// TestUnconfirmedRejection: an operator's no outlives it.
func TestUnconfirmedRejection(t *testing.T) {
	t.Parallel()
	p, _ := look(settled(placeA), names(placeB), at(time.Hour))
	p, _, err := p.Reject(placeB.URL, at(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	p, _ = look(p.Unconfirmed(), names(placeB), at(2*time.Hour))
	if p.Move == nil || !p.Move.Rejected {
		t.Errorf("the move is %+v", p.Move)
	}
}
