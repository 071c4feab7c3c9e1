package jstest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/portable"
	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/internal/test/vectors"
)

const root = "../../.."

// pack makes the package in a folder, as make js does.
func pack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "avow.wasm"), "./packages/wasm")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"index.js", "index.d.ts", "package.json", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, "packages", "js", name))
		if err != nil {
			t.Fatal(err)
		}
		err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func node(t *testing.T, dir string, input []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(input), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return out
}

// A job is a call of the package, and the same for Go.
type job struct {
	name string
	Call map[string]any
	ask  map[string]any
	data []byte
	want *vectors.Outcome // of a vector
}

// TestPackage builds the package once, and looks at it from several sides.
func TestPackage(t *testing.T) {
	t.Parallel()
	dir := pack(t)
	t.Run("answers", func(t *testing.T) {
		t.Parallel()
		testAnswers(t, dir)
	})
	t.Run("suite", func(t *testing.T) {
		t.Parallel()
		testSuite(t, dir)
	})
	t.Run("readme", func(t *testing.T) {
		t.Parallel()
		testReadme(t, dir)
	})
	t.Run("types", func(t *testing.T) {
		t.Parallel()
		testTypes(t, dir)
	})
	t.Run("size", func(t *testing.T) {
		t.Parallel()
		// What Brotli makes of it takes minutes to find out; it is a fifth.
		const most = 12_960_000
		info, err := os.Stat(filepath.Join(dir, "avow.wasm"))
		if err != nil || info.Size() > most {
			t.Errorf("%v: the module has %d bytes, %d at most; look at make js-size before you raise this", err, info.Size(), most)
		}
	})
}

// testAnswers compares the answers about all vectors of resolution and all files of the repair
// corpus with those of Go, and with what the vectors want.
func testAnswers(t *testing.T, dir string) {
	jobs := append(questions(t), corpus(t)...)
	calls := make([]map[string]any, 0, len(jobs))
	for _, j := range jobs {
		calls = append(calls, j.Call)
	}
	input, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("run.mjs")
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	err = json.Unmarshal(node(t, dir, input, script, filepath.Join(dir, "index.js")), &got)
	if err != nil || len(got) != len(jobs) || len(jobs) < 400 {
		t.Fatalf("%d answers to %d calls: %v", len(got), len(jobs), err)
	}
	for i := range jobs {
		compare(t, &jobs[i], got[i])
	}
}

// compare holds an answer to that of Go, and to the vector.
func compare(t *testing.T, j *job, got map[string]any) {
	t.Helper()
	request, err := json.Marshal(j.ask)
	if err != nil {
		t.Fatal(err)
	}
	var native struct {
		Result map[string]any
		Error  map[string]any
	}
	err = json.Unmarshal(portable.Call(request, j.data), &native)
	if err != nil {
		t.Fatal(err)
	}
	want := native.Result
	if native.Error != nil {
		want = map[string]any{"error": native.Error["code"]}
	}
	delete(got, "text") // the edits are compared
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, Go says %v", j.name, got, want)
	}
	if j.want == nil {
		return
	}
	if j.want.Error != "" {
		if code, _ := got["error"].(string); !strings.HasPrefix(code, "request.") {
			t.Errorf("%s: got %v, want an error", j.name, got)
		}
		return
	}
	if got["verdict"] != j.want.Verdict {
		t.Errorf("%s: got %v, want %v", j.name, got["verdict"], j.want.Verdict)
	}
}

// questions has the questions of the conformance suite that are about who may sell what.
func questions(t *testing.T) []job {
	t.Helper()
	all, err := vectors.Cases()
	if err != nil {
		t.Fatal(err)
	}
	var jobs []job
	for _, c := range all {
		if c.Ask.Verb != "authorize" && c.Ask.Verb != "list" {
			continue
		}
		question := map[string]any{"publisher": c.Ask.Args[0], "agent": c.Ask.Args[1], "country": c.Ask.Country, "at": c.Ask.At.Format("2006-01-02T15:04:05.999999999Z07:00")}
		if c.Ask.Verb == "list" {
			question["inline"] = c.Ask.Inline
		} else {
			var collections []string
			for _, pair := range c.Ask.Collections {
				collections = append(collections, pair[0]+"/"+pair[1])
			}
			for name, value := range map[string]any{
				"property": c.Ask.Property, "property_type": c.Ask.PropertyType, "identifier_type": c.Ask.IdentifierType, "identifier_value": c.Ask.IdentifierValue,
				"placements": c.Ask.Placements, "collections": collections, "signal": c.Ask.Signal,
			} {
				question[name] = value
			}
		}
		// A member that is empty is refused.
		for name, value := range question {
			if v := reflect.ValueOf(value); v.Kind() != reflect.Bool && v.Len() == 0 {
				delete(question, name)
			}
		}
		jobs = append(jobs, questionJob(c, question))
	}
	return jobs
}

