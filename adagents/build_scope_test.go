package adagents

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const siteAndApp = `"properties":[
	{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"example.com"}]},
	{"property_id":"app","property_type":"mobile_app","name":"App","identifiers":[{"type":"ios_bundle","value":"com.example.app"}]}]`

// TestBuildInfersScope makes a file from the smallest entry there is: a URL and a
// sentence. It is for all properties that come with it, and the report says so.
func TestBuildInfersScope(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `{"authorized_agents":[
		{"url":"https://one.example/mcp","authorized_for":"All","property_ids":["app"]},
		{"url":"https://two.example/mcp","authorized_for":"All"},
		{"url":"https://three.example/mcp","authorized_for":"In Germany","countries":["DE"]}],`+siteAndApp+`}`)
	agents, _ := decoded(t, b.File)["authorized_agents"].([]any)
	for i, want := range [][]any{{"app"}, {"site", "app"}, {"site", "app"}} {
		agent, _ := agents[i].(map[string]any)
		if diff := cmp.Diff(want, agent["property_ids"]); diff != "" || agent["authorization_type"] != "property_ids" {
			t.Errorf("entry %d is %v", i, agent)
		}
	}
	wantInferred := []Inference{
		{"/authorized_agents/0", "authorization_type", "property_ids"},
		{"/authorized_agents/1", "authorization_type", "property_ids"},
		{"/authorized_agents/1", "property_ids", "site, app"},
		{"/authorized_agents/2", "authorization_type", "property_ids"},
		{"/authorized_agents/2", "property_ids", "site, app"},
	}
	if diff := cmp.Diff(wantInferred, b.Inferred); diff != "" {
		t.Error(diff)
	}
	var told []string
	for _, f := range b.Report.Findings {
		if f.Code == "agent.scope_inferred" {
			told = append(told, f.Pointer)
			if f.Severity != Info || f.Line == 0 || !strings.Contains(f.Message, "2 properties") {
				t.Errorf("finding %+v", f)
			}
		}
	}
	if want := []string{"/authorized_agents/1/property_ids", "/authorized_agents/2/property_ids"}; !slices.Equal(told, want) {
		t.Errorf("told at %v, want %v", told, want)
	}
	if again := Check(b.File, Options{}); slices.ContainsFunc(again.Findings, func(f Finding) bool { return f.Code == "agent.scope_inferred" }) {
		t.Error("the finding is about how the file was made, not about the file")
	}
}

// TestBuildInfersNoScope has entries whose author may have meant something narrower
// than everything.
func TestBuildInfersNoScope(t *testing.T) {
	t.Parallel()
	const head = `{"url":"https://agent.example/mcp","authorized_for":"All"`
	for name, request := range map[string]string{
		"no properties":       `{"authorized_agents":[` + head + `}],"signals":[{"id":"a","name":"A","value_type":"binary"}]}`,
		"empty properties":    `{"authorized_agents":[` + head + `}],"properties":[]}`,
		"a misspelt selector": `{"authorized_agents":[` + head + `,"propertyIds":["app"]}],` + siteAndApp + `}`,
		"another's member":    `{"authorized_agents":[` + head + `,"property_id":"app"}],` + siteAndApp + `}`,
		"type without ids":    `{"authorized_agents":[` + head + `,"authorization_type":"property_ids"}],` + siteAndApp + `}`,
		"type null":           `{"authorized_agents":[` + head + `,"authorization_type":null}],` + siteAndApp + `}`,
		"empty selector":      `{"authorized_agents":[` + head + `,"property_ids":[]}],` + siteAndApp + `}`,
		"a property without id": `{"authorized_agents":[` + head + `}],"properties":[
			{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"example.com"}]},
			{"property_type":"website","name":"Other","identifiers":[{"type":"domain","value":"example.org"}]}]}`,
		"properties twice": `{"authorized_agents":[` + head + `}],` + siteAndApp + `,` + siteAndApp + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := Build([]byte(request), BuildOptions{Now: buildNow})
			var invalid *InvalidError
			if !errors.As(err, &invalid) || b.File != nil {
				t.Errorf("made a file, error %v:\n%s", err, b.File)
			}
		})
	}
}

// TestBuildSetsTheTime asks for the present time, which an old one does not prevent.
func TestBuildSetsTheTime(t *testing.T) {
	t.Parallel()
	const old = `"last_updated":"2025-01-01T00:00:00Z",`
	for _, tc := range []struct {
		name, control string
		opt           BuildOptions
		want          string
	}{
		{"asked for", `"include_timestamp":true,`, BuildOptions{Now: buildNow}, "2026-11-05T12:30:15Z"},
		{"not asked for", ``, BuildOptions{Now: buildNow}, "2025-01-01T00:00:00Z"},
		{"not wanted", `"include_timestamp":false,`, BuildOptions{Now: buildNow}, "2025-01-01T00:00:00Z"},
		{"no clock", `"include_timestamp":true,`, BuildOptions{}, "2025-01-01T00:00:00Z"},
		{"switched off by the caller", `"include_timestamp":true,`, BuildOptions{Now: buildNow, OmitTimestamp: true}, "2025-01-01T00:00:00Z"},
	} {
		for _, agent := range []string{requestAgent, `"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All"}]`} {
			b, err := Build([]byte(`{`+tc.control+old+requestProperty+`,`+agent+`}`), tc.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := decoded(t, b.File)["last_updated"]; got != tc.want {
				t.Errorf("%s: last_updated is %v, want %s", tc.name, got, tc.want)
			}
		}
	}
}
