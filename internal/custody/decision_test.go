package custody_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

var because = custody.Ruling{By: "key_1", Reason: "asked by phone"}

// TestUndoConfirmed: what was confirmed waits again as before, and nothing of the other location is remembered.
func TestUndoConfirmed(t *testing.T) {
	t.Parallel()
	doubtful := names(placeB)
	doubtful.Facts.Agents = []string{"https://stranger.example/mcp"}
	doubtful.Facts.LastUpdated = start.Add(time.Hour)
	p, _ := look(settled(placeA), doubtful, at(time.Hour))
	yes, events, err := p.Decide(placeB.URL, true, because, at(2*time.Hour))
	if err != nil || yes.Location != placeB || !strings.Contains(events[0].Message, "asked by phone") || yes.Decided.By != "key_1" || p.Decided != nil {
		t.Fatalf("%v, %+v, %v", err, yes, events)
	}
	seen, _ := look(yes, doubtful, at(2*time.Hour+5*time.Minute))
	if !slices.Contains(seen.Agents, "https://stranger.example/mcp") || seen.Decided == nil {
		t.Fatalf("%+v", seen)
	}
	seen.Revision, seen.Listed = 7, "v2"
	back, events, err := seen.Undo("https://B.example/f.json", at(2*time.Hour+custody.UndoTime-second))
	if err != nil || !slices.Equal(codesOf(events), []string{"move.undone"}) || events[0].Before != placeB.URL || events[0].After != placeB.URL {
		t.Fatalf("%v, %+v", err, events)
	}
	if back.Location != placeA || !reflect.DeepEqual(back.Move, p.Move) || !slices.Equal(back.Agents, p.Agents) || !back.HighWater.Equal(p.HighWater) || back.Decided != nil || back.Revision != 7 || back.Listed != "v2" {
		t.Errorf("%+v", back)
	}
	if back.Standing(at(2*time.Hour+custody.UndoTime)) != custody.Stale {
		t.Error("the publisher is not asked again")
	}
	gone, _ := look(yes, finds(custody.Gone), at(2*time.Hour+time.Minute))
	moved, _ := look(yes, names(inline), at(2*time.Hour+time.Minute))
	refused := map[string]*custody.Publisher{"no decision": p, "undone": back, "gone since": gone, "moved since": moved}
	for name, p := range refused {
		_, _, err = p.Undo(placeB.URL, at(2*time.Hour+time.Minute))
		if !errors.Is(err, custody.ErrNotWaiting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err = yes.Undo(placeB.URL, at(2*time.Hour+custody.UndoTime))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Errorf("too late: %v", err)
	}
	_, _, err = yes.Undo(placeA.URL, at(2*time.Hour))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Errorf("another location: %v", err)
	}
	later, _ := look(yes, doubtful, at(3*time.Hour))
	if later.Decided != nil {
		t.Errorf("remembered: %+v", later.Decided)
	}
}

func TestUndoRejected(t *testing.T) {
	t.Parallel()
	p, _ := look(settled(placeA), names(placeB), at(time.Hour))
	no, _, err := p.Decide(placeB.URL, false, because, at(2*time.Hour))
	if err != nil || !no.Move.Rejected || no.Decided.Confirmed || no.Decided.Before != nil {
		t.Fatalf("%v, %+v", err, no)
	}
	back, events, err := no.Undo(placeB.URL, at(2*time.Hour+time.Minute))
	if err != nil || back.Move.Rejected || len(back.Rejected) != 0 || !no.Move.Rejected || !slices.Equal(codesOf(events), []string{"move.undone"}) {
		t.Fatalf("%v, %+v, %v", err, back, events)
	}
	cancelled, _ := look(no, names(placeA), at(2*time.Hour+time.Minute))
	back, _, err = cancelled.Undo(placeB.URL, at(2*time.Hour+2*time.Minute))
	if err != nil || back.Move != nil || len(back.Rejected) != 0 {
		t.Errorf("after it was cancelled: %v, %+v", err, back)
	}
	soon, events, err := no.Decide(placeB.URL, false, because, at(2*time.Hour+time.Minute))
	if err != nil || len(events) != 0 || soon.Decided == nil || !soon.Decided.At.Equal(no.Decided.At) {
		t.Errorf("twice in a minute: %v, %v, %+v", err, events, soon)
	}
	again, events, err := no.Decide(placeB.URL, false, because, at(3*time.Hour))
	if err != nil || len(events) != 0 || again.Decided != nil {
		t.Errorf("twice: %v, %v, %+v", err, events, again)
	}
}

// TestUndoFile: a version that a moderator lets in is adopted when it is seen after UndoTime.
func TestUndoFile(t *testing.T) {
	t.Parallel()
	old := whole("b", start.Add(-2*time.Hour))
	f, _ := take(adopted(), old, at(time.Hour))
	yes, events, err := f.Decide("b", because, at(2*time.Hour))
	if err != nil || !slices.Equal(codesOf(events), []string{"file.confirmed"}) || !yes.Refused.Confirmed {
		t.Fatalf("%v, %+v", err, events)
	}
	again, events, err := yes.Decide("b", because, at(2*time.Hour+time.Minute))
	if err != nil || len(events) != 0 || again.Refused.Decided == nil || !again.Refused.Decided.At.Equal(yes.Refused.Decided.At) {
		t.Errorf("twice: %v, %v, %+v", err, events, again.Refused)
	}
	early, _ := take(again, old, at(2*time.Hour+custody.UndoTime-second))
	late, _ := take(yes, old, at(2*time.Hour+custody.UndoTime))
	if early.Hash != "a" || late.Hash != "b" {
		t.Errorf("%s, then %s", early.Hash, late.Hash)
	}
	back, events, err := early.Undo("b", at(2*time.Hour+custody.UndoTime-second))
	if err != nil || back.Refused.Confirmed || !slices.Equal(codesOf(events), []string{"file.undone"}) {
		t.Fatalf("%v, %+v", err, events)
	}
	still, _ := take(back, old, at(3*time.Hour))
	if still.Hash != "a" {
		t.Error("adopted although it was taken back")
	}
	for _, f := range []*custody.File{f, back, late} {
		_, _, err = f.Undo("b", at(2*time.Hour))
		if !errors.Is(err, custody.ErrNotWaiting) {
			t.Errorf("%+v: %v", f.Refused, err)
		}
	}
	_, _, err = yes.Undo("b", at(2*time.Hour+custody.UndoTime))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Errorf("too late: %v", err)
	}
	// On the command line it counts at once.
	now, _, err := yes.Confirm("b", at(2*time.Hour))
	if err != nil || now.Refused.Decided != nil {
		t.Errorf("%v, %+v", err, now.Refused)
	}
}

// TestDecisionsEnd: no decision can be taken back in a store that was restored, or whose clock was set.
func TestDecisionsEnd(t *testing.T) {
	t.Parallel()
	p, _ := look(settled(placeA), names(placeB), at(time.Hour))
	p, _, _ = p.Decide(placeB.URL, true, because, at(2*time.Hour))
	f, _ := take(adopted(), whole("b", start.Add(-2*time.Hour)), at(time.Hour))
	f, _, _ = f.Decide("b", because, at(2*time.Hour))
	if p.Unconfirmed().Decided != nil || f.Unconfirmed().Refused.Decided != nil {
		t.Error("restored")
	}
	before, _ := p.NotAfter(start)
	file, _ := f.NotAfter(start)
	if before.Decided != nil || file.Refused.Decided != nil || file.Refused.Confirmed {
		t.Error("the clock was set")
	}
}
