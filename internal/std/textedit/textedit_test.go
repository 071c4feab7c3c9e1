package textedit_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/textedit"
)

func TestApply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src string
		edits     []textedit.Edit
		want, err string
	}{
		{"nothing", "abc", nil, "abc", ""},
		{"replace", "abcdef", []textedit.Edit{{1, 3, "XYZ"}}, "aXYZdef", ""},
		{"insert", "abc", []textedit.Edit{{0, 0, "<"}, {3, 3, ">"}}, "<abc>", ""},
		{"remove", "abc", []textedit.Edit{{0, 1, ""}, {2, 3, ""}}, "b", ""},
		{"same offset", "ab", []textedit.Edit{{1, 1, "1"}, {1, 1, "2"}, {1, 2, "3"}}, "a123", ""},
		{"neighbours", "abcd", []textedit.Edit{{0, 2, "1"}, {2, 4, "2"}}, "12", ""},
		{"empty text", "", []textedit.Edit{{0, 0, "x"}}, "x", ""},
		{"any bytes", "\xff\x00\r\n", []textedit.Edit{{1, 2, "\xfe"}}, "\xff\xfe\r\n", ""},
		{"before the start", "abc", []textedit.Edit{{-1, 0, ""}}, "", "edit 0: bytes -1 to 0 are not a range of a text of 3 bytes"},
		{"after the end", "abc", []textedit.Edit{{0, 1, ""}, {3, 4, ""}}, "", "edit 1: bytes 3 to 4 are not a range of a text of 3 bytes"},
		{"backwards", "abc", []textedit.Edit{{2, 1, ""}}, "", "edit 0: bytes 2 to 1 are not a range of a text of 3 bytes"},
		{"overlap", "abc", []textedit.Edit{{0, 2, ""}, {1, 3, ""}}, "", "edit 1: it starts at byte 1, before the end of the edit before it at byte 2"},
		{"not sorted", "abc", []textedit.Edit{{2, 2, ""}, {1, 1, ""}}, "", "edit 1: it starts at byte 1, before the end of the edit before it at byte 2"},
	} {
		got, err := textedit.Apply([]byte(test.src), test.edits)
		if string(got) != test.want || fmt.Sprint(err) != fmt.Sprint(errorOf(test.err)) {
			t.Errorf("%s: %q, %v, want %q, %s", test.name, got, err, test.want, test.err)
		}
	}
}

