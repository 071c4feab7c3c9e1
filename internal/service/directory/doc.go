// Package directory has everything that custody knows in memory, so that it can be found from
// either side: the publishers of an agent, the agents of a publisher, the publishers of an
// identifier. It is read from the store once, and follows every change afterwards: those of
// its own process at once, those of others within a second or two. It notes an outline of itself in the
// store, with which it lists publishers after a start before it has read them all.
//
// What is not known is told apart from what is not so: every publisher has a standing, and a
// publisher whose file does not fit into memory is counted as missing.
package directory
