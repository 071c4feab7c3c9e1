package directory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// TestFollows: the directory shows what is committed without being read again, whatever is
// in the store is there after a restart, and another process follows.
func TestFollows(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &web{pages: map[string]string{wellKnown("one.example"): own("one.example", agentA), wellKnown("two.example"): own("two.example", agentA)}}
			url := open(t)
			l := newLab(t, url, w)
			l.look("two.example", "one.example", "nobody.example")
			q := directory.RowQuery{Agent: agentA, Limit: 10, Authorized: true}
			want := "one.example site/2 fresh; two.example site/2 fresh"
			got, next := l.view().Rows(q)
			if rows(got) != want || next != "" {
				t.Errorf("got %q, next %q", rows(got), next)
			}
			again := newLab(t, url, w)
			got, _ = again.view().Rows(q)
			if rows(got) != want {
				t.Errorf("another process has %q", rows(got))
			}
			w.set(wellKnown("one.example"), strings.Replace(own("one.example", agentB), "2026-02-01", "2026-02-02", 1))
			_, err := again.keeper.State(t.Context(), "one.example") // which is remembered there
			if err != nil {
				t.Fatal(err)
			}
			l.pass(time.Hour)
			l.look("one.example")
			got, _ = l.view().Rows(q)
			if rows(got) != "two.example site/2 fresh" {
				t.Errorf("after a change: %q", rows(got))
			}
			again.pass(time.Hour)
			for shown := ""; shown != rows(got); shown = again.rows(q) {
				<-time.After(10 * time.Millisecond) // it follows within a second or two
			}
			got, _ = l.view().Rows(directory.RowQuery{Agent: agentB, Limit: 10, Authorized: true})
			if rows(got) != "one.example site/2 fresh" {
				t.Errorf("the new agent has %q", rows(got))
			}
		})
	}
}

// TestStates: what is known about a publisher has a word for each case, and nothing that is
// not known looks like a no.
func TestStates(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]string{
		wellKnown("fresh.example"): own("fresh.example", agentA, `{"url": "https://c.agent.example", "authorized_for": "x", "authorization_type": "publisher_properties",
			"publisher_properties": [{"publisher_domain": "named.example", "selection_type": "all"}]}`),
		wellKnown("stale.example"): own("stale.example", agentA), wellKnown("lost.example"): own("lost.example", agentA),
		wellKnown("left.example"): own("left.example", agentA), wellKnown("held.example"): own("held.example", agentA),
		wellKnown("out.example"): own("out.example", agentA), wellKnown("broken.example"): `{"authorized_agents": 7}`, wellKnown("down.example"): "",
	}}
	l := newLab(t, stores()["sqlite"](t), w, func(c *directory.Config) {
		c.OptedOut = func(d hostname.Domain) bool { return d == "out.example" }
	})
	l.look("lost.example")
	w.set(wellKnown("lost.example"), "")
	l.pass(time.Hour)
	l.look("lost.example")
	l.pass(custody.MaxStale + 90*24*time.Hour)
	l.look("stale.example", "left.example", "held.example", "out.example", "broken.example", "down.example", "none.example", "lost.example")
	w.remove(wellKnown("left.example"))
	w.set(wellKnown("stale.example"), "")
	w.set(wellKnown("held.example"), strings.Replace(own("held.example", agentA), "2026-02-01", "2026-01-01", 1))
	l.pass(3 * time.Hour)
	l.look("left.example", "stale.example", "held.example", "fresh.example")
	v := l.view()
	for domain, want := range map[hostname.Domain]struct {
		state    wire.PublisherState
		inEffect bool
	}{
		"fresh.example": {wire.Fresh, true}, "stale.example": {wire.Stale, true}, "held.example": {wire.Held, true},
		"lost.example": {wire.Failing, false}, "down.example": {wire.Failing, false}, "broken.example": {wire.Unusable, false},
		"left.example": {wire.Gone, false}, "none.example": {wire.Absent, false}, "named.example": {wire.NeverLooked, false}, "out.example": {wire.OptedOut, false},
	} {
		e, known := v.Publisher(domain)
		if !known || e.Standing.State != want.state || e.Standing.InEffect != want.inEffect {
			t.Errorf("%s: known %t, %+v", domain, known, e.Standing)
		}
		looked := want.state != wire.NeverLooked && want.state != wire.OptedOut
		if looked && (e.Standing.Since.IsZero() || e.Standing.LastLook.IsZero() || e.Standing.NextLook.IsZero()) {
			t.Errorf("%s: a time is missing: %+v", domain, e.Standing)
		}
	}
	_, known := v.Publisher("stranger.example")
	if known {
		t.Error("a stranger is known")
	}
	list, n := v.Unsettled(agentA, 10)
	if n != 1 || list[0].Domain != "lost.example" {
		t.Errorf("unsettled: %d, %v", n, list)
	}
	s := v.Stats()
	for _, m := range wire.PublisherStates {
		if s.Publishers[m.State] == 0 {
			t.Errorf("nobody is counted as %s", m.State)
		}
	}
	if s.InEffect != 3 || s.Authorizations != 3 || s.Types["website"] != 3 {
		t.Errorf("%+v", s)
	}
}

