package filelock

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is the error about a file that another process has opened exclusively.
const sharingViolation = syscall.Errno(32)

// lock takes a file for this process alone, until it ends or closes it.
func lock(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}

// Take does nothing: on this system a file is taken when it is opened, or not at all.
func Take(*os.File) error { return nil }

// Free does nothing either.
func Free(*os.File) error { return nil }
