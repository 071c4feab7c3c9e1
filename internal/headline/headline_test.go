package headline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/resolve"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

const (
	site  = `{"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "pub.example"}]}`
	entry = `"authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["a"]`
)

func agent(name, more string) string {
	return `{"url": "https://` + name + `.example/mcp", ` + entry + more + `}`
}

func file(properties string, agents ...string) string {
	return `{"properties": [` + properties + `], "authorized_agents": [` + strings.Join(agents, ", ") + `]}`
}

// document is the file of pub.example, found in some way.
func document(t *testing.T, method, src string) *resolve.Document {
	t.Helper()
	r := adagents.Check([]byte(src), adagents.Options{Domain: "pub.example"})
	if r.File == nil {
		t.Fatalf("%+v in %s", r.Unusable, src)
	}
	return &resolve.Document{Publisher: "pub.example", State: resolve.Usable, Method: method, File: r.File, Skipped: r.Skipped}
}

// TestHeadlines: a headline says how many agents may sell, and the cause where there is one.
func TestHeadlines(t *testing.T) {
	t.Parallel()
	const over = `, "effective_until": "2026-01-01T00:00:00Z"`
	tests := []struct {
		name, src string
		state     headline.State
		want      string
	}{
		{"one", file(site, agent("x", "")), headline.Sells, "1 agent may sell for pub.example"},
		{"entries of one agent", file(site, agent("x", ""), agent("x", "")), headline.Sells, "1 agent may sell for pub.example"},
		{"over", file(site, agent("x", over), agent("y", over)), headline.Nothing, "no agent may sell for pub.example: the entries do not hold at this time"},
		{"some", file(site, agent("x", over), agent("y", ""), agent("z", "")), headline.Partly, "2 of 3 agents may sell for pub.example; the other may not: the entries do not hold at this time"},
		{"several causes", file(site, agent("x", over), agent("y", ""), `{"url": 7}`), headline.Partly, "1 of 3 agents may sell for pub.example"},
		{"no agents", file(site), headline.NoAgents, "the file names no agent for pub.example: none is authorized, and none is forbidden"},
		{"nothing at all", `{"authorized_agents": []}`, headline.NoAgents, "the file names no agent for pub.example: none is authorized, and none is forbidden"},
		{"a fault", file(site+`, {"property_id": "b"}`, agent("x", "")), headline.Partly, "1 agent may sell for pub.example, and buyers leave out 1 entry of the file"},
		{
			"revoked", strings.TrimSuffix(file(site, agent("x", "")), "}") + `, "revoked_publisher_domains": [{"publisher_domain": "pub.example", "revoked_at": "2026-01-01T00:00:00Z"}]}`,
			headline.Nothing, "no agent may sell for pub.example: the file revokes the publisher",
		},
	}
	for _, tc := range tests {
		h := headline.Of(headline.Facts{Document: document(t, "direct", tc.src), At: noon})
		if h.State != tc.state || h.Text != tc.want {
			t.Errorf("%s: %s: %s", tc.name, h.State, h.Text)
		}
	}
}

// TestWithoutFile: what keeps buyers from the file is in the headline.
func TestWithoutFile(t *testing.T) {
	t.Parallel()
	tests := []struct {
		state  resolve.State
		detail string
		want   string
	}{
		{resolve.Absent, "", "pub.example has no file: no agent is authorized, and none is forbidden"},
		{resolve.Unusable, custody.UnusablePrefix + "pub.example answers 200 with a web page instead of the file", "buyers cannot use the file of pub.example: pub.example answers 200 with a web page instead of the file"},
		{resolve.Unreachable, "pub.example does not answer in time", "it is not known who may sell for pub.example: pub.example does not answer in time"},
		{resolve.Unreachable, "", "it is not known who may sell for pub.example"},
		{resolve.Withheld, "the clock is wrong", "the file of pub.example is held back: the clock is wrong"},
	}
	for _, tc := range tests {
		h := headline.Of(headline.Facts{Document: &resolve.Document{Publisher: "pub.example", State: tc.state, Detail: tc.detail}, At: noon})
		if h.Text != tc.want || h.Agents+h.Able+h.LeftOut > 0 {
			t.Errorf("%v: %+v", tc.state, h)
		}
	}
}

// TestHeldChanges: a headline is about what answers rest on, and says that something else is held.
func TestHeldChanges(t *testing.T) {
	t.Parallel()
	f := headline.Facts{Document: document(t, "direct", file(site, agent("x", ""))), At: noon}
	f.Publisher = &custody.Publisher{Move: &custody.Move{To: custody.Location{URL: "https://taker.example/adagents.json"}}}
	h := headline.Of(f)
	if !h.Held || h.Text != "1 agent may sell for pub.example; a move to another address is held" || h.Badge() != "change held" {
		t.Errorf("%+v", h)
	}
	f.Publisher.Move.Rejected = true
	if h := headline.Of(f); h.Held || h.Badge() != "1 agent may sell" {
		t.Errorf("%+v", h)
	}
	f.File = &custody.File{Refused: &custody.Refusal{Code: "file.rollback"}}
	if h := headline.Of(f); !h.Held || h.Text != "1 agent may sell for pub.example; a version of the file is held" {
		t.Errorf("%+v", h)
	}
}

