package sqlite

import (
	"os"
	"path/filepath"
)

// To open a database takes some kilobytes of its disk, even when nothing is written. A file
// beside it keeps them for the day on which the disk is full.
const (
	reserveEnding = ".reserve"
	reserveSize   = 1 << 20
	// reserveFree is how much the disk must have left for the reserve to be taken.
	reserveFree = 64 * reserveSize
)

// takeReserve makes the file if it is missing and there is room. It is not an error if
// that fails: the file may never be needed.
func takeReserve(path string) {
	_, err := os.Stat(path + reserveEnding)
	free := freeSpace(filepath.Dir(path))
	if err == nil || free >= 0 && free < reserveFree {
		return
	}
	err = os.WriteFile(path+reserveEnding, make([]byte, reserveSize), 0o600)
	if err != nil {
		_ = os.Remove(path + reserveEnding) // half of it does not help
	}
}

// giveReserve removes the file, and reports whether that has made room.
func giveReserve(path string) bool { return os.Remove(path+reserveEnding) == nil }
