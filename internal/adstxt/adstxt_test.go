package adstxt

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/hostname"
)

func TestIgnoredText(t *testing.T) {
	t.Parallel()
	long := "managerdomain=" + strings.Repeat("x", MaxLine)
	f := Parse([]byte("\tmanagerdomain = a.example, US # \x1b[31m\r\n" + long + "\n"))
	want := []Ignored{
		{Line: 1, Text: "\tmanagerdomain = a.example, US # \x1b[31m", Reason: CountrySuffix},
		{Line: 2, Text: long[:MaxLine], Reason: LineTooLong},
	}
	diff := cmp.Diff(want, f.Ignored)
	if diff != "" {
		t.Error(diff)
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for r := range Reason(len(reasonText)) {
		text, err := r.MarshalText()
		if err != nil || string(text) != r.String() || seen[r.String()] || r.Phrase() == "" {
			t.Errorf("reason %d: %q, %v, %q", r, text, err, r.Phrase())
		}
		seen[r.String()] = true
	}
	if notOurs.String() != "unknown" {
		t.Errorf("reason out of range: %s", notOurs)
	}
}

// TestParseKeepsNothing makes sure that a caller may reuse its buffer.
func TestParseKeepsNothing(t *testing.T) {
	t.Parallel()
	src := []byte("managerdomain=a.example\nmanagerdomain=b.example:1\n")
	f := Parse(src)
	before := describe(f)
	text := f.Ignored[0].Text
	clear(src)
	diff := cmp.Diff(before, describe(f))
	if diff != "" || f.Ignored[0].Text != text {
		t.Error("the file changed with the buffer", diff)
	}
}

// TestParseHostile reads hostile files of the largest size that is fetched. Each
// takes milliseconds; work that grows with the square would outlast the test.
func TestParseHostile(t *testing.T) {
	t.Parallel()
	const size = 1_000_000
	for name, line := range map[string]string{
		"long names":     "managerdomain=" + strings.Repeat("ü.", 40) + "example\n",
		"line ends":      "\n",
		"carriage":       "\r",
		"words":          "managerdomain=a.example#" + strings.Repeat("noagents_", 400) + "\n",
		"odd keys":       strings.Repeat("\u200b", 1000) + "managerdomain=a.example\n",
		"spaces":         strings.Repeat(" ", 3900) + "managerdomain=a.example\n",
		"one long line":  "managerdomain=",
		"invalid octets": "managerdomain=\xff\xff\xff\n",
	} {
		text := strings.Repeat(line, size/len(line))
		if f := Parse([]byte(text)); f.Lines == 0 {
			t.Errorf("%s: no line was read", name)
		}
	}
}

// render writes the managers of a file back, each on its line.
func render(f *File) []byte {
	var b bytes.Buffer
	managers := f.Managers
	for n := range f.Lines {
		if len(managers) > 0 && managers[0].Line == n+1 {
			b.WriteString("managerdomain=" + managers[0].Domain)
			if managers[0].NoAgents {
				b.WriteString(" # noagents")
			}
			managers = managers[1:]
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func FuzzParse(f *testing.F) {
	for _, tc := range corpus(f) {
		if len(tc.input) < 4096 {
			f.Add(tc.input)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file := Parse(src)
		checkManagers(t, file)
		checkIgnored(t, file)
		again := Parse(render(file))
		diff := cmp.Diff(file.Managers, again.Managers)
		if diff != "" || again.Lines != file.Lines || again.Truncated != file.Truncated {
			t.Errorf("written back and read again: %s", diff)
		}
		// How lines end makes no difference.
		unix := bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		diff = cmp.Diff(file, Parse(unix))
		if diff != "" {
			t.Errorf("with other line ends: %s", diff)
		}
	})
}

// checkManagers asserts what holds for the entries of every file.
func checkManagers(t *testing.T, file *File) {
	t.Helper()
	line, eligible := 0, Manager{}
	for _, m := range file.Managers {
		if m.Line <= line || m.Line > min(file.Lines, MaxLines) {
			t.Errorf("line %d after %d of %d", m.Line, line, file.Lines)
		}
		line = m.Line
		if !hostname.IsCanonical(m.Domain) {
			t.Errorf("%q is not canonical", m.Domain)
		}
		if !m.NoAgents {
			eligible = m
		}
	}
	if file.Truncated {
		eligible = Manager{}
	}
	last, ok := file.Last()
	if last != eligible || ok != (eligible.Line > 0) {
		t.Errorf("last is %v, %v; want %v", last, ok, eligible)
	}
}

// checkIgnored asserts what holds for the other lines of every file.
func checkIgnored(t *testing.T, file *File) {
	t.Helper()
	line := 0
	for _, i := range file.Ignored {
		if i.Line <= line || i.Line > file.Lines || len(i.Text) > MaxLine || strings.ContainsAny(i.Text, "\r\n") {
			t.Errorf("ignored line %d after %d of %d: %q", i.Line, line, file.Lines, i.Text)
		}
		line = i.Line
		if i.Reason == 0 || int(i.Reason) >= len(reasonText) {
			t.Errorf("line %d has reason %d", i.Line, i.Reason)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	src := []byte(strings.Repeat("google.example, pub-1234567890, DIRECT, f08c47fec0942fa0 # a comment\n", 2000) + "managerdomain=manager.example\n")
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, ok := Parse(src).Last(); !ok {
			b.Fatal("no manager")
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]string{
		"Key=a\r\nKEY = b # c\n#key=d\nkey\nkeys=e\n key=": {"a", "b", ""},
		"\ufeffkey=a=b": {"a=b"},
		"<html>\nkey=a": nil,
		"":              nil,
	} {
		if got := slices.Collect(Values([]byte(src), "key")); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", src, got, want)
		}
	}
}
