package resolve_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// TestIndexAgrees compares the Index with the Resolver.
func TestIndexAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := tray{t}
		docs := r.documents()
		x := resolve.Build(docs)
		var queries []resolve.Query
		for range 20 {
			queries = append(queries, agree(t, x, docs, r.question()))
		}
		together(t, x, queries)
		// Replacing some documents gives the index of the new ones.
		again := r.documents()
		docs[1], docs[3] = again[1], again[3]
		y := x.With(docs[1], docs[3])
		if y.Len() != len(docs) {
			t.Fatalf("%d publishers after the replacement, want %d", y.Len(), len(docs))
		}
		for range 6 {
			agree(t, y, docs, r.question())
		}
		inverse(t, y, docs)
	})
}

// together makes sure that queries are answered alike one by one and all at once.
func together(t *rapid.T, x *resolve.Index, queries []resolve.Query) {
	queries = append(queries, resolve.Query{Publisher: "stranger.example"}, resolve.Query{})
	out := make([]resolve.Decision, len(queries))
	x.DecideAll(queries, out)
	for i := range queries {
		if want := x.Decide(&queries[i]); out[i] != want {
			t.Fatalf("together: %+v, alone: %+v\n%+v", out[i], want, queries[i])
		}
	}
}

func agree(t *rapid.T, x *resolve.Index, docs []*resolve.Document, q resolve.Question) resolve.Query {
	t.Helper()
	q, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	doc := docs[slices.IndexFunc(docs, func(d *resolve.Document) bool { return d.Publisher == q.Publisher })]
	want, err := resolve.Judge(doc, q)
	if err != nil {
		t.Fatal(err)
	}
	query, ok := q.Query()
	if !ok {
		t.Fatalf("%+v cannot be asked", q)
	}
	got := x.Decide(&query)
	wantNeeds := slices.Sorted(slices.Values(want.Needs))
	if got.Verdict != want.Verdict || !slices.Equal(slices.Sorted(slices.Values(got.Needs.Strings())), wantNeeds) {
		t.Fatalf("index: %v %v (%s), resolver: %v %v\n%+v\n%s", got.Verdict, got.Needs.Strings(), got.Code(), want.Verdict, wantNeeds, q, source(doc))
	}
	if got.Verdict != resolve.NotAuthorized && got.Code() != want.Code() {
		t.Fatalf("index: %v %s, resolver: %v %s %v\n%+v\n%s", got.Verdict, got.Code(), want.Verdict, want.Code(), want.Reasons, q, source(doc))
	}
	if entry := firstGrant(want); got.Entry != entry {
		t.Fatalf("index: entry %d, resolver: %d\n%+v\n%s", got.Entry, entry, q, source(doc))
	}
	if !slices.ContainsFunc(resolve.Codes(), func(c resolve.CodeInfo) bool { return c.Code == got.Code() }) {
		t.Fatalf("no reason has the code %s", got.Code())
	}
	return query
}

func source(d *resolve.Document) string {
	if d.File == nil {
		return d.State.String()
	}
	return d.Method + " " + string(d.File.Raw.Tree().Source())
}

// firstGrant returns the number of the first entry behind a verdict.
func firstGrant(a *resolve.Answer) int32 {
	for i := range a.Grants {
		conditional := len(a.Grants[i].Needs) > 0
		if conditional != (a.Verdict == resolve.Conditional) {
			continue
		}
		var n int32
		_, err := fmt.Sscanf(a.Grants[i].Entry, "/authorized_agents/%d", &n)
		if err == nil {
			return n
		}
	}
	return -1
}

// inverse compares the inverse questions with decisions.
func inverse(t *rapid.T, x *resolve.Index, docs []*resolve.Document) {
	for _, agent := range trayAgents {
		var want []string
		for _, d := range docs {
			for _, claim := range x.AgentsOf(d.Publisher, "") {
				if claim.Agent == agent && !slices.Contains(want, d.Publisher) {
					want = append(want, d.Publisher)
				}
			}
		}
		if got := x.PublishersOf(agent); !slices.Equal(got, want) {
			t.Fatalf("publishers of %s: %v, but its claims say %v", agent, got, want)
		}
		for _, d := range docs {
			listing(t, x, d, agent)
		}
	}
}

// listing compares AgentsOf and PropertiesOf for each property of a publisher with
// what an unrestricted question is answered.
func listing(t *rapid.T, x *resolve.Index, d *resolve.Document, agent string) {
	selected := x.PropertiesOf(d.Publisher, agent)
	for _, id := range append([]string{"row7"}, trayIDs...) {
		claims := x.AgentsOf(d.Publisher, id)
		claimed := slices.ContainsFunc(claims, func(c resolve.Claim) bool { return c.Agent == agent })
		listed := slices.ContainsFunc(selected, func(s resolve.Selected) bool {
			return s.PropertyID == id && s.PublisherDomain == d.Publisher
		})
		if claimed != listed {
			t.Fatalf("%s of %s: claimed %v, listed %v", id, d.Publisher, claimed, listed)
		}
		for _, c := range claims {
			at := min(max(moment(0).Unix(), c.From), c.Until)
			got := x.Decide(&resolve.Query{Publisher: d.Publisher, Agent: c.Agent, Property: id, At: at})
			if c.Limits == 0 && got.Verdict != resolve.Authorized {
				t.Fatalf("%s of %s is claimed by %+v, and the verdict is %v", id, d.Publisher, c, got)
			}
			exclusive := x.Exclusive(d.Publisher, id, "", at)
			if slices.Contains(exclusive, c) != c.Exclusive {
				t.Fatalf("%+v is among %+v", c, exclusive)
			}
		}
	}
}

