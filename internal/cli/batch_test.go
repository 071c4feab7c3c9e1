package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench/press"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/resolve"
)

// TestBatchAgrees compares the answers of a batch with those that the resolver gives to
// each question alone.
func TestBatchAgrees(t *testing.T) {
	t.Parallel()
	const questions, publishers = 10_000, 50
	dir := batchFolder(t, publishers)
	resolver := resolve.New(folder(dir))
	for _, format := range []string{"csv", "ndjson"} {
		in := press.BatchQuestions(questions, publishers, format)
		got := run(t, func(env *console.Env) { env.Stdin = bytes.NewReader(in) }, "authorize", "--batch", "-", "--file", dir)
		if got.code != console.ExitUnknown {
			t.Fatalf("exit code %d, %s", got.code, got.stderr)
		}
		lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
		if len(lines) != questions {
			t.Fatalf("%d answers", len(lines))
		}
		for i := 0; i < questions; i += 37 {
			var a struct{ ID, Publisher, Agent, Property, Identifier, Country, Verdict string }
			err := json.Unmarshal([]byte(lines[i]), &a)
			if err != nil {
				t.Fatal(err)
			}
			kind, value, _ := strings.Cut(a.Identifier, "=")
			want, err := resolver.Answer(t.Context(), resolve.Question{
				Publisher: a.Publisher, Agent: a.Agent, Property: a.Property, Country: a.Country, At: testNow(),
				Identifier: resolve.Identifier{Type: kind, Value: value},
			})
			if err != nil || want.Verdict.String() != a.Verdict {
				t.Errorf("%s: %v, %v", lines[i], want, err)
			}
		}
	}
}

// folder is a folder with a file for each publisher.
type folder string

// Document reads the file of a publisher.
func (f folder) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	src, err := os.ReadFile(filepath.Join(string(f), publisher+".json"))
	if err != nil {
		return nil, err
	}
	report := adagents.Check(src, adagents.Options{Domain: publisher})
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, File: report.File, FetchedAt: testNow()}, nil
}

