package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
)

func TestValidateDomain(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example"), "Cache-Control: max-age=600"))
	v := l.validate(t, registry.ValidateRequest{Domain: " HTTPS://Pub.Example/ "})
	if v.Domain != "pub.example" || !v.Found() || !v.Valid() || !v.Complete || v.Cached || v.Report == nil || v.Input != nil {
		t.Errorf("%+v", v)
	}
	if !v.CheckedAt.Equal(noon) || v.FreshUntil.Sub(noon) != 10*time.Minute || !bytes.Contains(v.Body, []byte("catalog_etag")) {
		t.Errorf("checked at %s, fresh until %s", v.CheckedAt, v.FreshUntil)
	}
	l.Settle()
	p, err := l.store.Custody().Publisher(t.Context(), "pub.example")
	if err != nil {
		t.Fatal(err)
	}
	want := custody.Reply{Status: 200, Bytes: int64(len(v.Body))}
	if diff := cmp.Diff(want, p.Reply); diff != "" || !p.TriedAt.Equal(noon) || p.Listed != string(registry.HashOf(v.Body)) {
		t.Errorf("%+v %s", p, diff)
	}
	claims, err := l.store.Custody().Claims(t.Context(), registry.Identifier{Type: "domain", Value: "pub.example"}, noon, 9)
	if diff := cmp.Diff([]custodian.Listing{{Publisher: "pub.example", Since: noon}}, claims); diff != "" || err != nil {
		t.Error(diff, err)
	}
	body, err := l.store.Document(t.Context(), registry.Hash(p.Listed))
	if err != nil || !bytes.Equal(body, v.Body) {
		t.Errorf("the stored document differs: %v", err)
	}
}

// TestSameAnswerIsSameBytes: what one caller made of an answer is there for the next who is
// given the same, and for nobody else.
func TestSameAnswerIsSameBytes(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example")))
	ask := registry.ValidateRequest{Domain: "pub.example"}
	agents, scoped := ask, ask
	agents.CheckAgents, scoped.Scopes = true, []string{"sell"}
	var report *adagents.Report
	made := ""
	for _, r := range []registry.ValidateRequest{ask, ask, ask, scoped, agents, agents, ask} {
		v := l.validate(t, r)
		if report == nil {
			report = v.Report
		}
		if v.Cached != (made != "") || len(r.Scopes) == 0 && v.Report != report {
			t.Errorf("after %q: cached %v", made, v.Cached)
		}
		made += "-"
		_, _ = v.Encoded("form", func() ([]byte, error) {
			made += "+"
			return nil, nil
		})
	}
	if made != "-+---+-+--" {
		t.Errorf("%s: + is an answer that was made", made)
	}
}

