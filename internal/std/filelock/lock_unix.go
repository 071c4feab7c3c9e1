//go:build !windows

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this process alone, until it ends or gives it up.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = Take(f)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// Take takes an open file, until it is given up or the process ends. The error is ErrTaken when
// another process has it.
func Take(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrTaken
	}
	return err
}

// Free gives up a file that was taken. To close it is not enough: a process that is just being
// started has a copy of everything that is open here until its program runs.
func Free(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
