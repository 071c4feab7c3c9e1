package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
)

// soundFile is a file in good order, which brokenFiles break.
const soundFile = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "properties": [
    {
      "property_id": "site",
      "property_type": "website",
      "name": "Site",
      "identifiers": [{"type": "domain", "value": "pub.example"}],
      "publisher_domain": "pub.example",
      "tags": ["apx"]
    }
  ],
  "authorized_agents": [
    {
      "url": "https://agent.example/mcp",
      "authorized_for": "All of it",
      "authorization_type": "property_ids",
      "property_ids": ["site"]
    }
  ],
  "last_updated": "2026-01-01T00:00:00Z"
}
`

// brokenFiles are mistakes that people make most, each with what avow fix --likely is to do.
var brokenFiles = []struct{ name, old, new, title string }{
	{"a comma at the end of a list", `["site"]`, `["site",]`, "write it as JSON"},
	{"a comment", `"properties"`, `// what we have` + "\n" + `  "properties"`, "write it as JSON"},
	{"single quotes", `"Site"`, `'Site'`, "write it as JSON"},
	{"a missing comma", `"name": "Site",`, `"name": "Site"`, "write it as JSON"},
	{"typographic quotes", `"All of it"`, `“All of it”`, "write it as JSON"},
	{"agents instead of authorized_agents", `"authorized_agents"`, `"agents"`, "rename agents to authorized_agents"},
	{"agent_url instead of url", `"url"`, `"agent_url"`, "rename agent_url to url"},
	{"an agent over http", `https://agent.example`, `http://agent.example`, "write the URL as https://agent.example/mcp"},
	{"a typo in an id", `["site"]`, `["sites"]`, `write "site" instead of "sites"`},
	{"a tag among the ids", `["site"]`, `["tag:apx"]`, "property_tags"},
	{"no authorization_type", `"authorization_type": "property_ids",` + "\n" + `      "property_ids": ["site"]`, `"delegation_type": "direct"`, "let the agent sell the property site"},
	{"identifiers of other formats", `{"type": "domain", "value": "pub.example"}`, `{"identifier_type": "domain", "identifier_value": "pub.example"}`, "rename identifier_type to type"},
	{"an id that is not in a list", `["site"]`, `"site"`, "list"},
	{"the address of a page as the domain", `"value": "pub.example"`, `"value": "https://pub.example/news"`, `"pub.example"`},
}

// TestBrokenFiles: in a pipe each of these files is shown with a marked diff of what is most probably
// meant, nothing is written without --likely, and with it the agent may sell.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	authorizes := func(t *testing.T, file string) bool {
		t.Helper()
		return run(t, nil, "authorize", "pub.example", "--agent", "https://agent.example/mcp", "--property", "site", "--file", file).code == console.ExitYes
	}
	if !authorizes(t, tempFile(t, soundFile)) {
		t.Fatal("the file in good order authorizes nothing")
	}
	for _, broken := range brokenFiles {
		t.Run(broken.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(soundFile, broken.old, broken.new, 1)
			file := tempFile(t, text)
			shown := run(t, nil, "fix", file)
			if !strings.Contains(shown.stdout, "# likely: +") || !strings.Contains(shown.stdout, broken.title) {
				t.Errorf("shown is\n%s\n%s", shown.stdout, shown.stderr)
			}
			kept, err := os.ReadFile(file)
			if err != nil || string(kept) != text {
				t.Errorf("the file is changed: %v", err)
			}
			hint := run(t, nil, "validate", "--format", "json", file)
			if !strings.Contains(hint.stdout, strings.ReplaceAll(broken.title, `"`, `\"`)) {
				t.Errorf("no hint says so: %s", hint.stdout)
			}
			fixed := run(t, nil, "fix", "-w", "--likely", file)
			if fixed.code != console.ExitYes || !authorizes(t, file) {
				t.Errorf("exit code %d: %s", fixed.code, fixed.stderr)
			}
		})
	}
}

