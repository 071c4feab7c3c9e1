//go:build !windows

package filelock

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestCopy: a file that was closed is free, although a process that is being started still has a
// copy of it.
func TestCopy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state")
	first, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := syscall.Dup(int(first.(held).Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(copied) })
	_, err = Lock(path)
	if !errors.Is(err, ErrTaken) {
		t.Errorf("it is taken twice: %v", err)
	}
	err = first.Close()
	if err != nil {
		t.Fatal(err)
	}
	second, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	err = second.Close()
	if err != nil {
		t.Error(err)
	}
}
