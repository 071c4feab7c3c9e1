package keypin

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Codes that the flow of a check depends on.
const (
	codeUnpinned   = "pin.unpinned"
	codeKeyUnknown = "pin.key_unknown"
	codeMalformed  = "pin.malformed"
	// codeBodyUnbound is an acceptance without the body.
	codeBodyUnbound = "signature.accepted_body_unbound"
)

// Codes returns the catalogue of codes, in the order in which messages are checked.
func Codes() []adagents.Rule {
	return slices.Concat(headCodes, envelopeCodes, pinCodes, keyCodes, messageCodes, answerCodes)
}

// verdictOf returns the verdict that goes with a code.
func verdictOf(code string) Verdict {
	switch code {
	case codeUnpinned:
		return Unpinned
	case "pin.no_file", "pin.file_unavailable":
		return Unavailable
	}
	return Rejected
}

var headCodes = []adagents.Rule{
	{
		Code: "signature.kind_mismatch", Title: "the message has another kind",
		Why:  "A request was checked as a response, or the other way round.",
		Hint: "choose the profile that fits the message",
	},
	{
		Code: "signature.missing", Title: "the message is not signed",
		Why: "It has neither Signature nor Signature-Input. Another kind of proof, such as a token, does not replace a " +
			"signature.",
		Hint: "ask the agent's operator to sign its messages",
	},
	{
		Code: "signature.header_malformed", Title: "a field that the signature needs is malformed",
		Why: "Signature, Signature-Input, Content-Digest or Content-Type cannot be read in one way only: a part is " +
			"missing, is there twice, or is not written as the profile demands. Two programs might check different things.",
		Hint: "compare the field with RFC 9421 and the profile; webhooks write the signature in base64url without padding, " +
			"requests in base64 with it, and those of the versions 3.0 and 3.1, in the profile request-3.1, in either",
	},
	{
		Code: "signature.params_incomplete", Title: "the signature lacks a parameter",
		Why:  "Without its times, its nonce, its key and its purpose a signature could be used again elsewhere.",
		Hint: "sign with created, expires, nonce, keyid, alg and tag",
	},
	{
		Code: "signature.tag_invalid", Title: "the signature was made for something else",
		Why:  "The tag separates requests, webhooks and other messages that are signed with the same key.",
		Hint: "check the profile, or sign with the tag of the profile",
	},
	{
		Code: "signature.alg_not_allowed", Title: "the algorithm is not accepted",
		Why:  "Ed25519 and ECDSA on P-256 are accepted. RSA and shared secrets never are, whatever keys are pinned.",
		Hint: "sign with ed25519 or ecdsa-p256-sha256",
	},
	{
		Code: "signature.window_invalid", Title: "the signature is not valid at this time",
		Why:  "A signature is valid for at most five minutes, and clocks may differ by one minute.",
		Hint: "sign right before sending, and check both clocks",
	},
	{
		Code: "signature.components_incomplete", Title: "the signature does not cover enough",
		Why:  "Whatever is not covered can be changed on the way: the method, the address, or the body with its type.",
		Hint: "cover the components of the profile; with a body also content-type and content-digest",
	},
	{
		Code: "signature.components_unexpected", Title: "the signature covers what it must not",
		Why: "A component is covered twice, is not part of the profile, or is the digest of the body although the " +
			"receiver has announced that it forbids that.",
		Hint: "cover the components of the profile, each once and in its plain form",
	},
	{
		Code: "signature.nonce_invalid", Title: "the nonce is too short, or not base64url",
		Why:  "A nonce of less than 16 bytes may occur twice by chance, and one in another encoding may be read differently.",
		Hint: "send 16 random bytes in base64url",
	},
	{
		Code: "signature.body_encoded", Title: "the body is compressed",
		Why: "The message has a Content-Encoding. What is inside cannot be checked for a member that is there twice, and " +
			"the field that says how to read it is not signed.",
		Hint: "ask the agent's operator to sign and send bodies without Content-Encoding; if a proxy compresses them, " +
			"switch that off",
	},
	{
		Code: "signature.receiver_mismatch", Title: "the request was sent to another receiver",
		Why: "The receiver does not serve this host. The recipient of a message can pass it on to others, with its host " +
			"and its signature.",
		Hint: "if the host is yours, add it to the hosts that the receiver serves; a proxy has to keep the Host field",
	},
}

