package resolve_test

import (
	"encoding/json"
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

// A tray draws parts of files and questions out of few words.
type tray struct{ *rapid.T }

func (r tray) pick(label string, words ...string) string {
	return rapid.SampledFrom(words).Draw(r.T, label)
}

func (r tray) one(n int, label string) bool { return rapid.IntRange(1, n).Draw(r.T, label) == n }

func (r tray) some(label string, words ...string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(words), 1, len(words)).Draw(r.T, label)
}

func (r tray) many(label string, least, most int, make func() map[string]any) []any {
	out := []any{}
	for range rapid.IntRange(least, most).Draw(r.T, label) {
		out = append(out, make())
	}
	return out
}

var (
	trayPublishers = []string{"a.example", "b.example", "c.example", "co.example"}
	trayOwners     = []string{"a.example", "a.example", "a.example", "A.example", "b.example", "b.example", "c.example", "co.example"}
	trayHosts      = []string{"a.example", "www.a.example", "m.a.example", "x.a.example", "y.x.a.example", "b.example", "A.example."}
	trayAgents     = []string{"https://one.example/mcp", "https://one.example/mcp", "https://two.example/mcp", "https://two.example/mcp/"}
	trayIDs        = []string{"site", "app", "news", "extra"}
	trayTags       = []string{"t1", "t2", "t3"}
)

func (r tray) property() map[string]any {
	p := map[string]any{
		"property_type": r.pick("type", "website", "website", "mobile_app"), "name": "A name",
		"identifiers": r.many("identifiers", 1, 3, r.identifier), "tags": r.some("tags", trayTags...),
	}
	if !r.one(6, "no id") {
		p["property_id"] = r.pick("id", trayIDs...)
	}
	if !r.one(3, "no publisher") {
		p["publisher_domain"] = r.pick("publisher", append([]string{"bad domain"}, trayOwners...)...)
	}
	return p
}

func (r tray) identifier() map[string]any {
	kind := r.pick("identifier type", "domain", "domain", "subdomain", "ios_bundle", "rss_url", "*")
	value := r.pick("bundle", "com.example.App", "com.example.app")
	switch kind {
	case "domain":
		value = r.pick("wild", "", "", "*.") + r.pick("host", append(trayHosts, "example", "192.0.2.1")...)
	case "subdomain", "*":
		value = r.pick("host", trayHosts...)
	case "rss_url":
		value = r.pick("feed", "https://a.example/feed", "https://A.example:443/feed")
	}
	return map[string]any{"type": kind, "value": value}
}

func (r tray) placement() map[string]any {
	p := map[string]any{"placement_id": r.pick("placement", "top", "side", "end"), "name": "A name", "tags": r.some("placement tags", "p1", "p2")}
	if r.one(2, "by id") {
		p["property_ids"] = r.some("runs on", trayIDs...)
	} else {
		p["property_tags"] = r.some("runs on", trayTags...)
	}
	if r.one(3, "program") {
		p["collection_ids"] = r.some("programs", "show", "talk")
	}
	return p
}

func (r tray) selector() map[string]any {
	s := map[string]any{"selection_type": r.pick("selection", "all", "by_id", "by_tag")}
	if r.one(2, "compact") {
		s["publisher_domains"] = r.some("publishers", trayOwners...)
	} else {
		s["publisher_domain"] = r.pick("publisher", append([]string{"B.example."}, trayOwners...)...)
	}
	switch s["selection_type"] {
	case "by_id":
		s["property_ids"] = r.some("ids", trayIDs...)
	case "by_tag":
		s["property_tags"] = r.some("tags", trayTags...)
	}
	return s
}

func (r tray) agent() map[string]any {
	a := map[string]any{
		"url": r.pick("agent", append([]string{"https://ONE.example:443/mcp"}, trayAgents...)...), "authorized_for": "Things",
		"exclusive": r.one(3, "exclusive"),
	}
	switch kind := r.pick("kind", "property_ids", "property_tags", "property_tags", "inline_properties", "publisher_properties", "publisher_properties", "signal_ids"); kind {
	case "property_ids":
		a["authorization_type"], a[kind] = kind, r.some("ids", append([]string{"ghost"}, trayIDs...)...)
	case "property_tags":
		a["authorization_type"], a[kind] = kind, r.some("tags", trayTags...)
	case "inline_properties":
		a["authorization_type"], a["properties"] = kind, r.many("inline", 1, 2, r.property)
	case "publisher_properties":
		a["authorization_type"], a[kind] = kind, r.many("selectors", 1, 3, r.selector)
	default:
		a["authorization_type"], a[kind] = kind, []string{"s"}
	}
	if r.one(3, "countries") {
		a["countries"] = r.some("countries", "DE", "FR")
	}
	if r.one(3, "window") {
		a["effective_from"] = r.pick("from", "2025-01-01T00:00:00Z", "2025-06-01T02:00:00.5+02:00")
		a["effective_until"] = r.pick("until", "2025-06-01T00:00:01Z", "2026-01-01T00:00:00.25Z")
	}
	if r.one(3, "placement ids") {
		a["placement_ids"] = r.some("placements", "top", "side", "ghost")
	}
	if r.one(4, "placement tags") {
		a["placement_tags"] = r.some("placement tags", "p1", "p3")
	}
	if r.one(4, "collections") {
		a["collections"] = r.many("collections", 1, 2, r.collection)
	}
	return a
}

