package directory_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A history changes publishers at random, and compares after each step what the directory lists,
// what the feed has told, what the snapshot has and what questions are answered. Processes are killed
// meanwhile.
type history struct {
	*lab
	random  *rand.Rand
	second  *lab // another process on the same store
	feed    *feed.Feed
	cursor  string
	told    map[string]string // by the id of a row, as a follower of the feed has it
	domains []hostname.Domain
	dated   int
	log     []string
	seen    int // how much has held, over all steps
}

var agents = []string{agentA, agentB, "https://c.agent.example/mcp"}

var histories = flag.Uint64("histories", 2, "how many histories the directory is compared in, for each kind of store")

const networkURL = "https://network.example/adagents.json"

// TestAgree: whatever happens to publishers, rows, feed, snapshot and answers agree, in two
// processes on one store, and after a restart.
func TestAgree(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		for seed := range *histories {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				t.Parallel()
				newHistory(t, open(t), seed).run(40)
			})
		}
	}
}

func newHistory(t *testing.T, url string, seed uint64) *history {
	w := &web{pages: map[string]string{}}
	h := &history{lab: newLab(t, url, w), random: rand.New(rand.NewPCG(seed, 1)), told: map[string]string{}}
	h.second = newLab(t, url, w)
	h.feed = feed.New(feed.Config{Store: h.store.Feed(), Now: h.clock})
	for i := range 8 {
		h.domains = append(h.domains, hostname.Domain(fmt.Sprintf("p%d.example", i)))
	}
	w.set(networkURL, h.network())
	for i, domain := range h.domains {
		w.set(wellKnown(string(domain)), h.file(string(domain)))
		if i%2 == 0 {
			w.set(wellKnown(string(domain)), `{"authoritative_location": "`+networkURL+`"}`)
		}
		h.look(string(domain))
	}
	return h
}

func (h *history) run(steps int) {
	h.t.Helper()
	for range steps {
		h.step()
		h.check("before turns", false)
		h.turns()
		h.check("after turns", true)
		if h.t.Failed() {
			h.t.Fatalf("history:\n%s", strings.Join(h.log, "\n"))
		}
	}
	if h.seen < steps {
		h.t.Errorf("only %d authorizations have held in %d steps", h.seen, steps)
	}
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf("%d %s: ", len(h.log), h.clock().Format(time.RFC3339))+fmt.Sprintf(format, args...))
}

// step changes something, and looks.
func (h *history) step() {
	domain := h.domains[h.random.IntN(len(h.domains))]
	switch h.random.IntN(12) {
	case 0, 1, 2, 3:
		h.note("%s has a file of its own", domain)
		h.web.set(wellKnown(string(domain)), h.file(string(domain)))
	case 4, 5:
		h.note("%s points to the network", domain)
		h.web.set(wellKnown(string(domain)), `{"authoritative_location": "`+networkURL+`"}`)
	case 6, 7:
		h.note("the network has another file")
		h.web.set(networkURL, h.network())
	case 8:
		h.note("%s has no file", domain)
		h.web.remove(wellKnown(string(domain)))
	case 9:
		h.note("%s fails", domain)
		h.web.set(wellKnown(string(domain)), "")
	case 10:
		h.note("the network fails")
		h.web.set(networkURL, "")
	case 11:
		h.note("time passes")
	}
	h.passSome()
	who := h.lab
	if h.random.IntN(2) == 0 {
		who = h.second
	}
	if h.random.IntN(4) == 0 {
		h.kill(who, domain)
	}
	for range 1 + h.random.IntN(2) {
		h.note("look at %s", domain)
		_, _ = who.keeper.Refresh(h.t.Context(), domain, forced) // that it fails is part of the history
		h.passSome()
		if h.random.IntN(3) == 0 {
			domain = h.domains[h.random.IntN(len(h.domains))]
		}
	}
}

// kill ends a process somewhere while it looks at a publisher and tells of others, and begins another
// in its place. What it had begun others may go on with a minute later.
func (h *history) kill(who *lab, domain hostname.Domain) {
	after := 1 + h.random.IntN(8)
	h.note("a process is killed before or after its change %d, and has looked at %s", after/2, domain)
	who.kept.killedAfter(after)
	_, _ = who.keeper.Refresh(h.t.Context(), domain, forced) // it may be killed
	_ = who.keeper.AllTurns(h.t.Context())
	who.restart()
	h.passSome()
}

// passSome lets time pass: mostly minutes, at times days.
func (h *history) passSome() {
	d := time.Duration(1+h.random.IntN(90)) * time.Minute
	switch h.random.IntN(30) {
	case 0:
		d = custody.MaxStale + time.Hour
	case 1:
		d = custody.MaxAge + time.Hour
	case 2, 3:
		d = 13 * time.Hour
	}
	h.pass(d)
	h.second.pass(d)
}

