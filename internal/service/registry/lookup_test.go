package registry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

const (
	seller  = "https://seller.example/mcp"
	partial = "https://partial.example/mcp"
	german  = "https://german.example/mcp"
	nobody  = "https://nobody.example/mcp"
)

// market is a web with publishers of every kind.
func market() []string {
	shop := fileOf(
		strings.Join([]string{
			site("shop.example", "home", "shop.example", "news"), site("shop.example", "blog", "blog.shop.example", "news", "text"),
			site("shop.example", "app", "wild.shop.example"), site("else.example", "foreign", "else.example"),
		}, ","),
		strings.Join([]string{
			entry("https://Seller.example/mcp", "publisher_properties", `"publisher_properties": [{"publisher_domain": "shop.example", "selection_type": "all"}], "delegation_type": "direct"`),
			entry(partial, "property_ids", `"property_ids": ["home"]`),
			entry(german, "property_tags", `"property_tags": ["news"], "countries": ["DE"]`),
			entry("https://inert.example/mcp", "property_ids", `"property_ids": ["missing"]`),
		}, ","),
	)
	network := fileOf(
		site("one.example", "one", "one.example", "news")+","+site("two.example", "two", "two.example"),
		entry(seller, "publisher_properties", `"publisher_properties": [{"publisher_domains": ["one.example", "two.example"], "selection_type": "all"}]`),
	)
	apps := fileOf(
		`{"property_id": "game", "property_type": "mobile_app", "name": "Game", "identifiers": [{"type": "ios_bundle", "value": "com.example.game"}], "publisher_domain": "apps.example"}`,
		entry(seller, "property_ids", `"property_ids": ["game"]`),
	)
	thief := fileOf(
		`{"property_id": "loot", "property_type": "website", "name": "Loot", "identifiers": [{"type": "domain", "value": "shop.example"}, {"type": "domain", "value": "absent.example"}], "publisher_domain": "thief.example"}`,
		entry(nobody, "property_ids", `"property_ids": ["loot"]`),
	)
	catalogOnly := `{` + head + `, "properties": [` + site("quiet.example", "home", "quiet.example") + `], "authorized_agents": []}`
	return []string{
		wellKnown("shop.example"), served(shop),
		wellKnown("one.example"), pointerTo("https://network.example/file.json"),
		wellKnown("two.example"), pointerTo("https://network.example/file.json"),
		"https://network.example/file.json", served(network),
		wellKnown("apps.example"), served(apps),
		wellKnown("thief.example"), served(thief),
		wellKnown("quiet.example"), served(catalogOnly),
		wellKnown("broken.example"), served(`{"authorized_agents": 7}`),
		wellKnown("faulty.example"), served(strings.Replace(simple("faulty.example"), `"authorized_for": "for https://agent.example/mcp",`, ``, 1)),
		wellKnown("absent.example"), "404",
		wellKnown("down.example"), "500",
	}
}

func TestPublisher(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, market()...)
	for _, c := range []struct {
		domain, mode, answer, method string
		properties, agents           string
	}{
		{"SHOP.example", "self", "usable", "direct", "home blog app", "seller 3+0/3 wide, partial 1+0/3, german 0+2/3"},
		{"one.example", "self_redirected", "usable", "authoritative_location", "one", "seller 1+0/1 wide"},
		{"quiet.example", "self", "usable", "direct", "home", ""},
		{"broken.example", "self_invalid", "unusable", "direct", "", ""},
		{"faulty.example", "self_invalid", "usable", "direct", "home", "agent 1+0/1"},
		{"absent.example", "none", "absent", "direct", "", ""},
		{"down.example", "none", "unreachable", "direct", "", ""},
		{"nowhere.example", "none", "unreachable", "direct", "", ""},
	} {
		v, err := l.Publisher(t.Context(), c.domain)
		if err != nil {
			t.Fatal(err)
		}
		var properties, agents []string
		for _, p := range v.Properties {
			properties = append(properties, p.Property.ID)
		}
		for _, a := range v.Agents {
			agents = append(agents, strings.TrimPrefix(strings.Split(a.URL, ".")[0], "https://")+" "+counts(a))
		}
		got := []string{string(v.Mode), v.Document.State.String(), v.Check.Method, strings.Join(properties, " "), strings.Join(agents, ", ")}
		want := []string{c.mode, c.answer, c.method, c.properties, c.agents}
		if diff := cmp.Diff(want, got); diff != "" || v.Checking || noon.Sub(v.Check.CheckedAt).Abs() > time.Minute {
			t.Errorf("%s: %s", c.domain, diff)
		}
	}
	v, err := l.Publisher(t.Context(), "shop.example")
	if err != nil || v.Properties[0].DelegationType != "direct" || v.Agents[0].AuthorizedFor != "for https://Seller.example/mcp" {
		t.Errorf("%+v, %v", v.Properties, err)
	}
	_, err = l.Publisher(t.Context(), "no domain")
	if kindOf(err) != registry.Invalid {
		t.Error(err)
	}
}