var pinCodes = []adagents.Rule{
	{
		Code: "pin.no_file", Title: "the publisher has no file",
		Why:  "Publishing the file is voluntary. Without one there are no pins to check against.",
		Hint: "ask the publisher to publish a file with the agent's keys",
	},
	{
		Code: "pin.file_unavailable", Title: "the publisher's file could not be fetched",
		Why:  "It is not known what the publisher pins.",
		Hint: "try again later; avow discover shows each request",
	},
	{
		Code: "pin.file_unusable", Title: "the publisher's file must not be used",
		Why:  "The file as a whole cannot be understood, so its pins cannot be used.",
		Hint: "ask the publisher to fix the file; avow validate shows what is wrong",
	},
	{
		Code: "pin.file_expired", Title: "the publisher's file was confirmed too long ago",
		Why:  "A file that could not be confirmed for a week has no valid pins: a key may have been revoked since.",
		Hint: "find out why the publisher cannot be reached",
	},
	{
		Code: CodeEntryOutsideWindow, Title: "the entry that pins the key is not in effect",
		Why: "The message was signed with a key of an entry whose effective_from has not come, or whose effective_until " +
			"is over. The signature proves who signed; whether the agent may sell is for the file to say, and this entry lets " +
			"it sell nothing at that time.",
		Hint: "ask avow authorize about the agent; ask the publisher to remove the entry, or to extend it",
	},
	{
		Code: "pin.publisher_revoked", Title: "the publisher is revoked",
		Why:  "A revoked publisher authorizes no agent and pins no keys.",
		Hint: "ask the publisher where its file is now",
	},
	{
		Code: "pin.stale", Title: "the pins are too old",
		Why: "Pins are used no longer than the publisher's server allows, one hour if it does not say, and it was asked " +
			"less than 30 seconds ago.",
		Hint: "try again in half a minute",
	},
	{
		Code: "pin.refresh_failed", Title: "the publisher's file could not be fetched again",
		Why: "The known pins lack the key or are too old. Before a final answer the publisher's file is fetched past all " +
			"caches, and that failed; the old pins are not used instead.",
		Hint: "try again later",
	},
	{
		Code: "pin.rolled_back", Title: "the publisher serves an older file",
		Why:  "A file that is older than one seen before is not adopted: it may bring back keys that were removed.",
		Hint: "ask the publisher whether this is intended",
	},
	{
		Code: "pin.pointer_changed", Title: "the publisher points to another file",
		Why:  "A new pointer is not adopted at once: an attacker who breaks into the publisher's site could move the pins.",
		Hint: "ask the publisher whether this is intended",
	},
	{
		Code: "pin.agent_not_listed", Title: "the publisher does not list the agent",
		Why:  "The file has no usable entry for the agent's address.",
		Hint: "check the address of the agent; avow authorize shows what is listed",
	},
	{
		Code: "pin.entry_not_covered", Title: "no entry of the agent covers what was asked",
		Why:  "Only the pin of an entry that covers the subject of a message vouches for it.",
		Hint: "ask the publisher to add the agent for it",
	},
	{
		Code: codeUnpinned, Title: "the publisher pins no keys of the agent",
		Why: "An attacker who takes over the agent's domain can sign in its name. The signature was not checked, unless " +
			"keys were supplied for this case.",
		Hint: "ask the publisher to list the agent's public keys in signing_keys",
	},
	{
		Code: codeMalformed, Title: "the pin is empty or not a list",
		Why: "An entry whose signing_keys hold no key accepts nothing, even after the publisher's file was fetched again. " +
			"An entry without signing_keys is a different case.",
		Hint: "ask the publisher to list the agent's keys; avow validate shows what is wrong",
	},
}

