// Package keypin checks messages that an agent signed against the keys that the publisher
// pinned for it.
//
// A program that receives messages over net/http uses package pinhttp with the Verifier of an
// avow.Client, which finds the publishers' files by itself. New makes a Verifier over files from a
// Source of your own; its methods are Verify for messages and VerifyAnswer for the signed answers of
// the protocol. Sign signs a message.
//
// A publisher lists the public keys of an agent in the signing_keys of its file. An
// attacker who takes over the agent's own domain, with the key set it hosts, still cannot
// sign in its name: the pin is authoritative, and it is the pinned key itself that
// verifies, not another one of the same name. It does not help against an attacker who has
// taken over the publisher's domain, and the first time a file is seen its word is all
// there is; a Result says since when the pin is known.
//
// A Verifier checks a Message, which is plain data, as a Profile demands it: RFC 9421 with
// Ed25519 or ECDSA P-256, a narrow window of time, components that must be signed, a
// digest over the raw body, and a nonce that counts once. The checks go from cheap to
// expensive and end at the first that fails, with a code that Codes explains. Pins come
// from a Source. A key that the pin does not have makes the Verifier ask the publisher
// once more, past all caches, before it says no.
//
// Verification answers who sent a message. Whether that agent may do what the message
// asks for is another question, which package resolve answers; the Result names the
// entries that pin the key, and an entry without a pin neither weakens nor widens them.
//
// The package does no input or output and reads no clock.
package keypin
