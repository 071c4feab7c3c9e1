//go:build !race

package resolve_test

// slowdown divides the work of the longest tests.
const slowdown = 1
