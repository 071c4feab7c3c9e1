package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/wire"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the output shown in the README")

// consoleBlock is a fenced block with commands and what they print.
var consoleBlock = regexp.MustCompile("(?s)```console\n.*?```")

// shownCommand is a line of such a block that was typed.
var shownCommand = regexp.MustCompile(`(?m)^\$ avow (.*)$`)

// TestReadme runs every command the README shows, in the internet described in
// testdata/readme.txtar, and compares what it prints,
// so that the first screen never promises what the program does not do.
//
//nolint:paralleltest // it changes the working directory
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	web, err := startWeb("testdata/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	t.Chdir(copyOf(t, "testdata/readme"))
	blocks := 0
	got := consoleBlock.ReplaceAllFunc(readme, func(block []byte) []byte {
		blocks++
		text := "```console\n"
		for _, command := range shownCommand.FindAllStringSubmatch(string(block), -1) {
			shown := runLineIn(t, web.Network(), command[1])
			text += "$ avow " + command[1] + "\n" + fetchedAt.ReplaceAllString(shown, "${1}"+wire.Time(testNow()))
		}
		return []byte(text + "```")
	})
	if blocks < 3 {
		t.Errorf("the README shows %d commands, want at least 3", blocks)
	}
	if bytes.Equal(got, readme) {
		return
	}
	t.Error("the README shows other output than the program gives; run go test ./internal/cli -run TestReadme -update-readme")
	if *updateReadme {
		writeReadme(t, got)
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
		Width:      func() int { return 80 },
	})
	return out.String()
}

// splitWords splits at spaces outside double quotes.
func splitWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
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

func writeReadme(t *testing.T, text []byte) {
	t.Helper()
	err := os.WriteFile(filepath.Join(home, "../../README.md"), text, 0o644)
	if err != nil {
		t.Fatal(err)
	}
}

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