// TestNetwork: what is wrong with the entries of other publishers of a shared file does not count.
func TestNetwork(t *testing.T) {
	t.Parallel()
	var properties, agents []string
	for i := range 300 {
		domain := fmt.Sprintf("p%d.example", i)
		if i == 0 {
			domain = "pub.example"
		}
		name := `"name": "N", `
		if i > 1 {
			name = ""
		}
		properties = append(properties, fmt.Sprintf(`{"property_id": "i%d", "property_type": "website", %s"publisher_domain": "%s", "identifiers": [{"type": "domain", "value": "%s"}]}`, i, name, domain, domain))
		agents = append(agents, fmt.Sprintf(`{"url": "https://a%d.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["i%d"]}`, i%3, i))
	}
	agents = append(agents,
		`{"url": "https://mine.example/mcp", "authorized_for": "All", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "by_id", "property_ids": ["missing"]}]}`,
		`{"url": "https://theirs.example/mcp", "authorized_for": "All", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "p1.example", "selection_type": "all"}]}`)
	doc := document(t, "authoritative_location", file(strings.Join(properties, ", "), agents...))
	h := headline.Of(headline.Facts{Document: doc, At: noon})
	want := "1 of 2 agents may sell for pub.example; the other may not: an agent entry covers nothing"
	if h.Text != want || h.LeftOut != 1 {
		t.Errorf("%+v", h)
	}
	if len(doc.Skipped) < 298 {
		t.Errorf("%d entries are left out", len(doc.Skipped))
	}
}

// TestAtHand: a document that was sent speaks for nobody in particular.
func TestAtHand(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		file(site, agent("x", ""), agent("y", `, "effective_from": "2027-01-01T00:00:00Z"`)): "1 of 2 agents may sell; the other may not: the entries do not hold at this time",
		`{"authorized_agents": []}`: "this document names no agent: none is authorized, and none is forbidden",
	} {
		doc := document(t, "", src)
		doc.Publisher = ""
		if h := headline.Of(headline.Facts{Document: doc, At: noon}); h.Text != want {
			t.Errorf("%s: %+v", src, h)
		}
	}
}

// TestScope tells what in a file concerns a publisher.
func TestScope(t *testing.T) {
	t.Parallel()
	src := `{"properties": [{"property_id": "a", "publisher_domain": "pub.example", "tags": ["t"]}, {"property_id": "b", "publisher_domain": "x.example", "tags": ["u"]}, {"property_id": "c"}, {"property_id": "d", "publisher_domain": 7}],
		"placements": [{"property_ids": ["a"]}, {"property_ids": ["b"]}, {}, {"property_tags": ["u"]}, {"property_ids": ["nowhere"]}],
		"collections": [{"publisher_domain": "x.example"}],
		"revoked_publisher_domains": ["x.example", "PUB.example."],
		"authorized_agents": [{"property_ids": ["b"]}, {"property_ids": ["b", "a"]}, {"property_tags": ["u"]}, {},
			{"publisher_properties": [{"publisher_domains": ["x.example", "pub.example"]}, {"publisher_domain": "x.example"}]}, {"properties": [{"publisher_domain": "x.example"}]}]}`
	root := adagents.Check([]byte(src), adagents.Options{}).Tree().Root()
	for pointer, want := range map[string]bool{
		"": true, "/contact/email": true, "/properties": true, "/properties/0/name": true, "/properties/1": false, "/properties/1/name": false, "/properties/2": true, "/properties/3": true, "/properties/9": true,
		"/placements/0": true, "/placements/1/name": false, "/placements/2": true, "/placements/3": false, "/placements/4": true, "/collections/0": false,
		"/revoked_publisher_domains/0": false, "/revoked_publisher_domains/1": true, "/authorized_agents/0/url": false, "/authorized_agents/1": true, "/authorized_agents/2": false, "/authorized_agents/3": true,
		"/authorized_agents/4": true, "/authorized_agents/4/publisher_properties/0/x": true, "/authorized_agents/4/publisher_properties/1": false, "/authorized_agents/5": false, "/authorized_agents/5/properties/0": false,
		"/formats/0": true, "/properties/x": true,
	} {
		if got := headline.Concerning(root, "pub.example").Concerns(pointer); got != want {
			t.Errorf("%q: %v", pointer, got)
		}
		if !headline.Concerning(root, "").Concerns(pointer) {
			t.Errorf("%q does not concern a file at hand", pointer)
		}
	}
}