func TestManyCallersOneRequest(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), strings.Replace(served(simple("pub.example")), "200", "200 delay=100ms", 1))
	var group sync.WaitGroup
	for range 1000 {
		group.Go(func() {
			v, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
			if err != nil || !v.Valid() {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if l.asked() != 1 {
		t.Errorf("%d requests", l.asked())
	}
}

// TestReuse goes through time: what is used again, and what is asked anew.
func TestReuse(t *testing.T) {
	t.Parallel()
	key := registry.Caller{Key: &registry.Key{ID: "key_1"}}
	for name, answer := range map[string]string{"file": served(simple("pub.example")), "failure": "500"} {
		l := newFileLab(t, wellKnown("pub.example"), answer)
		for i, step := range []struct {
			after  time.Duration
			r      registry.ValidateRequest
			asked  int
			cached bool
		}{
			{0, registry.ValidateRequest{}, 1, false},
			{59 * time.Second, registry.ValidateRequest{}, 1, true},
			{time.Second, registry.ValidateRequest{}, 2, false},
			{0, registry.ValidateRequest{Refresh: true}, 3, false}, // the first wish is granted
			{29 * time.Second, registry.ValidateRequest{Refresh: true}, 3, true},
			{0, registry.ValidateRequest{Refresh: true, Caller: registry.Caller{Client: "another"}}, 4, false},
			{0, registry.ValidateRequest{Refresh: true, Caller: key}, 5, false},
			{time.Second, registry.ValidateRequest{Refresh: true}, 6, false},
			{-time.Hour, registry.ValidateRequest{}, 7, false}, // the clock was set back
		} {
			l.later(step.after)
			step.r.Domain = "pub.example"
			v := l.validate(t, step.r)
			if l.asked() != step.asked || v.Cached != step.cached {
				t.Errorf("%s, step %d: %d requests, cached %v", name, i, l.asked(), v.Cached)
			}
		}
		requests := l.web.Requests()
		if requests[2].Header.Get("Cache-Control") != "no-cache" || requests[0].Header.Get("Cache-Control") != "" {
			t.Errorf("%s: a refresh does not reach past caches", name)
		}
	}
}

// TestRefreshWait: how long a client has to wait depends on its own wishes alone.
func TestRefreshWait(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example")))
	l.validate(t, registry.ValidateRequest{Domain: "pub.example", Caller: registry.Caller{Client: "a"}})
	if wait := l.RefreshWait("pub.example", "a"); wait != 0 {
		t.Errorf("has to wait %v after looking", wait)
	}
	l.validate(t, registry.ValidateRequest{Domain: "pub.example", Refresh: true, Caller: registry.Caller{Client: "a"}})
	l.later(12 * time.Second)
	for client, want := range map[string]time.Duration{"a": 18 * time.Second, "b": 0} {
		if wait := l.RefreshWait("pub.example", client); wait != want {
			t.Errorf("%s has to wait %v, want %v", client, wait, want)
		}
	}
	l.later(18 * time.Second)
	if wait := l.RefreshWait("pub.example", "a"); wait != 0 {
		t.Errorf("has to wait %v in the end", wait)
	}
}

func TestValidateInput(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	for _, domain := range []string{"not a domain", "pub.example/path", "127.0.0.1", "localhost", "*.pub.example", "a@b.example"} {
		v := l.validate(t, registry.ValidateRequest{Domain: domain})
		if v.Input == nil || v.Input.Message == "" || v.Found() || v.Valid() || v.Domain != domain || v.CheckedAt.IsZero() {
			t.Errorf("%q: %+v", domain, v)
		}
	}
	for _, r := range []registry.ValidateRequest{{}, {Domain: "  "}, {Domain: "a.example", Scopes: make([]string, 33)}, {Domain: "a b", Content: []byte("{}")}} {
		_, err := l.Validate(t.Context(), r)
		if kindOf(err) != registry.Invalid {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if l.asked() != 0 {
		t.Errorf("%d requests", l.asked())
	}
}

func TestValidateContent(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	for _, c := range []struct {
		content string
		valid   bool
	}{
		{simple("pub.example"), true},
		{`{"authorized_agents": 1}`, false},
		{`{`, false},
		{``, false},
		{strings.Repeat(" ", 2_000_000) + simple("pub.example"), true},
	} {
		v := l.validate(t, registry.ValidateRequest{Content: []byte(c.content)})
		if v.Valid() != c.valid || v.Report == nil || v.Discovery != nil || v.Cached || !v.Complete || len(v.Body) != len(c.content) {
			t.Errorf("%.40s: %+v", c.content, v)
		}
	}
	v := l.validate(t, registry.ValidateRequest{Content: []byte(simple("other.example")), Domain: "Pub.example"})
	if v.Domain != "pub.example" {
		t.Errorf("the publisher of a document is %q", v.Domain)
	}
	_, err := l.Validate(t.Context(), registry.ValidateRequest{Content: make([]byte, registry.MaxContent+1)})
	if kindOf(err) != registry.TooLarge {
		t.Error(err)
	}
}

// TestValidateInTime has servers that never answer: what is known by then is the answer.
func TestValidateInTime(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("slow.example"), "200 stall",
		wellKnown("half.example"), pointerTo("https://slow.example/file.json"),
		"https://slow.example/file.json", "200 stall",
		wellKnown("agents.example"), served(fileOf(site("agents.example", "home", "agents.example"),
			entry("https://slow.example/mcp", "property_ids", `"property_ids": ["home"]`))),
		"https://slow.example/mcp", "200 stall",
		"https://slow.example/.well-known/agent-card.json", "200 stall",
	)
	l.Limits(4*time.Second, 3*time.Second)
	for _, c := range []struct {
		domain string
		agents bool
		found  bool
	}{{"slow.example", false, false}, {"half.example", false, true}, {"agents.example", true, true}} {
		v := l.validate(t, registry.ValidateRequest{Domain: c.domain, CheckAgents: c.agents})
		if v.Complete || v.Found() != c.found {
			t.Errorf("%s: complete %v, found %v", c.domain, v.Complete, v.Found())
		}
		if c.domain == "half.example" && v.Discovery.Pointer == nil {
			t.Error("the pointer that came is not part of the answer")
		}
		if c.agents && (len(v.Agents) != 1 || v.Report == nil) {
			t.Errorf("%+v", v.Agents)
		}
	}
}

// longest is a publisher at the end of the longest way there is: redirects everywhere,
// ads.txt, a manager with a pointer, and many agents.
func longest() []string {
	moved := func(to string) string { return "301\nLocation: " + to }
	var agents []string
	for i := range 20 {
		agents = append(agents, entry(fmt.Sprintf("https://a%d.agents.example/mcp", i), "publisher_properties",
			`"publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`))
	}
	sections := []string{
		wellKnown("pub.example"), moved("https://pub.example/1"),
		"https://pub.example/1", moved("https://pub.example/2"),
		"https://pub.example/2", moved("https://pub.example/3"),
		"https://pub.example/3", "404",
		"https://pub.example/ads.txt", moved("https://pub.example/ads1.txt"),
		"https://pub.example/ads1.txt", moved("https://pub.example/ads2.txt"),
		"https://pub.example/ads2.txt", moved("https://pub.example/ads3.txt"),
		"https://pub.example/ads3.txt", moved("https://pub.example/ads4.txt"),
		"https://pub.example/ads4.txt", moved("https://pub.example/ads5.txt"),
		"https://pub.example/ads5.txt", "200\nContent-Type: text/plain\n\nMANAGERDOMAIN=manager.example",
		wellKnown("manager.example"), moved("https://manager.example/1"),
		"https://manager.example/1", moved("https://manager.example/2"),
		"https://manager.example/2", moved("https://manager.example/3"),
		"https://manager.example/3", pointerTo("https://network.example/file.json"),
		"https://network.example/file.json", served(fileOf("", strings.Join(agents, ","))),
	}
	for i := range 20 {
		sections = append(sections, fmt.Sprintf("https://a%d.agents.example/mcp", i), served(`{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "a"}}}`))
	}
	return sections
}

func TestNoCallSendsMoreThanSixteen(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, longest()...)
	v := l.validate(t, registry.ValidateRequest{Domain: "pub.example", CheckAgents: true})
	if !v.Valid() || v.Discovery.Method != discover.ManagerDomain || v.Complete {
		t.Errorf("%+v", v.Discovery.Findings)
	}
	if l.asked() != 15 {
		t.Errorf("the way took %d requests", l.asked())
	}
	// A call for which the way is known has all its requests for agents.
	l.later(61 * time.Second)
	again := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	if again.Cached || l.asked() != 30 {
		t.Errorf("%d requests", l.asked())
	}
	l.validate(t, registry.ValidateRequest{Domain: "pub.example", CheckAgents: true})
	if n := l.asked() - 30; n != registry.AnonymousRequests {
		t.Errorf("%d requests for agents", n)
	}
	before := l.asked()
	third := l.validate(t, registry.ValidateRequest{Domain: "pub.example", CheckAgents: true})
	if l.asked() != before || len(third.Agents) != 20 || third.Complete {
		t.Errorf("agents were asked again, %d more requests", l.asked()-before)
	}
	reached := 0
	for _, a := range third.Agents {
		if a.Reach == discover.AgentReachable {
			reached++
		}
	}
	if reached != registry.AnonymousRequests/2 {
		t.Errorf("%d agents reached", reached)
	}
}

func TestCheckAgentsByURL(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, longest()...)
	var urls []string
	for i := range 12 {
		urls = append(urls, fmt.Sprintf("https://a%d.agents.example/mcp", i))
	}
	checks, err := l.CheckAgents(t.Context(), urls)
	if err != nil || len(checks) != 12 || l.asked() != registry.AnonymousRequests || checks[0].Reach != discover.AgentReachable {
		t.Errorf("%d requests, %v, %+v", l.asked(), err, checks)
	}
	if last := checks[11]; last.Reach != discover.AgentUnchecked || last.Message == "" {
		t.Errorf("%+v", last)
	}
}

// TestSpentBudgetIsNobodyElses has a call that runs out of requests on the way. What it
// did not find out says nothing about the domain to others.
func TestSpentBudgetIsNobodyElses(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, longest()...)
	poor := fetch.WithBudget(t.Context(), 3)
	v, err := l.Validate(poor, registry.ValidateRequest{Domain: "pub.example"})
	if err != nil || v.Complete || v.Discovery.Answer != discover.Unreachable || l.asked() != 3 {
		t.Fatalf("%d requests: %v", l.asked(), err)
	}
	v, err = l.Validate(poor, registry.ValidateRequest{Domain: "pub.example"})
	if err != nil || v.Complete || l.asked() != 3 || v.Discovery.Findings[0].Code != "fetch.no_turn" {
		t.Fatalf("%d requests: %v", l.asked(), err)
	}
	l.Settle()
	_, err = l.store.Custody().Publisher(t.Context(), "pub.example")
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("it was stored: %v", err)
	}
	rich := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	if rich.Cached || !rich.Valid() {
		t.Error("the answer of a call without requests was used again")
	}
}