func fileOf(tb testing.TB, src string) *adagents.File {
	tb.Helper()
	f := adagents.Check([]byte(src), adagents.Options{}).File
	if f == nil {
		tb.Fatalf("unusable: %s", src)
	}
	return f
}

func direct(tb testing.TB, publisher, src string) *resolve.Document {
	tb.Helper()
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, Method: "direct", File: fileOf(tb, src)}
}

const twoAgents = `{"properties":[
 {"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"a.example"}],"tags":["news"]},
 {"property_id":"app","property_type":"mobile_app","name":"App","identifiers":[{"type":"ios_bundle","value":"com.example.App"}],"tags":["apps"]}],
"authorized_agents":[
 {"url":"not a url","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"]},
 {"url":"https://one.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"],"exclusive":true,"countries":["DE"],
  "effective_from":"2025-01-01T00:00:00Z","effective_until":"2026-01-01T00:00:00Z"},
 {"url":"https://two.example/mcp","authorized_for":"x","authorization_type":"property_tags","property_tags":["news","apps"]}]}`

func TestIndexInverse(t *testing.T) {
	t.Parallel()
	x := resolve.Build([]*resolve.Document{direct(t, "a.example", twoAgents)})
	one := resolve.Claim{
		Agent: "https://one.example/mcp", Entry: 1, Exclusive: true, Limits: resolve.NeedsCountry,
		From: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), Until: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix(),
	}
	two := resolve.Claim{Agent: "https://two.example/mcp", Entry: 2, From: math.MinInt64, Until: math.MaxInt64}
	for name, test := range map[string]struct{ got, want []resolve.Claim }{
		"of the site":             {x.AgentsOf("a.example", "site"), []resolve.Claim{one, two}},
		"of the app":              {x.AgentsOf("a.example", "app"), []resolve.Claim{two}},
		"of anything":             {x.AgentsOf("a.example", ""), []resolve.Claim{one, two}},
		"of nothing":              {x.AgentsOf("a.example", "ghost"), nil},
		"of a stranger":           {x.AgentsOf("b.example", ""), nil},
		"exclusive":               {x.Exclusive("a.example", "site", "DE", one.From), []resolve.Claim{one}},
		"exclusive to the end":    {x.Exclusive("a.example", "", "", one.Until), []resolve.Claim{one}},
		"exclusive elsewhere":     {x.Exclusive("a.example", "site", "FR", one.From), nil},
		"exclusive too early":     {x.Exclusive("a.example", "site", "DE", one.From-1), nil},
		"exclusive for the app":   {x.Exclusive("a.example", "app", "DE", one.From), nil},
		"exclusive in a bad land": {x.Exclusive("a.example", "site", "Germany", one.From), nil},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"a.example"}, x.PublishersOf(one.Agent)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]resolve.Selected{{"a.example", "site", 2}, {"a.example", "app", 2}}, x.PropertiesOf("a.example", two.Agent)); diff != "" {
		t.Error(diff)
	}
	if got := x.PropertiesOf("a.example", "https://three.example/"); got != nil {
		t.Errorf("an agent that is not listed may sell %v", got)
	}
}

// TestIndexTypesOfSeveralFiles asks for types that no list has. Each file numbers those
// it has anew.
func TestIndexTypesOfSeveralFiles(t *testing.T) {
	t.Parallel()
	var docs []*resolve.Document
	for _, publisher := range []string{"a.example", "b.example", "c.example"} {
		docs = append(docs, direct(t, publisher, `{
			"authorized_agents": [{
				"url": "https://one.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["x"]}],
			"properties": [{
				"property_id": "x", "property_type": "website", "name": "X", "publisher_domain": "`+publisher+`",
				"identifiers": [{"type": "new_id", "value": "12"}]}]}`))
	}
	x := resolve.Build(docs)
	for _, doc := range docs {
		got := x.Decide(&resolve.Query{
			Publisher: doc.Publisher, Agent: "https://one.example/mcp", PropertyType: "website",
			IdentifierType: "new_id", IdentifierValue: "12",
		})
		if got.Verdict != resolve.Authorized {
			t.Errorf("%s: %+v, want it authorized", doc.Publisher, got)
		}
	}
}

