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

// fileWith makes a file of the test.
func fileWith(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "adagents.json")
	err := os.WriteFile(name, []byte(content), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFileStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	name := fileWith(t, "")
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
	name := fileWith(t, "old")
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

func TestWebTargets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		arg, name, web string
		byURL          bool
		fault          string
	}{
		{arg: "https://example.com", web: "example.com"},
		{arg: "https://Example.COM./", web: "example.com"},
		{arg: "HTTPS://example.com/.well-known/adagents.json", web: "example.com"},
		{arg: "https://example.com:443/", web: "example.com"},
		{arg: "https://bücher.example/", web: "xn--bcher-kva.example"},
		{arg: "https://example.com/x.json?a=1#b", web: "https://example.com/x.json?a=1", byURL: true},
		{arg: "https://example.com:8443/.well-known/adagents.json", web: "https://example.com:8443/.well-known/adagents.json", byURL: true},
		{arg: "https://example.com/?x", web: "https://example.com/?x", byURL: true},
		{arg: "http://example.com/x.json", fault: "only https is asked"},
		{arg: "http://localhost", fault: "not reachable from outside"},
		{arg: "http://localhost:8080/adagents.json", fault: "not reachable from outside"},
		{arg: "https://127.0.0.1/x.json", fault: "not reachable from outside"},
		{arg: "http://[::1]:8080/", fault: "not reachable from outside"},
		{arg: "http://printer.local/x", fault: "not reachable from outside"},
		{arg: "ftp://example.com/x.json", fault: "only https is asked"},
		{arg: "https://", fault: "the URL"},
		{arg: "https://a b/", fault: "the URL"},
		{arg: "https://user:pa/ss@example.com/x", web: "https://user:pa/ss@example.com/x", byURL: true, fault: "the URL"},
		{arg: "https://user:secret@example.com/x", name: "https://example.com/x", fault: "needs no credentials"},
		{arg: "http://user:secret@example.com/x", name: "http://example.com/x", fault: "only https"},
	}
	for _, tc := range tests {
		got := urlTarget(tc.arg)
		if tc.name == "" {
			tc.name = tc.arg
		}
		if got.name != tc.name || !got.onWeb() {
			t.Errorf("%q: %+v", tc.arg, got)
		}
		if tc.fault == "" && (got.err != nil || got.web != tc.web || got.byURL != tc.byURL) {
			t.Errorf("%q: %+v", tc.arg, got)
		}
		if tc.fault != "" && (got.err == nil || !strings.Contains(got.err.Error(), tc.fault)) {
			t.Errorf("%q: error %v, want one with %q", tc.arg, got.err, tc.fault)
		}
		if got.err != nil && strings.Contains(got.err.Error()+asError(got.err).hint, "secret") {
			t.Errorf("%q: the error repeats the password: %v", tc.arg, got.err)
		}
	}
}

func TestAsDomain(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"example.com": "example.com", "EXAMPLE.com/": "example.com", "www.example.co.uk.": "www.example.co.uk", "bücher.example": "xn--bcher-kva.example",
		"adagents.json": "", "notes.TXT": "", "missing": "", "": "", "..": "", "./example.com": "", "a/b.example": "", `a\b.example`: "",
		"example.com/x": "", "example.com:443": "", "a b.example": "", "192.0.2.1": "", "user@example.com": "", "ex\x1bample.com": "",
	} {
		got, ok := asDomain(arg)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", arg, got, ok, want)
		}
	}
}
