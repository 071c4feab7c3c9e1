package feed_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/feed"
)

// A step changes something on the web.
type step struct {
	name string
	do   func(l *lab)
}

var steps = []step{
	{"two publishers", func(l *lab) {
		l.put("one.example", file("one.example", 1, entry{agentA, "property_ids", "site,app"}, entry{agentA, "property_tags", "news"}))
		l.put("two.example", file("two.example", 1, entry{agentA, "property_ids", "site"}, entry{agentB, "property_ids", "site"}))
	}},
	{"a narrower scope", func(l *lab) {
		l.put("one.example", file("one.example", 2, entry{agentA, "property_ids", "site"}, entry{agentA, "property_tags", "news"}))
	}},
	{"one of two types ends", func(l *lab) { l.put("one.example", file("one.example", 3, entry{agentA, "property_ids", "site"})) }},
	{"the same again", func(l *lab) { l.put("one.example", file("one.example", 4, entry{agentA, "property_ids", "site"})) }},
	{"an agent ends", func(l *lab) { l.put("two.example", file("two.example", 2, entry{agentA, "property_ids", "site"})) }},
	{"a wider scope", func(l *lab) { l.put("two.example", file("two.example", 3, entry{agentA, "property_ids", "site,app"})) }},
	{"a publisher without a file", func(l *lab) { l.put("two.example", "") }},
	{"it is back", func(l *lab) { l.put("two.example", file("two.example", 5, entry{agentB, "property_ids", "app"})) }},
}

// TestClients: whoever follows the feed by the rules of one of the clients in use, from the
// beginning or from any position, knows what holds, in pages of any size, in this process and
// in another one.
func TestClients(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, w, c := open(t), &web{pages: map[string]string{}}, &clock{now: noon}
			l := newLab(t, url, w, c)
			other := newLab(t, url, w, c)
			following, cursor := clients(), ""
			for _, s := range steps {
				s.do(l)
				var events []event
				events, cursor = l.read(cursor, 3)
				truth := l.truth()
				for _, one := range following {
					one.read(events)
					compare(t, s.name+", following", one, truth)
				}
				from, limit := "", 1000
				fresh := clients()
				events, end := l.read(from, limit)
				for _, one := range fresh {
					one.read(events)
					compare(t, s.name+", from the beginning", one, truth)
				}
				for behind := ""; behind != end; { // another process follows within a second
					_, behind = other.read(behind, 1000)
				}
				if len(events) == 0 {
					t.Errorf("%s: %d events", s.name, len(events))
				}
			}
		})
	}
}

func compare(t *testing.T, when string, c *client, truth map[string]string) {
	t.Helper()
	if !maps.Equal(c.has, truth) {
		t.Errorf("%s: %s believes %v, and %v is true", when, c.name, c.has, truth)
	}
}

// TestSilence: a version that says the same is no news, and neither is a restart.
func TestSilence(t *testing.T) {
	t.Parallel()
	url, w, c := stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon}
	l := newLab(t, url, w, c)
	steps[0].do(l)
	before, cursor := l.read("", 100)
	l.put("two.example", file("two.example", 2, entry{agentA, "property_ids", "site"}, entry{agentB, "property_ids", "site"}))
	l.stop()
	l = newLab(t, url, w, c)
	after, _ := l.read(cursor, 100)
	if len(before) < 8 || len(after) != 0 {
		t.Errorf("%d events, then %v", len(before), after)
	}
	for i := 1; i < len(before); i++ {
		if before[i].EventID <= before[i-1].EventID {
			t.Errorf("%s after %s", before[i].EventID, before[i-1].EventID)
		}
	}
	w.set("two.example", "") // nobody runs while it changes
	l.stop()
	l = newLab(t, url, w, c)
	l.put("two.example", "")
	after, _ = l.read(cursor, 100)
	var revoked []string
	for _, e := range after {
		if e.EventType == feed.Revoked || e.EventType == feed.AgentGone {
			revoked = append(revoked, e.EventType+" "+e.text("agent_url"))
		}
	}
	want := []string{feed.Revoked + " " + agentA, feed.Revoked + " " + agentB, feed.AgentGone + " " + agentB}
	for _, one := range want {
		if !strings.Contains(strings.Join(revoked, "\n"), one) {
			t.Errorf("%s is missing in %v", one, revoked)
		}
	}
}

