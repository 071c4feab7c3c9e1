package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/markdown"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// everyCommand calls f for each command that help lists.
func everyCommand(root *cobra.Command, f func(*cobra.Command)) {
	f(root)
	for _, sub := range console.Subcommands(root) {
		everyCommand(sub, f)
	}
}

// isGroup reports whether a command does nothing but name those below it.
func isGroup(cmd *cobra.Command) bool {
	return cmd.HasParent() && strings.Contains(cmd.Use, " COMMAND ")
}

// TestHelpForm: every help text has the same parts.
func TestHelpForm(t *testing.T) {
	t.Parallel()
	everyCommand(Commands(), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		first := strings.SplitN(cmd.Short, " ", 2)[0]
		if cmd.Short == "" || first == strings.ToTitle(first[:1])+first[1:] && first != strings.ToUpper(first) || strings.HasSuffix(cmd.Short, ".") || len(cmd.Short) > 64 {
			t.Errorf("%s: the summary should be a short line without capital and period: %q", path, cmd.Short)
		}
		_, last, _ := strings.Cut(cmd.Long, "\n\nExit codes: 0 ")
		if cmd.RunE != nil && !isGroup(cmd) && (!strings.HasSuffix(last, ".") || strings.Contains(last, "\n\n")) {
			t.Errorf("%s: the help does not end with the exit codes", path)
		}
		for example := range strings.Lines(cmd.Example + "\n") {
			if !strings.HasPrefix(example, "  ") || !strings.Contains(example, "avow") || strings.HasSuffix(example, "\\\n") {
				t.Errorf("%s: an example should be a line that begins with two spaces: %q", path, example)
			}
		}
	})
}

// TestHelpWidth: help fits into terminals, but for words that are longer than a line.
func TestHelpWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{0, 120, 80, 60, 40, 20} {
		most := min(width, 80)
		if width == 0 {
			most = 80
		}
		most = max(most, 40)
		everyCommand(Commands(), func(cmd *cobra.Command) {
			args := append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)
			got := run(t, func(env *console.Env) {
				env.Width = func(console.Stream) int { return width }
			}, args...)
			if got.code != 0 || !strings.HasPrefix(got.stdout, cmd.CommandPath()+": ") {
				t.Fatalf("%v: %+v", args, got)
			}
			for line := range strings.Lines(got.stdout) {
				line = strings.TrimSuffix(line, "\n")
				code := strings.HasPrefix(line, "  ") && strings.Contains(cmd.Long, line) || strings.ContainsAny(line, `"'`)
				if textsafe.Width(line) > most && (most == 80 || !code) && len(strings.Fields(strings.TrimSuffix(line, ` \`))) > 1 {
					t.Errorf("%v in %d columns: %q", args, width, line)
				}
			}
		})
	}
}

// TestWrappedExamples: an example means the same in lines of any length.
func TestWrappedExamples(t *testing.T) {
	t.Parallel()
	everyCommand(Commands(), func(cmd *cobra.Command) {
		args := append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)
		got := run(t, func(env *console.Env) { env.Width = func(console.Stream) int { return 40 } }, args...)
		_, examples, _ := strings.Cut(got.stdout, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		lines := strings.Split(strings.ReplaceAll(examples, " \\\n      ", " "), "\n")
		if fmt.Sprint(lines) != fmt.Sprint(strings.Split(cmd.Example, "\n")) {
			t.Errorf("%v: the examples are %q, want %q", args, lines, cmd.Example)
		}
	})
}

// TestReadmeCommands: the README lists the commands as help does.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	root := Commands()
	var table strings.Builder
	table.WriteString("| | Command | What it does |\n|---|---|---|\n")
	for _, g := range root.Groups() {
		title := "**" + g.Title + "**"
		for _, cmd := range console.Subcommands(root) {
			if cmd.GroupID == g.ID {
				fmt.Fprintf(&table, "| %s | [`%s`](docs/cli.md#%s) | %s |\n", title, cmd.CommandPath(), markdown.Anchor(cmd.CommandPath()), cmd.Short)
				title = ""
			}
		}
	}
	path := filepath.Join(home, "../../README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(text), "\n## Commands\n\n")
	old, after, ended := strings.Cut(after, "\n\n")
	if !found || !ended {
		t.Fatal("the README has no table of commands")
	}
	if old+"\n" == table.String() {
		return
	}
	t.Error("the README lists other commands than help; run go test ./internal/cli -run TestReadmeCommands -update-readme")
	if *updateReadme {
		err = os.WriteFile(path, []byte(before+"\n## Commands\n\n"+table.String()+"\n"+after), 0o644)
		if err != nil {
			t.Error(err)
		}
	}
}