// TestFollowersHaveTheirOwn: who waits for the look of a call that has no requests left, or whose client has
// no memory left, does not get that call's failure.
func TestFollowersHaveTheirOwn(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, longest()...)
	poor := fetch.WithBudget(t.Context(), 3)
	release := l.hold()
	first := make(chan *registry.Validation, 1)
	go func() {
		v, _ := l.Validate(poor, registry.ValidateRequest{Domain: "pub.example"})
		first <- v
	}()
	for l.Waiting("pub.example") < 1 {
		runtime.Gosched()
	}
	second := make(chan *registry.Validation, 1)
	go func() {
		v, _ := l.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
		second <- v
	}()
	for l.Waiting("pub.example") < 2 {
		runtime.Gosched()
	}
	release()
	if v := <-first; v == nil || v.Complete {
		t.Error("the first call had requests enough")
	}
	if v := <-second; v == nil || !v.Complete || !v.Valid() {
		t.Error("the second call got what the first one found")
	}
}

// TestWishesOfTheCaller asks for other checks of what is known already.
func TestWishesOfTheCaller(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("pub.example"), pointerTo("https://network.example/file.json"),
		"https://network.example/file.json", served(simple("pub.example")),
	)
	plain := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	scoped := l.validate(t, registry.ValidateRequest{Domain: "pub.example", Scopes: []string{"create_media_buy"}})
	if !plain.Valid() || scoped.Valid() || !scoped.Cached || l.asked() != 2 {
		t.Errorf("%d requests, %v %v", l.asked(), plain.Valid(), scoped.Valid())
	}
	last := scoped.Discovery.Trail[len(scoped.Discovery.Trail)-1]
	if last.Report != scoped.Report || scoped.Report != scoped.Discovery.Report || scoped.Discovery.Pointer == plain.Discovery.Pointer {
		t.Error("the trail has other reports than the answer")
	}
	if !l.validate(t, registry.ValidateRequest{Domain: "pub.example"}).Valid() {
		t.Error("the wishes of one caller are shown to another")
	}
	strict := l.validate(t, registry.ValidateRequest{Domain: "pub.example", Profile: adagents.Strict})
	if strict.Report.Count(adagents.Error) < plain.Report.Count(adagents.Error) || l.asked() != 2 {
		t.Error("the profile has no effect")
	}
}

