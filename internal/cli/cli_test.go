package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
)

// outcome is what a run in this process left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// run runs the program in this process. The environment may be changed before.
func run(t *testing.T, change func(*console.Env), args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := console.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Now: func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) },
	}
	if change != nil {
		change(&env)
	}
	code := Run(t.Context(), env)
	return outcome{code, stdout.String(), stderr.String()}
}

// onTerminal puts a person at every stream.
func onTerminal(vars map[string]string) func(*console.Env) {
	return func(env *console.Env) {
		env.IsTerminal = func(console.Stream) bool { return true }
		env.Getenv = func(name string) string { return vars[name] }
		env.Width = func(console.Stream) int { return 80 }
	}
}

func tempFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "adagents.json")
	err := os.WriteFile(name, []byte(content), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

const unnamed = `{"contact": {"email": "adops@example.com"}, "authorized_agents": []}`

func TestColour(t *testing.T) {
	t.Parallel()
	file := tempFile(t, unnamed)
	tests := []struct {
		name string
		vars map[string]string
		args []string
		want bool
	}{
		{"terminal", nil, nil, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "0"}, nil, false},
		{"empty NO_COLOR", map[string]string{"NO_COLOR": ""}, nil, true},
		{"dumb terminal", map[string]string{"TERM": "dumb"}, nil, false},
		{"never", nil, []string{"--color", "never"}, false},
		{"always beats NO_COLOR", map[string]string{"NO_COLOR": "1"}, []string{"--color=always"}, true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"validate", file, "/no/such/file.json"}, tc.args...)
			got := run(t, onTerminal(tc.vars), args...)
			if got.code != console.ExitUnknown {
				t.Errorf("exit code %d", got.code)
			}
			for stream, text := range map[string]string{"stdout": got.stdout, "stderr": got.stderr} {
				if strings.Contains(text, "\x1b[") != tc.want {
					t.Errorf("%s: colour is not %v: %q", stream, tc.want, text)
				}
			}
		})
	}
}

func TestReportFileHasNoColour(t *testing.T) {
	t.Parallel()
	report := filepath.Join(t.TempDir(), "report.txt")
	got := run(t, onTerminal(nil), "validate", tempFile(t, unnamed), "-o", report)
	if got.code != console.ExitNo || got.stdout != "" {
		t.Errorf("exit code %d, output %q", got.code, got.stdout)
	}
	b, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte("contact.name_missing")) || bytes.Contains(b, []byte("\x1b")) {
		t.Errorf("report is %q", b)
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	t.Parallel()
	long := `{"a": "` + strings.Repeat("x", 500) + `", "contact": {"email": "nobody"}, "b": "` + strings.Repeat("y", 500) + `"}`
	got := run(t, onTerminal(nil), "validate", "--color=never", tempFile(t, long))
	shown := 0
	for line := range strings.Lines(got.stdout) {
		if strings.HasPrefix(line, "  1 |") {
			shown++
			if n := len([]rune(strings.TrimSpace(line))); n > 80 {
				t.Errorf("%d columns: %q", n, line)
			}
		}
	}
	if shown == 0 {
		t.Errorf("no line of the file shown: %q", got.stdout)
	}
}

// brokenWriter fails like a full disk.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestLostOutputIsNotSuccess(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "ndjson", "csv", "sarif", "github", "junit"} {
		got := run(t, func(env *console.Env) { env.Stdout = brokenWriter{} }, "validate", "--format", format, tempFile(t, unnamed))
		if got.code != console.ExitUnknown {
			t.Errorf("%s: exit code %d", format, got.code)
		}
		if !strings.Contains(got.stderr, "no space left on device") {
			t.Errorf("%s: stderr is %q", format, got.stderr)
		}
	}
}

// panickyReader stands for a bug in code that works on a file.
type panickyReader struct{}

func (panickyReader) Read([]byte) (int, error) { panic("bad luck \x1b[31m") }

func TestPanicIsNotUsageError(t *testing.T) {
	t.Parallel()
	got := run(t, func(env *console.Env) { env.Stdin = panickyReader{} }, "validate", "-")
	if got.code != console.ExitUnknown {
		t.Errorf("exit code %d", got.code)
	}
	for _, want := range []string{`internal error: bad luck \u{1b}[31m`, "hint: this is a bug in avow", "panickyReader"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("stderr lacks %q: %q", want, got.stderr)
		}
	}
}

func TestManyTargetsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var args, want []string
	for i := range 50 {
		name := filepath.Join(dir, string(rune('a'+i%26))+strings.Repeat("x", i)+".json")
		err := os.WriteFile(name, []byte(`{"authoritative_location": "https://cdn.example.net/a.json"}`+strings.Repeat(" ", (50-i)*1000)), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
		want = append(want, name+": valid")
	}
	got := run(t, nil, append([]string{"validate", "--quiet"}, args...)...)
	lines := strings.Split(got.stdout, "\n")
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Fatalf("line %d is %q, want %q", i, lines[i], want[i])
		}
	}
	if got.code != console.ExitYes {
		t.Errorf("exit code %d", got.code)
	}
}

// TestCommandsByName: a command that is built alone is the one that was asked for.
func TestCommandsByName(t *testing.T) {
	t.Parallel()
	for _, c := range groups[0].commands {
		a := console.New(console.Env{Args: []string{c.name, "rest"}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
		built, _, err := root(a).Find([]string{c.name})
		if err != nil || built.Name() != c.name || len(built.Aliases) > 0 {
			t.Errorf("%s: %v, with the aliases %q: %v", c.name, built.CommandPath(), built.Aliases, err)
		}
	}
	if n := len(needed([]string{"--color", "validate"})); n != len(groups) {
		t.Errorf("%d groups for a line that begins with a flag", n)
	}
}
