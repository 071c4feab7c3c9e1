package custody

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestOverflow uses a small limit: a million records would say nothing else.
func TestOverflow(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	seen := func(hash string, names ...string) Observation {
		s := Observation{Outcome: Whole, Hash: hash}
		for _, name := range names {
			s.Facts.Revoked = append(s.Facts.Revoked, Revoked{Domain: name + ".example"})
		}
		return s
	}
	take := func(f *File, s Observation, at Moment) (*File, []Event) {
		s.At = at.Early
		run := &fileTake{was: f, next: f.clone(), seen: s, at: at}
		m := merger{at: at, now: at.Late, complete: true}
		run.next.Hash, run.next.ConfirmedAt, run.next.FreshUntil = s.Hash, at.Early, at.Early.Add(time.Hour)
		run.next.Revocations = m.merge(f.Revocations, s.Facts.Revoked)
		run.limit(2)
		return run.next, run.events
	}
	f, _ := take(&File{}, seen("a", "a", "b"), At(start))
	if f.Overflow || f.Standing(At(start)) != Fresh {
		t.Fatalf("at the limit: %+v", f)
	}
	f, events := take(f, seen("b", "c"), At(start.Add(time.Hour)))
	at := At(start.Add(time.Hour))
	if !f.Overflow || len(f.Revocations) != 2 || f.Standing(at) != Shut || !f.Revokes("any.example", at) || len(events) != 1 || events[0].Code != "file.overflow" {
		t.Fatalf("above the limit: %+v, %v", f, events)
	}
	week := start.Add(time.Hour + RevocationHold)
	f, events = take(f, seen("b", "c", "d", "e"), At(start.Add(2*time.Hour)))
	if !f.Overflow || len(events) != 0 || !f.OverflowAt.Equal(start.Add(2*time.Hour)) {
		t.Errorf("still above: %+v, %v", f, events)
	}
	early, _ := take(f, seen("c", "c"), At(week))
	if !early.Overflow {
		t.Error("opened before the week was over")
	}
	open, _ := take(f, seen("c", "c"), At(week.Add(time.Hour)))
	if open.Overflow || !open.OverflowAt.IsZero() || open.Standing(At(week.Add(time.Hour))) != Fresh {
		t.Errorf("after the week: %+v", open)
	}
	// Records of what is over give way.
	old := &File{Revocations: []Revocation{{Domain: "old.example", First: start.Add(-30 * 24 * time.Hour), Delisted: start.Add(-20 * 24 * time.Hour)}}}
	f, _ = take(old, seen("a", "a", "b"), At(start))
	if f.Overflow || len(f.Revocations) != 2 {
		t.Errorf("history counts: %+v", f)
	}
}

// TestOverflowWhole: a file that overflowed is asked for as a whole, and the same bytes
// bring its list again.
func TestOverflowWhole(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	f := &File{Hash: "a", ConfirmedAt: now.Add(-time.Hour), Overflow: true, OverflowAt: now.Add(-RevocationHold)}
	s := Observation{Outcome: Whole, Hash: "a", At: now, Facts: Facts{Revoked: []Revoked{{Domain: "a.example"}}}}
	next, _ := f.Take(s, At(now))
	if next.Overflow || !next.Revokes("a.example", At(now)) || next.Revokes("b.example", At(now)) {
		t.Errorf("%+v", next)
	}
}

// TestMillion fills a file to its limit and one beyond.
func TestMillion(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s := Observation{Outcome: Whole, Hash: "a", At: now}
	for i := range MaxRevocations + 1 {
		s.Facts.Revoked = append(s.Facts.Revoked, Revoked{Domain: fmt.Sprintf("p%07d.example", i)})
	}
	over, events := (&File{}).Take(s, At(now))
	if !over.Overflow || len(over.Revocations) != MaxRevocations || len(events) > 2*MaxChanges {
		t.Errorf("overflow %v, %d records, %d events", over.Overflow, len(over.Revocations), len(events))
	}
	s.Facts.Revoked = slices.Delete(s.Facts.Revoked, 5, 6)
	full, _ := (&File{}).Take(s, At(now))
	if full.Overflow || len(full.Revocations) != MaxRevocations || !full.Revokes("p0999999.example", At(now)) || full.Revokes("p0000005.example", At(now)) {
		t.Errorf("overflow %v, %d records", full.Overflow, len(full.Revocations))
	}
}
