package custodian_test

import (
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
)

// TestContradicted: a version that adds an agent is asked for again within the hour, at the
// publisher's own place and elsewhere. When the older one is back it ends, survives a
// restart so, and its end is told about the past as well.
func TestContradicted(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"own place": pub, "elsewhere": network} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, pointer(network))
			honest := lasting(day, tagged(file("honest", -time.Hour)))
			l.web.set(url, honest)
			l.want("pub.example", "usable honest")
			l.pass(25 * time.Hour)
			l.web.set(url, lasting(day, tagged(replace(file("forged", 25*time.Hour), agent, "https://forger.example/mcp"))))
			l.want("pub.example", "usable forged")
			l.web.set(url, honest)
			asked := l.web.requests(url)
			l.pass(time.Hour)
			l.want("pub.example", "usable forged")
			if l.web.requests(url) == asked {
				t.Error("not asked again within the hour")
			}
			l.pass(20 * time.Minute)
			l.want("pub.example", "usable forged")
			l.codes()
			l.pass(20 * time.Minute)
			d := l.document("pub.example")
			if d.Code != "file.contradicted" || d.Advice == "" {
				t.Errorf("%s: %s %s", told(d), d.Code, d.Detail)
			}
			l.has(l.codes(), "file.contradicted")
			l.restart()
			l.want("pub.example", "withheld")
			l.pass(time.Hour)
			past, _, err := l.k.DocumentAt(t.Context(), "pub.example", l.clock().Add(-10*time.Minute))
			if err != nil || past.File != nil {
				t.Errorf("%+v, %v", past, err)
			}
			l.web.set(url, tagged(file("right", 27*time.Hour)))
			_, err = l.k.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
			if err != nil {
				t.Fatal(err)
			}
			l.want("pub.example", "usable right")
		})
	}
}

// TestIncomparable: when the version before was removed, nobody knows what a change adds or
// how agents were delegated to, and the worst is assumed.
func TestIncomparable(t *testing.T) {
	t.Parallel()
	removed := func(t *testing.T) *lab {
		t.Helper()
		l := newLab(t)
		l.web.set(pub, pointer(network))
		l.web.set(network, tagged(file("v1", 0)))
		l.stranger()
		l.pass(5 * day)
		l.prune(retain.Options{Limits: retain.Limits{Guests: day}})
		l.restart()
		return l
	}
	t.Run("a change", func(t *testing.T) {
		t.Parallel()
		l := removed(t)
		l.web.set(network, tagged(file("v2", 4*day)))
		if got := l.stranger(); got != "usable v2" {
			t.Fatal(got)
		}
		f, err := l.store.File(t.Context(), network)
		if err != nil || !f.Probation.Equal(l.clock().Add(custody.Probation)) {
			t.Errorf("%v: on probation until %s", err, f.Probation)
		}
	})
	t.Run("a move", func(t *testing.T) {
		t.Parallel()
		l := removed(t)
		l.web.set(network, page{status: 404})
		l.web.set(pub, pointer(second))
		l.web.set(second, tagged(file("v2", 4*day)))
		l.stranger()
		p, err := l.store.Publisher(t.Context(), "pub.example")
		if err != nil || p.Move == nil || !slices.Contains(p.Move.Signs, custody.SignIncomparable) {
			t.Errorf("%v, %+v", err, p.Move)
		}
	})
}