// TestHundredDays: what holds can be read from the beginning however old it is, also page by
// page; cursors expire, and those of somebody who has read everything do not.
func TestHundredDays(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{now: noon}
			l := newLab(t, open(t), &web{pages: map[string]string{}}, c)
			for _, s := range steps[:5] {
				s.do(l)
			}
			first, err := l.feed.Read(t.Context(), "", &feed.Filter{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			c.pass(100 * 24 * time.Hour)
			l.put("one.example", file("one.example", 9, entry{agentA, "property_ids", "site"}))
			l.put("two.example", file("two.example", 9, entry{agentA, "property_ids", "site"}))
			l.prune()
			fresh := clients()
			events, _ := l.read("", 2)
			for _, one := range fresh {
				one.read(events)
				compare(t, "after 100 days", one, l.truth())
			}
			_, err = l.feed.Read(t.Context(), first.Cursor, &feed.Filter{}, 1)
			if !errors.Is(err, feed.ErrExpired) {
				t.Errorf("an old cursor: %v", err)
			}
			_, end := l.read("", 100)
			c.pass(200 * 24 * time.Hour)
			page, err := l.feed.Read(t.Context(), end, &feed.Filter{}, 1)
			if err != nil || page.Cursor == end || len(page.Events) > 0 {
				t.Errorf("the last cursor: %+v, %v", page, err)
			}
			one, err := l.feed.Read(t.Context(), "", &feed.Filter{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			c.pass(time.Millisecond)
			again, err := l.feed.Read(t.Context(), "", &feed.Filter{}, 1)
			if err != nil || again.Cursor != one.Cursor {
				t.Errorf("the same page later: %+v, %v", again, err)
			}
			sent, at, err := l.feed.After(t.Context(), feed.Position{}, &feed.Filter{}, 1)
			if err != nil || sent.Cursor != one.Cursor || c.time().Sub(at.At) < feed.Retention {
				t.Errorf("a page that is sent: %+v, %v, %v", sent, at, err)
			}
			_, err = l.feed.Read(t.Context(), sent.Cursor, &feed.Filter{}, 1)
			if err != nil {
				t.Errorf("after a page that was sent: %v", err)
			}
		})
	}
}

// TestCursors: cursors of others are refused, and what is none.
func TestCursors(t *testing.T) {
	t.Parallel()
	l := newLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon})
	other := newLab(t, "sqlite:"+filepath.Join(t.TempDir(), "other.db"), &web{pages: map[string]string{}}, &clock{now: noon}) // a copy of an empty store has the same name
	steps[0].do(l)
	steps[0].do(other)
	_, foreign := other.read("", 100)
	_, own := l.read("", 100)
	for cursor, want := range map[string]error{
		"": nil, feed.Start: nil, own: nil, strings.ToUpper(own): nil, foreign: feed.ErrExpired, "0199f3a4-7c10-7001-a1b2-0c3d4e5f6071": feed.ErrExpired,
		"2b0cd6a6-66f2-4b1f-8f2e-3a1d3c8a0f00": feed.ErrExpired, "x": feed.ErrCursor, own + "0": feed.ErrCursor, "0199f3a4_7c10_7001_a1b2_0c3d4e5f6071": feed.ErrCursor,
	} {
		_, err := l.feed.Read(t.Context(), cursor, &feed.Filter{}, 10)
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", cursor, err, want)
		}
	}
	page, err := l.feed.Read(t.Context(), own, &feed.Filter{}, 10)
	if err != nil || page.Cursor != own || page.More {
		t.Errorf("at the end: %+v, %v", page, err)
	}
}

