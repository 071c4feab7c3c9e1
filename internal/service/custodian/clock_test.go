package custodian_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
)

// ahead has how far a clock may be ahead at a start.
var ahead = map[string]time.Duration{"an hour": time.Hour, "eight days": 8 * day, "a year": 365 * day}

// heldLab is a lab in which pub.example has left the list of revoked publishers of its
// network a moment ago.
func heldLab(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", -time.Hour, "gone.example")))
	l.want("pub.example", "usable v1")
	l.web.set(network, tagged(file("v2", 0)))
	l.pass(25 * time.Hour)
	l.want("pub.example", "usable v2 held gone.example")
	l.codes()
	return l
}

// TestClockAhead: a start with a clock that is ahead leaves nothing behind. As soon as the
// clock is right, answers are as they were, and holds last as long as they should.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	for name, by := range ahead {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := heldLab(t)
			right := l.clock
			truth := l.clock()
			l.web.date = func() time.Time { return truth }
			l.pass(by)
			l.restart()
			s := l.refresh()
			if !s.Publisher.ConfirmedAt.Before(truth.Add(time.Minute)) {
				t.Errorf("confirmed at %s, by a clock that was ahead", s.Publisher.ConfirmedAt)
			}
			fault := clockFault(t, l)
			if fault == nil || fault.Code != "clock.ahead" || !strings.Contains(fault.Error(), "set-clock") {
				t.Errorf("not told: %v", fault)
			}
			if d := l.document("pub.example"); !strings.HasSuffix(told(d), "held gone.example") && (d.Code != "clock.ahead" || !strings.Contains(d.Advice, "set the clock")) {
				t.Errorf("%s: %s", told(d), d.Detail)
			}
			l.has(l.codes(), "clock.ahead")
			l.pass(-by)
			l.web.date = right
			l.restart()
			l.want("pub.example", "usable v2 held gone.example")
			wantClock(t, l, "")
			l.pass(5*day + 22*time.Hour) // of 7 days, 25 hours have passed
			l.want("pub.example", "usable v2 held gone.example")
			l.pass(2 * time.Hour)
			l.want("pub.example", "usable v2")
		})
	}
}

func clockFault(t *testing.T, l *lab) *custodian.ClockError {
	t.Helper()
	var fault *custodian.ClockError
	err := l.k.Ready(t.Context())
	if err != nil && !errors.As(err, &fault) {
		t.Fatal(err)
	}
	return fault
}

// wantClock checks the code of what is wrong with the clock; "" when nothing may be.
func wantClock(t *testing.T, l *lab, code string) {
	t.Helper()
	fault := clockFault(t, l)
	if fault == nil && code != "" || fault != nil && fault.Code != code {
		t.Errorf("%v, want %q", fault, code)
	}
}

// TestClockAheadAsksWithPauses: while the clock is known to be ahead, questions have a
// publisher and its file asked no more often than before.
func TestClockAheadAsksWithPauses(t *testing.T) {
	t.Parallel()
	for name, by := range ahead {
		for how, served := range map[string]page{"served": tagged(file("v2", 0)), "failing": {status: 503}} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				l := heldLab(t)
				l.web.date = func() time.Time { return l.clock().Add(-by) }
				l.web.set(network, served)
				l.pass(by)
				l.restart()
				l.refresh()
				wantClock(t, l, "clock.ahead")
				before := l.web.requests("")
				for range 100 {
					l.document("pub.example")
				}
				if n := l.web.requests("") - before; n > 2 {
					t.Errorf("%d requests for 100 questions at once", n)
				}
				before = l.web.requests("")
				for range 4 * 60 {
					l.pass(15 * time.Second)
					l.document("pub.example")
				}
				if n := l.web.requests("") - before; n > 2*60 {
					t.Errorf("%d requests in an hour", n)
				}
			})
		}
	}
}

// TestClockAheadInSilence is the same while nobody answers, or answers have no date: no
// hold ends by a clock that nothing vouches for, and what failed is asked for again.
func TestClockAheadInSilence(t *testing.T) {
	t.Parallel()
	silent := map[string]func(*lab){
		"nobody answers": func(l *lab) {
			l.web.set(pub, page{outcome: fetch.Timeout})
			l.web.set(network, page{outcome: fetch.Timeout})
		},
		"answers have no date": func(l *lab) { l.web.date = nil },
	}
	for name, by := range ahead {
		for how, silence := range silent {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				l := heldLab(t)
				silence(l)
				l.pass(by)
				l.restart()
				l.refresh()
				if got := l.served("pub.example"); strings.HasPrefix(got, "usable") && !strings.HasSuffix(got, "held gone.example") {
					t.Errorf("the hold has ended: %s", got)
				}
				l.pass(-by)
				l.web.date = l.clock
				l.web.set(pub, pointer(network))
				l.web.set(network, tagged(file("v2", 0)))
				l.restart()
				l.want("pub.example", "usable v2 held gone.example")
				wantClock(t, l, "")
			})
		}
	}
}

// TestClockWitness: one answer with the right date is enough, whoever else sends old ones,
// and time that was only spent idle is noted as soon as anybody answers.
func TestClockWitness(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", -time.Hour)))
	l.want("pub.example", "usable v1")
	l.pass(30 * day)
	l.restart()
	l.web.date = func() time.Time { return begin.Add(-365 * day) }
	l.refresh()
	wantClock(t, l, "clock.ahead")
	l.web.date = l.clock
	l.web.set("https://other.example/.well-known/adagents.json", tagged(fileFor("other.example", "o", 0)))
	l.want("other.example", "usable o")
	wantClock(t, l, "")
	l.pass(time.Hour)
	l.want("pub.example", "usable v1")
	noted, err := l.store.Clock(t.Context(), time.Time{})
	if err != nil || noted.Before(begin.Add(30*day)) {
		t.Errorf("noted %s, %v", noted, err)
	}
}

// TestSetClock: an operator repairs a store whose time is wrong. Revocations and holds
// stay, and what was confirmed by the wrong clock is asked for again.
func TestSetClock(t *testing.T) {
	t.Parallel()
	for name, by := range ahead {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := heldLab(t)
			l.pass(by) // and everybody agrees
			l.restart()
			l.web.set(network, tagged(file("v3", 0, "late.example")))
			_, err := l.k.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
			if err != nil {
				t.Fatal(err)
			}
			l.web.set(network, tagged(file("v4", 0)))
			l.pass(-by + 10*time.Minute)
			l.restart()
			wantClock(t, l, "clock.back")
			found, err := l.set().SetClock(t.Context(), l.clock())
			if err != nil {
				t.Fatal(err)
			}
			if found.Files == 0 || found.Publishers == 0 {
				t.Errorf("%+v", found)
			}
			for range 2 { // the keeper that runs on, and one that starts
				wantClock(t, l, "")
				d := l.document("pub.example")
				if got := told(d); !strings.HasPrefix(got, "usable v4 held ") || !strings.Contains(got, "late.example") {
					t.Errorf("%s: %s", got, d.Detail)
				}
				l.restart()
			}
			l.pass(6 * day)
			if got := l.served("pub.example"); !strings.Contains(got, "late.example") {
				t.Errorf("a revocation was shortened: %s", got)
			}
		})
	}
}

// set returns the store as an operator opens it.
func (l *lab) set() *store.Store {
	l.Helper()
	s, err := store.Open(l.Context(), "sqlite:"+l.path)
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = s.Close() })
	return s
}