// TestEnds: a file that nobody confirms any more, and an entry whose time is over, are not
// shown, although nothing was committed.
func TestEnds(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]string{wellKnown("a.example"): own("a.example", agentA, fmt.Sprintf(`{"url": "%s", "authorized_for": "x",
		"authorization_type": "property_ids", "property_ids": ["app"], "effective_until": "2026-03-01T14:00:00Z"}`, agentB))}}
	l := newLab(t, stores()["sqlite"](t), w)
	l.look("a.example")
	got, _ := l.view().Rows(directory.RowQuery{Agent: agentB, Limit: 1, Authorized: true})
	if rows(got) != "a.example app/2 fresh" {
		t.Fatalf("got %q", rows(got))
	}
	l.pass(3 * time.Hour)
	l.look("a.example")
	if got, _ := l.view().Rows(directory.RowQuery{Agent: agentB, Limit: 1, Authorized: true}); len(got) != 0 {
		t.Errorf("after its end: %q", rows(got))
	}
	l.pass(custody.MaxAge + time.Hour)
	if got, _ := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 1, Authorized: true}); len(got) != 0 {
		t.Errorf("after nobody has confirmed it: %q", rows(got))
	}
}

// TestNetwork: publishers that share a file are found by it page by page, those that it
// revokes are told apart, and it is in memory once.
func TestNetwork(t *testing.T) {
	t.Parallel()
	const network = "https://network.example/adagents.json"
	var properties []string
	w := &web{pages: map[string]string{}}
	domains := make([]string, 25)
	for i := range domains {
		domains[i] = fmt.Sprintf("p%02d.example", i)
		properties = append(properties, fmt.Sprintf(`{"property_id": "site%02d", "property_type": "website", "name": "x", "publisher_domain": "%[2]s", "identifiers": [{"type": "domain", "value": "%[2]s"}]}`, i, domains[i]))
		w.set(wellKnown(domains[i]), fmt.Sprintf(`{"authoritative_location": %q, "last_updated": "2026-01-01T00:00:00Z"}`, network))
	}
	file := func(date, revoked string) string {
		return fmt.Sprintf(`{"last_updated": "%s", "properties": [%s], "authorized_agents": [{"url": "%s", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["none"]},
			{"url": "%[3]s", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["%[4]s"], "selection_type": "all"}]}]%[5]s}`,
			date, strings.Join(properties, ","), agentA, strings.Join(domains, `","`), revoked)
	}
	w.set(network, file("2026-02-01T00:00:00Z", ""))
	l := newLab(t, stores()["sqlite"](t), w)
	l.look(domains...)
	var seen []string
	after := ""
	for pages := 0; pages == 0 || after != ""; pages++ {
		list, next := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 10, Authorized: true, After: after})
		for _, r := range list {
			seen = append(seen, string(r.Domain))
			if want := "site" + string(r.Domain)[1:3]; len(r.Sold.Authorized) != 1 || r.Sold.Authorized[0] != want || r.Sold.Total != 1 {
				t.Errorf("%s: %v of %d", r.Domain, r.Sold.Authorized, r.Sold.Total)
			}
		}
		after = next
	}
	if strings.Join(seen, " ") != strings.Join(domains, " ") {
		t.Errorf("seen %v", seen)
	}
	w.set(network, file("2026-02-02T00:00:00Z", `, "revoked_publisher_domains": [{"publisher_domain": "p03.example", "revoked_at": "2026-02-02T00:00:00Z"}]`))
	l.pass(2 * time.Hour)
	l.look("p07.example")
	list, _ := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 100, Authorized: true})
	if len(list) != 24 {
		t.Errorf("%d are left", len(list))
	}
	list, _ = l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 100, Revoked: true})
	if len(list) != 1 || list[0].Domain != "p03.example" || !list[0].Revoked {
		t.Errorf("revoked: %q", rows(list))
	}
	both, _ := l.view().Rows(directory.RowQuery{Agent: agentA, Limit: 5, Authorized: true, Revoked: true})
	if len(both) != 5 || both[3].Domain != "p03.example" || !both[3].Revoked || both[2].Revoked {
		t.Errorf("both: %q", rows(both))
	}
}

