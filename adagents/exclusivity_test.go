package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// exclusiveSections is the catalog the exclusivity tests select from.
var exclusiveSections = `"properties":[` + strings.Join([]string{
	property("site", "example.com", "news", "all"), property("sports", "example.com", "sports", "all"), property("alone", "example.net"),
}, ",") + `],"placements":[` +
	`{"placement_id":"top","name":"n","description":"d","property_ids":["site"],"tags":["premium"],"format_options":[{"format_kind":"image","params":{"width":1,"height":1}}]},` +
	`{"placement_id":"foot","name":"n","description":"d","property_ids":["site"],"tags":["cheap"],"format_options":[{"format_kind":"image","params":{"width":1,"height":1}}]}],` +
	`"signals":[{"id":"auto","name":"Auto","value_type":"binary","tags":["cars","all"]},{"id":"dogs","name":"Dogs","value_type":"binary","tags":["pets"]}]`

// exclusiveFile has entries for agents a, b, c ... in turn, given as
// "type: members".
func exclusiveFile(entries ...string) []byte {
	var list []string
	for i, e := range entries {
		typ, members, _ := strings.Cut(e, ": ")
		list = append(list, fmt.Sprintf(`{"url":"https://%c.example/mcp","authorized_for":"x","authorization_type":"%s",%s,"signing_keys":[%s]}`, 'a'+i, typ, members, exampleKey))
	}
	return []byte(`{` + exampleHead + `,` + exclusiveSections + `,"authorized_agents":[` + strings.Join(list, ",") + `]}`)
}

func exclusiveCodes(src []byte, opt Options) []string {
	var codes []string
	for _, f := range Check(src, opt).Findings {
		if strings.HasPrefix(f.Code, "agent.exclusive") {
			codes = append(codes, f.Severity.String()+" "+strings.TrimPrefix(f.Code, "agent.exclusive_")+" "+strings.TrimPrefix(f.Pointer, "/authorized_agents"))
		}
	}
	return codes
}

// TestExclusiveOverlap checks which pairs of entries share something.
func TestExclusiveOverlap(t *testing.T) {
	t.Parallel()
	const (
		byID     = `property_ids: "property_ids":["site"]`
		bySports = `property_ids: "property_ids":["sports"]`
		byTag    = `property_tags: "property_tags":["news"]`
		byAll    = `property_tags: "property_tags":["all"]`
		bySport  = `property_tags: "property_tags":["sports"]`
		signal   = `signal_ids: "signal_ids":["auto"]`
		signals  = `signal_tags: "signal_tags":["all"]`
		pets     = `signal_tags: "signal_tags":["pets"]`
	)
	inline := func(id, domain string) string {
		return `inline_properties: "properties":[` + property(id, domain) + `]`
	}
	of := func(domain, how string) string {
		return `publisher_properties: "publisher_properties":[{"publisher_domain":"` + domain + `","selection_type":` + how + `}]`
	}
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{byID, byID, true},
		{byID, bySports, false},
		{byID, byTag, true},
		{byID, bySport, false},
		{byTag, byTag, true},
		{byTag, byAll, true},
		{byTag, bySport, false},
		{byID, inline("site", "example.com"), true},
		{byID, inline("site", "example.org"), false},
		{byID, inline("other", "example.com"), false},
		{inline("x", "example.org"), inline("x", "example.org"), true},
		{inline("x", "example.org"), inline("x", "example.com"), false},
		{byTag, inline("site", "example.com"), true},
		{byID, of("example.com", `"all"`), true},
		{byID, of("example.org", `"all"`), false},
		{byID, of("example.com", `"by_id","property_ids":["site"]`), true},
		{byID, of("example.com", `"by_id","property_ids":["x"]`), false},
		{byID, of("example.com", `"by_tag","property_tags":["news"]`), true},
		{byID, of("example.com", `"by_tag","property_tags":["sports"]`), false},
		{of("example.org", `"all"`), of("example.org", `"by_id","property_ids":["x"]`), true},
		{of("example.org", `"by_id","property_ids":["x","y"]`), of("example.org", `"by_id","property_ids":["y"]`), true},
		{of("example.org", `"by_id","property_ids":["x"]`), of("example.org", `"by_id","property_ids":["y"]`), false},
		{of("example.org", `"by_tag","property_tags":["x"]`), of("example.org", `"by_tag","property_tags":["x"]`), true},
		{of("example.org", `"by_tag","property_tags":["x"]`), of("example.org", `"by_id","property_ids":["x"]`), false},
		{of("example.org", `"all"`), of("example.net", `"all"`), false},
		{signal, signal, true},
		{signal, signals, true},
		{signals, signals, true},
		{signal, pets, false},
		{signals, pets, false},
		{signal, byAll, false},
		{byID + `,"countries":["US","CA"]`, byID + `,"countries":["CA"]`, true},
		{byID + `,"countries":["US"]`, byID + `,"countries":["CA"]`, false},
		{byID + `,"countries":["US"]`, byID, true},
		{byID + `,"effective_until":"2026-01-01T00:00:00Z"`, byID + `,"effective_from":"2026-01-01T00:00:00Z"`, true},
		{byID + `,"effective_until":"2026-01-01T00:00:00Z"`, byID + `,"effective_from":"2026-01-01T00:00:01Z"`, false},
		{byID + `,"placement_ids":["top"]`, byID + `,"placement_ids":["foot"]`, false},
		{byID + `,"placement_ids":["top"]`, byID + `,"placement_ids":["foot","top"]`, true},
		{byID + `,"placement_ids":["top"]`, byID + `,"placement_tags":["premium"]`, true},
		{byID + `,"placement_ids":["top"]`, byID + `,"placement_tags":["cheap"]`, false},
		{byID + `,"placement_tags":["cheap"]`, byID + `,"placement_tags":["premium"]`, false},
		{byID + `,"placement_ids":["top"]`, byID, true},
		{byID + `,"collections":[{"publisher_domain":"example.com","collection_ids":["a"]}]`, byID, true},
		{byID + `,"collections":[{"publisher_domain":"example.com","collection_ids":["a"]}]`, byID + `,"collections":[{"publisher_domain":"example.com","collection_ids":["b"]}]`, false},
		{byID + `,"collections":[{"publisher_domain":"example.com","collection_ids":["a","b"]}]`, byID + `,"collections":[{"publisher_domain":"Example.com","collection_ids":["b"]}]`, true},
		{byID, byID + `,"countries":["x"]`, false}, // the other authorizes nothing
	} {
		checkPair(t, tc.a, tc.b, tc.want)
		if !strings.Contains(tc.b, `"x"]`) || strings.Contains(tc.b, "_id") {
			checkPair(t, tc.b, tc.a, tc.want)
		}
	}
}

