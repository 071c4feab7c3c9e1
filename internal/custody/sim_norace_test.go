//go:build !race

package custody_test

const (
	// simSeeds is the number of simulated histories.
	simSeeds = 2_000
	// largeFile is the number of properties in a file that is large.
	largeFile = 60_000
)
