package keypin

import "github.com/avow-project/avow/adagents"

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
