package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
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

// TestNetworkOfLargeFile: a file that pointers lead to may be as large at a well-known path as
// anywhere else.
func TestNetworkOfLargeFile(t *testing.T) {
	t.Parallel()
	const url = "https://net.example/.well-known/adagents.json"
	file := `{"properties": [{"property_id": "a", "property_type": "website", "name": "` + strings.Repeat("A", 13_600_000) + `", "identifiers": [{"type": "domain", "value": "a.example"}], "publisher_domain": "a.example"}],
	"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["a.example"], "selection_type": "all"}]}]}`
	_, in := inWeb(t, served("a.example", "", `{"authoritative_location": "`+url+`"}`)+served("net.example", "", file))
	for _, name := range []string{url, "net.example"} {
		got := run(t, in, "network", name, "--format", "csv")
		if got.code != 0 || !strings.Contains(got.stdout, "a.example,points_here,") {
			t.Errorf("%s: exit code %d: %.500s%.500s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestNetworkResumeFormats: what was asked is reported in another format without asking again.
func TestNetworkResumeFormats(t *testing.T) {
	t.Parallel()
	const url = "https://net.example/.well-known/adagents.json"
	file := `{"properties": [{"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "a.example"}], "publisher_domain": "a.example"}],
	"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["a.example"], "selection_type": "all"}]}]}`
	internet, in := inWeb(t, served("a.example", "", `{"authoritative_location": "`+url+`"}`)+served("net.example", "", file))
	state := tempFile(t, "")
	for i, format := range []string{"text", "csv", "json", "ndjson", "markdown"} {
		got := run(t, in, "network", url, "--resume", state, "--format", format)
		if got.code != 0 || !strings.Contains(got.stdout, "points_here") {
			t.Errorf("%s: exit code %d: %s%s", format, got.code, got.stdout, got.stderr)
		}
		asked := 0
		for _, r := range internet.Requests() {
			if r.Host == "a.example" {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("after %d runs the publisher was asked %d times", i+1, asked)
		}
	}
}

// TestNetworkFromNothing follows the guide with 300 publishers, from an empty directory until each of
// them authorizes the agent.
func TestNetworkFromNothing(t *testing.T) { //nolint:paralleltest // it changes the working directory
	const count, url, agent = 300, "https://cdn.net.example/adagents.json", "https://sales.net.example/mcp"
	t.Chdir(t.TempDir())
	publishers, questions := "domain;id;name\n", "publisher,agent,property\n"
	for i := range count {
		publishers += fmt.Sprintf("p%d.example;site_%d;Site %d\n", i, i, i)
		questions += fmt.Sprintf("p%d.example,%s,site_%d\n", i, agent, i)
	}
	for name, text := range map[string]string{"publishers.csv": publishers, "questions.csv": questions} {
		err := os.WriteFile(name, []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	must := func(in func(*console.Env), args ...string) outcome {
		t.Helper()
		got := run(t, in, args...)
		if got.code != 0 {
			t.Fatalf("avow %s: exit code %d: %s%s", strings.Join(args, " "), got.code, got.stdout, got.stderr)
		}
		return got
	}
	must(nil, "create", "--from", "publishers.csv", "--agent", agent, "--authorized-for", "All inventory", "-o", "network.json")
	must(nil, "validate", "network.json", "--fail-on", "error")
	pointer := must(nil, "pointer", "--to", url)
	if !strings.Contains(pointer.stdout, url) {
		t.Errorf("the pointer is %s", pointer.stdout)
	}
	file, err := os.ReadFile("network.json")
	if err != nil {
		t.Fatal(err)
	}
	var web strings.Builder
	web.WriteString("-- " + url + " --\n200\nContent-Type: application/json\nCache-Control: max-age=600\n\n" + string(file) + "\n")
	for i := range count {
		web.WriteString(served(fmt.Sprintf("p%d.example", i), "", `{"authoritative_location": "`+url+`"}`))
	}
	_, in := inWeb(t, web.String())
	report := must(in, "network", url, "--format", "csv")
	if n := strings.Count(report.stdout, ",points_here,"); n != count {
		t.Errorf("%d publishers point here", n)
	}
	answers := must(in, "authorize", "--batch", "questions.csv", "--format", "csv", "--no-state", "--timeout", "10m")
	if n := strings.Count(answers.stdout, ",authorized,"); n != count {
		t.Errorf("%d publishers authorize the agent: %.2000s", n, answers.stdout)
	}
}
