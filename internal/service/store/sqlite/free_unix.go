//go:build linux || darwin

package sqlite

import "syscall"

// freeSpace returns what the disk of a directory has left for this process; negative when
// that is not known.
func freeSpace(dir string) int64 {
	var s syscall.Statfs_t
	err := syscall.Statfs(dir, &s)
	if err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // darwin has another type
}
