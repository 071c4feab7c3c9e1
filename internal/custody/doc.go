// Package custody decides over time what a publisher's file is allowed to say.
//
// A single look at a file cannot tell an honest one from an old copy that brings a
// dismissed agent back, from one that a stranger has put in its place, or from one whose
// revocation has silently disappeared. What was known before can. Two records carry it: a
// File for every URL that a file with authority comes from, and a Publisher for every
// domain, which says which of these URLs speaks for it. File.Take and Publisher.Take are
// given what was seen and when, and return the next record with the events that an
// operator wants to hear about. Nothing else changes a record.
//
// What a record says about a moment is asked with File.Standing, File.Revokes and
// Publisher.Standing. The rules, and the times in them, are:
//
//   - A file is fresh for as long as its origin says, a day at most. While requests fail
//     it is served for another day (MaxStale), and never longer than a week after it was
//     last confirmed (MaxAge). Afterwards there is no file.
//   - A file whose last_updated goes back by more than a minute (Skew), or lacks one
//     after it had one, is refused like a failed request; so is one from the future, whose
//     date is never remembered.
//   - A publisher whose authority moves to another place stays with the old one for a day
//     (MoveHold), or until an operator confirms. Signs that do not fit an honest move keep
//     it there until an operator confirms.
//   - A revoked publisher stays revoked for a week (RevocationHold) after it was first
//     seen in the list, and for as long as it is listed. That concerns authority that
//     comes from that file and nothing else.
//
// Clocks jump. A Moment therefore has two readings, and each rule uses the one that is
// more careful: what must be held on to is measured with the earlier one, what must not
// be used for too long with the later one.
//
// The package is pure: it has no clock, no network and no store. Records are values that
// a store keeps.
package custody