func (r tray) collection() map[string]any {
	return map[string]any{"publisher_domain": r.pick("publisher", trayOwners...), "collection_ids": r.some("programs", "show", "talk")}
}

func (r tray) file() *adagents.File {
	f := map[string]any{
		"properties": r.many("properties", 2, 6, r.property), "placements": r.many("placements", 1, 3, r.placement),
		"authorized_agents": r.many("agents", 2, 6, r.agent), "last_updated": "2025-01-01T00:00:00Z",
	}
	if r.one(20, "nobody") {
		f["authorized_agents"] = []any{}
	}
	if r.one(3, "large") {
		f["properties"] = append(f["properties"].([]any), r.rowOfProperties()...)
	}
	if r.one(4, "revocations") {
		f["revoked_publisher_domains"] = []any{map[string]any{"publisher_domain": r.pick("revoked", "a.example", "x.a.example", "c.example"), "revoked_at": "2025-01-01T00:00:00Z"}}
	}
	src, err := json.Marshal(f)
	if err != nil {
		r.Fatal(err)
	}
	return adagents.Check(src, adagents.Options{}).File
}

// rowOfProperties makes one publisher a large one.
func (r tray) rowOfProperties() []any {
	publisher, tag := r.pick("large publisher", trayPublishers...), r.pick("large tag", trayTags...)
	var out []any
	for i := range 40 {
		out = append(out, map[string]any{
			"property_id": fmt.Sprint("row", i), "property_type": "mobile_app", "name": "A name", "publisher_domain": publisher, "tags": []string{tag},
			"identifiers": []any{map[string]any{"type": "ios_bundle", "value": fmt.Sprint("com.example.row", i)}},
		})
	}
	return out
}

func (r tray) documents() []*resolve.Document {
	shared := r.file()
	var docs []*resolve.Document
	for _, publisher := range trayPublishers {
		d := &resolve.Document{Publisher: publisher, State: resolve.Usable, File: shared, Method: r.pick("method", "authoritative_location", "ads_txt_managerdomain")}
		switch r.pick("document", "shared", "shared", "shared", "own", "own", "own", "other") {
		case "own":
			d.File, d.Method = r.file(), r.pick("method", "direct", "")
		case "other":
			d.State = rapid.SampledFrom([]resolve.State{resolve.Unreachable, resolve.Absent, resolve.Unusable, resolve.Usable}).Draw(r.T, "state")
			d.File = nil
		}
		docs = append(docs, d)
	}
	return docs
}

func (r tray) question() resolve.Question {
	q := resolve.Question{
		Publisher: r.pick("asked publisher", "a.example", "a.example", "b.example", "c.example", "co.example"), Agent: r.pick("asked agent", trayAgents...),
		Country: r.pick("country", "", "DE", "FR", "US"),
		At:      rapid.SampledFrom([]time.Time{moment(-1), moment(0), moment(1), moment(2), moment(1e9)}).Draw(r.T, "at"),
	}
	switch r.pick("about", "property", "identifier", "both", "any", "any", "any") {
	case "property":
		q.Property = r.pick("asked property", append([]string{"row7"}, trayIDs...)...)
	case "identifier":
		q.Identifier = r.askedIdentifier()
	case "both":
		q.Property, q.Identifier = r.pick("asked property", trayIDs...), r.askedIdentifier()
	}
	if r.one(4, "asked type") {
		q.PropertyType = r.pick("property type", "website", "mobile_app")
	}
	if r.one(3, "asked placement") {
		q.Placements = []string{r.pick("placement", "top", "side", "ghost")}
	}
	if r.one(4, "asked collection") {
		q.Collections = []resolve.CollectionRef{{PublisherDomain: r.pick("domain", append([]string{"", ""}, trayOwners...)...), ID: r.pick("program", "show", "talk", "ghost")}}
	}
	return q
}

func (r tray) askedIdentifier() resolve.Identifier {
	id := resolve.Identifier{Type: "domain", Value: r.pick("asked host", append([]string{"www.co.example", "z.b.example"}, trayHosts...)...)}
	switch r.pick("asked type", "domain", "domain", "domain", "subdomain", "ios_bundle", "rss_url", "*") {
	case "subdomain":
		id.Type = "subdomain"
	case "*":
		id.Type = "*"
	case "ios_bundle":
		id = resolve.Identifier{Type: "ios_bundle", Value: r.pick("bundle", "com.example.App", "com.example.app", "com.example.row7")}
	case "rss_url":
		id = resolve.Identifier{Type: "rss_url", Value: "https://a.example/feed"}
	}
	return id
}

// moment is so many seconds after a bound of some windows.
func moment(seconds int64) time.Time { return time.Unix(1748736000+seconds, 0).UTC() }

// TestIndexAgrees compares the Index with the Resolver.
func TestIndexAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := tray{t}
		docs := r.documents()
		x := resolve.Build(docs)
		for range 12 {
			agree(t, x, docs, r.question())
		}
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

func agree(t *rapid.T, x *resolve.Index, docs []*resolve.Document, q resolve.Question) {
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
	if entry := firstGrant(want); got.Entry != entry {
		t.Fatalf("index: entry %d, resolver: %d\n%+v\n%s", got.Entry, entry, q, source(doc))
	}
	if !slices.ContainsFunc(resolve.Codes(), func(c resolve.CodeInfo) bool { return c.Code == got.Code() }) {
		t.Fatalf("no reason has the code %s", got.Code())
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
