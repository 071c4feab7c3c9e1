package custody_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// A pathAttack is a stranger who owns the way to an origin for a time, and puts a version of
// his own in the place of the origin's, dated as late as possible and fresh for a day.
type pathAttack struct {
	file *custody.File
	// codes has when each event first happened, since the attack began.
	codes map[string]time.Duration
	// used is how long the forged version counted in all.
	used time.Duration
	// tamper breaks the machine on purpose; nil means that nobody does.
	tamper func(*custody.File)
}

// run lives through an attack of a length and three days after it, minute by minute. The
// file is asked for when it is due.
func (p *pathAttack) run(length time.Duration, honest, forged custody.Observation) {
	p.codes = map[string]time.Duration{}
	for d := time.Duration(0); d < length+3*day; d += time.Minute {
		if now := start.Add(d); !now.Before(p.file.Due()) {
			s := honest
			if d < length {
				s = forged
			}
			next, events := p.file.Take(s, at(d))
			p.file = next
			if p.tamper != nil {
				p.tamper(next)
			}
			for i := range events {
				if _, ok := p.codes[events[i].Code]; !ok {
					p.codes[events[i].Code] = d
				}
			}
		}
		if p.file.Hash == forged.Hash && p.file.Standing(at(d)).Usable() {
			p.used += time.Minute
		}
	}
}

func forgedVersion() custody.Observation {
	s := whole("forged", start, "victim.example")
	s.Headers.CacheControl = []string{"max-age=86400"}
	s.Changes = []custody.Change{{Code: "agent.added"}}
	return s
}

// dueFile is a file with an honest version that is due at the start.
func dueFile() (*custody.File, custody.Observation) {
	honest := whole("honest", start.Add(-30*day))
	f, _ := (&custody.File{URL: url}).Take(honest, at(-24*time.Hour))
	return f, honest
}

// TestPathAttack: what somebody gains at most who owns the way to an origin. The honest
// version does not come back by itself, however long it is seen: that would be a rollback.
func TestPathAttack(t *testing.T) {
	t.Parallel()
	for _, tc := range pathBounds {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, honest := dueFile()
			p := &pathAttack{file: f}
			p.run(tc.length, honest, forgedVersion())
			if p.used > tc.most || p.used < tc.length {
				t.Errorf("the forged version counted for %s, want at most %s", p.used, tc.most)
			}
			end := at(tc.length + 3*day)
			if p.file.Standing(end).Usable() || p.file.Hash != "forged" {
				t.Errorf("%s counts", p.file.Hash)
			}
			// The publisher puts it right: by a version with a current date.
			right := whole("right", end.Early)
			next, _ := p.file.Take(right, end)
			if next.Hash != "right" || !next.Standing(end).Usable() {
				t.Errorf("%+v", next)
			}
			// Or an operator lets the honest version in.
			known, _, err := p.file.Confirm("honest", end)
			if err != nil {
				t.Fatal(err)
			}
			known, _ = known.Take(honest, end)
			if known.Hash != "honest" || !known.Standing(end).Usable() || !slices.Equal(known.Held(end), []string{"victim.example"}) && tc.length < 7*day {
				t.Errorf("%+v", known)
			}
		})
	}
}

// TestPathAttackNotices breaks the rules that bound an attack: without each of them a
// forged version counts for longer.
func TestPathAttackNotices(t *testing.T) {
	t.Parallel()
	for name, tamper := range map[string]func(*custody.File){
		"looks": func(f *custody.File) {
			if f.Refused != nil {
				f.Refused.Looks = 0
			}
		},
		"probation": func(f *custody.File) { f.Probation = time.Time{} },
		"recheck":   func(f *custody.File) { f.FreshUntil = f.ConfirmedAt.Add(24 * time.Hour) },
	} {
		f, honest := dueFile()
		p := &pathAttack{file: f, tamper: tamper}
		p.run(time.Hour, honest, forgedVersion())
		if p.used < 24*time.Hour {
			t.Errorf("%s: the forged version counted for %s only", name, p.used)
		}
	}
}

