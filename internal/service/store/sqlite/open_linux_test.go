package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asNobody runs f without the right of root to write everywhere. On Linux that right
// belongs to a thread; this one is not used again.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			err := syscall.Setfsuid(65534)
			if err != nil {
				done <- err
				return
			}
		}
		f()
		done <- nil
	}()
	err := <-done
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenNeedsToWrite(t *testing.T) {
	t.Parallel()
	root, err := os.MkdirTemp("", "avow-sqlite-") //nolint:usetesting // others have to get through; t.TempDir is for its user alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	for _, tc := range []struct {
		name      string
		directory os.FileMode
		file      os.FileMode // none if zero
		want      string
	}{
		{"no file, no right to make one", 0o555, 0, "permission denied"},
		{"no right to enter the directory", 0o000, 0, "permission denied"},
		{"a file to read in a directory to read", 0o555, 0o444, "cannot be written"},
		{"a file to read", 0o777, 0o444, "cannot be written"},
		{"no right to read the file", 0o777, 0o000, "cannot be written"},
		{"a file to write in a directory to read", 0o555, 0o666, "cannot be written"},
	} {
		dir := filepath.Join(root, tc.name)
		path := filepath.Join(dir, "store.db")
		err := os.Mkdir(dir, 0o700)
		if err != nil {
			t.Fatal(err)
		}
		if tc.file != 0 || strings.HasSuffix(tc.name, "file") {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			err = s.Close()
			if err != nil {
				t.Fatal(err)
			}
			mode(t, path, tc.file)
		}
		mode(t, dir, tc.directory)
		mode(t, root, 0o755)
		asNobody(t, func() {
			s, err := Open(t.Context(), path)
			if err == nil {
				t.Errorf("%s: it was opened: %v", tc.name, s.Close())
				return
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
			}
		})
		mode(t, dir, 0o700)
	}
}

// mode sets the mode of a file whatever the umask is.
func mode(t *testing.T, path string, m os.FileMode) {
	t.Helper()
	err := os.Chmod(path, m)
	if err != nil {
		t.Fatal(err)
	}
}