func errorOf(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func TestSort(t *testing.T) {
	t.Parallel()
	edits := []textedit.Edit{{5, 6, "a"}, {2, 4, "b"}, {2, 2, "c"}, {5, 5, "d"}, {2, 2, "e"}}
	textedit.Sort(edits)
	want := []textedit.Edit{{2, 2, "c"}, {2, 2, "e"}, {2, 4, "b"}, {5, 5, "d"}, {5, 6, "a"}}
	if diff := cmp.Diff(want, edits); diff != "" {
		t.Error(diff)
	}
}

// diffs are texts, edits and the diff that is expected.
var diffs = []struct {
	name, src string
	edits     []textedit.Edit
	context   int
	want      string
}{
	{"word", "a\nb\nc\nd\n", []textedit.Edit{{2, 3, "B"}}, 1, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
	{"no context", "a\nb\nc\n", []textedit.Edit{{2, 3, "B"}}, 0, "@@ -2,1 +2,1 @@\n-b\n+B\n"},
	{"line removed", "a\nb\nc\n", []textedit.Edit{{2, 4, ""}}, 3, "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
	{"line removed, no context", "a\nb\nc\n", []textedit.Edit{{2, 4, ""}}, 0, "@@ -2,1 +1,0 @@\n-b\n"},
	{"line inserted", "a\nc\n", []textedit.Edit{{2, 2, "b\n"}}, 1, "@@ -1,2 +1,3 @@\n a\n+b\n c\n"},
	{"line inserted, no context", "a\nc\n", []textedit.Edit{{2, 2, "b\n"}}, 0, "@@ -1,0 +2,1 @@\n+b\n"},
	{"line inserted after another", "a\nc\n", []textedit.Edit{{1, 1, "\nb"}}, 1, "@@ -1,2 +1,3 @@\n a\n+b\n c\n"},
	{"lines joined", "a\nb\nc\n", []textedit.Edit{{1, 2, ""}}, 1, "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c\n"},
	{"several in a line", "abc\nd\n", []textedit.Edit{{0, 1, "A"}, {2, 2, "-"}, {2, 3, "C"}}, 1, "@@ -1,2 +1,2 @@\n-abc\n+Ab-C\n d\n"},
	{"two hunks", "1\n2\n3\n4\n5\n", []textedit.Edit{{0, 1, "x"}, {8, 9, "y"}}, 1, "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+y\n"},
	{"one hunk", "1\n2\n3\n4\n", []textedit.Edit{{0, 1, "x"}, {6, 7, "y"}}, 1, "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n-4\n+y\n"},
	{"numbers shift", "1\n2\n3\n4\n5\n", []textedit.Edit{{0, 0, "0\n"}, {8, 9, ""}}, 0, "@@ -0,0 +1,1 @@\n+0\n@@ -5,1 +6,1 @@\n-5\n+\n"},
	{"carriage returns", "a\r\nb\r\n", []textedit.Edit{{3, 4, "B"}}, 1, "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n"},
	{"no final line feed", "a\nb", []textedit.Edit{{2, 3, "B"}}, 1, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n"},
	{"kept without line feed", "a\nb", []textedit.Edit{{0, 1, "A"}}, 1, "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
	{"final line feed added", "a", []textedit.Edit{{1, 1, "\n"}}, 1, "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
	{"final line feed removed", "a\n", []textedit.Edit{{1, 2, ""}}, 1, "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n"},
	{"added at the end", "a\n", []textedit.Edit{{2, 2, "b"}, {2, 2, "c"}}, 1, "@@ -1,1 +1,2 @@\n a\n+bc\n\\ No newline at end of file\n"},
	{"from nothing", "", []textedit.Edit{{0, 0, "a\n"}}, 3, "@@ -0,0 +1,1 @@\n+a\n"},
	{"to nothing", "a\nb", []textedit.Edit{{0, 3, ""}}, 3, "@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
	{"no change", "a\n", []textedit.Edit{{0, 1, "a"}}, 3, ""},
	{"not sorted", "ab\n", []textedit.Edit{{1, 1, "x"}, {0, 0, "y"}}, 3, ""},
	{"empty lines", "\n\n\n", []textedit.Edit{{1, 1, "x"}}, 1, "@@ -1,3 +1,3 @@\n \n-\n+x\n \n"},
	{"context beyond the text", "a\nb\n", []textedit.Edit{{0, 1, "A"}}, 1 << 62, "@@ -1,2 +1,2 @@\n-a\n+A\n b\n"},
	{"negative context", "a\nb\n", []textedit.Edit{{0, 1, "A"}}, -1, "@@ -1,1 +1,1 @@\n-a\n+A\n"},
}

func TestHunks(t *testing.T) {
	t.Parallel()
	for _, test := range diffs {
		got := textedit.Unified("f", "f", textedit.Hunks([]byte(test.src), test.edits, test.context))
		if test.want != "" {
			test.want = "--- f\n+++ f\n" + test.want
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestHunkEdits checks that a hunk names the edits that it shows.
func TestHunkEdits(t *testing.T) {
	t.Parallel()
	src := strings.Repeat("ab\n", 30)
	edits := []textedit.Edit{{0, 1, "x"}, {1, 2, "y"}, {9, 10, "z"}, {45, 46, "a"}, {60, 61, "x"}, {88, 89, ""}}
	var got [][]int
	for _, h := range textedit.Hunks([]byte(src), edits, 3) {
		got = append(got, h.Edits)
	}
	if diff := cmp.Diff([][]int{{0, 1, 2}, {4}, {5}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	hunks := textedit.Hunks([]byte("a"), []textedit.Edit{{0, 1, "b"}}, 0)
	for name, want := range map[string]string{
		"plain.json": "plain.json", "two words": "two words\t", "say \"x\"\n": `"say \"x\"\012"`, `back\slash`: `"back\\slash"`, "größe": "größe",
	} {
		got := textedit.Unified(name, name, hunks)
		if !strings.HasPrefix(got, "--- "+want+"\n+++ "+want+"\n@@") {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// TestPatchPrograms has every diff of the table applied by those of the usual programs that
// are installed, and by applyDiff in any case.
func TestPatchPrograms(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"f.json", "a b.json", "q\"\\.json"} {
		for _, test := range diffs {
			want, err := textedit.Apply([]byte(test.src), test.edits)
			// Without context git only accepts a diff that it is told not to look around in.
			diff := textedit.Unified(name, name, textedit.Hunks([]byte(test.src), test.edits, 3))
			if err != nil || diff == "" {
				continue
			}
			if got := applyDiff(t, test.src, diff); got != string(want) {
				t.Errorf("%s: %q, want %q", test.name, got, want)
			}
			for _, command := range [][]string{{"patch", "-p0", "--binary", "-s", "-i", "d"}, {"git", "apply", "-p0", "d"}} {
				program, err := exec.LookPath(command[0])
				if err != nil {
					continue
				}
				dir := t.TempDir()
				write(t, filepath.Join(dir, name), test.src)
				write(t, filepath.Join(dir, "d"), diff)
				cmd := exec.Command(program, command[1:]...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%s, %s: %v: %s\n%s", command[0], test.name, err, out, diff)
					continue
				}
				got, err := os.ReadFile(filepath.Join(dir, name))
				if !bytes.Equal(got, want) {
					t.Errorf("%s, %s: %q, want %q, %v", command[0], test.name, got, want, err)
				}
			}
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	err := os.WriteFile(name, []byte(text), 0o600)
	if err != nil {
		t.Fatal(err)
	}
}

// applyDiff applies a diff as simply as it can be done, and checks that what it says of the
// old text is so.
func applyDiff(t *testing.T, src, diff string) string {
	t.Helper()
	if diff == "" {
		return src
	}
	old := strings.SplitAfter(src, "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	var out []string
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	done := 0
	var from, removed, at, added int
	settle := func() {
		if removed != 0 || added != 0 {
			t.Fatalf("a hunk has %d and %d lines less than it says:\n%s", removed, added, diff)
		}
	}
	for i, line := range lines[2:] {
		open := i+3 < len(lines) && strings.HasPrefix(lines[i+3], `\`)
		text := line[1:]
		if !open {
			text += "\n"
		}
		switch line[0] {
		case '@':
			settle()
			_, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &from, &removed, &at, &added)
			if err != nil {
				t.Fatal(err)
			}
			if removed > 0 {
				from--
			}
			if added > 0 {
				at--
			}
			out = append(out, old[done:from]...)
			done = from
			if len(out) != at {
				t.Fatalf("%s: %d lines are before it", line, len(out))
			}
		case ' ', '-':
			if old[done] != text {
				t.Fatalf("line %d of the diff: %q is %q", i+3, text, old[done])
			}
			if line[0] == ' ' {
				out = append(out, text)
				added--
			}
			done++
			removed--
		case '+':
			out = append(out, text)
			added--
		}
	}
	settle()
	return strings.Join(append(out, old[done:]...), "")
}

// FuzzEdits makes edits of numbers and checks, for any text, that nothing panics and that the
// diff says the same as the edits.
func FuzzEdits(f *testing.F) {
	for _, d := range diffs {
		var b []byte
		for _, e := range d.edits {
			b = append(b, byte(e.Start), byte(e.End), byte(len(e.New)))
		}
		f.Add([]byte(d.src), b, "x\ny\r\nz", byte(3))
	}
	f.Fuzz(func(t *testing.T, src, numbers []byte, text string, context byte) {
		var edits []textedit.Edit
		for n := range slices.Chunk(numbers, 3) {
			if len(n) == 3 {
				end := min(int(n[2]), len(text))
				edits = append(edits, textedit.Edit{Start: int(n[0]) - 1, End: int(n[1]), New: text[end/2 : end]})
			}
		}
		textedit.Hunks(src, edits, int(context))
		_, err := textedit.Apply(src, edits)
		if err != nil {
			edits = repair(edits, len(src))
		}
		before := bytes.Clone(src)
		want, err := textedit.Apply(src, edits)
		if err != nil {
			t.Fatal(err)
		}
		diff := textedit.Unified("f", "f", textedit.Hunks(src, edits, int(context)))
		if got := applyDiff(t, string(src), diff); got != string(want) {
			t.Errorf("%q with %v: the diff makes %q, not %q:\n%s", src, edits, got, want, diff)
		}
		if !bytes.Equal(before, src) {
			t.Errorf("the text itself was changed")
		}
	})
}

// repair makes edits that Apply accepts of any.
func repair(edits []textedit.Edit, size int) []textedit.Edit {
	for i, e := range edits {
		start, end := min(max(e.Start, 0), size), min(max(e.End, 0), size)
		edits[i].Start, edits[i].End = min(start, end), max(start, end)
	}
	textedit.Sort(edits)
	at := 0
	return slices.DeleteFunc(edits, func(e textedit.Edit) bool {
		bad := e.Start < at
		if !bad {
			at = e.End
		}
		return bad
	})
}

// TestLarge has 60,000 edits in 19 MB, in lines and in one line. It ends in time only as long
// as the work is in proportion.
func TestLarge(t *testing.T) {
	t.Parallel()
	const edits, step = 60_000, 320
	for _, end := range []string{"\n", " "} {
		src := bytes.Repeat([]byte(strings.Repeat("x", step-1)+end), edits)
		list := make([]textedit.Edit, edits)
		for i := range list {
			list[i] = textedit.Edit{Start: i * step, End: i*step + 3, New: strconv.Itoa(i)}
		}
		want, err := textedit.Apply(src, list)
		if err != nil {
			t.Fatal(err)
		}
		hunks := textedit.Hunks(src, list, 3)
		if len(hunks) != 1 || len(hunks[0].Edits) != edits {
			t.Fatalf("%d hunks", len(hunks))
		}
		if got := applyDiff(t, string(src), textedit.Unified("f", "f", hunks)); got != string(want) {
			t.Error("the diff does not say the same as the edits")
		}
	}
}

func BenchmarkHunks(b *testing.B) {
	const edits, step = 60_000, 320
	src := bytes.Repeat([]byte(strings.Repeat("x", step-1)+"\n"), edits)
	list := make([]textedit.Edit, edits)
	for i := range list {
		list[i] = textedit.Edit{Start: i * step, End: i*step + 3, New: strconv.Itoa(i)}
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		_, err := textedit.Apply(src, list)
		if err != nil {
			b.Fatal(err)
		}
		textedit.Hunks(src, list, 3)
	}
}