// date is later than that of every file before.
func (h *history) date() string {
	h.dated++
	return noon.Add(-1000*time.Hour + time.Duration(h.dated)*time.Minute).Format(time.RFC3339)
}

// file is one of a publisher with agents at random, some of them for a time.
func (h *history) file(domain string) string {
	return fmt.Sprintf(`{"last_updated": %q, "tags": {"t": {"name": "T", "description": "T"}}, "properties": [
		{"property_id": "site", "property_type": "website", "name": "Site", "tags": ["t"], "identifiers": [{"type": "domain", "value": %q}]},
		{"property_id": "app", "property_type": "mobile_app", "name": "App", "tags": ["t"], "identifiers": [{"type": "ios_bundle", "value": "com.app%d"}]}],
		"authorized_agents": [%s]}`, h.date(), domain, h.random.IntN(3), h.entries(`"authorization_type": "property_ids", "property_ids": ["site"]`, `"authorization_type": "property_ids", "property_ids": ["site", "app"]`, `"authorization_type": "property_tags", "property_tags": ["t"]`))
}

// network is a file of all publishers, which may revoke some.
func (h *history) network() string {
	var properties, revoked []string
	for i, domain := range h.domains {
		properties = append(properties, fmt.Sprintf(`{"property_id": "p%d", "property_type": "website", "name": "Site", "tags": ["t"], "publisher_domain": %q, "identifiers": [{"type": "domain", "value": %q}]}`, i, domain, domain))
		if h.random.IntN(8) == 0 {
			revoked = append(revoked, fmt.Sprintf(`{"publisher_domain": %q, "revoked_at": %q}`, domain, h.clock().Add(-time.Hour).Format(time.RFC3339)))
		}
	}
	return fmt.Sprintf(`{"last_updated": %q, "tags": {"t": {"name": "T", "description": "T"}}, "properties": [%s], "revoked_publisher_domains": [%s], "authorized_agents": [%s]}`, h.date(), strings.Join(properties, ","), strings.Join(revoked, ","),
		h.entries(`"authorization_type": "property_tags", "property_tags": ["t"]`, fmt.Sprintf(`"authorization_type": "property_ids", "property_ids": ["p%d", "p%d"]`, h.random.IntN(8), h.random.IntN(8))))
}

func (h *history) entries(scopes ...string) string {
	var out []string
	for _, agent := range agents {
		for range h.random.IntN(3) {
			entry := fmt.Sprintf(`{"url": %q, "authorized_for": "x", %s`, agent, scopes[h.random.IntN(len(scopes))])
			switch h.random.IntN(5) {
			case 0:
				entry += fmt.Sprintf(`, "effective_until": %q`, h.clock().Add(time.Duration(h.random.IntN(48))*time.Hour).Format(time.RFC3339))
			case 1:
				entry += fmt.Sprintf(`, "effective_from": %q`, h.clock().Add(time.Duration(h.random.IntN(48))*time.Hour).Format(time.RFC3339))
			case 2:
				entry += `, "countries": ["DE"]`
			}
			out = append(out, entry+"}")
		}
	}
	return strings.Join(out, ",")
}

// A fact is what holds between an agent and a publisher.
type fact struct{ authorized, conditional, total int }

// truth asks for every publisher and agent, as questions are answered.
func (h *history) truth() map[string]fact {
	h.t.Helper()
	out := map[string]fact{}
	for _, domain := range h.domains {
		doc, err := h.keeper.Last(h.t.Context(), domain)
		if err != nil {
			h.t.Fatal(err)
		}
		subject := resolve.NewSubject(doc)
		for _, agent := range agents {
			row := subject.Row(string(domain), agent, h.clock())
			if doc.State == resolve.Usable {
				decision, err := subject.Decide(&resolve.Question{Publisher: string(domain), Agent: agent, At: h.clock()})
				if err != nil {
					h.t.Fatal(err)
				}
				if (decision.Verdict >= resolve.Conditional) != (row.AuthorizedCount+row.ConditionalCount > 0) {
					h.t.Errorf("%s at %s: %s, and %+v", agent, domain, decision.Verdict, row)
				}
			}
			if row.AuthorizedCount+row.ConditionalCount > 0 {
				out[agent+" "+string(domain)] = fact{row.AuthorizedCount, row.ConditionalCount, row.Total}
			}
		}
	}
	return out
}

// check compares. Before turns nothing may be listed that does not hold; after them everything.
func (h *history) check(when string, all bool) {
	h.t.Helper()
	truth := h.truth()
	for process, l := range map[string]*lab{"first": h.lab, "second": h.second} {
		listed := h.listed(l)
		for key, have := range listed {
			if truth[key] != have {
				h.t.Errorf("%s, the %s process lists %s with %+v, and %+v holds", when, process, key, have, truth[key])
			}
		}
		if all && len(listed) != len(truth) {
			h.t.Errorf("%s, the %s process lists %v, and %v holds", when, process, slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(truth)))
		}
	}
	rows := h.rowsInForce()
	h.seen += len(truth)
	h.same(when+": snapshot", h.snapshot(), rows)
	if all {
		h.follow()
		h.same(when+": feed", h.told, rows)
		h.counted(truth)
	}
}

