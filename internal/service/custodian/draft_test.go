package custodian_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// beside is another process: a keeper whose store works, on the same records.
func (l *lab) beside() *custodian.Keeper {
	l.Helper()
	own := l.store
	defer func() { l.store = own }()
	l.store = &faulty{Store: own.Store}
	return l.keeper()
}

// TestOvertakenRevocation: what one process could not save is saved later, although
// another one has adopted the next version since, which revokes nobody.
func TestOvertakenRevocation(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	other := l.beside()
	l.pass(25 * time.Hour)
	l.web.set(pub, tagged(file("v2", 24*time.Hour, "pub.example")))
	l.store.fail(errDisk, nil)
	l.want("pub.example", "withheld")
	l.pass(10 * time.Minute)
	l.web.set(pub, tagged(file("v3", 25*time.Hour)))
	d, err := other.Document(t.Context(), "pub.example")
	if err != nil || told(d) != "usable v3" {
		t.Fatal(d, err)
	}
	l.store.fail(nil, nil)
	l.pass(time.Minute)
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	l.want("pub.example", "usable v3 held pub.example")
}

// TestLargeUpdate: a changed file is adopted although there is not enough memory for both
// versions.
func TestLargeUpdate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.config.Memory = 1_000_000
	l.k = l.keeper()
	for i := range 3 {
		note := `"x_note": "` + strings.Repeat("a", 200_000) + `", "catalog_etag"`
		l.web.set(pub, tagged(replace(file(fmt.Sprint("v", i), time.Duration(i)*time.Hour), `"catalog_etag"`, note)))
		l.want("pub.example", fmt.Sprint("usable v", i))
		err := l.k.Ready(t.Context())
		if err != nil {
			t.Error(err)
		}
		l.pass(25 * time.Hour)
	}
}

// TestSwapAfterRepair: the place had no file that could be used when it was adopted. Since
// it has one, a move to another place waits like any other.
func TestSwapAfterRepair(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"confirmed since": 20 * time.Hour, "repaired just now": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, pointer(network))
			l.web.set(network, page{body: "{"})
			l.want("pub.example", "unusable")
			l.pass(time.Hour + time.Minute)
			l.web.set(network, tagged(file("v1", 0)))
			for range wait / time.Hour {
				l.want("pub.example", "usable v1")
				l.pass(time.Hour)
			}
			l.web.set(pub, pointer(second))
			l.web.set(second, tagged(replace(file("evil", time.Hour), agent, "https://evil.example/mcp")))
			l.pass(4 * time.Hour)
			l.codes()
			l.refresh()
			l.want("pub.example", "usable v1")
			l.has(l.codes(), "move.held")
		})
	}
}

// dismissed is a version with an agent that later ones do not have.
func dismissed() string {
	return replace(file("v1", 0), `"authorized_agents": [`, `"authorized_agents": [{"url": "https://fired.example/mcp", "authorized_for": "everything",
		"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["pub.example"], "selection_type": "all"}]},`)
}

// stays lets days pass, in which a move back to an old version must not take effect.
func (l *lab) stays(version string) {
	l.Helper()
	l.codes()
	for range 60 {
		l.pass(61 * time.Minute)
		if got := l.served("pub.example"); strings.HasSuffix(got, " v1") {
			l.Fatalf("at %s: served %s", l.clock().Sub(begin), got)
		}
	}
	l.has(l.codes(), "move.held")
	s, err := l.k.State(l.Context(), "pub.example")
	if err != nil {
		l.Fatal(err)
	}
	if s.Publisher.Move == nil || !slices.Contains(s.Publisher.Move.Signs, custody.SignRegression) {
		l.Errorf("the move has no sign of a regression: %+v", s.Publisher.Move)
	}
	if s.File.CatalogETag != version {
		l.Errorf("the version is %s", s.File.CatalogETag)
	}
}

