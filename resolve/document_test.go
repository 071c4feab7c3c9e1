package resolve

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// fixedSource has one document for everybody.
type fixedSource struct{ doc *Document }

func (s fixedSource) Document(context.Context, string) (*Document, error) { return s.doc, nil }

// TestWrongDocument: a document speaks for the publisher it names and for nobody else.
func TestWrongDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, publisher string
		want            Verdict
		refused         bool
	}{
		{"the publisher's", "example.com", Authorized, false},
		{"in another spelling", "Example.COM.", Authorized, false},
		{"a file at hand", "", Authorized, false},
		{"another publisher's", "evil.example", UnusableFile, true},
		{"of no domain", "not a domain", UnusableFile, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := *testDocument(t, "", "", entry(sellsSite))
			doc.Publisher = c.publisher
			q := Question{Publisher: "example.com", Agent: testAgent, At: testTime}
			_, err := Judge(&doc, q)
			var refused *QuestionError
			if errors.As(err, &refused) != c.refused || c.refused && !strings.Contains(err.Error(), "the document is that of") {
				t.Errorf("judge: %v", err)
			}
			a, err := New(fixedSource{&doc}).Answer(t.Context(), q)
			if err != nil || a.Verdict != c.want {
				t.Fatalf("answer: %v %v, want %v", a, err, c.want)
			}
			if c.refused && !strings.Contains(a.Reasons[0].Message, "the document is that of") {
				t.Errorf("reasons %+v", a.Reasons)
			}
			l, err := New(fixedSource{&doc}).Properties(t.Context(), "example.com", testAgent, ListOptions{At: testTime})
			if err != nil || l.Verdict != c.want {
				t.Errorf("listing: %v %v, want %v", l, err, c.want)
			}
		})
	}
}

// TestFirstYear: a bound that is written is a bound, also where Go has the zero Time.
func TestFirstYear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, window string
		at           time.Time
		want         Verdict
	}{
		{"ended in the year 1", `"effective_until": "0001-01-01T00:00:00Z"`, testTime, NotAuthorized},
		{"ended in the year 1, elsewhere", `"effective_until": "0001-01-01T02:00:00+02:00"`, testTime, NotAuthorized},
		{"ended before", `"effective_until": "0000-06-01T00:00:00Z"`, testTime, NotAuthorized},
		{"since the year 1", `"effective_from": "0001-01-01T00:00:00Z"`, testTime, Authorized},
		{"before the year 1", `"effective_from": "0001-01-01T00:00:00Z"`, time.Date(0, 6, 1, 0, 0, 0, 0, time.UTC), NotAuthorized},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := testDocument(t, "direct", "", entry(sellsSite+", "+c.window))
			a, err := Judge(doc, Question{Publisher: "example.com", Agent: testAgent, At: c.at})
			if err != nil || a.Verdict != c.want {
				t.Fatalf("%v %v", a, err)
			}
			if c.want == Authorized && a.Grants[0].From.IsZero() {
				t.Error("the bound is not shown")
			}
			s := NewSubject(doc)
			d, err := s.Decide(&Question{Publisher: "example.com", Agent: testAgent, At: c.at})
			if err != nil || d.Verdict != c.want {
				t.Errorf("decision: %+v, %v", d, err)
			}
		})
	}
}

// TestHints: what is nearly right is pointed out.
func TestHints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		ask    Question
		code   string
		change string
	}{
		{"a property", Question{Property: "sitte"}, "property.unknown", `ask about the property "site" if that is meant`},
		{"an identifier", Question{Identifier: Identifier{"domain", "exampel.com"}}, "property.unknown", `ask about "domain=example.com" if that is meant`},
		{"a path", Question{Agent: "https://agent.example/a2a"}, "agent.same_host", `ask about "https://agent.example/mcp" if that is the agent's address, or have the publisher list "https://agent.example/a2a"`},
		{"www", Question{Agent: "https://www.agent.example/mcp"}, "agent.same_host", `ask about "https://agent.example/mcp" if that is the agent's address, or have the publisher list "https://www.agent.example/mcp"`},
		{"a stranger", Question{Agent: "https://stranger.example/mcp"}, "agent.not_listed", `the publisher can add an entry for "https://stranger.example/mcp"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := c.ask
			q.Publisher, q.At = "example.com", testTime
			if q.Agent == "" {
				q.Agent = testAgent
			}
			a, err := Judge(testDocument(t, "direct", "", entry(sellsSite)), q)
			if err != nil || !slices.Contains(codesOf(a.Reasons), c.code) || !slices.Contains(a.Changes, c.change) {
				t.Errorf("%v %q %q", err, codesOf(a.Reasons), a.Changes)
			}
		})
	}
}

// TestOtherHost: that a host of another domain is the publisher's is its word alone.
func TestOtherHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		host string
		said bool
	}{
		{"times.example", true}, {"*.times.example", true}, {"example.com", false}, {"news.example.com", false}, {"com", false},
	} {
		file := testFile(t, `{"properties": [`+websiteJSON("x", c.host, "")+`], "authorized_agents": [`+entry(`"authorization_type": "property_ids", "property_ids": ["x"]`)+`]}`)
		doc := &Document{Publisher: "example.com", State: Usable, File: file, Method: "direct", URL: testURL}
		a, err := Judge(doc, Question{Publisher: "example.com", Agent: testAgent, At: testTime})
		if err != nil || a.Verdict != Authorized || slices.Contains(codesOf(a.Reasons), "property.other_host") != c.said {
			t.Errorf("%s: %v %+v", c.host, err, a)
		}
	}
}

// TestPart: an entry that covers one of several placements says which.
func TestPart(t *testing.T) {
	t.Parallel()
	doc := testDocument(t, "direct", "", entry(sellsSite+`, "placement_ids": ["top"]`))
	a, err := Judge(doc, Question{Publisher: "example.com", Agent: testAgent, At: testTime, Placements: []string{"top", "ghost"}})
	if err != nil || a.Verdict != NotAuthorized {
		t.Fatal(a, err)
	}
	for _, r := range a.Reasons {
		if r.Code == "entry.covers" && r.Message != `the entry covers "top" of the placements asked about` {
			t.Error(r.Message)
		}
	}
}

// TestListSignals: signals of one entry that need different things are told apart.
func TestListSignals(t *testing.T) {
	t.Parallel()
	file := `{"signals": [{"catalog_url": "https://data.example/c.json", "relationship": "direct", "description": "d"}, {"id": "s1", "name": "S", "value_type": "binary"},
		{"id": "s2", "name": "S", "value_type": "binary", "countries": ["DE"]}], "authorized_agents": [` + entry(`"authorization_type": "signal_ids", "signal_ids": ["s1", "s2", "s3", "s3"]`) + `]}`
	l, err := New(&documents{docs: map[string]*Document{"net.example.net": networkDocument(t, "net.example.net", "direct", networkURL, file)}}).
		Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
	if err != nil || l.Verdict != Conditional || len(l.Grants) != 3 {
		t.Fatalf("%+v %v", l, err)
	}
	for i, want := range []struct{ signal, need string }{{"s1", ""}, {"s2", "country"}, {"s3", "signal_catalog"}} {
		g := &l.Grants[i]
		if !slices.Equal(g.Signals, []string{want.signal}) || strings.Join(g.Needs, " ") != want.need || g.Entry != "/authorized_agents/0" {
			t.Errorf("%+v", g)
		}
	}
}
