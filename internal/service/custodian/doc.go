// Package custodian keeps publishers' files in custody: it asks for them when they are
// due, lets package custody decide about what came back, and keeps the records in a store
// before anybody gets an answer that rests on them.
//
// Callers begin with answer.go, which asks for what is due through fetch.go; decide.go makes the
// change that follows from what came back, and commit.go stores it. watch.go does the same for what
// no caller waits for.
package custodian