// questionJob gives the documents of a case to a question.
func questionJob(c *vectors.Case, question map[string]any) job {
	ask := map[string]any{"op": c.Ask.Verb}
	for name, value := range question {
		ask[name] = value
	}
	j := job{name: c.Name, ask: ask, want: &c.Want}
	given, same := []map[string]any{}, []map[string]any{}
	names := make([]string, 0, len(c.Sources))
	for name := range c.Sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := c.Sources[name]
		d := map[string]any{"publisher": name, "method": f.Method, "url": f.URL, "revoked": f.Held, "replaced": f.Replaced}
		s := map[string]any{"publisher": name, "method": f.Method, "url": f.URL, "revoked": f.Held, "replaced": f.Replaced, "size": 0}
		switch f.State {
		case "file":
			d["document"], s["size"] = f.JSON, len(f.JSON)
			j.data = append(j.data, f.JSON...)
		case "unreachable":
			d["state"], s["state"] = f.State, f.State
		default:
			d["state"], s["state"] = "absent", "absent"
		}
		if f.Mirror != nil {
			d["mirror"], d["mirror_url"], s["mirror_size"], s["mirror_url"] = f.Mirror, f.MirrorURL, len(f.Mirror), f.MirrorURL
			j.data = append(j.data, f.Mirror...)
		}
		given, same = append(given, d), append(same, s)
	}
	// Of a publisher without a source the vectors say that it has no file.
	j.Call = map[string]any{"method": c.Ask.Verb, "question": question, "documents": given}
	ask["documents"] = same
	return j
}

// corpus has damaged files, to be checked and repaired.
func corpus(t *testing.T) []job {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "adagents", "testdata", "repair", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []job
	for i, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		document := archive.Files[0].Data
		method := []string{"check", "fix"}[i%2]
		options := map[string]any{"now": "2026-03-01T12:00:00Z", "domain": "pub.example", "profile": []string{"default", "strict"}[i/2%2], "fixes": true}
		ask := map[string]any{"op": method}
		for key, value := range options {
			ask[key] = value
		}
		jobs = append(jobs, job{name: filepath.Base(name), Call: map[string]any{"method": method, "document": document, "options": options}, ask: ask, data: document})
	}
	return jobs
}

// testReadme runs the examples of the README, which import the package by its name, and compares
// what they print with the comments.
func testReadme(t *testing.T, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(text), "```js\n")[1:]
	if len(examples) < 2 {
		t.Fatal("the README has no examples")
	}
	for _, rest := range examples {
		code, _, _ := strings.Cut(rest, "```")
		var want []string
		for line := range strings.Lines(code) {
			_, said, ok := strings.Cut(line, "); // ")
			if ok && strings.HasPrefix(line, "console.log") {
				want = append(want, strings.TrimSpace(said))
			}
		}
		got := strings.Split(strings.TrimSpace(string(node(t, dir, []byte(code), "--input-type=module", "-"))), "\n")
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("got %q, the README says %q", got, want)
		}
	}
}

// uses is a program that a compiler of TypeScript accepts, and mistakes that it does not.
const uses = `import { apply, load, AvowError, type Answer } from "@avow-project/avow";
const avow = await load();
const answer: Answer = avow.authorize({ publisher: "a.example", agent: "https://b.example", at: new Date() }, { "a.example": null });
if (answer.verdict === "authorized") console.log(answer.grants[0]?.countries?.length);
console.log(apply("{}", avow.check(new Uint8Array(), { profile: "strict" }).findings[0]?.fixes?.[0]?.edits ?? []).length);
console.log(avow.fix("{}", { likely: true }).report.counts.error, new AvowError("x").code);
// @ts-expect-error a verdict that there is not
console.log(answer.verdict === "maybe");
// @ts-expect-error a question without an agent
avow.authorize({ publisher: "a.example" }, {});
// @ts-expect-error an option that there is not
avow.check("{}", { strict: true });
`

// testTypes has the types compiled, with the compiler that the pages are built with.
func testTypes(t *testing.T, dir string) {
	compiler, err := filepath.Abs(filepath.Join(root, "internal", "service", "web", "script", "node_modules", "typescript", "bin", "tsc"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(compiler)
	if err != nil {
		t.Fatal("the compiler is not installed; run make test-deps")
	}
	err = os.WriteFile(filepath.Join(dir, "uses.ts"), []byte(uses), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", compiler, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext", "--types", "", "uses.ts")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// testSuite runs the conformance suite through the adapter of the package.
func testSuite(t *testing.T, dir string) {
	all, err := suite.Load()
	if err != nil {
		t.Fatal(err)
	}
	results, err := suite.Run(t.Context(), all, suite.Options{Open: func() suite.Answerer {
		return &suite.Process{Command: []string{"node", filepath.Join(root, "conformance", "adapters", "avow.mjs"), filepath.Join(dir, "index.js")}, Timeout: time.Hour}
	}})
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for _, r := range results {
		switch r.Outcome {
		case suite.Passed:
			answers++
		case suite.Failed:
			t.Errorf("%s: %s: %s", r.Case.ID, r.Case.Title, r.Detail)
		}
	}
	if answers < 450 {
		t.Errorf("only %d answers", answers)
	}
}
