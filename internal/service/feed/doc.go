// Package feed tells what has changed, in the order in which it was committed: who may sell
// what from now on, and who may not any more.
//
// The events of a publisher are made by comparing what holds now with what was told before,
// so that whoever reads all of them knows what holds. An event that still holds is kept as
// long as it does, the others for Retention.
package feed
