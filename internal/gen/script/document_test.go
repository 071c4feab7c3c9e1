package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/adagents"
)

// selftestMain runs the proofs of build/selftest.ts over the files on its standard input.
const selftestMain = `import { prove, proveParts } from './SELFTEST';
import { readFileSync } from 'node:fs';
proveParts();
let edits = 0;
const wrong = [];
for (const f of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    edits += prove(f.text);
  } catch (e) {
    wrong.push(f.name + ': ' + (e.stack ?? e));
  }
}
process.stdout.write(JSON.stringify({ edits, wrong }));
`

// file is a file that is edited.
type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// TestDocument edits many files in many places through the document of the page that builds
// files, and nothing that was not edited may change.
func TestDocument(t *testing.T) {
	t.Parallel()
	needPackages(t)
	files := realFiles(t)
	const least = 200
	if len(files) < least {
		t.Errorf("there are %d files, and %d are wanted", len(files), least)
	}
	built, err := build(sources, []entry{{"selftest", "build/selftest.ts"}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"selftest.mjs": built["selftest.js"], "main.mjs": []byte(strings.ReplaceAll(selftestMain, "SELFTEST", "selftest.mjs"))} {
		err := os.WriteFile(filepath.Join(dir, name), text, 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	input, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "main.mjs"))
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var result struct {
		Edits int      `json:"edits"`
		Wrong []string `json:"wrong"`
	}
	err = json.Unmarshal(out, &result)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range result.Wrong {
		t.Error(w)
	}
	t.Logf("%d edits of %d files", result.Edits, len(files))
	const leastEdits = 10000
	if result.Edits < leastEdits {
		t.Errorf("%d edits, and %d are wanted", result.Edits, leastEdits)
	}
}

// realFiles are files as people write them: those of the tests, of the vectors, and the examples
// of all rules.
func realFiles(t *testing.T) []file {
	t.Helper()
	var files []file
	seen := map[string]bool{}
	add := func(name string, text []byte) {
		const largest = 200_000
		if !seen[string(text)] && len(text) < largest && utf8.Valid(text) && json.Valid(bytes.TrimPrefix(text, []byte("\ufeff"))) {
			seen[string(text)] = true
			files = append(files, file{name, string(text)})
		}
	}
	for _, root := range []string{"../../../adagents/testdata", "../../../conformance", "../../../internal/cli/testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			switch filepath.Ext(path) {
			case ".json":
				add(path, text)
			case ".txtar", ".txt":
				for _, f := range txtar.Parse(text).Files {
					_, body, answered := bytes.Cut(f.Data, []byte("\n\n"))
					add(path+" "+f.Name, f.Data)
					if answered {
						add(path+" "+f.Name, body)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range adagents.Rules() {
		add(r.Code+" good", adagents.Example(r.In, r.Good))
		add(r.Code+" bad", adagents.Example(r.In, r.Bad))
	}
	const every = 4 // all of them take minutes
	var some []file
	for i := 0; i < len(files); i += every {
		some = append(some, files[i])
	}
	return some
}
