package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
)

// TestResume ends runs after each of their results, in the middle of a line of the state: those
// that are finished are not asked again, and every result is given once.
func TestResume(t *testing.T) {
	t.Parallel()
	const count = 6
	archive, list := publishersToResume(t, count)
	for _, command := range [][]string{
		{"validate", "--format", "csv"}, {"validate", "--format", "ndjson"}, {"validate", "--quiet"}, {"discover", "--format", "csv"}, {"discover"},
		{"resolve", "--agent", "https://agent.example/mcp", "--format", "csv", "--no-state"},
	} {
		for _, toFile := range []bool{false, true} {
			dir := t.TempDir()
			state, out := filepath.Join(dir, "state"), filepath.Join(dir, "out")
			args := append(slices.Clone(command), "--from", list, "--ordered", "--resume", state)
			if toFile {
				args = append(args, "-o", out)
			}
			internet, change := inWeb(t, archive)
			still := func(env *console.Env) { change(env); env.Now = testNow }
			whole := run(t, still, args...)
			want := given(t, toFile, out, whole.stdout)
			kept, err := os.ReadFile(state)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(kept, []byte("\n"))
			for n := range count {
				cut := slices.Concat(bytes.Join(lines[:n+1], nil), lines[n+1][:len(lines[n+1])/2])
				err := os.WriteFile(state, cut, 0o600)
				if err != nil {
					t.Fatal(err)
				}
				before := len(internet.Requests())
				got := run(t, still, args...)
				again := given(t, toFile, out, got.stdout)
				for _, r := range internet.Requests()[before:] {
					if i := strings.TrimPrefix(strings.TrimSuffix(r.Host, ".example"), "p"); i < strconv.Itoa(n) {
						t.Errorf("%v after %d: p%s.example is asked again", command, n, i)
					}
				}
				if got.code != whole.code {
					t.Errorf("%v after %d: exit code %d, want %d: %s", command, n, got.code, whole.code, got.stderr)
				}
				if toFile && again != want || !toFile && !strings.HasSuffix(want, again) {
					t.Errorf("%v after %d: got\n%s\nwant\n%s", command, n, again, want)
				}
				if seen := strings.Count(again, "p0.example"); !toFile && n > 0 && seen > 0 {
					t.Errorf("%v after %d: the first is given again", command, n)
				}
				if !strings.Contains(again, fmt.Sprintf("p%d.example", count-1)) {
					t.Errorf("%v after %d: the last is missing", command, n)
				}
			}
		}
	}
}

// byClock is what a result has from the real clock.
var byClock = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|"date":"[^"]*"|"ms":{[^}]*}`)

// TestResumeOtherFormat goes on with a run in another format and then in the first one again: no
// target is checked twice, and each format has every result once.
func TestResumeOtherFormat(t *testing.T) {
	t.Parallel()
	const count, done = 4, 2
	archive, list := publishersToResume(t, count)
	for _, command := range [][]string{
		{"validate"}, {"discover"}, {"resolve", "--agent", "https://agent.example/mcp", "--no-state"},
	} {
		for _, formats := range [][2]string{{"text", "csv"}, {"csv", "ndjson"}, {"json", "text"}} {
			for _, toFile := range []bool{false, true} {
				name := fmt.Sprint(command[0], formats, toFile)
				internet, change := inWeb(t, archive)
				still := func(env *console.Env) { change(env); env.Now = testNow }
				dir := t.TempDir()
				state, out := filepath.Join(dir, "state"), filepath.Join(dir, "out")
				write := func(format string, more ...string) string {
					t.Helper()
					args := slices.Concat(command, []string{"--from", list, "--ordered", "--format", format}, more)
					if toFile {
						args = append(args, "-o", out+"."+format)
					}
					return byClock.ReplaceAllString(given(t, toFile, out+"."+format, run(t, still, args...).stdout), "")
				}
				want := write(formats[1])
				whole := write(formats[0], "--resume", state)
				cutLines(t, state, 1+done)
				before := len(internet.Requests())
				if got := write(formats[1], "--resume", state); got != want {
					t.Errorf("%s: the second format has\n%s\nwant\n%s", name, got, want)
				}
				for _, r := range internet.Requests()[before:] {
					if r.Host < fmt.Sprintf("p%d", done) {
						t.Errorf("%s: %s is asked again", name, r.Host)
					}
				}
				before = len(internet.Requests())
				rest := write(formats[0], "--resume", state)
				if toFile && rest != whole || !toFile && (!strings.HasSuffix(whole, rest) || strings.Contains(rest, fmt.Sprintf("p%d.", done-1)) || !strings.Contains(rest, fmt.Sprintf("p%d.", done))) {
					t.Errorf("%s: the first format goes on with\n%s\nof\n%s", name, rest, whole)
				}
				if n := len(internet.Requests()) - before; n > 0 {
					t.Errorf("%s: %d requests for what is done", name, n)
				}
			}
		}
	}
}

// cutLines leaves the first lines of a file.
func cutLines(t *testing.T, name string, n int) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, bytes.Join(bytes.SplitAfter(b, []byte("\n"))[:n], nil), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// given returns what a run has given.
func given(t *testing.T, toFile bool, out, stdout string) string {
	t.Helper()
	if !toFile {
		return stdout
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// publishersToResume are publishers with a file each, and a list of them.
func publishersToResume(t *testing.T, count int) (string, string) {
	t.Helper()
	var archive, names strings.Builder
	for i := range count {
		host := fmt.Sprintf("p%d.example", i)
		fmt.Fprintln(&names, host)
		archive.WriteString(served(host, "", emptyFile))
	}
	return archive.String(), tempFile(t, names.String())
}
