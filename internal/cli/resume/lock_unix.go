//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package resume

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other runs from using the file until it is closed.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return nil // a file system without locks keeps nobody from going on
}