func TestIndexWithoutFile(t *testing.T) {
	t.Parallel()
	x := resolve.Build([]*resolve.Document{
		nil, {State: resolve.Absent},
		{Publisher: "absent.example", State: resolve.Absent},
		{Publisher: "unusable.example", State: resolve.Unusable},
		{Publisher: "unreachable.example"},
		{Publisher: "empty.example", State: resolve.Usable},
		direct(t, "catalog.example", `{"authorized_agents":[],"properties":[{"property_type":"website","name":"x","identifiers":[{"type":"domain","value":"catalog.example"}]}]}`),
		direct(t, "a.example", twoAgents),
	})
	if x.Len() != 6 {
		t.Fatalf("%d publishers, want 6", x.Len())
	}
	for _, test := range []struct {
		publisher, agent string
		want             resolve.Verdict
		code             string
	}{
		{"stranger.example", "https://one.example/mcp", resolve.Unverified, "file.unreachable"},
		{"absent.example", "https://one.example/mcp", resolve.Unverified, "file.absent"},
		{"unreachable.example", "https://one.example/mcp", resolve.Unverified, "file.unreachable"},
		{"unusable.example", "https://one.example/mcp", resolve.UnusableFile, "file.unusable"},
		{"empty.example", "https://one.example/mcp", resolve.UnusableFile, "file.unusable"},
		{"catalog.example", "https://one.example/mcp", resolve.NoneAsserted, "file.none_asserted"},
		{"a.example", "https://three.example/mcp", resolve.NotAuthorized, "agent.not_listed"},
		{"a.example", "https://two.example/mcp", resolve.Authorized, "entry.covers"},
	} {
		got := x.Decide(&resolve.Query{Publisher: test.publisher, Agent: test.agent})
		if got.Verdict != test.want || got.Code() != test.code {
			t.Errorf("%s, %s: %v %s, want %v %s", test.publisher, test.agent, got.Verdict, got.Code(), test.want, test.code)
		}
	}
	var none resolve.Index
	if got := none.Decide(&resolve.Query{Publisher: "a.example"}); got.Verdict != resolve.Unverified || none.PublishersOf("x") != nil {
		t.Errorf("an empty index says %v", got)
	}
	one := []resolve.Decision{{Verdict: resolve.Authorized}}
	none.DecideAll([]resolve.Query{{Publisher: "a.example"}}, one)
	if one[0].Verdict != resolve.Unverified || one[0].Entry != -1 {
		t.Errorf("an empty index says %v to several", one[0])
	}
}

// TestIndexGrows adds publishers one by one, which spreads them over more and more
// shards, and leaves the indexes before as they were.
func TestIndexGrows(t *testing.T) {
	t.Parallel()
	const n = 3000
	doc := direct(t, "a.example", twoAgents)
	x := &resolve.Index{}
	half := x
	for i := range n {
		d := *doc
		d.Publisher = fmt.Sprintf("p%d.example", i)
		x = x.With(&d)
		if i == n/2 {
			half = x
		}
	}
	if x.Len() != n || half.Len() != n/2+1 {
		t.Fatalf("%d and %d publishers", x.Len(), half.Len())
	}
	for i := range n {
		q := resolve.Query{Publisher: fmt.Sprintf("p%d.example", i), Agent: "https://two.example/mcp", Property: "app"}
		if got := x.Decide(&q); got.Verdict != resolve.Authorized {
			t.Fatalf("%s: %v", q.Publisher, got)
		}
		if got := half.Decide(&q); (got.Verdict == resolve.Authorized) != (i <= n/2) {
			t.Fatalf("%s in the first half: %v", q.Publisher, got)
		}
	}
	if got := x.PublishersOf("https://one.example/mcp"); len(got) != n || !slices.IsSorted(got) {
		t.Errorf("%d publishers, want %d in order", len(got), n)
	}
}

// TestLive replaces documents while others ask.
func TestLive(t *testing.T) {
	t.Parallel()
	var live resolve.Live
	if got := live.Decide(&resolve.Query{Publisher: "a.example"}); got.Verdict != resolve.Unverified {
		t.Fatalf("before the first index: %v", got)
	}
	yes := direct(t, "a.example", twoAgents)
	no := &resolve.Document{Publisher: "a.example", State: resolve.Absent}
	live.Update(yes)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			q := resolve.Query{Publisher: "a.example", Agent: "https://two.example/mcp", Property: "app"}
			for {
				select {
				case <-done:
					return
				default:
				}
				if got := live.Decide(&q); got.Verdict != resolve.Authorized && got.Verdict != resolve.Unverified {
					t.Errorf("neither the old nor the new answer: %v", got)
				}
				live.Index().PublishersOf(q.Agent)
			}
		})
	}
	for w := range 2 {
		writers.Go(func() {
			for i := range 200 {
				live.Update([]*resolve.Document{yes, no}[i%2], &resolve.Document{Publisher: fmt.Sprintf("w%d-%d.example", w, i)})
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if got := live.Index().Len(); got != 401 {
		t.Errorf("%d publishers, want 401: an update was lost", got)
	}
	if old := live.Swap(resolve.Build(nil)); old.Len() != 401 || live.Index().Len() != 0 {
		t.Error("Swap did not replace the index")
	}
}
