package directory_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// note has a directory read all there is, and note its outline.
func (l *lab) note(d *directory.Directory) {
	l.t.Helper()
	last, err := l.store.LastEvent(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	l.start(d)
	d.Note(l.t.Context(), last)
}

// process is another process on the store.
func (l *lab) process() *custodian.Keeper {
	l.t.Helper()
	k, err := custodian.New(custodian.Config{Store: l.store, Finder: discover.New(discover.Config{Client: l.web, Now: l.clock}), Now: l.clock})
	if err != nil {
		l.t.Fatal(err)
	}
	return k
}

// begun is a directory of another process that has begun, and whether it lists publishers.
func (l *lab) begun() (*directory.Directory, bool) {
	l.t.Helper()
	d := directory.New(directory.Config{Keeper: l.process(), Store: l.store, Patience: time.Hour})
	_, ok := d.Begin(l.t.Context())
	return d, ok
}

// lists is what a view answers about agents, and about publishers one after the other, in pages:
// first what needs no publisher to be read, and last what reads them all. Those that are only
// named are left out: an outline may have some that nobody names any more.
func lists(v *directory.View, limit int) []string {
	agents, _ := v.Agents("", 100, nil)
	out := []string{fmt.Sprint(agents, v.Looked())}
	asked := []string{agentB, agentA, "https://nobody.example/"}
	for _, agent := range asked {
		unsettled, n := v.Unsettled(agent, 100)
		out = append(out, fmt.Sprint(agent, v.Agent(agent), v.HasAgent(agent), n))
		for i := range unsettled {
			out = append(out, fmt.Sprintf("%s %+v", unsettled[i].Domain, unsettled[i].Standing))
		}
	}
	for _, agent := range asked {
		first, found := v.First(agent)
		out = append(out, fmt.Sprint(agent, first.Domain, found))
		q := directory.RowQuery{Agent: agent, Limit: limit, Authorized: true, Revoked: true}
		for more := true; more; more = q.After != "" {
			var page []directory.Row
			page, q.After = v.Rows(q)
			for i := range page {
				r := &page[i]
				out = append(out, fmt.Sprintf("%s %s %v %t %v %d %+v", agent, r.Domain, r.Grant, r.Revoked, r.Sold.Authorized, r.Sold.Total, r.Standing))
			}
		}
		out = append(out, fmt.Sprint(v.Inventory(agent)))
	}
	for after, more := "", true; more; more = after != "" {
		var page []directory.Entry
		page, after = v.Publishers(after, limit, func(e *directory.Entry) bool { return e.Publisher != nil })
		for i := range page {
			e := &page[i]
			out = append(out, fmt.Sprintf("%s %+v %x", e.Domain, e.Standing, e.Fingerprint()))
			out = append(out, fmt.Sprint(e.Properties, e.Types, e.Grants, e.Identifiers, e.Missing))
		}
	}
	return append(out, fmt.Sprint(v.Missing))
}

// contests is what a view answers about identifiers: who lists them, and what else of theirs others
// list.
func contests(t *testing.T, v *directory.View, ids []custodian.Identifier) []string {
	t.Helper()
	var out []string
	for _, id := range ids {
		err := v.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range v.Lists(id) {
			err := v.Find(e.Identifiers...)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%s %s %+v %v", id, e.Domain, e.Standing, v.Contests(e.Publisher, 10)))
		}
	}
	return out
}

// TestOutline: a directory that begins with an outline lists what one lists that has read
// everything, whatever has happened since the outline was noted.
func TestOutline(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				l := openLab(t, open(t), &web{pages: map[string]string{}})
				h := &history{Rand: rand.New(rand.NewPCG(seed, 58)), lab: l}
				for i := range 8 {
					h.domains = append(h.domains, fmt.Sprintf("p%d.example", i))
				}
				for i := range 8 {
					for range 4 {
						h.step()
					}
					l.note(directory.New(directory.Config{Keeper: l.process(), Store: l.store, Patience: time.Hour}))
					for range i {
						h.step()
					}
					d, ok := l.begun()
					v, err := d.Listed(t.Context())
					if err != nil || !ok || v.Whole() {
						t.Fatal(ok, err)
					}
					limit := 1 + h.IntN(4)
					diff := cmp.Diff(lists(l.restarted(), limit), lists(v, limit))
					if diff != "" {
						t.Fatalf("what is listed differs from what was read (-read +listed):\n%s", diff)
					}
					another, _ := l.begun()
					v, err = another.Listed(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					diff = cmp.Diff(contests(t, l.restarted(), h.identifiers()), contests(t, v, h.identifiers()))
					if diff != "" {
						t.Fatalf("what is found by identifiers differs from what was read (-read +found):\n%s", diff)
					}
					diff = cmp.Diff(everything(l.restarted()), everything(l.start(d)))
					if diff != "" {
						t.Fatalf("what was read after an outline differs from what was read without (-without +after):\n%s", diff)
					}
				}
			})
		}
	}
}

