package custodian_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
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
