// Package custodian keeps publishers' files in custody: it asks for them when they are
// due, lets package custody decide about what came back, and keeps the records in a store
// before anybody gets an answer that rests on them.
package custodian