// TestSwapToOldCopy: the pointer was not modified while the file moved on. A copy of what
// the file said before is a regression all the same.
func TestSwapToOldCopy(t *testing.T) {
	t.Parallel()
	for name, looks := range map[string]int{"looked at since": 3, "not looked at since": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, pointer(network))
			l.web.set(network, tagged(dismissed()))
			l.want("pub.example", "usable v1")
			l.pass(25 * time.Hour)
			l.web.set(network, tagged(file("v2", 25*time.Hour)))
			l.want("pub.example", "usable v2")
			for range looks {
				l.pass(25 * time.Hour)
				l.want("pub.example", "usable v2")
			}
			l.web.set(pub, pointer(second))
			l.web.set(second, tagged(dismissed()))
			l.stays("v2")
		})
	}
}

// TestSwapBackAfterConfirm: what the place said that an operator confirmed is remembered.
func TestSwapBackAfterConfirm(t *testing.T) {
	t.Parallel()
	for name, looks := range map[string]int{"looked at since": 5, "not looked at since": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, pointer(network))
			l.web.set(network, tagged(dismissed()))
			l.want("pub.example", "usable v1")
			l.pass(25 * time.Hour)
			l.web.set(pub, pointer(second))
			l.web.set(second, tagged(file("v2", 24*time.Hour)))
			for range 3 {
				l.refresh()
				l.pass(61 * time.Minute)
			}
			err := l.k.Confirm(t.Context(), "pub.example", second)
			if err != nil {
				t.Fatal(err)
			}
			for range looks {
				l.want("pub.example", "usable v2")
				l.pass(25 * time.Hour)
			}
			l.web.set(pub, pointer(network))
			l.stays("v2")
		})
	}
}

// TestLearnsOnce: a version is read for what it says about the publisher once, and not
// with every confirmation.
func TestLearnsOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	for range 5 {
		l.restart() // with nothing in memory
		l.pass(25 * time.Hour)
		l.refresh()
		if l.store.documents > 0 {
			t.Fatalf("%d documents were read", l.store.documents)
		}
	}
	l.web.set(network, tagged(replace(file("v2", time.Hour), agent, "https://second.example/mcp")))
	l.pass(25 * time.Hour)
	s := l.refresh()
	if len(s.Publisher.Agents) != 2 || !s.Publisher.HighWater.Equal(begin.Add(time.Hour)) || s.Publisher.Learned != s.File.Hash {
		t.Errorf("%+v", s.Publisher)
	}
}

// TestUnkeepable: a file whose content no store keeps as it is does not keep anything from
// being saved.
func TestUnkeepable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 3_000_000)
	for name, change := range map[string]func(i int) string{
		"date before the years": func(int) string { return replace(file("p", 0), at(0), "0000-01-01T00:00:00+23:59") },
		"date after the years":  func(int) string { return replace(file("p", 0), at(0), "9999-12-31T23:59:59-23:59") },
		"revoked before the years": func(int) string {
			return replace(file("p", 0, "gone.example"), "2026-02-01T00:00:00Z", "0000-01-01T00:00:00+23:59")
		},
		"agent of megabytes": func(i int) string {
			return replace(file("p", time.Duration(i)*time.Hour), agent, fmt.Sprintf("https://agent%d.example/%s", i, long))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for i := range 2 {
				l.web.set(pub, tagged(change(i)))
				l.want("pub.example", "usable p")
				err := l.k.Ready(t.Context())
				if err != nil {
					t.Errorf("%.300v", err)
				}
				l.pass(25 * time.Hour)
			}
			s, err := l.k.State(t.Context(), "pub.example")
			if err != nil || len(strings.Join(s.Publisher.Agents, "")) > 10_000 {
				t.Error(len(strings.Join(s.Publisher.Agents, "")), err)
			}
		})
	}
}

// TestLongPlace: a place with a URL of megabytes is none.
func TestLongPlace(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	long := network + "?" + strings.Repeat("a", 1_000_000)
	l.web.set(long, tagged(file("v2", time.Hour)))
	l.web.set(pub, pointer(long))
	l.pass(2 * time.Hour)
	s := l.refresh()
	if s.Publisher.Move != nil || s.Publisher.Location.URL != pub || len(s.Publisher.Trouble)+len(s.File.Trouble) == 0 {
		t.Errorf("%.1000v", s.Publisher)
	}
	l.web.set("https://new.example/.well-known/adagents.json", pointer(long))
	l.want("new.example", "unusable")
}