// A held store does not tell which publishers there are until it is let go.
type held struct {
	custodian.Store
	letGo chan struct{}
}

func (h *held) Revisions(ctx context.Context, f func(hostname.Domain, int64) error) error {
	select {
	case <-h.letGo:
		return h.Store.Revisions(ctx, f)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A witness is a keeper that notes what is read together.
type witness struct {
	*custodian.Keeper
	mu   sync.Mutex
	read []hostname.Domain
}

func (w *witness) Snapshots(ctx context.Context, domains []hostname.Domain, f func(hostname.Domain, *custodian.Snapshot, error)) {
	w.mu.Lock()
	w.read = append(w.read, domains...)
	w.mu.Unlock()
	w.Keeper.Snapshots(ctx, domains, f)
}

// TestListed: while a directory reads everything it lists what others have committed before it
// began and since, and reads what it lists.
func TestListed(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := openLab(t, open(t), &web{pages: map[string]string{}})
			pointer := fmt.Sprintf(`{"authoritative_location": %q, "last_updated": "2026-02-01T00:00:00Z"}`, networkURL)
			network := func(date, agent, more string) string {
				return fmt.Sprintf(`{"last_updated": %q, "properties": [{"property_id": "site", "property_type": "website", "name": "x", "publisher_domain": "shared1.example", "identifiers": [{"type": "domain", "value": "shared1.example"}]},
					{"property_id": "site3", "property_type": "website", "name": "x", "publisher_domain": "named.example", "identifiers": [{"type": "domain", "value": "named.example"}]},
					{"property_id": "site4", "property_type": "website", "name": "x", "publisher_domain": "shared3.example", "identifiers": [{"type": "domain", "value": "shared3.example"}]},
					{"property_id": "site2", "property_type": "website", "name": "x", "publisher_domain": "shared2.example", "identifiers": [{"type": "domain", "value": "shared2.example"}]}],
					"authorized_agents": [{"url": %q, "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site", "site2", "site4"]}]%s}`, date, agent, more)
			}
			all := []string{"changed.example", "gone.example", "kept1.example", "kept2.example", "kept3.example", "shared1.example", "shared2.example", "shared3.example"}
			for _, domain := range all {
				l.web.set(wellKnown(domain), own(domain, agentA))
			}
			l.web.set(wellKnown("shared1.example"), pointer)
			l.web.set(wellKnown("shared2.example"), pointer)
			l.web.set(wellKnown("shared3.example"), pointer)
			l.web.set(networkURL, network("2026-02-01T00:00:00Z", agentB, ""))
			l.look(all...)
			l.note(l.dir)
			// Another process sees what has changed: an agent in the place of another, a file that is
			// gone, and a shared file that lists another agent and revokes one of its publishers.
			l.pass(time.Hour)
			l.web.set(wellKnown("changed.example"), strings.Replace(own("changed.example", agentB), "2026-02-01", "2026-02-02", 1))
			l.web.remove(wellKnown("gone.example"))
			l.web.set(networkURL, network("2026-02-02T00:00:00Z", agentA, `, "revoked_publisher_domains": [{"publisher_domain": "shared2.example", "revoked_at": "2026-02-02T00:00:00Z"}]`))
			l.look("changed.example", "gone.example", "shared1.example")
			want := lists(l.restarted(), 2)

			keeper, store := &witness{Keeper: l.process()}, &held{l.store, make(chan struct{})}
			d := directory.New(directory.Config{Keeper: keeper, Store: store, Patience: time.Hour})
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				d.Run(ctx)
			}()
			defer func() {
				cancel()
				<-done
			}()
			v, err := d.Listed(t.Context())
			if err != nil || v.Whole() {
				t.Fatal(err)
			}
			page, next := v.Rows(directory.RowQuery{Agent: agentA, Limit: 2, Authorized: true})
			if rows(page) != "kept1.example site/2 fresh; kept2.example site/2 fresh" || next != "kept2.example" {
				t.Errorf("the first page is %s, and the next begins after %q", rows(page), next)
			}
			if diff := cmp.Diff([]hostname.Domain{"kept1.example", "kept2.example"}, keeper.read); diff != "" {
				t.Errorf("of publishers were read (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, lists(v, 2)); diff != "" {
				t.Errorf("what is listed differs from what was read (-read +listed):\n%s", diff)
			}
			named, _ := v.Publishers("", 100, func(e *directory.Entry) bool { return e.Publisher == nil })
			if len(named) != 1 || named[0].Domain != "named.example" {
				t.Errorf("%v are only named", named)
			}
			if d.Unread() != 0 {
				t.Errorf("%d were listed and are unread", d.Unread())
			}
			l.web.remove(wellKnown("kept3.example"))
			l.dir = d // follows what this process commits
			l.look("kept3.example")
			v, err = d.Listed(t.Context())
			if err != nil || v.Whole() || v.Agent(agentA).Publishers != 4 {
				t.Errorf("after a change the agent has %d publishers; %v", v.Agent(agentA).Publishers, err)
			}
			close(store.letGo)
			if diff := cmp.Diff(everything(l.restarted()), everything(l.view())); diff != "" {
				t.Errorf("what was read after an outline differs from what was read without (-without +after):\n%s", diff)
			}
			if len(keeper.read) != len(slices.Compact(slices.Sorted(slices.Values(keeper.read)))) {
				t.Errorf("some were read again: %v", keeper.read)
			}
		})
	}
}

