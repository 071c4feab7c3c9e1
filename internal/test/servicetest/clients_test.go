package servicetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	goFolder         = "clients/go"
	typescriptFolder = "clients/typescript"
	clientsHint      = "run make test-deps"
)

// wantSeen is what both generated clients print. The error is that of a country that is
// written out; the answer about a publisher without a file is 404, and that to a question
// without a key 401.
const wantSeen = `{
  "coverage": 50,
  "created": "{\n  \"$schema\": \"https://adcontextprotocol.org/schemas/v3/adagents.json\",\n  \"properties\": [\n    {\n      \"property_id\": \"site\",\n      \"property_type\": \"website\",\n      \"name\": \"Site\",\n      \"identifiers\": [\n        {\n          \"type\": \"domain\",\n          \"value\": \"new.example\"\n        }\n      ]\n    }\n  ],\n  \"authorized_agents\": [\n    {\n      \"url\": \"https://agent.example/mcp\",\n      \"authorized_for\": \"The site\",\n      \"authorization_type\": \"property_ids\",\n      \"property_ids\": [\"site\"]\n    }\n  ]\n}",
  "error_code": "request.value",
  "error_field": "country",
  "error_status": 400,
  "grants": ["/authorized_agents/0"],
  "key_code": "key_required",
  "key_status": 401,
  "missing_status": 404,
  "mode": "self",
  "other": "not_authorized",
  "properties": ["site", "app"],
  "usable_agents": 1,
  "valid": true,
  "verdict": "authorized"
}`

// A workshop is a folder with the OpenAPI document of a running service, in which clients
// are made from it.
type workshop struct {
	p      *place
	url    string
	folder string
}

// newWorkshop makes a folder with copies of the files of another.
func newWorkshop(t *testing.T, s *process, from string, names ...string) *workshop {
	t.Helper()
	w := &workshop{s.place, s.url, t.TempDir()}
	a, err := s.call(http.MethodGet, "/openapi.json", "")
	if err != nil || a.status != http.StatusOK {
		t.Fatalf("no OpenAPI document: %d %v", a.status, err)
	}
	w.write(t, "openapi.json", a.body)
	for _, name := range names {
		src, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, name, src)
	}
	return w
}

func (w *workshop) write(t *testing.T, name string, content []byte) {
	t.Helper()
	err := os.WriteFile(filepath.Join(w.folder, name), content, 0o600)
	if err != nil {
		t.Fatal(err)
	}
}

// withPackages gives the folder the packages of npm.
func (w *workshop) withPackages(t *testing.T) *workshop {
	t.Helper()
	packages, err := filepath.Abs(filepath.Join(typescriptFolder, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(packages, ".installed"))
	if err != nil {
		t.Fatalf("the npm packages are not installed; %s", clientsHint)
	}
	err = os.Symlink(packages, filepath.Join(w.folder, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// run runs a program in the folder and returns what it printed. One that fails is a
// failure of the test.
func (w *workshop) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = w.folder
	// The client is built as it is by others, but for what lets it share what make has compiled.
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath -gcflags=all=-dwarf=false", "GOWORK=off",
		"CGO_ENABLED=0", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	w.p.left.add(name+" "+strings.Join(args, " "), append(stdout.Bytes(), stderr.Bytes()...))
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String()
}

// TestGeneratedClients: a linter has nothing to say about the OpenAPI document of a running
// service, and clients that are generated from it compile and understand the answers.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	s := newPlace(t, stores()["sqlite"](t)).serve()
	for name, test := range map[string]func(*testing.T, *process){"linter": lintOpenAPI, "go": callByGo, "typescript": callByTypeScript} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

func lintOpenAPI(t *testing.T, s *process) {
	w := newWorkshop(t, s, typescriptFolder, "redocly.yaml").withPackages(t)
	w.run(t, "node", "node_modules/@redocly/cli/bin/cli.js", "lint", "openapi.json", "--config", "redocly.yaml")
}

func callByGo(t *testing.T, s *process) {
	w := newWorkshop(t, s, goFolder, "go.mod", "go.sum", "main.go")
	err := os.Mkdir(filepath.Join(w.folder, "registry"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	w.run(t, "go", "tool", "oapi-codegen", "-generate", "types,client,skip-prune", "-package", "registry", "-o", "registry/registry.go", "openapi.json")
	checkSeen(t, w.run(t, "go", "run", ".", w.url))
}

func callByTypeScript(t *testing.T, s *process) {
	w := newWorkshop(t, s, typescriptFolder, "package.json", "tsconfig.json", "client.ts").withPackages(t)
	w.run(t, "node", "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "registry.d.ts")
	w.run(t, "node", "node_modules/typescript/bin/tsc", "--project", ".")
	checkSeen(t, w.run(t, "node", "out/client.js", w.url))
}

// checkSeen compares what a client printed with what it had to see.
func checkSeen(t *testing.T, got string) {
	t.Helper()
	if diff := cmp.Diff(decoded(t, wantSeen), decoded(t, got)); diff != "" {
		t.Errorf("the client sees something else (-want +got):\n%s", diff)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	err := json.Unmarshal([]byte(text), &v)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
