package feed_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
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
				elsewhere, behind := other.read(from, limit)
				if behind != end || len(elsewhere) != len(events) || len(events) == 0 {
					t.Errorf("%s: %d events, and %d in another process", s.name, len(events), len(elsewhere))
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
		if e.EventType == projection.Revoked || e.EventType == projection.AgentGone {
			revoked = append(revoked, e.EventType+" "+e.text("agent_url"))
		}
	}
	want := []string{projection.Revoked + " " + agentA, projection.Revoked + " " + agentB, projection.AgentGone + " " + agentB}
	for _, one := range want {
		if !strings.Contains(strings.Join(revoked, "\n"), one) {
			t.Errorf("%s is missing in %v", one, revoked)
		}
	}
}

// TestDigest: a page that is read again has the same digest until an event or an agent's numbers are others.
func TestDigest(t *testing.T) {
	t.Parallel()
	said := feed.Agent{Profile: feed.Profile{PublisherCount: 1}}
	l := newLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon})
	l.feed = feed.New(feed.Config{Store: l.store.Feed(), Describe: func(context.Context, string) (*feed.Agent, error) { return &said, nil }, Now: l.clock.time})
	digest := func(limit int) [32]byte {
		page, err := l.feed.Read(t.Context(), "", &feed.Filter{}, limit)
		if err != nil || len(page.Events) == 0 {
			t.Fatal(page, err)
		}
		return page.Digest()
	}
	steps[0].do(l)
	first := digest(100)
	if digest(100) != first || digest(1) == first {
		t.Error("the same page has another digest, or another page the same")
	}
	said.PublisherCount = 2
	l.clock.pass(2 * time.Minute) // what was said of an agent is kept for a minute
	second := digest(100)
	l.put("other.example", file("other.example", 3, entry{agentA, "property_ids", "site"}))
	if second == first || digest(100) == second {
		t.Error("a page that says something else has the same digest")
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
	for i := range 5 {
		domain := fmt.Sprintf("p%d.example", i)
		l.commit(hostname.Domain(domain), noon.Add(-time.Duration(i)*time.Hour), projection.Event{Type: projection.Discovered, Publisher: domain, Entity: domain, Live: true, Payload: []byte("{}")})
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
}

// TestPages: a page is bounded in bytes, and filters that match little do not end it.
func TestPages(t *testing.T) {
	t.Parallel()
	l := newLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}}, &clock{now: noon})
	big := strings.Repeat("x", 2000)
	var events []projection.Event
	for i := range 3000 {
		events = append(events, projection.Event{Type: projection.Created, Publisher: "p.example", Entity: fmt.Sprint(i), Live: true, Digest: make([]byte, 16), Payload: fmt.Appendf(nil, `{"a":%q}`, big)})
	}
	events = append(events, projection.Event{Type: projection.Stale, Publisher: "p.example", Entity: "last", Digest: []byte{}, Payload: []byte("{}")})
	l.commit("p.example", noon, events...)
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

// TestPastStays: whoever reads again from a position reads the same, whatever has happened since,
// and what is said of an agent is of the present.
func TestPastStays(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, open(t), &web{pages: map[string]string{}}, &clock{now: noon})
			var past []event
			for _, s := range steps {
				s.do(l)
				events, _ := l.read("", 3)
				for i := range past {
					if events[i].EventID != past[i].EventID || events[i].EventType != past[i].EventType || events[i].scope() != past[i].scope() {
						t.Fatalf("%s: event %d was %+v, and is %+v", s.name, i, past[i], events[i])
					}
				}
				past = events
				l.agentsArePresent(events)
			}
		})
	}
}

// agentsArePresent compares the last event about each agent with the directory.
func (l *lab) agentsArePresent(events []event) {
	l.t.Helper()
	last := map[string]event{}
	for _, e := range events {
		if e.EntityType == "agent" {
			last[e.EntityID] = e
		}
	}
	for url, e := range last {
		want := l.view().Agent(url).Publishers
		have, _ := e.Payload["publisher_count"].(float64)
		if e.EventType != projection.AgentGone && int(have) != want {
			l.t.Errorf("%s of %s has %v publishers, and the directory %d", e.EventType, url, e.Payload["publisher_count"], want)
		}
	}
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