func (h *history) same(what string, have, want map[string]string) {
	h.t.Helper()
	for _, key := range slices.Sorted(maps.Keys(mergedOf(have, want))) {
		if have[key] != want[key] {
			h.t.Errorf("%s of row %s has\n%s, want\n%s", what, key, have[key], want[key])
		}
	}
}

func mergedOf(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// listed is what the directory lists.
func (h *history) listed(l *lab) map[string]fact {
	out := map[string]fact{}
	v := l.view()
	for _, agent := range agents {
		for after := ""; ; {
			rows, next := v.Rows(directory.RowQuery{Agent: canonical(agent), After: after, Limit: 3, Authorized: true})
			for i := range rows {
				s := &rows[i].Sold
				out[agent+" "+string(rows[i].Domain)] = fact{s.AuthorizedCount, s.ConditionalCount, s.Total}
			}
			if next == "" {
				break
			}
			after = next
		}
	}
	if v.Err() != nil {
		h.t.Fatal(v.Err())
	}
	return out
}

// rowsInForce are the rows of all files in effect, by their ids, with what they say.
func (h *history) rowsInForce() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	v := h.view()
	for _, domain := range h.domains {
		s, err := h.keeper.Snapshot(h.t.Context(), domain)
		if err != nil {
			h.t.Fatal(err)
		}
		in := s.Input()
		in.Disputed = v.Disputed(domain, in.Identifiers)
		payloads, err := in.Payloads()
		if err != nil {
			h.t.Fatal(err)
		}
		for _, text := range payloads {
			id, said := h.said(text)
			out[id] = said
		}
	}
	return out
}

// said is what a payload says of a row, but for when that was adopted.
func (h *history) said(payload []byte) (string, string) {
	h.t.Helper()
	var members map[string]any
	err := json.Unmarshal(payload, &members)
	if err != nil {
		h.t.Fatal(err)
	}
	id, _ := members["id"].(string)
	for _, name := range []string{"created_at", "updated_at", "standing", "disputed"} {
		delete(members, name)
	}
	for name, value := range members {
		if value == nil {
			delete(members, name)
		}
	}
	text, _ := json.Marshal(members, json.Deterministic(true))
	return id, string(text)
}

// snapshot is what the snapshot has.
func (h *history) snapshot() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	for after := ""; ; {
		list, next, err := h.view().Grants(after)
		if err != nil {
			h.t.Fatal(err)
		}
		for i := range list {
			for _, payload := range list[i].Payloads {
				id, said := h.said(payload)
				out[id] = said
			}
		}
		if next == "" {
			return out
		}
		after = next
	}
}

// follow reads what the feed tells, as one who follows it does.
func (h *history) follow() {
	h.t.Helper()
	for {
		page, err := h.feed.Read(h.t.Context(), h.cursor, &feed.Filter{}, 7)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, text := range page.Events {
			var e struct {
				Type    string         `json:"event_type"`
				Entity  string         `json:"entity_id"`
				Payload map[string]any `json:"payload"`
			}
			err := json.Unmarshal(text, &e)
			if err != nil {
				h.t.Fatal(err)
			}
			switch e.Type {
			case "authorization.granted", "authorization.modified":
				payload, _ := json.Marshal(e.Payload)
				_, h.told[e.Entity] = h.said(payload)
			case "authorization.revoked":
				delete(h.told, e.Entity)
			}
		}
		h.cursor = page.Cursor
		if !page.More {
			return
		}
	}
}

// counted compares what is counted with what holds.
func (h *history) counted(truth map[string]fact) {
	h.t.Helper()
	v := h.view()
	for _, agent := range agents {
		publishers, properties := 0, 0
		for key, f := range truth {
			if strings.HasPrefix(key, agent+" ") {
				publishers, properties = publishers+1, properties+f.authorized+f.conditional
			}
		}
		a := v.Agent(canonical(agent))
		if a.Publishers != publishers || a.Properties != properties {
			h.t.Errorf("%s has %+v, and %d publishers and %d properties hold", agent, a, publishers, properties)
		}
	}
	if s := v.Stats(); s.Authorizations != len(truth) {
		h.t.Errorf("%d authorizations are counted, and %d hold", s.Authorizations, len(truth))
	}
	if v.Err() != nil {
		h.t.Error(v.Err())
	}
}

func canonical(agent string) string {
	url, _, err := hostname.CanonicalURL(agent)
	if err != nil {
		panic(err)
	}
	return url
}