func counts(a registry.AgentView) string {
	s := fmt.Sprintf("%d+%d/%d", a.Authorized, a.Conditional, a.Total)
	if a.PublisherWide {
		s += " wide"
	}
	return s
}

// TestPublisherFromStore shows what a store knows to a service that was started anew.
func TestPublisherFromStore(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, market()...)
	first, err := l.Publisher(t.Context(), "one.example")
	if err != nil {
		t.Fatal(err)
	}
	asked := l.asked()
	l.restart(t)
	l.later(time.Hour)
	second, err := l.Publisher(t.Context(), "one.example")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.Check, second.Check); diff != "" || l.asked() != asked || second.Mode != first.Mode || len(second.Agents) != 1 {
		t.Errorf("%d requests: %s", l.asked()-asked, diff)
	}
}

// TestSlowPublisher has a publisher that answers too late for the caller.
func TestSlowPublisher(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("slow.example"), served(simple("slow.example"), "Cache-Control: max-age=600"))
	// askTwice asks for less time than the publisher needs, and then until it has answered.
	type outcome struct {
		*registry.PublisherView
		err error
	}
	askTwice := func() (outcome, outcome) {
		var early, late outcome
		l.Limits(time.Hour, 100*time.Millisecond)
		release := l.hold()
		early.PublisherView, early.err = l.Publisher(t.Context(), "slow.example")
		release()
		l.Settle() // the check goes on, although nobody waits
		l.Limits(time.Hour, time.Hour)
		late.PublisherView, late.err = l.Publisher(t.Context(), "slow.example")
		return early, late
	}
	early, late := askTwice()
	var e *registry.Error
	if !errors.As(early.err, &e) || e.Kind != registry.Unavailable || e.Code != "publisher_lookup_timeout" || e.RetryAfter != 5*time.Second {
		t.Fatal(early.err)
	}
	if late.err != nil || late.Mode != registry.SelfHosted || late.Checking || l.asked() != 1 {
		t.Fatalf("%+v, %d requests", late, l.asked())
	}
	// Later an old answer is better than none.
	l.later(time.Hour)
	early, late = askTwice()
	if early.err != nil || early.Mode != registry.SelfHosted || !early.Checking || len(early.Agents) != 1 {
		t.Fatalf("%+v", early)
	}
	if late.err != nil || late.Checking || noon.Add(time.Hour).Sub(late.Check.CheckedAt).Abs() > time.Minute || l.asked() != 2 {
		t.Errorf("%+v", late)
	}
}

func TestManyAgents(t *testing.T) {
	t.Parallel()
	var agents []string
	for i := range 60 {
		agents = append(agents, entry(fmt.Sprintf("https://a%d.example/mcp", i), "property_ids", `"property_ids": ["home"]`))
	}
	l := newFileLab(t, wellKnown("pub.example"), served(fileOf(site("pub.example", "home", "pub.example"), strings.Join(agents, ","))))
	v, err := l.Publisher(t.Context(), "pub.example")
	if err != nil || len(v.Agents) != 60 || !v.Agents[registry.MaxRollups-1].Counted || v.Agents[registry.MaxRollups].Counted {
		t.Errorf("%d agents, %v", len(v.Agents), err)
	}
}

