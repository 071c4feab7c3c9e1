//go:build race

package custody_test

// The sizes are small here: the race detector makes everything ten times slower, and a
// world has one goroutine. All of it runs without the detector.
const (
	simSeeds  = 300
	largeFile = 6_000
)
