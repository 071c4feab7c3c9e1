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

// TestEditor has the client type, ask and fix.
func TestEditor(t *testing.T) {
	t.Parallel()
	_, err := os.Stat(filepath.Join("client", "node_modules", "vscode-languageserver-protocol", "package.json"))
	if err != nil {
		t.Fatal("the npm package is not installed; run make test-deps")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "client.mjs", exe)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.Env = "client", &stderr, append(os.Environ(), asAvow+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
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
	err = json.Unmarshal(out, &got)
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for what, ok := range map[string]bool{
		"the name":            got.Server == "avow",
		"a clean file":        got.Clean == 0,
		"a finding":           slices.Contains(got.Typed, `"sitte"`),
		"a hover":             strings.Contains(got.Hover, "property_ids") && strings.Contains(got.Hover, "agent."),
		"a fix":               got.Fixed > 0,
		"a completion":        slices.Contains(got.Offered, "site"),
		"a definition":        slices.Equal(got.Definition, []bool{true}),
		"references":          got.References == 1,
		"an unknown":          got.Unknown == -32601,
		"cancelled":           got.Answered,
		"the end":             got.Exit == 0,
		"nothing on the side": stderr.Len() == 0,
	} {
		if !ok {
			t.Errorf("%s: %s %s", what, out, stderr.String())
		}
	}
	again, err := adagents.Format([]byte(got.Formatted))
	if err != nil || string(again) != got.Formatted {
		t.Errorf("formatted: %s (%v)", got.Formatted, err)
	}
}
