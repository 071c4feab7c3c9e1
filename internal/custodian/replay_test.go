package custodian_test

import (
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custodian"
)

// TestReplayOfSilence has a publisher that cannot be reached for some days. What did not
// count then is not replayed as if it had.
func TestReplayOfSilence(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.web.set(pub, page{status: 503})
	for range 72 {
		l.pass(time.Hour)
		l.served("pub.example")
	}
	l.web.set(pub, tagged(file("v1", 0)))
	l.pass(2 * time.Hour)
	l.want("pub.example", "usable v1")
	l.pass(time.Hour)
	for after, want := range map[time.Duration]string{
		time.Hour:                   "usable v1",
		30 * time.Hour:              "usable v1", // fresh for a day, and failing for less than one
		60 * time.Hour:              "unreachable",
		74*time.Hour + time.Minute:  "usable v1",
		75*time.Hour - time.Second:  "usable v1",
		71*time.Hour + time.Minute:  "unreachable",
		time.Hour + 30*time.Minute:  "usable v1",
		2*time.Hour + 1*time.Minute: "usable v1",
	} {
		d, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin.Add(after))
		if err != nil || told(d) != want {
			t.Errorf("after %s: %s, want %s, %v", after, told(d), want, err)
		}
	}
	_, _, err := l.k.DocumentAt(t.Context(), "pub.example", l.clock().Add(time.Second))
	if !errors.Is(err, custodian.ErrFuture) {
		t.Errorf("a time that has not come: %v", err)
	}
	// Nobody looked for a long time.
	l.pass(20 * day)
	d, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin.Add(15*day))
	if err != nil || told(d) != "unreachable" {
		t.Errorf("%v, %v", d, err)
	}
}
