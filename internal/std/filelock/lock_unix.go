//go:build !windows

package filelock

import (
	"os"
	"syscall"
)

// lock takes a file for this process alone, until it ends or closes it.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}
