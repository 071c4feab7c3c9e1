package custodian_test

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

// withheld expects that a publisher that answered is not called unreachable: the verdict
// is unverified, its second reason has a code, and there is something to do.
func (l *lab) withheld(code, advice string) {
	l.Helper()
	d := l.document("pub.example")
	if d.State != resolve.Withheld || d.Code != code || d.Detail == "" || !strings.Contains(d.Advice, advice) {
		l.Fatalf("%s, code %q (%s), advice %q; want %s", d.State, d.Code, d.Detail, d.Advice, code)
	}
	a, err := resolve.Judge(d, resolve.Question{Publisher: "pub.example", Agent: agent, At: l.clock()})
	if err != nil || a.Verdict != resolve.Unverified || a.Code() != "file.withheld" || len(a.Reasons) != 2 || a.Reasons[1].Code != code || len(a.Changes) != 1 {
		l.Errorf("%v, %+v", err, a)
	}
}

// TestAnsweredIsNotUnreachable goes through the ways in which a publisher that answers with
// status 200 comes to have no file that counts.
func TestAnsweredIsNotUnreachable(t *testing.T) {
	t.Parallel()
	t.Run("a first version from the future", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, tagged(file("v1", time.Hour)))
		l.withheld("file.future", "avow hold confirm "+pub+" ")
	})
	t.Run("an older version for more than a day", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, tagged(file("v2", -time.Hour)))
		l.want("pub.example", "usable v2")
		l.web.set(pub, tagged(file("v1", -48*time.Hour)))
		l.pass(2 * time.Hour)
		l.refresh()
		l.pass(25 * time.Hour)
		l.withheld("file.rollback", "avow hold confirm")
	})
	t.Run("a broken file for more than a day", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, tagged(file("v1", -time.Hour)))
		l.want("pub.example", "usable v1")
		l.web.set(pub, tagged(`{`))
		l.pass(2 * time.Hour)
		l.refresh()
		l.pass(25 * time.Hour)
		l.want("pub.example", "unusable")
	})
	t.Run("a store that was used with a clock ahead", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.pass(30 * 24 * time.Hour)
		l.web.set("https://other.example/.well-known/adagents.json", tagged(fileFor("other.example", "o", -time.Hour)))
		l.want("other.example", "usable o")
		l.pass(-30 * 24 * time.Hour)
		l.restart()
		l.web.set(pub, tagged(file("v1", -time.Hour)))
		l.withheld("clock.back", "set the clock")
	})
	t.Run("a move that waits", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, pointer(network))
		l.web.set(network, tagged(file("v1", -time.Hour)))
		l.want("pub.example", "usable v1")
		l.web.set(pub, pointer(second))
		l.web.set(second, tagged(file("v0", -48*time.Hour)))
		for range 8 * 24 / 6 {
			l.pass(6 * time.Hour)
			l.refresh()
		}
		l.withheld("move.held", "avow hold confirm pub.example "+second)
	})
	t.Run("a change that could not be saved", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, tagged(file("v1", -time.Hour)))
		l.want("pub.example", "usable v1")
		l.pass(25 * time.Hour)
		l.web.set(pub, tagged(file("v2", 24*time.Hour, "pub.example")))
		l.store.fail(errDisk, nil)
		l.withheld("state.unsaved", "check the disk")
	})
	t.Run("silence", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		l.web.set(pub, page{status: 503})
		l.want("pub.example", "unreachable")
	})
}

// TestCauseDecides: whether a file cannot be used or did not come is a member of the record.
// What the text says about it decides nothing.
func TestCauseDecides(t *testing.T) {
	t.Parallel()
	for cause, want := range map[custody.Cause]string{custody.CauseUnusable: "unusable", custody.CauseSilence: "unreachable", custody.CauseRefused: "withheld"} {
		for _, text := range []string{"the file cannot be used: it is no JSON", "anything"} {
			l := newLab(t)
			p := &custody.Publisher{Domain: "pub.example", TriedAt: begin, FailingSince: begin, Trouble: text, Cause: cause}
			err := l.store.Commit(t.Context(), &custodian.Change{Publisher: p})
			if err != nil {
				t.Fatal(err)
			}
			l.want("pub.example", want)
		}
	}
}

// TestFresh: what the records say is used at once only while nobody has to be asked.
func TestFresh(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", -time.Hour)))
	fresh := func(want string) {
		t.Helper()
		asked, got := l.web.requests(pub), "no"
		d, _, ok := l.k.Fresh(t.Context(), "pub.example")
		if ok {
			got = told(d)
		}
		if got != want || l.web.requests(pub) != asked {
			t.Errorf("%s, want %s, after %d requests", got, want, l.web.requests(pub)-asked)
		}
	}
	fresh("no")
	l.want("pub.example", "usable v1")
	fresh("usable v1")
	l.pass(40 * 24 * time.Hour)
	fresh("no")
	l.web.set(pub, tagged(naming(file("v2", 39*24*time.Hour), second)))
	l.refresh()
	fresh("no") // its successor has to be looked for
}
