package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// siteFile is a file with one property and these entries.
func siteFile(entries string) string {
	return `{"properties":[` + exampleProperty + `],"authorized_agents":` + entries + `}`
}

// TestLikelyAgents follows entries as people write them to what they meant.
func TestLikelyAgents(t *testing.T) {
	t.Parallel()
	const head = `{"url":"https://seller.example/mcp","authorized_for":"x"`
	whole := `[` + head + `,"authorization_type":"property_ids","property_ids":["site"]}]`
	with := func(members string) string {
		return `[` + head + `,"authorization_type":"property_ids","property_ids":["site"],` + members + `}]`
	}
	for _, c := range []struct{ entries, want string }{
		// shapes
		{head + `}`, whole},
		{`[` + head + `}]`, whole},
		{`["https://seller.example/mcp"]`, `[{"url":"https://seller.example/mcp","authorization_type":"property_ids","property_ids":["site"],"authorized_for":"Example News"}]`},
		{`"seller.example"`, `[{"url":"https://seller.example/","authorization_type":"property_ids","property_ids":["site"],"authorized_for":"Example News"}]`},
		{`{"seller":` + head + `}}`, whole},
		{`[` + head + `,"property_ids":["site"]}]`, `[` + head + `,"property_ids":["site"],"authorization_type":"property_ids"}]`},
		{`[` + head + `,"authorization_type":"property_tags","property_ids":["site"]}]`, whole},
		{`[` + head + `,"authorization_type":"propertyIds","property_ids":"site"}]`, whole},
		{`[` + head + `,"authorization_type":"property_ids","property_ids":[{"property_id":"site"}]}]`, whole},
		{`[` + head + `,"authorization_type":"property_ids","property_ids":["Site"]}]`, whole},
		{`[` + head + `,"authorization_type":"property_ids","property_ids":["tag:news"]}]`, `[` + head + `,"authorization_type":"property_tags","property_tags":["news"]}]`},
		{`[` + head + `,"authorization_type":"publisher_properties","publisher_properties":"example.org"}]`,
			`[` + head + `,"authorization_type":"publisher_properties","publisher_properties":[{"publisher_domain":"example.org","selection_type":"all"}]}]`},
		{`[` + head + `,"authorization_type":"publisher_properties","publisher_properties":{"domain":"example.org"}}]`,
			`[` + head + `,"authorization_type":"publisher_properties","publisher_properties":[{"publisher_domain":"example.org","selection_type":"all"}]}]`},
		// URLs
		{strings.Replace(whole, "https://", " http://", 1), whole},
		{strings.Replace(whole, "https://seller.example", "HTTPS://Seller.Example.", 1), whole},
		{strings.Replace(whole, "https://", "", 1), whole},
		{strings.Replace(whole, "https://seller.example", "http://localhost:3000", 1), strings.Replace(whole, "https://seller.example", "http://localhost:3000", 1)},
		// narrowing
		{with(`"countries":"uk, Germany"`), with(`"countries":["GB","DE"]`)},
		{with(`"countries":["us","UK","DACH","USA"]`), with(`"countries":["US","GB","AT","CH","DE"]`)},
		{with(`"country":"US"`), with(`"countries":["US"]`)},
		{with(`"effective_from":"2026-01-02","effective_until":"2026-12-31"`), with(`"effective_from":"2026-01-02T00:00:00Z","effective_until":"2026-12-31T23:59:59Z"`)},
		{with(`"effective_from":"2026-01-02 08:00","effective_until":1798761599`), with(`"effective_from":"2026-01-02T08:00:00Z","effective_until":"2026-12-31T23:59:59Z"`)},
		{with(`"effective_until":"2026-12-31 08:00:00 +0100"`), with(`"effective_until":"2026-12-31T07:00:00Z"`)},
		{with(`"exclusive":"yes"`), with(`"exclusive":true`)},
	} {
		got, repaired := likely(siteFile(c.entries), Options{}, "agent.", "selector.", "file.other_name", "file.agents_type")
		if want := siteFile(c.want); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s\n%v", c.entries, got, want, repaired.After.Findings)
		}
	}
}

// TestSafeAgents: what is certain, and lets nobody sell more.
func TestSafeAgents(t *testing.T) {
	t.Parallel()
	entry := func(url, members string) string {
		return siteFile(`[{"url":"` + url + `","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"]` + members + `}]`)
	}
	for src, want := range map[string]string{
		entry("https://Seller.example:443/mcp#a", `,"countries":["US","US","us"]`): entry("https://seller.example/mcp", `,"countries":["US"]`),
		entry("http://seller.example/mcp", `,"exclusive":"no"`):                    entry("http://seller.example/mcp", `,"exclusive":false`),
	} {
		got := Repair([]byte(src), RepairOptions{Choose: func(text []byte, f *Finding) int {
			if !strings.HasPrefix(f.Code, "agent.") {
				return -1
			}
			return Safely(text, f)
		}})
		if string(got.Text) != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", src, got.Text, want)
		}
	}
}

// TestScopeOffers: what an entry without a scope is offered.
func TestScopeOffers(t *testing.T) {
	t.Parallel()
	properties := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"property_id":"p%d","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p%d.example.com"}],"tags":["news"]}`, i, i)
		}
		return `"properties":[` + strings.Join(list, ",") + `],`
	}
	const head = `{"url":"https://seller.example/mcp","authorized_for":"x"`
	for _, c := range []struct {
		name, src string
		opt       Options
		want      []string
	}{
		{"one property", `{` + properties(1) + `"authorized_agents":[` + head + `}]}`, Options{}, []string{"likely let the agent sell the property p0"}},
		{"three", `{` + properties(3) + `"authorized_agents":[` + head + `}]}`, Options{}, []string{"choice let the agent sell all 3 properties of the file"}},
		{"many with a tag", `{` + properties(21) + `"authorized_agents":[` + head + `}]}`, Options{},
			[]string{"choice let the agent sell every property with the tag news", "choice let the agent sell all 21 properties of the file"}},
		{"none", `{"authorized_agents":[` + head + `}]}`, Options{}, nil},
		{"none, and a domain", `{"authorized_agents":[` + head + `}]}`, Options{Domain: "example.com"}, []string{"choice let the agent sell the website example.com"}},
		{"other publishers", `{"authorized_agents":[` + head + `,"publisher_domains":["b.example.com","a.example.com"]}]}`, Options{},
			[]string{"choice let the agent sell all properties of a.example.com, b.example.com"}},
	} {
		c.opt.Fixes = true
		var got []string
		r := Check([]byte(c.src), c.opt)
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Code != "agent.type_missing" {
				continue
			}
			for k := range f.Fixes {
				got = append(got, f.Fixes[k].Kind.String()+" "+f.Fixes[k].Title)
				checkFix(t, []byte(c.src), c.opt, f, &f.Fixes[k])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
