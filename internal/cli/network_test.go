package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestNetworkStates: publishers in every state are counted right, and the file that they share
// is asked for once. The built program is asked about two thousand in internal/test/blackbox.
func TestNetworkStates(t *testing.T) {
	t.Parallel()
	const count, url = 300, "https://net.example/.well-known/adagents.json"
	pointer := func(to string) string { return `{"authoritative_location": "` + to + `"}` }
	website := func(domain string) string {
		return fmt.Sprintf(`{"property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": %q}], "publisher_domain": %q}`, domain, domain)
	}
	own := func(agent, domain string) string {
		return fmt.Sprintf(`{"authorized_agents": [{"url": "https://%s/mcp", "authorized_for": "all", "authorization_type": "inline_properties", "properties": [%s]}]}`, agent, website(domain))
	}
	var web, dns, list strings.Builder
	var named, revoked, properties []string
	want := map[string]int{}
	for i := range count {
		domain := fmt.Sprintf("p%d.example", i)
		state := []string{
			"points_here", "points_here", "points_here", "points_here", "points_here", "other_way", "elsewhere", "own_file", "served_wrong", "absent", "unresolvable", "unreachable",
			"revoked_pointing", "orphan", "nothing_here",
		}[i%15]
		want[state]++
		switch state {
		case "points_here", "revoked_pointing", "orphan", "nothing_here":
			web.WriteString(served(domain, "", pointer(url)))
		case "other_way":
			web.WriteString(served(domain, "", pointer("https://NET.example/.well-known/adagents.json")))
		case "elsewhere":
			web.WriteString(served(domain, "", pointer("https://other.example/net.json")))
		case "own_file":
			web.WriteString(served(domain, "", own("agent.example", domain)))
		case "served_wrong":
			web.WriteString("-- https://" + domain + "/.well-known/adagents.json --\n200\nContent-Type: text/html\n\n<title>Sign in</title>\n")
		case "absent":
			web.WriteString("-- https://" + domain + "/ --\n200\n")
		case "unreachable":
			web.WriteString("-- https://" + domain + "/.well-known/adagents.json --\n500\n")
		case "unresolvable":
			dns.WriteString(domain + " nxdomain\n")
		}
		switch state {
		case "revoked_pointing":
			revoked = append(revoked, `{"publisher_domain": "`+domain+`", "revoked_at": "2026-01-01T00:00:00Z"}`)
		case "orphan":
			list.WriteString(domain + "\n")
		default:
			named = append(named, `"`+domain+`"`)
			if state != "nothing_here" {
				properties = append(properties, website(domain))
			}
		}
	}
	named, properties, want["is_here"] = append(named, `"net.example"`), append(properties, website("net.example")), 1
	file := `{"properties": [` + strings.Join(properties, ",") + `], "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domains": [` + strings.Join(named, ",") + `], "selection_type": "all"}]}], "revoked_publisher_domains": [` + strings.Join(revoked, ",") + `]}`
	section := func(at, text string) string {
		return "-- " + at + " --\n200\nContent-Type: application/json\nCache-Control: max-age=600\n\n" + text + "\n"
	}
	internet, in := inWeb(t, web.String()+section(url, file)+section("https://other.example/net.json", own("rival.example", "rival.example"))+"-- dns --\n"+dns.String())
	got := run(t, in, "network", url, "--from", tempFile(t, list.String()), "--format", "json")
	var report struct {
		Counts     map[string]int
		Publishers []any
	}
	err := json.Unmarshal([]byte(got.stdout), &report)
	if err != nil || got.code != 1 {
		t.Fatalf("exit code %d: %v\n%s", got.code, err, got.stderr)
	}
	if !maps.Equal(report.Counts, want) || len(report.Publishers) != count+1 {
		t.Errorf("%v of %d publishers, want %v", report.Counts, len(report.Publishers), want)
	}
	asked := 0
	for _, r := range internet.Requests() {
		if strings.EqualFold(r.Host, "net.example") {
			asked++
		}
	}
	if asked > 100 { // once in a minute is enough, however long it takes
		t.Errorf("the file was asked for %d times", asked)
	}
}