// TestClockStepsBack: ids grow although the clock shows less.
func TestClockStepsBack(t *testing.T) {
	t.Parallel()
	l := newLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon})
	add := func(publisher string, at time.Time) {
		t.Helper()
		err := l.store.Feed().Add(t.Context(), &feed.Addition{
			Publisher: publisher, Input: []byte("x"), At: at, Events: []feed.Event{{Type: feed.Discovered, Publisher: publisher, Entity: publisher, Live: true, Digest: make([]byte, 16), Payload: []byte("{}")}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		add(fmt.Sprintf("p%d.example", i), noon.Add(-time.Duration(i)*time.Hour))
	}
	list, err := l.store.Feed().Changes(t.Context(), 0, time.Time{}, 10)
	if err != nil || len(list) != 5 {
		t.Fatal(len(list), err)
	}
	tag := feed.TagOf("x")
	for i := 1; i < len(list); i++ {
		if tag.ID(feed.Position{Number: list[i].Number, At: list[i].At}) <= tag.ID(feed.Position{Number: list[i-1].Number, At: list[i-1].At}) {
			t.Errorf("event %d is not after the one before", i)
		}
	}
	err = l.store.Feed().Add(t.Context(), &feed.Addition{Publisher: "p0.example", Base: []byte("y"), Input: []byte("z"), At: noon})
	if !errors.Is(err, feed.ErrConflict) {
		t.Errorf("others were faster: %v", err)
	}
}

// TestPages: a page is bounded in bytes, and filters that match little do not end it.
func TestPages(t *testing.T) {
	t.Parallel()
	l := newLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon})
	big := strings.Repeat("x", 2000)
	var events []feed.Event
	for i := range 3000 {
		events = append(events, feed.Event{Type: feed.Created, Publisher: "p.example", Entity: fmt.Sprint(i), Live: true, Digest: make([]byte, 16), Payload: fmt.Appendf(nil, `{"a":%q}`, big)})
	}
	events = append(events, feed.Event{Type: feed.Stale, Publisher: "p.example", Entity: "last", Digest: []byte{}, Payload: []byte("{}")})
	moved, _ := l.feed.Wait()
	err := l.store.Feed().Add(t.Context(), &feed.Addition{Publisher: "p.example", Input: []byte("x"), At: noon, Events: events})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-moved:
	case <-time.After(10 * time.Minute):
		t.Fatal("nobody was told")
	}
	for l.last() < 3001 { // all of it was read
		<-time.After(time.Millisecond)
	}
	all, pages, cursor := 0, 0, ""
	for more := true; more; pages++ {
		page, err := l.feed.Read(t.Context(), cursor, &feed.Filter{}, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, e := range page.Events {
			size += len(e)
		}
		if size > 3<<19 {
			t.Errorf("a page has %d bytes", size)
		}
		all, cursor, more = all+len(page.Events), page.Cursor, page.More
	}
	if all != 3001 || pages < 4 {
		t.Errorf("%d events in %d pages", all, pages)
	}
	found, cursor := 0, ""
	for more := true; more; {
		page, err := l.feed.Read(t.Context(), cursor, &feed.Filter{Types: []string{"property.st*"}}, 10)
		if err != nil {
			t.Fatal(err)
		}
		found, cursor, more = found+len(page.Events), page.Cursor, page.More
	}
	if found != 1 {
		t.Errorf("the filter has found %d", found)
	}
}

// last returns how many events a follower sees.
func (l *lab) last() int {
	events, _ := l.read("", 10_000)
	return len(events)
}

// TestIDs: what is written is read.
func TestIDs(t *testing.T) {
	t.Parallel()
	tag := feed.TagOf("store")
	for _, p := range []feed.Position{{1, noon}, {1 << 32, noon}, {1<<44 - 1, noon.Add(time.Millisecond)}} {
		id := tag.ID(p)
		got, err := tag.Parse(id)
		if err != nil || got.Number != p.Number || !got.At.Equal(p.At) || id[14] != '7' {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	_, err := feed.ParseTypes("authorization.*, agent.removed,,*")
	if err == nil || err.Error() != "*" {
		t.Errorf("a star alone: %v", err)
	}
}
