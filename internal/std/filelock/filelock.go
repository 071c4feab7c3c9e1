// Package filelock lets one process at a time use a file.
package filelock

import (
	"fmt"
	"io"
)

// Lock takes a file for this process alone, by a file beside it: two that do not know of each
// other would overwrite what the other one has to remember. It is free again when it is closed,
// or the process ends in whatever way.
func Lock(path string) (io.Closer, error) {
	f, err := lock(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("another process uses %s, or it cannot be locked: %w", path, err)
	}
	return f, nil
}