// TestOutlineAtStop: a directory that ends notes its outline.
func TestOutlineAtStop(t *testing.T) {
	t.Parallel()
	l := openLab(t, stores()["sqlite"](t), &web{pages: map[string]string{wellKnown("one.example"): own("one.example", agentA), wellKnown("two.example"): own("two.example", agentA)}})
	l.look("one.example")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.dir.Run(ctx)
	}()
	l.view()
	l.look("two.example")
	l.view()
	cancel()
	<-done
	d, ok := l.begun()
	if !ok || d.Unread() == 0 {
		t.Fatal("there is no outline")
	}
	v, err := d.Listed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page, _ := v.Rows(directory.RowQuery{Agent: agentA, Limit: 9, Authorized: true})
	if rows(page) != "one.example site/2 fresh; two.example site/2 fresh" {
		t.Errorf("the agent has %s", rows(page))
	}
}

// An interrupted keeper ends what reads a publisher.
type interrupted struct {
	*custodian.Keeper
	domain hostname.Domain
	end    func()
}

func (i *interrupted) Snapshot(ctx context.Context, domain hostname.Domain) (*custodian.Snapshot, error) {
	if domain == i.domain {
		i.end()
		return nil, ctx.Err()
	}
	return i.Keeper.Snapshot(ctx, domain)
}

