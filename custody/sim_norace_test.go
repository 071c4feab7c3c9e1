//go:build !race

package custody_test

// simSeeds is the number of simulated histories.
const simSeeds = 2_000
