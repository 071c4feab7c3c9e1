//go:build !linux

package servicetest

// limitSize does nothing: only Linux is told how large files may get.
func limitSize() {}
