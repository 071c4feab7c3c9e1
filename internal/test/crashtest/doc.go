// Package crashtest proves that what custody has acknowledged is not lost: not when the
// process is killed at any moment, not when a write of an ingest fails, not when the
// machine loses everything that was not forced to the disk, and not when the database
// server goes away under load.
//
// The processes that are killed are this test program under another name. They ingest
// the history of an invented network, step by step, and say so after each step; what they
// said is then looked for in the store. docs/proofs.md has the last results.
package crashtest