// TestBatchInput gives questions in ways that a reader can stumble over.
func TestBatchInput(t *testing.T) {
	t.Parallel()
	dir := batchFolder(t, 1)
	const agent = "https://agent0.example/mcp"
	long := strings.Repeat("x", 1<<20)
	tests := []struct {
		name, in string
		code     int
		want     string // in the output or the messages
	}{
		{"byte order mark", "\uFEFFpublisher,agent,country\npub0.example," + agent + ",DE\n", console.ExitYes, `"verdict":"authorized"`},
		{"byte order mark before JSON", "\uFEFF" + `{"publisher":"pub0.example","agent":"` + agent + `","country":"de"}`, console.ExitYes, `"verdict":"authorized"`},
		{"lines of Windows", "publisher,agent,country\r\npub0.example," + agent + ",DE\r\n", console.ExitYes, `"verdict":"authorized"`},
		{"white space in front", "\n\n  \n{\"publisher\":\"pub0.example\",\"agent\":\"" + agent + "\",\"country\":\"DE\"}", console.ExitYes, `"verdict":"authorized"`},
		{"spaces around cells", " Publisher , agent,COUNTRY\n pub0.example , " + agent + " , DE \n", console.ExitYes, `"verdict":"authorized"`},
		{"a line break in a cell", "id,publisher,agent,country\n\"a\nb\",pub0.example," + agent + ",DE\n1,pub0.example," + agent + ",DE\n", console.ExitYes, `{"line":4,"id":"1",`},
		{"a stray quotation mark", "publisher,agent,country\npub\"0.example," + agent + ",DE\npub0.example," + agent + ",DE\n", console.ExitUnknown, `{"line":3,"code":"entry.covers","verdict"`},
		{"a quotation mark without end", "publisher,agent\n\"pub0.example," + agent + "\n", console.ExitUnknown, `"error":`},
		{"far too long", "publisher,agent\n\"" + long + long, console.ExitUnknown, "a question is longer than 1 MiB"},
		{"far too long a line", `{"publisher":"` + long + long, console.ExitUnknown, "a question is longer than 1 MiB"},
		{"empty", "", console.ExitUnknown, "there are no questions"},
		{"white space alone", " \n\n", console.ExitUsage, "unknown member"},
		{"no column", "pub0.example\n", console.ExitUsage, `unknown member "pub0.example"`},
		{"no publisher", "agent\n" + agent + "\n", console.ExitUnknown, "the domain is missing"},
		{"a signal and a property", "publisher,agent,signal,property\npub0.example," + agent + ",s,site\n", console.ExitUnknown, "not both"},
		{"a wrong identifier", "publisher,agent,identifier\npub0.example," + agent + ",x\n", console.ExitUnknown, "is not an identifier"},
		{"a wrong time", "publisher,agent,at\npub0.example," + agent + ",noon\n", console.ExitUnknown, `"error":"at: \"noon\" is not a time`},
		{"a wrong collection", "publisher,agent,collection\npub0.example," + agent + ",x\n", console.ExitUnknown, "is not a collection"},
		{"collections", "publisher,agent,country,collections\npub0.example," + agent + ",DE,pub0.example/a pub0.example/b\n", console.ExitYes, `"collections":["pub0.example/a","pub0.example/b"]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, slow := range []bool{false, true} {
				got := run(t, func(env *console.Env) {
					env.Stdin = strings.NewReader(tc.in)
					if slow && len(tc.in) < 10_000 {
						env.Stdin = iotest.OneByteReader(env.Stdin)
					}
				}, "authorize", "--batch", "-", "--file", dir)
				if got.code != tc.code || !strings.Contains(got.stdout+got.stderr, tc.want) {
					t.Errorf("exit code %d, stdout %.300s, stderr %.300s", got.code, got.stdout, got.stderr)
				}
			}
		})
	}
}

// TestBatchReadFails ends a batch when its questions cannot be read to the end.
func TestBatchReadFails(t *testing.T) {
	t.Parallel()
	dir := batchFolder(t, 1)
	begin := strings.NewReader("publisher,agent,country\npub0.example,https://agent0.example/mcp,DE\n")
	got := run(t, func(env *console.Env) {
		env.Stdin = io.MultiReader(begin, iotest.ErrReader(errors.New("the disk is gone")))
	}, "authorize", "--batch", "-", "--file", dir)
	if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "avow: error: cannot read -: the disk is gone") || strings.Contains(got.stderr, "1 question") {
		t.Errorf("%+v", got)
	}
}

// TestAuthorizeInterrupted ends questions while a host or the user is silent.
func TestAuthorizeInterrupted(t *testing.T) {
	t.Parallel()
	const agent = "https://agent.example/mcp"
	silent, typing := io.Pipe()
	t.Cleanup(func() { _ = typing.Close() })
	typed := make(chan struct{})
	go func() {
		defer close(typed)
		_, _ = io.WriteString(typing, "publisher\nfast.example\n")
	}()
	for name, args := range map[string][]string{
		"a silent host":          {"authorize", "slow.example", "--agent", agent},
		"a listing":              {"resolve", "slow.example", "--agent", agent},
		"a silent host in batch": {"authorize", "--batch", tempFile(t, "publisher\nslow.example\n"), "--agent", agent},
		"a silent user":          {"authorize", "--batch", "-", "--agent", agent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			web, change := inWeb(t, served("fast.example", "", emptyFile)+served("slow.example", "stall", emptyFile))
			var stdout, stderr bytes.Buffer
			env := console.Env{Args: args, Stdin: silent, Stdout: &stdout, Stderr: &stderr, Now: testNow}
			change(&env)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for name != "a silent user" && len(web.Requests()) == 0 {
					time.Sleep(time.Millisecond)
				}
				if name == "a silent user" {
					<-typed
				}
				cancel()
			}()
			code := Run(ctx, env)
			if code != console.ExitUnknown || !strings.Contains(stderr.String(), "avow: error: interrupted") {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
			}
		})
	}
}

// TestAuthorizeTimeout gives up on a silent host, which is not a no.
func TestAuthorizeTimeout(t *testing.T) {
	t.Parallel()
	_, change := inWeb(t, served("slow.example", "stall", emptyFile))
	got := run(t, change, "authorize", "slow.example", "--agent", "https://agent.example/mcp", "--timeout", "300ms")
	if got.code != console.ExitUnknown || !strings.HasPrefix(got.stdout, "unverified: ") || !strings.Contains(got.stdout, "[file.unreachable]") {
		t.Errorf("%+v", got)
	}
}

// TestBatchBar shows a bar to a person whose results go to a file.
func TestBatchBar(t *testing.T) {
	t.Parallel()
	dir := batchFolder(t, 5)
	questions := filepath.Join(t.TempDir(), "questions.csv")
	err := os.WriteFile(questions, press.BatchQuestions(20_000, 5, "csv"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(t.TempDir(), "results.ndjson")
	args := []string{"authorize", "--batch", questions, "--file", dir}
	got := run(t, onTerminal(nil), append(args, "-o", results)...)
	for _, want := range []string{"\ranswering   0% [---", "\r\x1b[Kavow: 20,000 questions: "} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("no %q in %q", want, got.stderr)
		}
	}
	b, err := os.ReadFile(results)
	if err != nil || bytes.Count(b, []byte("\n")) != 20_000 {
		t.Errorf("%d lines, %v", bytes.Count(b, []byte("\n")), err)
	}
	for name, change := range map[string]func(*console.Env){
		"results on the terminal": onTerminal(nil),
		"no person":               nil,
		"dumb terminal":           onTerminal(map[string]string{"TERM": "dumb"}),
	} {
		got := run(t, change, args...)
		if strings.Contains(got.stderr, "answering") {
			t.Errorf("%s: %q", name, got.stderr)
		}
	}
}

// TestBatchOutputFails ends a batch when nobody takes the results.
func TestBatchOutputFails(t *testing.T) {
	t.Parallel()
	dir := batchFolder(t, 1)
	got := run(t, func(env *console.Env) {
		env.Stdin = bytes.NewReader(press.BatchQuestions(50_000, 1, "csv"))
		env.Stdout = failingWriter{}
	}, "authorize", "--batch", "-", "--file", dir)
	if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "avow: error: cannot write the output: no room") {
		t.Errorf("%+v", got)
	}
}

type failingWriter struct{}

// Write fails.
func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no room") }

// FuzzBatch reads anything as questions: each gets one answer, the output is what it
// claims to be, and nothing in it obeys the input.
func FuzzBatch(f *testing.F) {
	for _, s := range []string{
		"publisher,agent\npub.example,https://a.example/\n", `{"publisher":"pub.example","agent":"https://a.example/"}`,
		"id,publisher,agent,placement\n=1,pub.example,https://a.example/,a b\n\"x\ny\",,,\n", "{\"id\":\"\\u001b\"}\n{}\n[]\n{",
		"publisher\n\"", "\uFEFFid\n@x\n",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in string) {
		for _, format := range []string{"json", "csv"} {
			got := run(t, func(env *console.Env) { env.Stdin = strings.NewReader(in) }, "authorize", "--batch", "-", "--format", format, "--file", dir)
			if strings.Contains(got.stderr, "internal error") {
				t.Fatal(got.stderr)
			}
			plain(t, format, got.stdout)
			if format == "json" {
				for line := range strings.Lines(got.stdout) {
					if !json.Valid([]byte(line)) {
						t.Errorf("no JSON: %q", line)
					}
				}
				continue
			}
			checkCells(t, got.stdout)
		}
	})
}

// checkCells looks for rows that do not fit the first, and for formulas.
func checkCells(t *testing.T, table string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatalf("%v: %q", err, table)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r\n|") {
				t.Errorf("the cell %q is a formula", cell)
			}
		}
	}
}
