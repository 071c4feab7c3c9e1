package genfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteAndCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "one"
	generate := func() (map[string][]byte, error) { return map[string][]byte{"a.txt": []byte(text)}, nil }
	err := Check(dir, generate)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("check of a missing file: %v", err)
	}
	err = Write(dir, generate)
	if err != nil {
		t.Fatal(err)
	}
	err = Check(dir, generate)
	if err != nil {
		t.Errorf("check of a file just written: %v", err)
	}
	text = "two"
	err = Check(dir, generate)
	if err == nil || !strings.Contains(err.Error(), "a.txt is out of date") {
		t.Errorf("check of an old file: %v", err)
	}
	have, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	if err != nil || string(have) != "one" {
		t.Errorf("check wrote %q, %v", have, err)
	}
}

func TestGeneratorFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	err := Write(t.TempDir(), func() (map[string][]byte, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// TestFilesGo: a file without content is removed, and missed by nobody.
func TestFilesGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	generate := func() (map[string][]byte, error) { return map[string][]byte{"old.txt": nil}, nil }
	err := Check(dir, generate)
	if err != nil {
		t.Errorf("check of what is gone: %v", err)
	}
	err = os.WriteFile(filepath.Join(dir, "old.txt"), nil, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	err = Check(dir, generate)
	if err == nil || !strings.Contains(err.Error(), "old.txt is out of date") {
		t.Errorf("check of what must go: %v", err)
	}
	err = Write(dir, generate)
	if err != nil {
		t.Fatal(err)
	}
	err = Check(dir, generate)
	if err != nil {
		t.Errorf("check after it was written: %v", err)
	}
}
