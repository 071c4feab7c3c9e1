package keypin

import (
	"strconv"
	"time"

	"github.com/avow-project/avow/adagents"
)

// A Verdict is what became of a message. Only Accepted is a yes.
type Verdict uint8

// The verdicts. The zero value is a no.
const (
	// Rejected: the message must not be acted upon.
	Rejected Verdict = iota
	// Unavailable: the publisher's file could not be fetched, so that nothing is known about
	// its pins.
	Unavailable
	// Unpinned: the publisher lists the agent and pins no keys of it. A signature may be
	// checked against the keys that the agent hosts itself, which proves less.
	Unpinned
	// VerifiedUnpinned: the publisher pins no keys, and the signature was made with one of
	// the keys that the caller supplied. The owner of the agent's domain can do that.
	VerifiedUnpinned
	// Accepted: the message was signed with a key that the publisher pinned.
	Accepted
	// SignedUnbound: an answer was signed with such a key, and it is not known whether it is
	// the answer to the caller's request.
	SignedUnbound
)

var verdictNames = [...]string{"rejected", "unavailable", "unpinned", "verified_unpinned", "accepted", "signed_unbound"}

// String returns the stable name.
func (v Verdict) String() string {
	if int(v) >= len(verdictNames) {
		return "unknown"
	}
	return verdictNames[v]
}

// A Result is a verdict with what it rests on. Everything in it besides Verdict and Code
// may quote the message or the publisher's file, and is not for the sender's eyes.
type Result struct {
	Verdict Verdict
	// Code says why, in a stable word that Codes explains; Detail in a sentence.
	Code, Detail string
	// Publisher and Agent are those of the question in canonical form.
	Publisher, Agent string
	// KeyID is what the signature says, Alg and Thumbprint are of the key that verified.
	KeyID, Alg, Thumbprint string
	// Entries are those of the file that pin the key.
	Entries []Entry
	// Note is the code of a note, CodeEntryOutsideWindow, when none of these entries holds at
	// the moment of the check; empty otherwise. The key is pinned all the same: what the agent
	// may sell is another question.
	Note string
	// Created and Expires are the times of the signature.
	Created, Expires time.Time
	// Covered are the components that the signature covers. Nothing else of the message's
	// head is known to be as it was sent.
	Covered []string
	// BodyBound tells that the signature covers the body by its digest, and that it fits.
	// Without it nothing vouches for the body, whatever the verdict.
	BodyBound bool
	// URL, SHA256 and FetchedAt name the file that the pin is from, and KnownSince since
	// when the key that verified is known to be pinned or, without one, the file, if that is
	// known.
	URL, SHA256           string
	FetchedAt, KnownSince time.Time
	// Revocations is the list of revoked keys that was asked, nil when there was none to ask:
	// then revoked_at of the pin is all that is known.
	Revocations *RevocationList
	// Refreshed tells that the publisher was asked once more.
	Refreshed bool
}

// OK reports whether the message was signed with a pinned key. In a profile that does not
// demand a digest, BodyBound tells whether that goes for the body as well.
func (r *Result) OK() bool { return r.Verdict == Accepted }

// CodeEntryOutsideWindow is the code of a note about a key that only entries pin which do not hold.
const CodeEntryOutsideWindow = "pin.entry_outside_window"

// An Entry is an entry of authorized_agents.
type Entry struct {
	// Pointer is its JSON Pointer in the file.
	Pointer string
	Agent   *adagents.Agent
}

// quote shows a text from outside within a sentence.
func quote(s string) string {
	const longest = 200
	if len(s) > longest {
		s = s[:longest]
	}
	return strconv.QuoteToASCII(s)
}
