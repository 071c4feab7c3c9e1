// Package filelock lets one process at a time use a file.
package filelock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// ErrTaken is the error of a file that another process uses, or another part of this one.
var ErrTaken = errors.New("another process uses it")

// Lock takes a file for this process alone, by a file beside it: two that do not know of each
// other would overwrite what the other one has to remember. It is free again when it is closed,
// or the process ends in whatever way.
func Lock(path string) (io.Closer, error) {
	f, err := lock(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("another process uses %s, or it cannot be locked: %w", path, err)
	}
	return held{f}, nil
}

// LockBriefly is Lock for a folder that others look at: the file beside it is gone when it is closed.
func LockBriefly(path string) (io.Closer, error) {
	for {
		f, err := lock(path + ".lock")
		if err != nil {
			return nil, fmt.Errorf("another process uses %s, or it cannot be locked: %w", path, err)
		}
		own, err := f.Stat()
		if err == nil {
			var now os.FileInfo
			now, err = os.Stat(f.Name())
			if err == nil && os.SameFile(own, now) {
				return brief{held{f}}, nil
			}
		}
		_ = held{f}.Close() // its holder has removed it since it was opened
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// brief is a file that is removed when it is given up.
type brief struct{ held }

// Close gives the file up. It is removed while it is held, so that no other process's is,
// except on Windows, where it can only be removed when no process has it.
func (b brief) Close() error {
	if runtime.GOOS == "windows" {
		err := b.held.Close()
		_ = os.Remove(b.Name()) // another process may have it by now
		return err
	}
	return errors.Join(os.Remove(b.Name()), b.held.Close())
}

// held is a file that was taken.
type held struct{ *os.File }

// Close gives the file up.
func (h held) Close() error { return errors.Join(Free(h.File), h.File.Close()) }
