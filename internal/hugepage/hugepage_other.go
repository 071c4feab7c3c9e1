//go:build !linux

package hugepage

// Advise does nothing: there is no such advice to give here.
func Advise([]byte) {}