func TestAuthorization(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, market()...)
	for _, c := range []struct {
		domain, agent string
		verdict       resolve.Verdict
		counts, rest  string
		code          string
	}{
		{"shop.example", seller, resolve.Authorized, "3+0/3 wide", "", ""},
		{"shop.example", partial, resolve.Authorized, "1+0/3", "blog app", ""},
		{"shop.example", german, resolve.Conditional, "0+2/3", "home blog app", ""},
		{"shop.example", nobody, resolve.NotAuthorized, "0+0/3", "home blog app", "no_authorization"},
		{"two.example", seller, resolve.Authorized, "1+0/1 wide", "", ""},
		{"quiet.example", seller, resolve.NoneAsserted, "0+0/1", "home", "none_asserted"},
		{"broken.example", seller, resolve.UnusableFile, "0+0/0", "", "unusable_file"},
		{"absent.example", seller, resolve.Unverified, "0+0/0", "", "unverified"},
		{"down.example", seller, resolve.Unverified, "0+0/0", "", "unverified"},
	} {
		v, err := l.Authorization(t.Context(), c.domain, c.agent, registry.Narrowing{})
		code := ""
		var e *registry.Error
		if errors.As(err, &e) {
			code = e.Code
			if e.Kind != registry.NotFound {
				t.Errorf("%s: %v", c.domain, err)
			}
		}
		var rest []string
		for _, p := range v.Unauthorized {
			rest = append(rest, p.ID)
		}
		if v.Verdict != c.verdict || counts(v.AgentView) != c.counts || code != c.code || strings.Join(rest, " ") != c.rest {
			t.Errorf("%s, %s: %s %s %s, without %v", c.domain, c.agent, v.Verdict, counts(v.AgentView), code, rest)
		}
		if len(v.Reasons) == 0 || len(v.Evidence) == 0 || v.CheckedAt.IsZero() || !v.FreshUntil.After(v.CheckedAt) || v.FreshUntil.Sub(v.CheckedAt) > 5*time.Minute {
			t.Errorf("%s: %+v", c.domain, v)
		}
	}
	for _, c := range [][2]string{{"no domain", seller}, {"shop.example", "http:/"}, {"shop.example", ""}} {
		_, err := l.Authorization(t.Context(), c[0], c[1], registry.Narrowing{})
		if kindOf(err) != registry.Invalid {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestPropertyAuthorization(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, market()...)
	for _, domain := range []string{"apps.example", "thief.example", "shop.example", "one.example"} {
		l.validate(t, registry.ValidateRequest{Domain: domain})
	}
	l.Settle()
	for _, c := range []struct {
		agent, kind, value  string
		verdict             resolve.Verdict
		publisher, property string
		others              string
	}{
		{seller, "domain", "shop.example", resolve.Authorized, "shop.example", "home", "thief.example claim"},
		{seller, "domain", "WWW.shop.example", resolve.Authorized, "shop.example", "home", "www.shop.example, thief.example claim"},
		{seller, "domain", "m.shop.example", resolve.Authorized, "shop.example", "home", "m.shop.example, thief.example claim"},
		{seller, "domain", "other.shop.example", resolve.NotAuthorized, "shop.example", "", "other.shop.example"},
		{partial, "domain", "blog.shop.example", resolve.NotAuthorized, "shop.example", "", "blog.shop.example"},
		{german, "domain", "shop.example", resolve.Conditional, "shop.example", "home", "thief.example claim"},
		// What a stranger writes about a domain is ignored, with or without a file there.
		{nobody, "domain", "shop.example", resolve.NotAuthorized, "shop.example", "", "thief.example claim"},
		{nobody, "domain", "absent.example", resolve.Unverified, "absent.example", "", "thief.example claim"},
		{seller, "domain", "one.example", resolve.Authorized, "one.example", "one", ""},
		{seller, "ios_bundle", "com.example.game", resolve.Authorized, "apps.example", "game", ""},
		{nobody, "ios_bundle", "com.example.game", resolve.NotAuthorized, "apps.example", "", ""},
		{seller, "ios_bundle", "com.example.unknown", resolve.Unverified, "", "", ""},
	} {
		a, err := l.PropertyAuthorization(t.Context(), c.agent, registry.Identifier{Type: c.kind, Value: c.value}, registry.PropertyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var others []string
		for _, o := range a.Others {
			s := o.Publisher
			if o.Claim {
				s += " claim"
			}
			others = append(others, string(s))
		}
		got := []any{a.Verdict, a.Publisher, a.PropertyID, strings.Join(others, ", "), a.Authorized}
		want := []any{c.verdict, c.publisher, c.property, c.others, c.verdict == resolve.Authorized}
		if diff := cmp.Diff(want, got); diff != "" || a.Agent != c.agent {
			t.Errorf("%s %s: %s", c.agent, c.value, diff)
		}
	}
	// A country, or a publisher, narrows the question.
	a, err := l.PropertyAuthorization(t.Context(), german, registry.Identifier{Type: "domain", Value: "shop.example"}, registry.PropertyOptions{Narrowing: registry.Narrowing{Country: "DE"}})
	if err != nil || !a.Authorized {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = l.PropertyAuthorization(t.Context(), nobody, registry.Identifier{Type: "domain", Value: "shop.example"}, registry.PropertyOptions{Publisher: "thief.example"})
	if err != nil || !a.Authorized || a.Publisher != "thief.example" {
		t.Errorf("%+v, %v", a, err)
	}
	for _, id := range []registry.Identifier{{}, {Type: "domain"}, {Type: "domain", Value: "*.shop.example"}, {Type: "domain", Value: "a b"}} {
		_, err := l.PropertyAuthorization(t.Context(), seller, id, registry.PropertyOptions{})
		if kindOf(err) != registry.Invalid {
			t.Errorf("%v: %v", id, err)
		}
	}
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"shop.example":       "shop.example",
		"www.shop.example":   "www.shop.example shop.example *.shop.example",
		"a.b.shop.example":   "a.b.shop.example *.b.shop.example *.shop.example",
		"m.news.example.com": "m.news.example.com news.example.com *.news.example.com *.example.com",
	} {
		var got []string
		for _, id := range registry.Spellings(resolve.Identifier{Type: "domain", Value: in}) {
			got = append(got, id.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", in, got)
		}
	}
}

func TestProductAuthorization(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, market()...)
	all := func(domains ...string) adagents.Selector {
		return adagents.Selector{PublisherDomains: domains, SelectionType: "all"}
	}
	byID := func(domain string, ids ...string) adagents.Selector {
		return adagents.Selector{PublisherDomain: domain, SelectionType: "by_id", PropertyIDs: ids}
	}
	byTag := func(domain string, tags ...string) adagents.Selector {
		return adagents.Selector{PublisherDomain: domain, SelectionType: "by_tag", PropertyTags: tags}
	}
	for _, c := range []struct {
		name, agent string
		selectors   []adagents.Selector
		want        string
		expanded    string
	}{
		{"all of a network", seller, []adagents.Selector{all("one.example", "TWO.example")}, "true 100% 2/2: one.example 1/1 authorized, two.example 1/1 authorized", "one two"},
		{"everything", seller, []adagents.Selector{all("shop.example")}, "true 100% 3/3: shop.example 3/3 authorized", "home blog app"},
		{"one of three", partial, []adagents.Selector{all("shop.example")}, "false 33% 1/3: shop.example 1/3 not_authorized -blog -app", "home"},
		{"by id", partial, []adagents.Selector{byID("shop.example", "home")}, "true 100% 1/1: shop.example 1/1 authorized", "home"},
		{"an id that is not there", partial, []adagents.Selector{byID("shop.example", "zzz", "home", "zzz")}, "false 50% 1/2: shop.example 1/2 not_authorized -zzz", "home"},
		{"by tag", seller, []adagents.Selector{byTag("shop.example", "text")}, "true 100% 1/1: shop.example 1/1 authorized", "blog"},
		{"a tag that is not there", seller, []adagents.Selector{byTag("shop.example", "zzz")}, "false 0% 0/0: shop.example 0/0 not_authorized", ""},
		{"under a condition", german, []adagents.Selector{byTag("shop.example", "news")}, "false 0% 0/2: shop.example 0/2 conditional -home -blog", ""},
		{"one is not there", seller, []adagents.Selector{all("one.example"), all("absent.example")}, "false 99% 1/1: one.example 1/1 authorized, absent.example 0/0 unverified", "one"},
		{"one is down", seller, []adagents.Selector{all("down.example"), byID("down.example", "x")}, "false 0% 0/1: down.example 0/0 unverified, down.example 0/1 unverified -x", ""},
		{"the same twice", seller, []adagents.Selector{all("one.example"), all("one.example")}, "true 100% 2/2: one.example 1/1 authorized, one.example 1/1 authorized", "one"},
	} {
		p, err := l.ProductAuthorization(t.Context(), c.agent, c.selectors)
		if err != nil {
			t.Fatal(err)
		}
		var selectors []string
		for _, s := range p.Selectors {
			text := fmt.Sprintf("%s %d/%d %s", s.PublisherDomain, s.Covered, s.Requested, s.Verdict)
			for _, item := range s.Unauthorized {
				text += " -" + item
			}
			selectors = append(selectors, text)
			if len(s.Evidence) == 0 || len(s.Reasons) == 0 {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		got := fmt.Sprintf("%v %d%% %d/%d: %s", p.Authorized, p.Coverage(), p.Covered, p.Requested, strings.Join(selectors, ", "))
		if got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		e, err := l.Expand(t.Context(), c.agent, c.selectors)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, property := range e.Properties {
			ids = append(ids, property.Property.ID)
		}
		if strings.Join(ids, " ") != c.expanded || len(e.Selectors) != len(p.Selectors) {
			t.Errorf("%s: expands to %v", c.name, ids)
		}
	}
}

func TestProductRefusals(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	many := make([]string, registry.MaxProductPublishers+1)
	for i := range many {
		many[i] = fmt.Sprintf("p%d.example", i)
	}
	fine := adagents.Selector{PublisherDomain: "a.example", SelectionType: "all"}
	for name, c := range map[string]struct {
		agent     string
		selectors []adagents.Selector
	}{
		"no selector":     {seller, nil},
		"no agent":        {"", []adagents.Selector{fine}},
		"no kind":         {seller, []adagents.Selector{{PublisherDomain: "a.example"}}},
		"no publisher":    {seller, []adagents.Selector{{SelectionType: "all"}}},
		"both":            {seller, []adagents.Selector{{PublisherDomain: "a.example", PublisherDomains: []string{"b.example"}, SelectionType: "all"}}},
		"empty publisher": {seller, []adagents.Selector{{PublisherDomains: []string{""}, SelectionType: "all"}}},
		"no ids":          {seller, []adagents.Selector{{PublisherDomain: "a.example", SelectionType: "by_id"}}},
		"no tags":         {seller, []adagents.Selector{{PublisherDomain: "a.example", SelectionType: "by_tag"}}},
		"ids of several":  {seller, []adagents.Selector{{PublisherDomains: []string{"a.example"}, SelectionType: "by_id", PropertyIDs: []string{"x"}}}},
		"no domain":       {seller, []adagents.Selector{{PublisherDomain: "a b", SelectionType: "all"}}},
		"too many":        {seller, []adagents.Selector{{PublisherDomains: many, SelectionType: "all"}}},
		"too many tags":   {seller, []adagents.Selector{{PublisherDomain: "a.example", SelectionType: "by_tag", PropertyTags: make([]string, registry.MaxProductItems+1)}}},
	} {
		_, err := l.ProductAuthorization(t.Context(), c.agent, c.selectors)
		_, second := l.Expand(t.Context(), c.agent, c.selectors)
		if kindOf(err) != registry.Invalid || kindOf(second) != registry.Invalid {
			t.Errorf("%s: %v, %v", name, err, second)
		}
	}
	if l.asked() != 0 {
		t.Errorf("%d requests", l.asked())
	}
}

// TestProductWithinBudget asks about more publishers than one call may send requests
// for. Those that were reached count, the others are not known.
func TestProductWithinBudget(t *testing.T) {
	t.Parallel()
	var sections, domains []string
	for i := range 40 {
		domain := fmt.Sprintf("p%d.example", i)
		domains = append(domains, domain)
		sections = append(sections, wellKnown(domain), served(simple(domain)))
	}
	l := newFileLab(t, sections...)
	ask := func() map[resolve.Verdict]int {
		p, err := l.ProductAuthorization(t.Context(), "https://agent.example/mcp", []adagents.Selector{{PublisherDomains: domains, SelectionType: "all"}})
		if err != nil {
			t.Fatal(err)
		}
		out := map[resolve.Verdict]int{}
		for _, s := range p.Selectors {
			out[s.Verdict]++
		}
		return out
	}
	for _, want := range []map[resolve.Verdict]int{
		{resolve.Authorized: 16, resolve.Unverified: 24}, {resolve.Authorized: 32, resolve.Unverified: 8}, {resolve.Authorized: 40},
	} {
		if diff := cmp.Diff(want, ask()); diff != "" {
			t.Error(diff)
		}
	}
	if l.asked() != 40 {
		t.Errorf("%d requests", l.asked())
	}
}
