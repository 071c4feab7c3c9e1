package editortest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli"
)

// asAvow makes this program avow.
const asAvow = "EDITORTEST_AVOW"

func TestMain(m *testing.M) {
	if os.Getenv(asAvow) != "" {
		os.Exit(cli.Run(context.Background(), cli.Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}))
	}
	os.Exit(m.Run())
}

// run has a script start this program as avow, and reads what it prints.
func run(t *testing.T, script string, into any) []byte {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", script, exe)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.Env = "client", &stderr, append(os.Environ(), asAvow+"=1")
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	err = json.Unmarshal(out, into)
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return out
}

// TestExtension has the extension of VS Code start avow lsp, show what it finds, and fix and rename.
// The editor around it is ours.
func TestExtension(t *testing.T) {
	t.Parallel()
	type finding struct {
		Said, Message, Source string
		Severity              int
	}
	var got struct {
		Opened, Fixed                   []finding
		Registered                      []string
		Fix, Text, Placeholder, Renamed string
		Closed                          bool
		Errors                          []string
	}
	out := run(t, "extension.cjs", &got)
	wrong := func(f finding) bool { return f.Said == `"sitte"` && f.Source == "avow" && f.Message != "" }
	for what, ok := range map[string]bool{
		"the providers":     len(got.Registered) == 7,
		"a finding":         slices.ContainsFunc(got.Opened, wrong),
		"the fix":           strings.Contains(got.Fix, "site") && got.Text != "" && !strings.Contains(got.Text, "sitte"),
		"nothing is left":   !slices.ContainsFunc(got.Fixed, wrong),
		"what is renamed":   got.Placeholder == "site",
		"renaming":          strings.Count(got.Renamed, `"home"`) == 2 && !strings.Contains(got.Renamed, `"site"`),
		"a closed document": got.Closed,
		"no message":        len(got.Errors) == 0,
	} {
		if !ok {
			t.Errorf("%s: %s", what, out)
		}
	}
}

// TestEditor has the client type, ask and fix.
func TestEditor(t *testing.T) {
	t.Parallel()
	_, err := os.Stat(filepath.Join("client", "node_modules", "vscode-languageserver-protocol", "package.json"))
	if err != nil {
		t.Fatal("the npm package is not installed; run make test-deps")
	}
	var got struct {
		Server           string
		Clean, Fixed     int
		Typed, Offered   []string
		Hover, Formatted string
		Definition       []bool
		References       int
		Unknown, Exit    int
		Answered         bool
	}
	out := run(t, "client.mjs", &got)
	for what, ok := range map[string]bool{
		"the name":     got.Server == "avow",
		"a clean file": got.Clean == 0,
		"a finding":    slices.Contains(got.Typed, `"sitte"`),
		"a hover":      strings.Contains(got.Hover, "property_ids") && strings.Contains(got.Hover, "agent."),
		"a fix":        got.Fixed > 0,
		"a completion": slices.Contains(got.Offered, "site"),
		"a definition": slices.Equal(got.Definition, []bool{true}),
		"references":   got.References == 1,
		"an unknown":   got.Unknown == -32601,
		"cancelled":    got.Answered,
		"the end":      got.Exit == 0,
	} {
		if !ok {
			t.Errorf("%s: %s", what, out)
		}
	}
	again, err := adagents.Format([]byte(got.Formatted))
	if err != nil || string(again) != got.Formatted {
		t.Errorf("formatted: %s (%v)", got.Formatted, err)
	}
}