var keyCodes = []adagents.Rule{
	{
		Code: codeKeyUnknown, Title: "the key is not pinned",
		Why: "The keys that the publisher pins do not include the one that the signature names, even after the " +
			"publisher's file was fetched again. What the agent's own key set says does not matter.",
		Hint: "ask the publisher to pin the agent's new key before the agent uses it",
	},
	{
		Code: "pin.key_unpublished", Title: "the agent does not publish the key",
		Why: "Receivers that follow AdCP 3.3 accept a key that the publisher pins and the agent publishes, not one of the " +
			"two alone. Only the profiles request-3.3 and webhook-3.3 check that.",
		Hint: "ask the agent's operator to publish the key in its key set",
	},
	{
		Code: "pin.entry_inert", Title: "the entry with the key has no effect",
		Why:  "An entry that authorizes nothing because of a fault vouches for nothing.",
		Hint: "ask the publisher to fix the entry; avow validate shows what is wrong",
	},
	{
		Code: "pin.key_ambiguous", Title: "several pinned keys have the same name",
		Why:  "It is unclear which one is meant, so none is used.",
		Hint: "ask the publisher to give each key its own kid",
	},
	{
		Code: "pin.key_incomplete", Title: "the pinned key is a name only",
		Why:  "A kid without the key itself verifies nothing: the agent could put any key under that name.",
		Hint: "ask the publisher to list the whole public key",
	},
	{
		Code: "pin.key_compromised", Title: "the private half of the key is public",
		Why:  "Anyone who has read the file can sign with the key.",
		Hint: "replace the key everywhere",
	},
	{
		Code: "pin.key_malformed", Title: "the pinned key is faulty",
		Why:  "Its members do not make a key, or contradict each other.",
		Hint: "ask the publisher to copy the key again; avow validate shows what is wrong",
	},
	{
		Code: "pin.key_unsupported", Title: "the pinned key is of a type that never verifies",
		Why:  "Ed25519 and P-256 keys verify messages. RSA keys and other curves may be listed but are not used.",
		Hint: "ask for an Ed25519 or P-256 key",
	},
	{
		Code: "pin.key_purpose_invalid", Title: "the pinned key is for something else",
		Why:  "Its use, key_ops or adcp_use excludes messages of this kind.",
		Hint: "sign with the key that is meant for it, or have the publisher correct the members",
	},
	{
		Code: "pin.alg_mismatch", Title: "the algorithm does not fit the key",
		Why:  "The algorithm follows from the pinned key. A message that names another one is refused.",
		Hint: "sign with the algorithm of the key",
	},
	{
		Code: "pin.key_revoked", Title: "the key was revoked when the signature was made",
		Why:  "Signatures from revoked_at on are rejected, and so are all when the time cannot be read.",
		Hint: "sign with a key that is not revoked",
	},
	{
		Code: "signature.key_revoked", Title: "the key is on its operator's list of revoked keys",
		Why:  "The list voids everything that the key ever signed, whatever the publisher still pins.",
		Hint: "sign with a key that is not revoked, and ask the publisher to take the key out of its pin",
	},
	{
		Code: "signature.revocation_stale", Title: "it is not known whether the key was revoked",
		Why: "A list of revoked keys was required, but it could not be fetched or verified, or is too old. The key is " +
			"then never assumed to be good.",
		Hint: "fetch the list again; the operator of the agent has to renew it before next_update",
	},
	{
		Code: "signature.rate_exceeded", Title: "the key signs too many messages",
		Why:  "Nonces are remembered until their signatures expire, and their number is limited for each key.",
		Hint: "slow down, or raise the limit of the profile",
	},
}

var messageCodes = []adagents.Rule{
	{
		Code: "signature.component_missing", Title: "the message lacks what the signature covers",
		Why: "A covered field or part of the address is missing, or has a form that cannot be signed. Something on the " +
			"way may have removed it.",
		Hint: "look for a proxy that changes messages",
	},
	{
		Code: "signature.component_unsupported", Title: "the signature covers something in a form that is not supported",
		Why:  "Trailers, unknown parameters and the strict form of unknown fields are refused instead of guessed.",
		Hint: "cover the components of the profile in their plain form",
	},
	{
		Code: "signature.target_invalid", Title: "the address of the request cannot be signed",
		Why: "It is not absolute, has a user or a fragment, is not plain ASCII, or is not the host that the request was " +
			"sent to.",
		Hint: "check how the address is put together behind a proxy",
	},
	{
		Code: "signature.invalid", Title: "the signature does not match",
		Why: "It was not made with the pinned key over this message. Something that is covered was changed, or another " +
			"key was used under the name.",
		Hint: "compare the signature base of both sides, beginning with the address",
	},
	{
		Code: "signature.high_s", Title: "the ECDSA signature is in the form that the receiver does not accept",
		Why: "Of the two forms that every ECDSA signature has, the receiver accepts the one with the smaller number. No " +
			"profile of the protocol asks for it.",
		Hint: "replace s by the order of the curve less s when it is above half the order, or do not ask for it",
	},
	{
		Code: "signature.digest_mismatch", Title: "the body is not the one that was signed",
		Why:  "The digest in Content-Digest belongs to other bytes.",
		Hint: "check the raw bytes of the body, before anything is decoded",
	},
	{
		Code: "signature.digest_unsupported", Title: "the digest cannot be checked",
		Why:  "Content-Digest has neither sha-256 nor sha-512.",
		Hint: "send a sha-256 digest",
	},
	{
		Code: "signature.replayed", Title: "the message was seen before",
		Why:  "Each nonce of a key is accepted once.",
		Hint: "sign each message anew; if you sent it only once, someone else is repeating it",
	},
	{
		Code: "signature.body_ambiguous", Title: "the body can be read in two ways",
		Why: "It claims to be JSON but is not, or has a member twice: the receiver might read something other than the " +
			"sender signed.",
		Hint: "ask the agent's operator to write plain JSON",
	},
	{
		Code: "signature.accepted", Title: "the message was signed with a pinned key",
		Why: "The key is one that the publisher lists for the agent. Whether the agent may do what the message says is " +
			"another question.",
		Hint: "nothing to do",
	},
	{
		Code: codeBodyUnbound, Title: "the message was signed with a pinned key, and its body was not",
		Why: "The profile lets a signature leave out the digest of the body. Who sent the request and where to is known; " +
			"what is in its body may come from anyone.",
		Hint: "do not act on the body; announce covers_content_digest as required, and check with that policy",
	},
	{
		Code: "signature.accepted_unpinned", Title: "the message was signed with a key that is not pinned",
		Why: "The publisher pins no keys, and a key supplied for this case matches. Anyone who controls the agent's " +
			"domain can do the same.",
		Hint: "ask the publisher to pin the key",
	},
}

