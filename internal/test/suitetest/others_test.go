package suitetest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/schemas"
)

// TestGoAdapter holds the adapter in Go to the suite.
func TestGoAdapter(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "adapter")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../../conformance/adapters/go").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	right(t, run(t, cases(t), func() suite.Answerer { return &suite.Process{Command: []string{program}, Timeout: time.Hour} }), 195)
}

// compiled is the adapter in TypeScript as JavaScript, beside the packages that it imports.
func compiled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	packages, err := filepath.Abs("../servicetest/sdk/node_modules")
	if err == nil {
		_, err = os.Stat(filepath.Join(packages, "@adcp", "sdk", "package.json"))
	}
	if err != nil {
		t.Fatalf("%v; run make test-deps", err)
	}
	compiler, err := filepath.Abs("../../service/web/script/node_modules/typescript/bin/tsc")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../../conformance/adapters/adcp.mts")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "adcp.mts"), source, 0o600)
	}
	if err == nil {
		err = os.Symlink(packages, filepath.Join(dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", compiler, "adcp.mts", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--types", "node")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "adcp.mjs")
}

// TestOfficialSDK runs the adapter of the protocol's own package, in TypeScript: it answers what the
// public functions can, and the rest is unsupported. What it gets wrong is in docs/scoreboard.md.
func TestOfficialSDK(t *testing.T) {
	t.Parallel()
	command := []string{"node", compiled(t)}
	for _, row := range suite.Sum(run(t, cases(t), func() suite.Answerer { return &suite.Process{Command: command, Timeout: time.Hour} })).Kinds {
		answers := row.Passed + row.Failed
		switch row.Name {
		case "agent_url", "discovery", "redirect":
			if row.Passed < row.Failed || answers < row.Unsupported {
				t.Errorf("%+v", row)
			}
		case "signature": // of requests of 3.0 and 3.1; the protocol's own vectors are 34 of them
			if row.Passed < 34 || row.Passed < row.Failed {
				t.Errorf("%+v", row)
			}
		default:
			if answers > 0 {
				t.Errorf("%+v", row)
			}
		}
	}
}

// TestAdaptersAreShort: an adapter is a page at most.
func TestAdaptersAreShort(t *testing.T) {
	t.Parallel()
	const folder = "../../../conformance/adapters/"
	for _, pattern := range []string{"*.m?s", "*.py", "go/*.go"} {
		files, err := filepath.Glob(folder + pattern)
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %v, %v", pattern, files, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if lines := bytes.Count(text, []byte("\n")); err != nil || lines > 40 {
				t.Errorf("%s has %d lines: %v", name, lines, err)
			}
		}
	}
}

// A validator answers with a JSON Schema and a library that knows nothing of the format.
type validator struct{ schema *jsonschema.Schema }

func (validator) Close() {}

func (v validator) Ask(_ context.Context, c *suite.Case) (*suite.Answer, error) {
	if c.Kind != "check" {
		return &suite.Answer{Unsupported: "a schema is about one file"}, nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Files[0].Bytes()))
	if err == nil {
		err = v.schema.Validate(value)
	}
	return &suite.Answer{Answer: map[string]any{"valid": err == nil}}, nil
}

// TestValidator: a validator with the schema refuses most bad files and no good one. What it lets
// through is what a schema cannot say.
func TestValidator(t *testing.T) {
	t.Parallel()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Adagents()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	err = compiler.AddResource("adagents.json", value)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("adagents.json")
	if err != nil {
		t.Fatal(err)
	}
	results := run(t, cases(t), func() suite.Answerer { return validator{schema} })
	failed := map[suite.Label]int{}
	for _, r := range results {
		if r.Outcome != suite.Failed {
			continue
		}
		failed[r.Case.Label]++
		if r.Case.Want["valid"] == true {
			t.Errorf("%s is refused", r.Case.ID)
		}
	}
	sum := suite.Sum(results)
	t.Logf("%s; %v failed", suite.GradeLine(sum), failed)
	if sum.Grade.Passed < 100 || failed[suite.Normative] > 10 {
		t.Errorf("%+v, failed: %v", sum.Grade, failed)
	}
}
