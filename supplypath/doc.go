// Package supplypath says whether an owner's agent may sell the avails of the owner's channel that
// appear on a host, and which of the two files says so.
//
// Evaluate answers from the adagents.json of the owner, the one of the host, and the host's
// ads.txt and app-ads.txt. AdsTxtOf says which of these two are needed.
//
// The answer is one of four states, and five legs that say what was found. Only VerifiedOwnerSold
// is an authorization: there the host itself grants this agent the owner's collection, on every
// property that the owner says carries it. The question is another one than whether an agent may sell
// a publisher's properties, which package resolve answers, and the reading is stricter: whatever is
// not understood makes a grant unusable.
//
// Evidence says whether a file may be used at all, and Hold keeps revocations in force after
// they have gone from a file.
//
// The package reads no clock, disk or network.
package supplypath
