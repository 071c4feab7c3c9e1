package adstxt

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpusCase is one case of testdata/corpus.txt. Want has the expectations as
// they are written there, sorted as describe sorts them.
type corpusCase struct {
	name  string
	input []byte
	want  []string
}

// describe writes a file in the notation of the corpus: the lines in file order,
// then the rest.
func describe(f *File) []string {
	var out []string
	managers, ignored := f.Managers, f.Ignored
	for len(managers)+len(ignored) > 0 {
		if len(ignored) == 0 || len(managers) > 0 && managers[0].Line < ignored[0].Line {
			text := fmt.Sprintf("manager %d %s", managers[0].Line, managers[0].Domain)
			if managers[0].NoAgents {
				text += " noagents"
			}
			out, managers = append(out, text), managers[1:]
			continue
		}
		out = append(out, fmt.Sprintf("ignored %d %s", ignored[0].Line, ignored[0].Reason))
		ignored = ignored[1:]
	}
	out = append(out, "lines "+strconv.Itoa(f.Lines))
	if f.Truncated {
		out = append(out, "truncated")
	}
	last, ok := f.Last()
	if !ok {
		return append(out, "last none")
	}
	return append(out, fmt.Sprintf("last %s@%d", last.Domain, last.Line))
}

// parsePart reads `"TEXT"` or `"TEXT" xN`.
func parsePart(text string) (string, error) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", err
	}
	part, err := strconv.Unquote(quoted)
	if err != nil {
		return "", err
	}
	times, repeated := strings.CutPrefix(text[len(quoted):], " x")
	if !repeated {
		return part, nil
	}
	n, err := strconv.Atoi(times)
	return strings.Repeat(part, n), err
}

// corpus reads the cases.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	data, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for scanner.Scan() {
		line := scanner.Text()
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || word == "#" || line == "#":
		case word == "case":
			cases = append(cases, corpusCase{name: rest})
		case word == "in":
			part, err := parsePart(rest)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			last := &cases[len(cases)-1]
			last.input = append(last.input, part...)
		default:
			last := &cases[len(cases)-1]
			last.want = append(last.want, line)
		}
	}
	return cases
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	cases := corpus(t)
	if len(cases) < 60 {
		t.Errorf("only %d cases", len(cases))
	}
	names := map[string]bool{}
	for _, tc := range cases {
		if names[tc.name] {
			t.Errorf("two cases are named %q", tc.name)
		}
		names[tc.name] = true
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			diff := cmp.Diff(tc.want, describe(Parse(tc.input)))
			if diff != "" {
				t.Errorf("expected (-), found (+):\n%s", diff)
			}
		})
	}
}

// TestCorpusCoversReasons keeps the corpus complete when a reason is added.
func TestCorpusCoversReasons(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tc := range corpus(t) {
		for _, line := range tc.want {
			fields := strings.Fields(line)
			if fields[0] == "ignored" {
				seen[fields[2]] = true
			}
		}
	}
	for r := TooManyLines; int(r) < len(reasonText); r++ {
		if !seen[r.String()] {
			t.Errorf("no case for %s", r)
		}
	}
}
