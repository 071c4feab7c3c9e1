package adagents

import (
	"slices"
	"strings"
	"testing"
)

// likely returns what the safe and likely fixes of some groups of rules make of a file.
func likely(src string, opt Options, groups ...string) (string, *Repaired) {
	got := Repair([]byte(src), RepairOptions{Options: opt, Choose: func(text []byte, f *Finding) int {
		if !slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(f.Code, g) }) {
			return -1
		}
		return Probably(text, f)
	}})
	return string(got.Text), got
}

// TestOtherNames: members under other names are named, explained and renamed.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	agent := func(members string) string {
		return `{` + members + `,"authorized_for":"x","authorization_type":"property_ids","property_ids":["site"]}`
	}
	inFile := func(agents string) string {
		return `{"properties":[` + exampleProperty + `],` + agents + `}`
	}
	property := func(members string) string {
		return `{"authorized_agents":[],"properties":[{` + members + `}]}`
	}
	seller := `"url":"https://seller.example/mcp"`
	for _, c := range []struct{ src, at, want string }{
		{inFile(`"agents":[` + agent(seller) + `]`), "/agents", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"sales_agents":[` + agent(seller) + `]`), "/sales_agents", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"authorizedAgents":` + agent(seller)), "/authorizedAgents", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"authorized_agents":[` + agent(`"agent_url":"https://seller.example/mcp"`) + `]`), "/authorized_agents/0/agent_url", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"authorized_agents":[` + agent(`"agentUrl":"https://seller.example/mcp"`) + `]`), "/authorized_agents/0/agentUrl", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"authorized_agents":[` + agent(`"endpoint":"https://seller.example/mcp"`) + `]`), "/authorized_agents/0/endpoint", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"authorized_agents":[` + agent(`"agent":"https://seller.example/mcp"`) + `]`), "/authorized_agents/0/agent", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{inFile(`"agents":[` + agent(`"endpoint":"https://seller.example/mcp"`) + `]`), "/agents", inFile(`"authorized_agents":[` + agent(seller) + `]`)},
		{
			inFile(`"authorized_agents":[{` + seller + `,"authorizedFor":"x","authorization-type":"property_ids","propertyIds":["site"]}]`), "/authorized_agents/0/authorizedFor",
			inFile(`"authorized_agents":[` + agent(seller) + `]`),
		},
		{
			property(`"id":"a","type":"website","name":"A","domain":"Example.com"`), "/properties/0/id",
			property(`"property_id":"a","property_type":"website","name":"A","identifiers":[{"type":"domain","value":"example.com"}]`),
		},
		{
			property(`"property_id":"a","property_type":"website","name":"A","url":"https://www.example.com/news"`), "/properties/0/url",
			property(`"property_id":"a","property_type":"website","name":"A","identifiers":[{"type":"domain","value":"example.com"}]`),
		},
		{
			property(`"property_id":"a","property_type":"website","name":"A","identifier":{"type":"domain","value":"example.com"}`), "/properties/0/identifier",
			property(`"property_id":"a","property_type":"website","name":"A","identifiers":[{"type":"domain","value":"example.com"}]`),
		},
		{
			property(`"identifier_value":"com.example","property_id":"a","property_type":"mobile_app","name":"A","identifier_type":"ios_bundle"`), "/properties/0/identifier_type",
			property(`"property_id":"a","property_type":"mobile_app","name":"A","identifiers":[{"type":"ios_bundle","value":"com.example"}]`),
		},
		{`{"authoritativeLocation":"https://example.org/adagents.json"}`, "/authoritativeLocation", `{"authoritative_location":"https://example.org/adagents.json"}`},
		{`{"managed_by":"https://example.org/adagents.json"}`, "/managed_by", `{"authoritative_location":"https://example.org/adagents.json"}`},
		{`{"location":"https://example.org/adagents.json"}`, "/location", `{"authoritative_location":"https://example.org/adagents.json"}`},
	} {
		got, repaired := likely(c.src, Options{}, "file.other_name")
		first := slices.IndexFunc(repaired.Before.Findings, func(f Finding) bool { return f.Code == "file.other_name" })
		if first < 0 || repaired.Before.Findings[first].Pointer != c.at {
			t.Errorf("%s\nsays %v", c.src, repaired.Before.Findings)
		}
		if got != c.want {
			t.Errorf("%s\nbecomes %s\nwant    %s\n%v", c.src, got, c.want, repaired.After.Findings)
		}
	}
}

// TestNoOtherName: what has the member, or could not be it, is left alone.
func TestNoOtherName(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		string(Example(InTopLevel, `{"agents": []}`)),
		string(Example(InTopLevel, `{"location": "Berlin", "managed_by": "https://example.org/"}`)),
		string(Example(InAgent, sellerOfSite+`, "endpoint": "https://seller.example/"}`)),
		string(Example(InAgent, sellerOfSite+`, "x_agent_url": "https://seller.example/"}`)),
		`{"authorized_agents":[{"agent":"Seller Inc"}]}`,
		`{"authorized_agents":[],"properties":[{"property_type":"mobile_app","name":"A","identifier":"com.example.app"}]}`,
		`{"agents":"none"}`,
	} {
		for _, f := range Check([]byte(src), Options{}).Findings {
			if f.Code == "file.other_name" {
				t.Errorf("%s\n%v", src, f.Error())
			}
		}
	}
}

// TestOtherNameExplains: the finding about the missing member says where it is, and has no
// fix that contradicts the other.
func TestOtherNameExplains(t *testing.T) {
	t.Parallel()
	r := Check(Example(InAgent, otherNameRule.Bad), Options{Fixes: true})
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Code == "agent.url_missing" && (f.Hint != `rename "agent_url" to url` || len(f.Fixes) > 0) {
			t.Errorf("%s, %v", f.Hint, f.Fixes)
		}
	}
}
