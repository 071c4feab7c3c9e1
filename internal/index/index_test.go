package index_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/resolve"
)

// TestIndexAgrees compares the Index with the Resolver, also after changes.
func TestIndexAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := tray{t}
		docs := r.documents()
		x := indexOf(docs...)
		for range 20 {
			agree(t, x, docs, r.question())
		}
		// Changing some publishers gives the index of the new documents.
		again := r.documents()
		docs[1], docs[3] = again[1], again[3]
		x.Put(docs[1], docs[3])
		if x.Len() != len(docs) {
			t.Fatalf("%d publishers after the change, want %d", x.Len(), len(docs))
		}
		for range 6 {
			agree(t, x, docs, r.question())
		}
		inverse(t, x, docs)
	})
}

func indexOf(docs ...*resolve.Document) *index.Index {
	x := index.New()
	x.Put(docs...)
	return x
}

// fataler is what tests of both kinds are.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func decide(t fataler, x *index.Index, q resolve.Question) resolve.Decision {
	t.Helper()
	if q.At.IsZero() {
		q.At = moment(0)
	}
	q, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	d, err := x.Decide(&q)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// agree puts a question to both.
func agree(t *rapid.T, x *index.Index, docs []*resolve.Document, q resolve.Question) {
	t.Helper()
	got := decide(t, x, q)
	doc := docs[slices.IndexFunc(docs, func(d *resolve.Document) bool { return d.Publisher == q.Publisher })]
	want, err := resolve.Judge(doc, q)
	if err != nil {
		t.Fatal(err)
	}
	wantNeeds := slices.Sorted(slices.Values(want.Needs))
	if got.Verdict != want.Verdict || !slices.Equal(slices.Sorted(slices.Values(got.Needs.Strings())), wantNeeds) {
		t.Fatalf("index: %v %v (%s), resolver: %v %v\n%+v\n%s", got.Verdict, got.Needs.Strings(), got.Code, want.Verdict, wantNeeds, q, source(doc))
	}
	if got.Code != want.Code() {
		t.Fatalf("index: %v %s, resolver: %v %s %v\n%+v\n%s", got.Verdict, got.Code, want.Verdict, want.Code(), want.Reasons, q, source(doc))
	}
	if entry := firstGrant(want); got.Entry != entry {
		t.Fatalf("index: entry %d, resolver: %d\n%+v\n%s", got.Entry, entry, q, source(doc))
	}
	if !slices.ContainsFunc(resolve.Codes(), func(c adagents.Rule) bool { return c.Code == got.Code }) {
		t.Fatalf("no reason has the code %s", got.Code)
	}
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
		if a.Verdict < resolve.Conditional || conditional && a.Verdict == resolve.Authorized {
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
func inverse(t *rapid.T, x *index.Index, docs []*resolve.Document) {
	for _, agent := range trayAgents {
		for _, d := range docs {
			listing(t, x, d, agent)
		}
	}
}

// listing compares AgentsOf and PropertiesOf for each property of a publisher with what a
// question about it is answered.
func listing(t *rapid.T, x *index.Index, d *resolve.Document, agent string) {
	for _, id := range append([]string{"row7"}, trayIDs...) {
		claims := x.AgentsOf(d.Publisher, id)
		row := x.PropertiesOf(d.Publisher, agent, moment(0))
		got := decide(t, x, resolve.Question{Publisher: d.Publisher, Agent: agent, Property: id, At: moment(0)})
		if slices.Contains(row.Authorized, id) != (got.Verdict == resolve.Authorized) || slices.Contains(row.Conditional, id) != (got.Verdict == resolve.Conditional) {
			t.Fatalf("%s of %s: %v in the row, the verdict is %v", id, d.Publisher, row, got)
		}
		for _, c := range claims {
			at := moment(0)
			switch {
			case !c.From.IsZero():
				at = c.From
			case !c.Until.IsZero():
				at = c.Until
			}
			got := decide(t, x, resolve.Question{Publisher: d.Publisher, Agent: c.Agent, Property: id, At: at})
			if got.Verdict < resolve.Conditional || c.Limits&^resolve.LimitedTime == 0 && got.Verdict != resolve.Authorized {
				t.Fatalf("%s of %s is claimed by %+v, and the verdict is %v", id, d.Publisher, c, got)
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

const (
	agentOne   = "https://one.example/mcp"
	agentTwo   = "https://two.example/mcp"
	agentThree = "https://three.example/mcp"
)

func TestIndexInverse(t *testing.T) {
	t.Parallel()
	x := indexOf(direct(t, "a.example", twoAgents))
	one := resolve.Claim{
		Agent: agentOne, Entry: 1, Index: 0, Type: adagents.ByPropertyIDs, Exclusive: true, Limits: resolve.LimitedCountry | resolve.LimitedTime,
		From: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	two := resolve.Claim{Agent: agentTwo, Entry: 2, Index: 1, Type: adagents.ByPropertyTags}
	for name, test := range map[string]struct{ got, want []resolve.Claim }{
		"of the site":   {x.AgentsOf("a.example", "site"), []resolve.Claim{one, two}},
		"of the app":    {x.AgentsOf("a.example", "app"), []resolve.Claim{two}},
		"of anything":   {x.AgentsOf("a.example", ""), []resolve.Claim{one, two}},
		"of nothing":    {x.AgentsOf("a.example", "ghost"), nil},
		"of a stranger": {x.AgentsOf("b.example", ""), nil},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"app", "site"}, x.PropertiesOf("a.example", two.Agent, moment(0)).Authorized); diff != "" {
		t.Error(diff)
	}
	if got := x.PropertiesOf("a.example", agentThree, moment(0)); got.AuthorizedCount+got.ConditionalCount > 0 {
		t.Errorf("an agent that is not listed may sell %v", got)
	}
}

func TestIndexWithoutFile(t *testing.T) {
	t.Parallel()
	x := indexOf(
		nil, &resolve.Document{State: resolve.Absent},
		&resolve.Document{Publisher: "absent.example", State: resolve.Absent},
		&resolve.Document{Publisher: "unusable.example", State: resolve.Unusable},
		&resolve.Document{Publisher: "unreachable.example"},
		&resolve.Document{Publisher: "empty.example", State: resolve.Usable},
		direct(t, "catalog.example", `{"authorized_agents":[],"properties":[{"property_type":"website","name":"x","identifiers":[{"type":"domain","value":"catalog.example"}]}]}`),
		direct(t, "a.example", twoAgents),
	)
	if x.Len() != 6 {
		t.Fatalf("%d publishers, want 6", x.Len())
	}
	for _, test := range []struct {
		publisher, agent string
		want             resolve.Verdict
		code             string
	}{
		{"stranger.example", agentOne, resolve.Unverified, "file.unreachable"},
		{"absent.example", agentOne, resolve.Unverified, "file.absent"},
		{"unreachable.example", agentOne, resolve.Unverified, "file.unreachable"},
		{"unusable.example", agentOne, resolve.UnusableFile, "file.unusable"},
		{"empty.example", agentOne, resolve.UnusableFile, "file.unusable"},
		{"catalog.example", agentOne, resolve.NoneAsserted, "file.none_asserted"},
		{"a.example", agentThree, resolve.NotAuthorized, "agent.not_listed"},
		{"a.example", agentTwo, resolve.Authorized, "entry.covers"},
	} {
		got := decide(t, x, resolve.Question{Publisher: test.publisher, Agent: test.agent})
		if got.Verdict != test.want || got.Code != test.code {
			t.Errorf("%s, %s: %v %s, want %v %s", test.publisher, test.agent, got.Verdict, got.Code, test.want, test.code)
		}
	}
}

// TestIndexShares lets many publishers share a file, and leave it.
func TestIndexShares(t *testing.T) {
	t.Parallel()
	const n = 3000
	doc := direct(t, "a.example", twoAgents)
	doc.Prepared = resolve.Prepare(doc.File)
	x := index.New()
	name := func(i int) string { return fmt.Sprintf("p%d.example", i) }
	for i := range n {
		d := *doc
		d.Publisher = name(i)
		x.Put(&d)
	}
	for i := range n {
		if i%3 != 2 {
			x.Put(&resolve.Document{Publisher: name(i), State: resolve.Absent})
		}
	}
	if x.Len() != n {
		t.Errorf("%d publishers, want %d", x.Len(), n)
	}
	for i := range n {
		got := decide(t, x, resolve.Question{Publisher: name(i), Agent: agentTwo, Property: "app"})
		if (got.Verdict == resolve.Authorized) != (i%3 == 2) {
			t.Fatalf("%s: %v", name(i), got)
		}
	}
}

// TestIndexChanges replaces documents while others ask.
func TestIndexChanges(t *testing.T) {
	t.Parallel()
	yes := direct(t, "a.example", twoAgents)
	no := &resolve.Document{Publisher: "a.example", State: resolve.Absent}
	x := indexOf(yes)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			q := resolve.Question{Publisher: "a.example", Agent: agentTwo, Property: "app", At: moment(0)}
			for {
				select {
				case <-done:
					return
				default:
				}
				got, err := x.Decide(&q)
				if err != nil || got.Verdict != resolve.Authorized && got.Verdict != resolve.Unverified {
					t.Errorf("neither the old nor the new answer: %v, %v", got, err)
				}
			}
		})
	}
	for w := range 2 {
		writers.Go(func() {
			for i := range 200 {
				x.Put([]*resolve.Document{yes, no}[i%2], &resolve.Document{Publisher: fmt.Sprintf("w%d-%d.example", w, i)})
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if x.Len() != 401 {
		t.Errorf("%d publishers, want 401: a change was lost", x.Len())
	}
}
