package servicetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A command is a call of the adcp program and what it prints.
type command struct {
	name  string
	args  []string
	code  int
	shows string
	want  []string
	// request is what the service was asked; it is noted.
	request string
}

// clientCommands are the commands that have a route here.
func clientCommands(p *place) []command {
	return []command{
		{"validate", []string{"publisher.example"}, 0, "`PASS`", []string{"Validation: PASS\n", "  Domain: publisher.example"}, ""},
		{"validate", []string{"broken.example"}, 0, "`FAIL` and why", []string{"Validation: FAIL\n", "  Errors: "}, ""},
		{"validate", []string{"missing.example"}, 0, "`FAIL` without a file", []string{"Validation: FAIL\n", "  Errors: 1"}, ""},
		{"validate", []string{"publisher.example", "--json"}, 0, "the whole answer", []string{`"found": true`, `"raw_data": {`}, ""},
		{"validate-publisher", []string{"publisher.example"}, 0, "counts", []string{"  valid: true\n", "  agent_count: 1\n", "  property_count: 2\n"}, ""},
		{"enrich-brand", []string{"good.example"}, 0, "data of the provider", []string{"  success: true\n", `"name":"Good"`, `  source_type: "enriched"`}, ""},
		{"enrich-brand", []string{"unknown.example"}, 1, "an unknown brand", []string{"Error: Registry request failed (404)"}, ""},
		{"save-brand", []string{"other.example", "Other", "--auth", p.write}, 0, "saving with a key", []string{"Saved successfully\n", "  Domain:   other.example\n", "  Revision: 1\n"}, ""},
		{"save-brand", []string{"other.example", "Other"}, 1, "a refusal without", []string{"Error: "}, ""},
		{"property", []string{"publisher.example"}, 0, "agents and properties", []string{"  Verified: Yes\n", "    - https://agent.example/mcp\n", "    - Site (website) [publisher.example]\n"}, ""},
		{"property", []string{"missing.example"}, 0, "an unknown domain", []string{"No property found for 'missing.example'\n"}, ""},
		{"check-auth", []string{agentURL, "domain", "publisher.example"}, 0, "a yes", []string{"  Authorized: Yes\n", "  Agent:      https://agent.example/mcp\n", "  Checked at: 2"}, ""},
		{"check-auth", []string{agentURL, "ios_bundle", "example.publisher.app"}, 0, "a no", []string{"  Authorized: No\n"}, ""},
	}
}

// runCommands runs the commands, and returns them with what they asked.
func runCommands(t *testing.T, p *place, r *relay) []command {
	t.Helper()
	program := filepath.Join("node_modules", "@adcp", "sdk", "bin", "adcp.js")
	commands := clientCommands(p)
	for i := range commands {
		c := &commands[i]
		args := append([]string{program, "registry", c.name}, c.args...)
		out, code := node(t, p, nil, append(args, "--registry-url", r.url)...)
		if code != c.code {
			t.Errorf("%s %v ends with %d, want %d: %s", c.name, c.args, code, c.code, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s %v does not print %q but\n%s", c.name, c.args, want, out)
			}
		}
		asked := r.take()
		if len(asked) > 1 {
			t.Errorf("%s asks %q", c.name, asked)
		}
		if len(asked) == 1 {
			c.request = strings.Join(strings.Fields(asked[0])[:2], " ")
		}
	}
	return commands
}

// The table stands between these lines of the documentation.
const (
	tableBegin = "<!-- The table below is what go test ./internal/test/servicetest -run TestClient -update saw. -->\n"
	tableEnd   = "<!-- End of the table. -->\n"
)

// tableFiles have the table: the page and what it is made from.
var tableFiles = []string{"../../../docs/http.md", "../../gen/docs/http.md.tmpl"}

// checkTable compares the table in the documentation with what passed, or writes it.
func checkTable(t *testing.T, calls []methodCall, commands []command) {
	t.Helper()
	table := tableOf(calls, commands)
	for _, name := range tableFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, ok := bytes.Cut(src, []byte(tableBegin))
		old, after, ended := bytes.Cut(rest, []byte(tableEnd))
		if !ok || !ended {
			t.Fatalf("%s has no place for the table", name)
		}
		if !*update {
			if diff := cmp.Diff(string(old), table); diff != "" {
				t.Errorf("%s has another table (-have +want); write it with -update:\n%s", name, diff)
			}
			continue
		}
		text := fmt.Sprint(string(before), tableBegin, table, tableEnd, string(after))
		err = os.WriteFile(name, []byte(text), 0o644) //nolint:gosec // it is public
		if err != nil {
			t.Fatal(err)
		}
	}
}

// patterns are the paths that calls were made for, as the manual names them.
var patterns = strings.NewReplacer("/domain/publisher.example", "/domain/{domain}", "/agent/https://agent.example/mcp/", "/agent/{agent_url}/")

// tableOf has a line for each method and each command. Calls of the same one follow each
// other.
func tableOf(calls []methodCall, commands []command) string {
	var b strings.Builder
	line := func(name, request string, shows []string) {
		if len(shows) > 0 {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", name, patterns.Replace(request), strings.Join(shows, "; "))
		}
	}
	methods := map[string]bool{}
	for _, c := range calls {
		methods[c.method] = true
	}
	fmt.Fprintf(&b, "\n%d methods of the client give data:\n", len(methods))
	b.WriteString("\n| Method of the client | Route | Seen to work |\n|---|---|---|\n")
	var name, request string
	var shows []string
	for _, c := range calls {
		if c.method != name {
			line(name, request, shows)
			name, request, shows = c.method, c.request, nil
		}
		shows = append(shows, c.shows)
	}
	line(name, request, shows)
	b.WriteString("\n| Command | Route | Seen to work |\n|---|---|---|\n")
	name, shows = "", nil
	for _, c := range commands {
		if c.name != name {
			line("adcp registry "+name, request, shows)
			name, request, shows = c.name, c.request, nil
		}
		shows = append(shows, c.shows)
	}
	line("adcp registry "+name, request, shows)
	b.WriteString("\n")
	return b.String()
}
