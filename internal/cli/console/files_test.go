package console

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
	got, err := ReadFile(name, 1000)
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
	err := WriteFile(link, []byte("new"))
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
	err = WriteFile(os.DevNull, []byte("gone"))
	if err != nil {
		t.Errorf("writing to the null device: %v", err)
	}
}

func TestAbandonedReportLeavesTheOldOne(t *testing.T) {
	t.Parallel()
	name := fileWith(t, "old")
	f, err := ReplaceFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("half of the ne")
	if err != nil {
		t.Fatal(err)
	}
	err = f.Discard()
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

func TestPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key.jwk")
	err := WritePrivate(path, []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	err = WritePrivate(path, []byte("two"))
	if err == nil {
		t.Error("a key was replaced")
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
}
