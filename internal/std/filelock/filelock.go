// Package filelock lets one process at a time use a file.
package filelock

import (
	"errors"
	"fmt"
	"io"
	"os"
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

// held is a file that was taken.
type held struct{ *os.File }

// Close gives the file up.
func (h held) Close() error { return errors.Join(Free(h.File), h.File.Close()) }