func checkPair(t *testing.T, a, b string, overlap bool) {
	t.Helper()
	const exclusive = `,"exclusive":true`
	var conflict, double []string
	if overlap {
		conflict = []string{"warning conflict /0/exclusive"}
		double = []string{"warning double /0/exclusive", "warning double /1/exclusive"}
	}
	if got := exclusiveCodes(exclusiveFile(a+exclusive, b), Options{}); !slices.Equal(got, conflict) {
		t.Errorf("%s exclusive beside %s: %v, want %v", a, b, got, conflict)
	}
	if got := exclusiveCodes(exclusiveFile(a+exclusive, b+exclusive), Options{}); !slices.Equal(got, double) {
		t.Errorf("%s and %s both exclusive: %v, want %v", a, b, got, double)
	}
}

func TestExclusiveEntries(t *testing.T) {
	t.Parallel()
	const site, exclusive = `property_ids: "property_ids":["site"]`, `property_ids: "property_ids":["site"],"exclusive":true`
	same := []byte(strings.ReplaceAll(string(exclusiveFile(exclusive, exclusive, site)), "b.example", "a.example"))
	same = []byte(strings.ReplaceAll(string(same), "c.example", "a.example"))
	for _, tc := range []struct {
		name string
		src  []byte
		opt  Options
		want []string
	}{
		{"one agent", same, Options{}, nil},
		{"both kinds", exclusiveFile(exclusive, site, exclusive), Options{}, []string{"warning conflict /0/exclusive", "warning double /0/exclusive", "warning conflict /2/exclusive", "warning double /2/exclusive"}},
		{"strict", exclusiveFile(exclusive, exclusive), Options{Profile: Strict}, []string{"error double /0/exclusive", "error double /1/exclusive"}},
		{"each once", exclusiveFile(exclusive, site, site, site, site), Options{}, []string{"warning conflict /0/exclusive"}},
		{"no comparisons left", exclusiveFile(exclusive, exclusive, exclusive), Options{comparisons: 1}, []string{"info unchecked "}},
	} {
		if got := exclusiveCodes(tc.src, tc.opt); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestExclusiveWorkIsBounded checks files made to force every comparison: the
// check gives up and says so.
func TestExclusiveWorkIsBounded(t *testing.T) {
	t.Parallel()
	const entries = 3000
	agents, placements := make([]string, entries), make([]string, entries)
	for i := range placements {
		placements[i] = fmt.Sprintf(`{"placement_id":"p%d_%d","name":"n","property_ids":["site"]}`, i%60, i)
	}
	sections := strings.Replace(exclusiveSections, `"placements":[`, `"placements":[`+strings.Join(placements, ",")+",", 1)
	for _, narrowing := range []string{
		`"effective_from":"2026-01-01T00:00:%02d.%09dZ","effective_until":"2026-01-01T00:00:%02[2]d.%09[3]dZ"`,
		`"placement_ids":["p%d_%d"]`,
		`"collections":[{"publisher_domain":"example.com","collection_ids":["c%d_%d"]}]`,
	} {
		for i := range agents {
			agents[i] = fmt.Sprintf(`{"url":"https://a%d.example/","authorized_for":"x","authorization_type":"property_tags","property_tags":["all"],"exclusive":true,`+narrowing+`}`, i, i%60, i)
		}
		src := `{` + exampleHead + `,` + sections + `,"authorized_agents":[` + strings.Join(agents, ",") + `]}`
		got := exclusiveCodes([]byte(src), Options{comparisons: 100_000})
		if want := []string{"info unchecked "}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", narrowing, got[:min(3, len(got))], want)
		}
	}
}