// TestReplayAttack: the rule cannot be used for a rollback. A version that only takes away
// keeps its day, one that added something ends, and the old one never counts by itself.
func TestReplayAttack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		code        string
		least, most time.Duration
	}{
		{"agent.removed", 24 * time.Hour, 25 * time.Hour},
		{"agent.added", 20 * time.Minute, 2 * time.Hour},
	} {
		f, old := dueFile()
		next := whole("next", start)
		next.Changes = []custody.Change{{Code: tc.code}}
		f, _ = f.Take(next, at(0))
		first := f.Due()
		used := time.Duration(0)
		for d := first.Sub(start); d < 6*day; d += time.Minute {
			if !start.Add(d).Before(f.Due()) {
				f, _ = f.Take(old, at(d))
			}
			if f.Hash != "next" {
				t.Fatalf("%s: %s was adopted", tc.code, f.Hash)
			}
			if f.Standing(at(d)).Usable() {
				used += time.Minute
			}
		}
		if used < tc.least || used > tc.most {
			t.Errorf("%s: counted for %s after the replay began", tc.code, used)
		}
		// One observation of the version ends it.
		f, codes := take(f, next, at(6*day))
		if !f.Standing(at(6*day)).Usable() || !slices.Contains(codes, "file.recovered") {
			t.Errorf("%v", codes)
		}
	}
}

// TestProbation: a version that adds something is due within the hour, for two days.
func TestProbation(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"agent.added", "agent.scope_widened", "signing_key.added", "signing_key.replaced", "revocation.added", "file.superseded"} {
		f, _ := dueFile()
		s := whole("next", start)
		s.Changes = []custody.Change{{Code: code}}
		f, _ = f.Take(s, at(0))
		if got := f.Due().Sub(start); got > time.Hour {
			t.Errorf("%s: due after %s", code, got)
		}
		f, _ = f.Take(s, at(custody.Probation-second))
		if got := f.Due().Sub(start); got > custody.Probation+time.Hour {
			t.Errorf("%s: due after %s", code, got)
		}
		f, _ = f.Take(s, at(custody.Probation))
		if got := f.Due().Sub(start); got < custody.Probation+23*time.Hour {
			t.Errorf("%s: due after %s", code, got)
		}
	}
	f, _ := dueFile()
	s := whole("next", start)
	s.Changes = []custody.Change{{Code: "agent.removed"}}
	f, _ = f.Take(s, at(0))
	if !f.Probation.IsZero() || f.Due().Sub(start) < 23*time.Hour {
		t.Errorf("%s", f.Due())
	}
}

// TestLooks: looks in quick succession are one, and another refused version begins anew.
func TestLooks(t *testing.T) {
	t.Parallel()
	f, honest := dueFile()
	f, _ = f.Take(forgedVersion(), at(0))
	for d := time.Hour; d < time.Hour+2*custody.LookApart; d += time.Second {
		f, _ = f.Take(honest, at(d))
	}
	if f.Disowned() || f.Refused.Looks != 2 {
		t.Fatalf("%+v", f.Refused)
	}
	other := whole("other", start.Add(-20*day))
	f, _ = f.Take(other, at(2*time.Hour))
	if f.Refused.Looks != 1 {
		t.Fatalf("%+v", f.Refused)
	}
	f, _ = f.Take(other, at(2*time.Hour+custody.LookApart))
	f, codes := take(f, other, at(2*time.Hour+2*custody.LookApart))
	if !f.Disowned() || !slices.Equal(codes, []string{"file.contradicted"}) {
		t.Errorf("%v %+v", codes, f.Refused)
	}
}

// TestRelease: an operator ends a hold, and only that of an entry that is gone.
func TestRelease(t *testing.T) {
	t.Parallel()
	f := adopted("gone.example", "listed.example")
	f, _ = f.Take(whole("b", start, "listed.example"), at(time.Hour))
	_, _, err := f.Release("listed.example", "why", at(2*time.Hour))
	if !errors.Is(err, custody.ErrListed) {
		t.Error(err)
	}
	_, _, err = f.Release("other.example", "why", at(2*time.Hour))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Error(err)
	}
	next, events, err := f.Release("gone.example", "a forged list", at(2*time.Hour))
	if err != nil || next.Revokes("gone.example", at(2*time.Hour)) || !next.Revokes("listed.example", at(2*time.Hour)) || !f.Revokes("gone.example", at(2*time.Hour)) {
		t.Errorf("%+v, %v", next, err)
	}
	if !slices.Equal(codesOf(events), []string{"revocation.lifted"}) || events[0].Domain != "gone.example" {
		t.Errorf("%+v", events)
	}
	next, codes := take(next, whole("c", start.Add(time.Minute), "gone.example", "listed.example"), at(3*time.Hour))
	if !next.Revokes("gone.example", at(3*time.Hour)) || !slices.Contains(codes, "revocation.observed") {
		t.Errorf("%v", codes)
	}
}
