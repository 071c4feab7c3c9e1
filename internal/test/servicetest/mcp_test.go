package servicetest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestModelClient has the TypeScript client of the Model Context Protocol call the tools, over
// HTTP and over standard input and output.
func TestModelClient(t *testing.T) {
	t.Parallel()
	_, err := os.Stat(filepath.Join("mcp", "node_modules", "@modelcontextprotocol", "sdk", "package.json"))
	if err != nil {
		t.Fatal("the npm package is not installed; run make test-deps")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := filepath.Abs("testdata/web.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, "sqlite:"+filepath.Join(t.TempDir(), "registry.db"))
	s := p.serve()
	for name, job := range map[string]map[string]any{
		"http": {"url": s.url + "/mcp"},
		"stdio": {
			"command": exe, "args": []string{"mcp", "--store", "sqlite:" + filepath.Join(t.TempDir(), "own.db")},
			"env": map[string]string{webVariable: archive, "HOME": t.TempDir(), "PATH": os.Getenv("PATH")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job["calls"] = []map[string]any{
				{"name": "explain_code", "arguments": map[string]string{"code": "agent.url_missing"}},
				{"name": "validate_adagents", "arguments": map[string]string{"domain": "publisher.example"}},
				{"name": "validate_agent", "arguments": map[string]string{"domain": "publisher.example", "agent_url": "https://nobody.example/mcp"}},
				{"name": "validate_agent", "arguments": map[string]string{"domian": "publisher.example"}},
				{"name": "get_agent_domains", "arguments": map[string]any{"agent_url": "https://agent.example/mcp", "limit": 5}},
				{"name": "get_agent_publishers", "arguments": map[string]string{"agent_url": "https://agent.example/mcp"}},
				{"name": "find_agents_for_property", "arguments": map[string]string{"property_type": "domain", "property_value": "publisher.example"}},
				{"name": "list_publishers"},
				{"name": "list_agents", "arguments": map[string]string{"type": "sales"}},
				{"name": "get_agent", "arguments": map[string]string{"url": "https://agent.example/mcp"}},
				{"name": "list_properties", "arguments": map[string]string{"search": "publisher"}},
			}
			input, err := json.Marshal(job)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "node", "client.mjs")
			var stderr bytes.Buffer
			cmd.Dir, cmd.Stdin, cmd.Stderr = "mcp", bytes.NewReader(input), &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			checkModelClient(t, out)
		})
	}
}

// checkModelClient looks at what the client saw.
func checkModelClient(t *testing.T, out []byte) {
	t.Helper()
	var got struct {
		Server  string
		Tools   []string
		Results []struct {
			IsError           bool
			StructuredContent map[string]any
		}
	}
	err := json.Unmarshal(out, &got)
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got.Server != "avow" || !slices.Contains(got.Tools, "validate_agent") || len(got.Results) != 11 {
		t.Fatalf("got %s", out)
	}
	for i, want := range []struct {
		member string
		value  any
		failed bool
	}{
		{"title", "an agent entry has no URL", false}, {"found", true, false}, {"authorized", false, false}, {"", nil, true},
		{"count", 1.0, false}, {"known_publishers", 1.0, false}, {"count", 1.0, false}, {"count", 1.0, false}, {"count", 1.0, false},
		{"publisher_count", 1.0, false}, {"count", 1.0, false},
	} {
		r := got.Results[i]
		if r.IsError != want.failed || !want.failed && r.StructuredContent[want.member] != want.value {
			t.Errorf("call %d: %+v", i, r)
		}
	}
}