// mistakes are command lines that people type, each with a part of the hint.
var mistakes = []struct{ args, hint string }{
	{"check adagents.json", "avow validate"},
	{"lint adagents.json", "avow validate"},
	{"format adagents.json", "avow fmt"},
	{"validte adagents.json", "avow validate"},
	{"validate", "avow validate example.com"},
	{"validate adagent.json", "did you mean adagents.json?"},
	{"validate daily", "a domain needs a dot, for example daily.com"},
	{"validate http://example.com/adagents.json", "write https://example.com/adagents.json"},
	{"validate www.example.com/adagents.json", "write https://www.example.com/adagents.json"},
	{"validate ads@example.com", "write the domain alone"},
	{"validate https://localhost/adagents.json", "check the file itself"},
	{"validate adagents.json --profile stric", "did you mean strict?"},
	{"validate adagents.json --format xml", "use one of text, json"},
	{"validate adagents.json --json", "did you mean --format json?"},
	{"validate adagents.json --fail-on eror", "did you mean error?"},
	{"validate adagents.json --timeout 3", "write a duration such as 3s"},
	{"validate adagents.json --lead two", "14d"},
	{"validate adagents.json --max-findings ten", "write a whole number"},
	{"validate --as pub_example adagents.json", "--as example.com"},
	{"fix", "avow fix adagents.json"},
	{"fix --check -w adagents.json", "choose one"},
	{"fix --choose agent.typ_missing adagents.json", "did you mean agent.type_missing?"},
	{"fix --choose agent.type_missing=0 adagents.json", "number the choices from 1"},
	{"fix -w -", "leave out -w"},
	{"fmt", "avow fmt adagents.json"},
	{"explain agent.url_mising", "did you mean agent.url_missing?"},
	{"authorize", "avow authorize example.com --agent"},
	{"authorize pub.example", "name the agent's endpoint"},
	{"authorize pub.example --agent agent.example --file adagents.json", "did you mean https://agent.example/"},
	{"authorize pub.example --agent https://agent.example/mcp --file adagents.json --country Germany", "two letters"},
	{"authorize pub.example --agent https://agent.example/mcp --file adagents.json --identifier pub.example", "TYPE=VALUE"},
	{"authorize pub.example --agent https://agent.example/mcp --file adagents.json --at tomorrow", "2026-01-02T00:00:00Z"},
	{"create --publisher-domains list.csv --agent https://agent.example/mcp", "--from list.csv"},
	{"create --agent https://agent.example/mcp", "--authorized-for"},
	{"edit add adagents.json", "--from publishers.txt"},
	{"edit add adagents.json not_a_domain", "name domains"},
	{"edit revoke adagents.json pub.example --reason because", "relationship_ended"},
	{"edit addagent adagents.json https://agent.example/mcp", "avow edit add-agent"},
	{"network adagents.json --from list.csv --column site", "--column"},
	{"network adagents.json --expect 120", "0 to 100"},
	{"diff adagents.json", "name the other version"},
	{"watch --all example.com", "leave out --all"},
	{"serve --role worker", "postgres://"},
	{"discover localhost", "give the whole domain"},
}

// TestMistakes: each of these has a message that says what is wrong, and a hint that helps.
func TestMistakes(t *testing.T) { //nolint:paralleltest // it changes the working directory
	folder := t.TempDir()
	for name, text := range map[string]string{"adagents.json": soundFile, "list.csv": "a;b\npub.example;x\n"} {
		err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	for _, m := range mistakes {
		got := run(t, nil, strings.Fields(m.args)...)
		_, hint, _ := strings.Cut(got.stderr, "hint: ")
		if got.code < console.ExitUsage || !strings.Contains(got.stderr, "avow: error: ") || !strings.Contains(hint, m.hint) {
			t.Errorf("avow %s: exit code %d: %s", m.args, got.code, got.stderr)
		}
	}
}
