package directory

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A steady keeper finds all files usable.
type steady struct {
	Keeper
	doubts uint64
}

func (s *steady) Doubts() uint64 { return s.doubts }

func (s *steady) Judge(p *custody.Publisher, f *custody.File, at custody.Moment) *custodian.State {
	return &custodian.State{Publisher: p, File: f, At: at, Served: resolve.Usable, PublisherStanding: custody.Fresh, FileStanding: custody.Fresh}
}

// TestLife: an answer about an agent lasts until something changes about that agent or one of its
// publishers, one about everything until anything does, and both no longer than the publishers
// that were looked at stand as they do.
func TestLife(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	keeper := &steady{}
	d := New(Config{Keeper: keeper})
	put := func(domain hostname.Domain, agents ...string) {
		p := &Publisher{Domain: domain, state: resolve.Usable, record: &custody.Publisher{TriedAt: noon, ConfirmedAt: noon, FreshUntil: noon.Add(2 * time.Hour)}}
		p.file = &custody.File{URL: string(domain), ConfirmedAt: noon, FreshUntil: noon.Add(time.Hour)}
		for _, agent := range agents {
			p.Grants = append(p.Grants, Grant{Agent: agent, Live: true})
		}
		d.replace(p, nil)
	}
	view := func(early, late time.Duration) *View {
		return &View{d: d, At: custody.Moment{Early: noon.Add(early), Late: noon.Add(late)}}
	}
	follow := func(agent string) *Life {
		v := view(0, 0)
		life := v.Follow(agent)
		v.Publishers("", 10, nil)
		return life
	}
	check := func(when string, life *Life, v *View, want bool) {
		t.Helper()
		if life.Holds(v) != want {
			t.Errorf("%s: holds %t", when, !want)
		}
	}
	put("one.example", "a")
	put("two.example", "b")
	a, all, none := follow("a"), follow(""), follow("c")
	check("at once", a, view(0, 0), true)
	check("at once, everything", all, view(0, 0), true)
	check("before a file is stale", a, view(time.Hour-1, time.Hour-1), true)
	check("when it is", a, view(time.Hour, time.Hour), false)
	check("when it may be", a, view(time.Hour-1, time.Hour), false)
	check("for somebody who has waited", a, view(-1, -1), true)
	check("a clock that went back", a, view(-custody.Skew-1, 0), false)
	check("another such clock", a, view(0, -custody.Skew-1), false)
	put("two.example", "b")
	check("after a look at somebody else", a, view(0, 0), true)
	check("after a look at somebody else, everything", all, view(0, 0), false)
	check("an agent that nobody names", none, view(0, 0), true)
	keeper.doubts++
	check("after something could not be saved", a, view(0, 0), false)
	a, none = follow("a"), follow("c")
	put("one.example", "c")
	check("after a publisher has left", a, view(0, 0), false)
	check("an agent that somebody names now", none, view(0, 0), false)
	a = follow("a")
	put("one.example", "a")
	check("after it is back", a, view(0, 0), false)
	a, all = follow("a"), follow("")
	d.remove("one.example")
	check("after it was forgotten", a, view(0, 0), false)
	check("after it was forgotten, everything", all, view(0, 0), false)
}
