package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/netguard"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the output shown in the README and the guide")

// TestReadme runs every command the README shows, in the internet described in
// testdata/readme.txtar, and compares what it prints,
// so that the first screen never promises what the program does not do.
//
//nolint:paralleltest // it changes the working directory
func TestReadme(t *testing.T) {
	showsTheTruth(t, "README.md", "testdata/readme.txtar", "testdata/readme", 3)
}

// TestGuide does the same for the guide. Each page has an internet of its own.
//
//nolint:paralleltest // it changes the working directory
func TestGuide(t *testing.T) {
	pages, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if m := untested.FindString(string(text)); m != "" {
				t.Errorf("commands are shown as ```console, so that they are run: %s", m)
			}
			if !strings.Contains(string(text), "```console") {
				return
			}
			showsTheTruth(t, "docs/guide/"+name+".md", "testdata/guide/"+name+".txtar", "", 1)
		})
	}
}

// untested is a block of commands that nobody runs.
var untested = regexp.MustCompile("(?m)^```(sh|bash|shell)?\n[$a-z].*$")

// showsTheTruth runs a document of the repository and compares it with what it says, and
// rewrites it when that is wanted.
func showsTheTruth(t *testing.T, name, story, files string, commands int) {
	t.Helper()
	path := filepath.Join(home, "../..", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t, filepath.Join(home, story), files)
	got := s.document(string(text))
	if s.ran < commands {
		t.Errorf("%s shows %d commands, want at least %d", name, s.ran, commands)
	}
	if got == string(text) {
		return
	}
	t.Errorf("%s shows other output than the program gives; run go test ./internal/cli -run 'TestReadme|TestGuide' -update-readme", name)
	if !*updateReadme {
		return
	}
	err = os.WriteFile(path, []byte(got), 0o644)
	if err != nil {
		t.Fatal(err)
	}
}

// runLine runs a command line as a shell would split it, without a terminal and
// without a network.
func runLine(t *testing.T, line string) string {
	t.Helper()
	return runLineIn(t, netguard.Network{}, line)
}

func runLineIn(t *testing.T, network netguard.Network, line string) string {
	t.Helper()
	var out bytes.Buffer
	Run(t.Context(), console.Env{
		Args:       splitWords(line),
		Stdin:      strings.NewReader(""),
		Stdout:     &out,
		Stderr:     &out,
		Getenv:     stateIn(t.TempDir(), nil),
		Now:        testNow,
		Network:    network,
		IsTerminal: func(console.Stream) bool { return false },
		Width:      func(console.Stream) int { return 80 },
	})
	return out.String()
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	err = os.CopyFS(to, os.DirFS(abs))
	if err != nil {
		t.Fatal(err)
	}
	return to
}

var home, _ = os.Getwd()

// TestReadmeCode holds the Go code of the README to examples that compile and run.
func TestReadmeCode(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(home, "../../README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"adagents/example_readme_test.go", "example_test.go"} {
		example, err := os.ReadFile(filepath.Join(home, "../..", name))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(example), "\t// README begins\n")
		body, _, ok := strings.Cut(rest, "\t// README ends\n")
		shown := strings.ReplaceAll("\n"+body, "\n\t", "\n")
		if !ok || !strings.Contains(string(readme), "```go"+shown+"```") {
			t.Errorf("the README does not show this code of %s:\n%s", name, shown)
		}
	}
}

// TestReadmeNumbers: the code of the README prints the numbers that the command line prints, for
// files as people write them.
func TestReadmeNumbers(t *testing.T) {
	t.Parallel()
	corpus, err := filepath.Glob(filepath.Join(home, "../../adagents/testdata/repair/*.txtar"))
	if err != nil || len(corpus) < 100 {
		t.Fatalf("%d files: %v", len(corpus), err)
	}
	dir := t.TempDir()
	inert := 0
	for _, name := range corpus {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := archive.Files[0].Data
		file := adagents.Check(src, adagents.Options{Now: testNow()}).File
		if file == nil {
			continue
		}
		path := filepath.Join(dir, "adagents.json")
		err = os.WriteFile(path, src, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(`"usable":{"agents":%d,"properties":%d,`, file.UsableAgents(), len(file.Properties))
		got := runLine(t, "validate --format json "+path)
		if !strings.Contains(got, want) {
			t.Errorf("%s: the library has %s, the command line prints %s", filepath.Base(name), want, got)
		}
		if file.UsableAgents() < len(file.Agents) {
			inert++
		}
	}
	if inert == 0 {
		t.Error("no file has an entry that authorizes nothing")
	}
}