func TestCallerGivesUp(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("slow.example"), "200 stall")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for l.asked() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := l.Validate(ctx, registry.ValidateRequest{Domain: "slow.example"})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	l.Settle() // ends at once, because nobody waits
	_, err = l.store.Custody().Publisher(t.Context(), "slow.example")
	if !errors.Is(err, custodian.ErrNotFound) {
		t.Errorf("an answer that was given up is stored: %v", err)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("slow.example"), "200 stall", wellKnown("pub.example"), served(simple("pub.example")))
	var group sync.WaitGroup
	group.Go(func() {
		v, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "slow.example"})
		if err != nil || v.Complete {
			t.Errorf("%+v, %v", v, err)
		}
	})
	for l.asked() == 0 {
		time.Sleep(time.Millisecond)
	}
	l.Close()
	group.Wait()
	_, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
	if err == nil || l.asked() != 1 {
		t.Error("a service that is closed makes requests")
	}
	if l.Ready(t.Context()) == nil {
		t.Error("a service that is closed is ready")
	}
}

func TestStoreFails(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), strings.Replace(served(simple("pub.example")), "200", "200 times=1", 1), wellKnown("pub.example"), "404")
	l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	l.Settle()
	// The publisher takes its file away, and the disk is full.
	l.store.full.Store(true)
	l.later(2 * time.Minute)
	v := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	if v.Found() || v.Discovery.Answer != discover.Absent {
		t.Errorf("%+v", v)
	}
	l.Settle()
	if l.Ready(t.Context()) == nil {
		t.Error("ready with a full disk")
	}
	// The store still has the old file, which would be fresh. It is not used.
	l.later(2 * time.Minute)
	doc, err := l.Document(t.Context(), "pub.example")
	if err != nil || doc.File != nil {
		t.Errorf("a file that is gone is used: %+v, %v", doc, err)
	}
	l.Settle()
	l.store.full.Store(false)
	err = l.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	l.restart(t)
	doc, err = l.Document(t.Context(), "pub.example")
	if err != nil || doc.File != nil {
		t.Errorf("a file that is gone is used after a new start: %+v, %v", doc, err)
	}
}

// TestNothingToFix: a document that is not checked again for its fixes has none.
func TestNothingToFix(t *testing.T) {
	t.Parallel()
	spared := 0
	for _, rule := range adagents.Rules() {
		for _, fragment := range []string{rule.Bad, rule.Good} {
			text, o := adagents.Example(rule.In, fragment), rule.ExampleOptions()
			if registry.Fixable(adagents.Check(text, o)) {
				continue
			}
			spared++
			o.Fixes = true
			for _, f := range adagents.Check(text, o).Findings {
				if len(f.Fixes) > 0 {
					t.Errorf("%s: %s has a fix", rule.Code, f.Code)
				}
			}
		}
	}
	if spared == 0 {
		t.Error("every example would be checked again")
	}
	// Usually somebody has to name the agent, but an entry that is empty can be removed.
	if rule, _ := adagents.LookupRule("agent.url_missing"); rule.FixKind() != adagents.NoFix || !rule.MayFix() {
		t.Error("a rule whose findings rarely have a fix is said to have none, or is not there any more")
	}
}
