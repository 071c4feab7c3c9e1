//go:build race

package resolve_test

// slowdown divides the work of the longest tests: the race detector makes them ten
// times slower and finds nothing new in the last nine tenths.
const slowdown = 10
