package console

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/textsafe"
)

func TestCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 200)
	tests := []struct {
		name, src, at string // at is the text marked, or the place of "|" when empty
		width         int
		text, marks   string
	}{
		{"middle of a file", "{\n  \"a\": 1,\n  \"b\": true\n}", "true", 80, `  "b": true`, `       ^^^^`},
		{"first line", `{"a": 1}`, "1", 80, `{"a": 1}`, `      ^`},
		{"carriage returns", "{\r\n\"a\": 1\r\n}", "1", 80, `"a": 1`, `     ^`},
		{"tabs", "{\n\t\"a\":\t1}", "1", 80, `    "a":    1}`, `            ^`},
		{"wide characters", `{"日本": 1}`, "1", 80, `{"日本": 1}`, `         ^`},
		{"wide value", `{"a": "日本"}`, `"日本"`, 80, `{"a": "日本"}`, `      ^^^^^^`},
		{"hidden characters", "{\"\u200b\": 1}", "1", 80, `{"\u{200b}": 1}`, `             ^`},
		{"not UTF-8", "{\"\xff\": 1}", "1", 80, `{"\xff": 1}`, `         ^`},
		{"long line, left", `"x": 1, ` + long, "1", 20, `"x": 1, aaaaaaaaaaaa…`, `     ^`},
		{"long line, right", long + "123", "123", 60, "…" + strings.Repeat("a", 57) + "123", strings.Repeat(" ", 58) + "^^^"},
		{"long line, middle", long + "1" + long, "1", 60, "…" + strings.Repeat("a", 40) + "1" + strings.Repeat("a", 19) + "…", strings.Repeat(" ", 41) + "^"},
		{"long value", `{"v": "` + long + `"}`, `"` + long + `"`, 20, `{"v": "aaaaaaaaaaaaa…`, `      ^^^^^^^^^^^^^^`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := Cut([]byte(tc.src), strings.Index(tc.src, tc.at), len(tc.at), tc.width)
			if got.Text != tc.text {
				t.Errorf("text\n%q, want\n%q", got.Text, tc.text)
			}
			if got.Marks != tc.marks {
				t.Errorf("marks\n%q, want\n%q", got.Marks, tc.marks)
			}
		})
	}
}

func TestCutAtTheEdges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		src            string
		offset, length int
		text, marks    string
	}{
		{"empty file", "", 0, 0, "", "^"},
		{"end of file", "{\n", 2, 0, "", "^"},
		{"beyond the end", "ab", 9, 5, "ab", "  ^"},
		{"before the beginning", "ab", -3, 1, "ab", "^"},
		{"a container", "{ [1,2] }", 2, 0, "{ [1,2] }", "  ^"},
	}
	for _, tc := range tests {
		got := Cut([]byte(tc.src), tc.offset, tc.length, 80)
		if got.Text != tc.text || got.Marks != tc.marks {
			t.Errorf("%s: %q %q, want %q %q", tc.name, got.Text, got.Marks, tc.text, tc.marks)
		}
	}
}

// TestCutCost makes sure that a line of many megabytes is not looked at as a
// whole: a hundred findings in it must not take noticeable time.
func TestCutCost(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("a", 19<<20))
	for i := range 1000 {
		x := Cut(src, i*19000, 5, 80)
		if x.Marks == "" {
			t.Fatal("no marks")
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte("{\"a\":\t\"b\u200b\"}\n"), 5, 3, 80)
	f.Add([]byte("\xff\xfe\x1b[31m日本"), 2, 1, 60)
	f.Add([]byte(strings.Repeat("日", 300)), 450, 30, 60)
	f.Fuzz(func(t *testing.T, src []byte, offset, length, width int) {
		width = 60 + min(max(width, 0), 60)
		x := Cut(src, offset, length, width)
		if textsafe.Terminal(x.Text) != x.Text {
			t.Errorf("unsafe text %q", x.Text)
		}
		// Joining pieces may change how characters combine, by a little.
		if n := textsafe.Width(x.Text); n > width+2+tabWidth*2 {
			t.Errorf("%d cells, want at most %d: %q", n, width, x.Text)
		}
		if strings.Trim(x.Marks, " ") == "" || strings.Trim(x.Marks, " ^") != "" {
			t.Errorf("marks are %q", x.Marks)
		}
	})
}
