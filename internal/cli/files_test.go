package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadUpTo(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 99, 100, 101, 5000} {
		content := strings.Repeat("x", n)
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(content), "bytewise": iotest.OneByteReader(strings.NewReader(content)),
		} {
			got, err := readUpTo(r, 100)
			if err != nil || len(got) != min(n, 101) {
				t.Errorf("%s, %d bytes: got %d, %v", name, n, len(got), err)
			}
		}
	}
	_, err := readUpTo(iotest.ErrReader(io.ErrUnexpectedEOF), 100)
	if err == nil {
		t.Error("no error from a failing reader")
	}
}

func TestReadFileStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "")
	err := os.Truncate(name, 10<<30) // sparse: it takes no room on disk
	if err != nil {
		t.Fatal(err)
	}
	got, err := readFile(name, 1000)
	if err != nil || len(got) != 1001 {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	link := filepath.Join(dir, "link")
	for _, err := range []error{os.WriteFile(name, []byte("old"), 0o600), os.Symlink(name, link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	err := writeFile(link, []byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != "new" {
		t.Errorf("content %q, %v", b, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	info, err = os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	err = writeFile(os.DevNull, []byte("gone"))
	if err != nil {
		t.Errorf("writing to the null device: %v", err)
	}
}

func TestAbandonedReportLeavesTheOldOne(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "old")
	f, err := replaceFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("half of the ne")
	if err != nil {
		t.Fatal(err)
	}
	err = f.discard()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != "old" {
		t.Errorf("content %q, %v", b, err)
	}
}

func TestMatchParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"**/*.json", "a.json", true},
		{"**/*.json", "x/y/a.json", true},
		{"**", "x/y", true},
		{"a/**", "a", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false},
		{"a/**/b/**/c", "a/b/x/b/c", true},
		{"*", "a/b", false},
		{"a/b", "a", false},
	}
	for _, tc := range tests {
		got := matchParts(strings.Split(tc.pattern, "/"), strings.Split(tc.path, "/"))
		if got != tc.want {
			t.Errorf("%s against %s: %v", tc.pattern, tc.path, got)
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "''", "a/b.json": "a/b.json", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "a\nb": "'a\nb'", "~": "'~'", "é": "'é'",
	} {
		if got := shellQuote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestOnTheWeb(t *testing.T) {
	t.Parallel()
	tests := []struct{ arg, kind, download string }{
		{"example.com", "looks like a domain", "curl -fsS https://example.com/.well-known/adagents.json | avow validate --as example.com -"},
		{"EXAMPLE.com/", "looks like a domain", "curl -fsS https://example.com/.well-known/adagents.json | avow validate --as example.com -"},
		{"example.com/a b.json", "looks like a URL", "curl -fsS 'https://example.com/a b.json' | avow validate --as example.com -"},
		{"https://example.com", "is a URL", "curl -fsS https://example.com/.well-known/adagents.json | avow validate --as example.com -"},
		{"https://example.com/x.json?a=1", "is a URL", "curl -fsS 'https://example.com/x.json?a=1' | avow validate --as example.com -"},
		{"https://localhost:8080/x", "is a URL", "curl -fsS https://localhost:8080/x | avow validate -"},
		{"http://$(x)/", "is a URL", "curl -fsS 'http://$(x)/' | avow validate -"},
		{"adagents.json", "", ""},
		{"site/adagents.json", "", ""},
		{"missing", "", ""},
		{"", "", ""},
		{"..", "", ""},
		{"backup.json/x", "", ""},
	}
	for _, tc := range tests {
		kind, download := onTheWeb(tc.arg)
		if kind != tc.kind || download != tc.download {
			t.Errorf("%q: %q, %q", tc.arg, kind, download)
		}
	}
}