// TestOutlineInterrupted: a directory that ends while it follows changes of others does not note that it
// has followed them.
func TestOutlineInterrupted(t *testing.T) {
	t.Parallel()
	l := openLab(t, stores()["sqlite"](t), &web{pages: map[string]string{wellKnown("one.example"): own("one.example", agentA), wellKnown("two.example"): own("two.example", agentA), wellKnown("new.example"): own("new.example", agentB)}})
	l.look("one.example")
	ctx, cancel := context.WithCancel(t.Context())
	d := directory.New(directory.Config{Keeper: &interrupted{l.process(), "two.example", cancel}, Store: l.store, Patience: time.Hour})
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	for range 2 { // the second time with something new to note at the end
		_, err := d.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.look("new.example")
		d.Changed(&custodian.Change{Publisher: &custody.Publisher{Domain: "new.example"}})
	}
	l.look("two.example")
	<-done
	d, ok := l.begun()
	v, err := d.Listed(t.Context())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	page, _ := v.Rows(directory.RowQuery{Agent: agentA, Limit: 9, Authorized: true})
	if rows(page) != "one.example site/2 fresh; two.example site/2 fresh" {
		t.Errorf("the agent has %s", rows(page))
	}
}

// TestOutlineIsNotBelieved: a directory does not begin with an outline that is damaged, of another
// release or store, or from before something that is not told event by event.
func TestOutlineIsNotBelieved(t *testing.T) {
	t.Parallel()
	path := sqlitetest.Path(t)
	l := openLab(t, "sqlite:"+path, &web{pages: map[string]string{}})
	for i := range 9 {
		domain := fmt.Sprintf("p%d.example", i)
		l.web.set(wellKnown(domain), own(domain, agentA))
		l.look(domain)
	}
	l.note(l.dir)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	noted, err := l.store.Outline(t.Context())
	if err != nil || len(noted.Parts) != 2 {
		t.Fatal(len(noted.Parts), err)
	}
	run := func(statement string) func(*custodian.Outline) {
		return func(*custodian.Outline) {
			_, err := db.ExecContext(t.Context(), statement)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	begins := func(name string, want bool) {
		t.Helper()
		d, ok := l.begun()
		if ok != want || ok != (d.Unread() == 9) {
			t.Errorf("%s: a directory begins %t, with %d publishers", name, ok, d.Unread())
		}
	}
	begins("as it was noted", true)
	for name, spoil := range map[string]func(*custodian.Outline){
		"another release": func(o *custodian.Outline) { o.Parts[0] = append([]byte("1 v0.0.1"), o.Parts[0][1:]...) },
		"a part is lost":  func(o *custodian.Outline) { o.Parts = o.Parts[:1] },
		"a part too many": func(o *custodian.Outline) { o.Parts = append(o.Parts, o.Parts[1]) },
		"cut":             func(o *custodian.Outline) { o.Parts[1] = o.Parts[1][:len(o.Parts[1])-1] },
		"no agents":       func(o *custodian.Outline) { o.Parts[1][0] = 0 },
		"nothing":         func(o *custodian.Outline) { o.Parts[1] = nil },
		"many agents":     func(o *custodian.Outline) { o.Parts[1] = slices.Repeat([]byte{0xff}, 9) },
		"from later":      func(o *custodian.Outline) { o.Number += 1000 },
	} {
		o := &custodian.Outline{Number: noted.Number}
		for _, part := range noted.Parts {
			o.Parts = append(o.Parts, slices.Clone(part))
		}
		spoil(o)
		err := l.store.SetOutline(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		begins(name, false)
	}
	for name, spoil := range map[string]func(*custodian.Outline){
		"damaged bytes": run(`UPDATE outline SET part = X'ffff' WHERE place = 1`),
		"another store": run(`UPDATE outline SET identity = 'another'`),
		"the whole store": func(*custodian.Outline) {
			err := l.store.Commit(t.Context(), &custodian.Change{Events: []custody.Event{{Code: "clock.set", At: noon}}})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		last, err := l.store.LastEvent(t.Context())
		if err == nil {
			err = l.store.SetOutline(t.Context(), &custodian.Outline{Number: last, Parts: noted.Parts})
		}
		if err != nil {
			t.Fatal(err)
		}
		begins("before "+name, true)
		spoil(nil)
		begins(name, false)
	}
}