// TestFull: who does not fit is counted, and a site cannot take the room of others.
func TestFull(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]string{}}
	var many []string
	for i := range 30 {
		domain := fmt.Sprintf("n%d.greedy.example", i)
		w.set(wellKnown(domain), own(domain, agentA))
		many = append(many, domain)
	}
	w.set(wellKnown("modest.example"), own("modest.example", agentB))
	l := newLab(t, stores()["sqlite"](t), w, func(c *directory.Config) { c.Memory = 400_000 })
	l.look(many...)
	l.look("modest.example")
	v := l.view()
	if v.Missing == 0 || v.Missing >= 30 {
		t.Errorf("%d are missing", v.Missing)
	}
	list, _ := v.Rows(directory.RowQuery{Agent: agentB, Limit: 1, Authorized: true})
	if rows(list) != "modest.example site/2 fresh" {
		t.Errorf("got %q", rows(list))
	}
	e, _ := v.Publisher(hostname.Domain(many[29]))
	if !e.Missing || e.Standing.State != wire.Fresh || !e.Standing.InEffect {
		t.Errorf("%+v", e)
	}
	q := resolve.Question{Publisher: many[29], Agent: agentA, At: noon}
	_, _, ok := v.Decide(&q)
	if ok {
		t.Error("what is missing is decided")
	}
	l.pass(2 * time.Hour)
	l.look(many...)
	if again := l.view().Missing; again != v.Missing {
		t.Errorf("%d are missing, and %d after they were looked at again", v.Missing, again)
	}
}

// TestIdentifiers: who lists an identifier, and who else does.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]string{wellKnown("a.example"): own("a.example", agentA), wellKnown("b.example"): own("b.example", agentB)}}
	l := newLab(t, stores()["sqlite"](t), w)
	l.look("b.example", "a.example")
	v := l.view()
	app := resolve.Identifier{Type: "ios_bundle", Value: "com.shared.app"}
	list := v.Lists(app)
	if len(list) != 2 || list[0].Domain != "a.example" {
		t.Errorf("%v", list)
	}
	contests := v.Contests(list[0].Publisher, 10)
	if len(contests) != 1 || contests[0].Identifier != app || len(contests[0].Others) != 1 || contests[0].Others[0] != "b.example" {
		t.Errorf("%+v", contests)
	}
	found := v.Search("app", 5)
	if len(found) != 2 || len(v.Search("a.ex", 5)) != 1 {
		t.Errorf("search finds %v", found)
	}
	q := resolve.Question{Publisher: "a.example", Agent: agentA, Property: "site", At: noon}
	d, s, ok := v.Decide(&q)
	if !ok || d.Verdict != resolve.Authorized || !s.InEffect {
		t.Errorf("%+v %+v %t", d, s, ok)
	}
}