// envelopeCodes are about the envelope of a signed answer, before a key is looked for.
var envelopeCodes = []adagents.Rule{
	{
		Code: "envelope.missing", Title: "the answer is not signed",
		Why: "It has no member signed_response. Only verify_brand_claim and verify_brand_claims have signed answers, and " +
			"only when they succeed.",
		Hint: "give the answer of the task itself: the structuredContent of an MCP result, or the data part of A2A",
	},
	{
		Code: "envelope.malformed", Title: "the envelope is malformed",
		Why: "signed_response has exactly protected, payload and signature, and the payload typ, task, brand_domain, " +
			"agent_url, request_hash, iat, exp and response. A member that is there twice, or a number that readers do not " +
			"agree on, makes the whole answer unreadable.",
		Hint: "ask the agent's operator to write the envelope as the protocol has it",
	},
	{
		Code: "envelope.header_invalid", Title: "the header of the envelope is not accepted",
		Why:  "It has alg, kid and typ. A header that brings its own key, or changes what is signed, is refused.",
		Hint: "ask the agent's operator for a plain header with the typ adcp-response-payload+jws",
	},
}

// answerCodes are about what an envelope says, once its signature is good.
var answerCodes = []adagents.Rule{
	{
		Code: "envelope.type_mismatch", Title: "the payload has another type",
		Why: "The type is in the header and in the payload, so that something else that was signed with the key does not " +
			"pass for an answer.",
		Hint: "ask the agent's operator for payloads with the typ adcp-response-payload+jws",
	},
	{
		Code: "envelope.task_mismatch", Title: "the answer is to another task",
		Why:  "An answer to one task says nothing about another.",
		Hint: "check the task that was asked for",
	},
	{
		Code: "envelope.window_invalid", Title: "the times of the answer are impossible",
		Why:  "The answer is from the future, or expires before it was made.",
		Hint: "check both clocks",
	},
	{
		Code: "envelope.expired", Title: "the answer has expired",
		Why:  "The protocol calls it SIGNED_RESPONSE_ENVELOPE_EXPIRED. An old answer does not show the present state.",
		Hint: "ask the agent again",
	},
	{
		Code: "envelope.request_mismatch", Title: "the answer is to another request",
		Why: "The protocol calls it SIGNED_RESPONSE_REQUEST_HASH_MISMATCH. The hash in the answer does not match the " +
			"request with its task, brand, agent and caller. Several agents are known to hash something else.",
		Hint: "give the arguments exactly as they were sent, with context, and every identity under which the agent may " +
			"know the caller; otherwise ask the agent's operator what it hashes",
	},
	{
		Code: "envelope.brand_mismatch", Title: "the answer is about another brand",
		Why: "The protocol calls it SIGNED_RESPONSE_TENANT_MISMATCH. An agent that serves several brands has answered for " +
			"another one.",
		Hint: "check the brand that was asked about",
	},
	{
		Code: "envelope.agent_mismatch", Title: "the answer is by another agent",
		Why:  "The payload names another agent than the one that was asked. An answer can be passed on.",
		Hint: "check the address of the agent",
	},
	{
		Code: "envelope.body_mismatch", Title: "the members beside the envelope differ from what was signed",
		Why: "A member of the answer is missing in the signed part, or differs from it. A program that reads it there " +
			"acts on unsigned data.",
		Hint: "act on the signed part only; ask the agent's operator why the two differ",
	},
	{
		Code: "envelope.accepted", Title: "the answer was signed with a pinned key",
		Why:  "The key is one that the publisher lists for the agent, and the answer is to the request at hand.",
		Hint: "nothing to do",
	},
	{
		Code: "envelope.unbound", Title: "the answer was signed with a pinned key, and is not bound to your request",
		Why:  "Without the request and the identity of its caller it is not known whether the answer is to this request.",
		Hint: "give the request and the identities of the caller",
	},
	{
		Code: "envelope.accepted_unpinned", Title: "the answer was signed with a key that is not pinned",
		Why: "The publisher pins no keys of the agent, and a key supplied for this case matches. Anyone who controls the " +
			"agent's domain can do the same.",
		Hint: "ask the publisher to pin the key",
	},
}
