// Package translog reads, writes and verifies the transparency log of a registry: a public,
// append-only list of what the registry saw of publishers' files, and when.
//
// A leaf is one entry: a short text about a publisher or a file, with hashes in the place
// of content. A checkpoint is the signed head of the log, its size and its root. A proof
// joins the two: it shows, without a network and years later, that a leaf is in the log
// that a checkpoint is the head of. A policy says whose signatures are needed.
//
// Checkpoints, proofs, cosignatures, policies and the names of tiles are those of C2SP
// (tlog-checkpoint, tlog-proof, tlog-cosignature, tlog-policy and tlog-tiles); the hashes are
// those of RFC 6962. The leaf is our own. Every reader is strict: for each value there is one
// text, and another text for it is an error.
//
// The package is pure: it makes no requests, and the caller passes keys and times.
package translog
