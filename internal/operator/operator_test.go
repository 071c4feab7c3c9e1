package operator

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/resolve"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// grants are one entry with a website of a publisher.
func grants(delegation string) []resolve.Grant {
	p := &adagents.Property{ID: "site", Type: website, Identifiers: []adagents.Identifier{{Type: "domain", Value: "pub.example"}}}
	return []resolve.Grant{{DelegationType: delegation, Properties: []resolve.Covered{{PublisherDomain: "pub.example", PropertyID: "site", Property: p}}}}
}

func statementOf(t *testing.T, relationship string) *Statement {
	t.Helper()
	doc, err := Parse([]byte(`{"agents": [{"url": "https://agent.example/mcp"}], "properties": [
		{"type": "website", "identifier": "pub.example", "relationship": ` + relationship + `}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Statement(Asking{Agent: "https://agent.example/mcp", Host: "agent.example", At: noon})
}

// TestEveryStateIsExplained: whatever became of the brand.json, the result says why and
// what to do, and only agreement lets a buyer proceed.
func TestMaxFile(t *testing.T) {
	t.Parallel()
	if MaxFile != model.BrandBytes[model.AdCPRelease] {
		t.Errorf("the table of releases has another limit than %d", MaxFile)
	}
}

func TestEveryStateIsExplained(t *testing.T) {
	t.Parallel()
	for state := NotAsked; state <= Unreachable; state++ {
		for _, delegation := range []string{"", "direct", "delegated", "ad_network"} {
			c := Compare(&Statement{State: state, Detail: "the cause"}, grants(delegation))
			p := c.Paths[0]
			if p.Message == "" || c.Advice() == "" || c.Action() != "hold" || p.Agreement == Mismatch || p.Agreement == Agree {
				t.Errorf("%v, %q: %+v %s", state, delegation, p, c.Advice())
			}
			known := state == Found || state == Absent || state == AgentMissing
			if known != (p.Agreement == IncompleteOperator) && delegation != "" {
				t.Errorf("%v, %q: %v", state, delegation, p.Agreement)
			}
		}
	}
}

// TestMessages: what is said names both sides.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ delegation, relationship, want string }{
		{"delegated", `"delegated"`, "both sides call the path delegated"},
		{"delegated", `"direct"`, "the publisher's file calls the path delegated, and the operator calls it direct"},
		{"", `"direct"`, "the publisher's file does not say what the path is, and the operator calls it direct"},
		{"", `"owned"`, "the publisher's file does not say what the path is, and the operator declares the property its own"},
		{"ad_network", `"owned"`, "the publisher's file calls the path ad_network, while the operator declares the property its own"},
		{"direct", `"Direct"`, "the publisher's file calls the path direct, and the operator uses a word that is not defined: Direct"},
		{"direct", `5`, "the publisher's file calls the path direct, and the operator uses a word that is not defined: ?"},
	} {
		got := Compare(statementOf(t, c.relationship), grants(c.delegation)).Paths[0].Message
		if got != c.want {
			t.Errorf("%q %s:\n got %s\nwant %s", c.delegation, c.relationship, got, c.want)
		}
	}
}

// TestNothing: without a property there is nothing to compare.
func TestNothing(t *testing.T) {
	t.Parallel()
	c := Compare(statementOf(t, `"direct"`), []resolve.Grant{{Signals: []string{"auto"}}})
	if len(c.Paths) != 0 || c.Agreement != AgreementUnknown || Covered([]resolve.Grant{{}}) {
		t.Errorf("%+v", c)
	}
}

// TestManyPaths: a file with more paths than are listed does not hide the grave ones.
func TestManyPaths(t *testing.T) {
	t.Parallel()
	s := statementOf(t, `"direct"`)
	list := grants("direct")
	one := list[0].Properties[0]
	for range 5*MaxPaths - 1 {
		list[0].Properties = append(list[0].Properties, one)
	}
	c := Compare(s, list)
	if len(c.Paths) != MaxPaths || c.Omitted != 4*MaxPaths || c.Gravest != 5*MaxPaths || c.Agreement != Agree {
		t.Errorf("%d listed, %d omitted, %d gravest: %v", len(c.Paths), c.Omitted, c.Gravest, c.Agreement)
	}
	list = append(list, grants("delegated")...)
	list = append(list, grants("delegated")...)
	list = append(list, grants("")...)
	list = append(list, grants("direct")...)
	c = Compare(s, list)
	if len(c.Paths) != MaxPaths || c.Total() != 5*MaxPaths+4 || c.Gravest != 2 || c.Agreement != Mismatch {
		t.Errorf("%d listed, %d omitted, %d gravest: %v", len(c.Paths), c.Omitted, c.Gravest, c.Agreement)
	}
	if first := c.GravestFirst(); first[0].Agreement != Mismatch || first[MaxPaths-1].Agreement != Agree {
		t.Errorf("%v comes first, and %v last", first[0].Agreement, first[MaxPaths-1].Agreement)
	}
	for i, want := range []Agreement{Agree, Mismatch, Mismatch, IncompletePublisher} {
		p := c.Paths[MaxPaths-4+i]
		if p.Agreement != want || p.Message == "" {
			t.Errorf("%d: %+v", i, p)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{`: "is not a JSON document", `[]`: "is not a JSON object",
		`{"house": {"name": "a", "name": "b"}}`:         "has a member twice, and readers disagree about which one to use",
		`{"a": "` + strings.Repeat("x", MaxFile) + `"}`: "is larger than 2 MiB",
	} {
		_, err := Parse([]byte(body))
		if err == nil || err.Error() != want {
			t.Errorf("%.30s: %v", body, err)
		}
	}
}

// TestValidUntilDay: a day without a time lasts to its end.
func TestValidUntilDay(t *testing.T) {
	t.Parallel()
	doc, err := Parse([]byte(`{"authorized_operators": [{"domain": "agent.example", "valid_until": "2026-06-01"}], "agents": [{"url": "https://agent.example/mcp"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]State{noon: Found, noon.Add(12*time.Hour - 1): Found, noon.Add(12 * time.Hour): OtherDomain} {
		if s := doc.Statement(Asking{Agent: "https://agent.example/mcp", Host: "house.example", At: at}); s.State != want {
			t.Errorf("%v: %v", at, s.State)
		}
	}
}

// FuzzStatement: no document makes a reader fail, and none but one that names the property
// and the agent agrees.
func FuzzStatement(f *testing.F) {
	f.Add([]byte(`{"agents": [{"url": "https://agent.example/mcp"}], "properties": [{"type": "website", "identifier": "pub.example", "relationship": "direct"}]}`))
	f.Add([]byte(`{"house": {"agents": [{"url": "https://agent.example/mcp"}]}, "brands": [{"properties": [{"type": "website", "identifier": "*.pub.example"}]}]}`))
	f.Add([]byte(`{"brands": [{"agents": [{"url": 1}]}, 5, null], "authorized_operators": {}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		doc, err := Parse(body)
		if err != nil {
			return
		}
		c := Compare(doc.Statement(Asking{Agent: "https://agent.example/mcp", Host: "agent.example", At: noon}), grants("direct"))
		if len(c.Paths) != 1 || c.Paths[0].Message == "" {
			t.Fatalf("%+v", c)
		}
		if c.Agreement == Agree && !strings.Contains(string(body), "irect") && !strings.Contains(string(body), `\u`) {
			t.Fatalf("%s agrees", body)
		}
	})
}
