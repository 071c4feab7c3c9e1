//go:build race

package custody_test

// simSeeds is small here: the race detector makes the simulation ten times slower, and it
// has one goroutine for each world. All of it runs without the detector.
const simSeeds = 300
