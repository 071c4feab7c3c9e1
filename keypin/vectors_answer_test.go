package keypin

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// answerVectors is the part of the table about signed responses and lists of revoked keys.
func answerVectors(t *testing.T) []vector {
	t.Helper()
	one := edJWK("k1", "one")
	pinned := []string{entry(agentURL, one)}
	asked := []string{"task: verify_brand_claim", "brand: brand.example", "caller: " + caller, "caller: none"}
	bare := asked[:2]
	use := func(u string) []string { return []string{entry(agentURL, edJWK("k1", "one", `"adcp_use": "`+u+`"`))} }
	const kind, yes = "signed-response", "accepted envelope.accepted 0 bound"
	make := func(a answerMaker) string { return a.answer(t) }
	good := make(answerMaker{})
	head := func(more string) string {
		return make(answerMaker{header: `{"alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws"` + more + `}`})
	}
	out := []vector{
		{name: "answer", summary: "A signed response to the request at hand is accepted.", question: asked, entries: pinned, answer: good, want: yes},
		{name: "answer_purpose", summary: "So is one by a key for responses.", question: asked, entries: use("response-signing"), answer: good, want: yes},
		{name: "answer_other_purpose", summary: "A key for requests signs no responses.", question: asked, entries: use("request-signing"), answer: good, want: "rejected pin.key_purpose_invalid"},
		{name: "answer_es256", summary: "ES256 has a signature of two numbers of 32 bytes.", question: asked, entries: []string{entry(agentURL, ecJWK(t, "k1"))}, answer: make(answerMaker{key: ecKey(t, "one"), header: `{"alg":"ES256","kid":"k1","typ":"adcp-response-payload+jws"}`}), want: yes},
		{name: "answer_anonymous", summary: "The caller of a request without authentication is null.", question: asked, entries: pinned, answer: make(answerMaker{caller: "none"}), want: yes},
		{name: "answer_unbound", summary: "Without the request a response is signed and not bound to it.", question: bare, entries: pinned, answer: good, want: "signed_unbound envelope.unbound 0"},
		{name: "answer_other_request", summary: "A response to another request is rejected.", question: asked, entries: pinned, answer: make(answerMaker{caller: "api-client-id:8"}), want: "rejected envelope.request_mismatch"},
		{name: "answer_other_task", summary: "A response to another task is rejected.", question: asked, entries: pinned, answer: make(answerMaker{task: "verify_brand_claims"}), want: "rejected envelope.task_mismatch"},
		{name: "answer_other_brand", summary: "A response about another brand is rejected.", question: asked, entries: pinned, answer: make(answerMaker{brand: "other.example"}), want: "rejected envelope.brand_mismatch"},
		{name: "answer_other_agent", summary: "A response by another agent is rejected.", question: asked, entries: pinned, answer: make(answerMaker{agent: "https://other.example/mcp"}), want: "rejected envelope.agent_mismatch"},
		{name: "answer_expired", summary: "A response that has expired is rejected.", question: asked, entries: pinned, answer: make(answerMaker{iat: now.Add(-time.Hour), exp: now.Add(-time.Minute)}), want: "rejected envelope.expired"},
		{name: "answer_skew", summary: "Clocks may differ by less than a minute.", question: asked, entries: pinned, answer: make(answerMaker{iat: now.Add(-time.Hour), exp: now.Add(-59 * time.Second)}), want: yes},
		{name: "answer_future", summary: "A response from the future is rejected.", question: asked, entries: pinned, answer: make(answerMaker{iat: now.Add(61 * time.Second)}), want: "rejected envelope.window_invalid"},
		{name: "answer_beside", summary: "What stands beside the envelope must be what was signed.", question: asked, entries: pinned, answer: make(answerMaker{outer: `"verification_status": "not_ours"`}), want: "rejected envelope.body_mismatch"},
		{name: "answer_beside_more", summary: "A member beside the envelope that is not signed is refused.", question: asked, entries: pinned, answer: make(answerMaker{outer: `"verification_status": "owned", "extra": 1`}), want: "rejected envelope.body_mismatch"},
		{name: "answer_transport", summary: "Members of the way there are not part of it.", question: asked, entries: pinned, answer: make(answerMaker{outer: `"status": "completed", "context_id": "c", "task_id": "t", "adcp_version": "3.2", "context": {"id": 7}`}), want: yes},
		{name: "answer_order", summary: "The order of members, escapes and the form of numbers do not matter: the canonical form is signed.", question: asked, entries: pinned, answer: make(answerMaker{outer: `"details": {"share": 5e-1, "since": 2020.0}, "verification_status": "\u006fwned"`}), want: yes},
		{name: "answer_changed", summary: "A response that was changed is rejected.", question: asked, entries: pinned, answer: strings.ReplaceAll(good, `"owned"`, `"disputed"`), want: "rejected signature.invalid"},
		{name: "answer_twice", summary: "A member that is there twice is refused.", question: asked, entries: pinned, answer: strings.Replace(good, `"task"`, `"task": "x", "task"`, 1), want: "rejected envelope.malformed"},
		{name: "answer_type", summary: "The type in the header has to be that of responses.", question: asked, entries: pinned, answer: make(answerMaker{header: `{"alg":"EdDSA","kid":"k1","typ":"JWT"}`}), want: "rejected envelope.header_invalid"},
		{name: "answer_payload_type", summary: "The type in the payload has to be that of responses.", question: asked, entries: pinned, answer: make(answerMaker{typ: "JWT"}), want: "rejected envelope.type_mismatch"},
		{name: "answer_crit", summary: "A header with crit is refused.", question: asked, entries: pinned, answer: head(`,"crit":["x"],"x":1`), want: "rejected envelope.header_invalid"},
		{name: "answer_jwk", summary: "A header that brings its key along is refused.", question: asked, entries: pinned, answer: head(`,"jwk":` + one), want: "rejected envelope.header_invalid"},
		{name: "answer_none", summary: "The algorithm none is refused.", question: asked, entries: pinned, answer: make(answerMaker{header: `{"alg":"none","kid":"k1","typ":"adcp-response-payload+jws"}`}), want: "rejected signature.alg_not_allowed"},
		{name: "answer_unpinned", summary: "An agent that the publisher pins no keys for is unpinned.", question: asked, entries: []string{entry(agentURL)}, answer: good, want: "unpinned pin.unpinned"},
		{name: "answer_not_listed", summary: "So is one that it does not list: it may be a brand's.", question: asked, entries: []string{entry("https://other.example/mcp", one)}, answer: good, want: "unpinned pin.unpinned asked"},
		{name: "answer_centuries", summary: "An answer holds for seven days at the most, whatever it says.", question: asked, entries: pinned, answer: make(answerMaker{iat: now.Add(-8 * 24 * time.Hour), exp: now.AddDate(100, 0, 0)}), want: "rejected envelope.expired"},
		{name: "answer_jwks", summary: "Keys that the agent hosts count where nothing is pinned, and the answer says so.", question: asked, entries: []string{entry(agentURL)}, jwks: []string{one}, answer: good, want: "verified_unpinned envelope.accepted_unpinned bound"},
		{name: "answer_missing", summary: "An answer without an envelope is not signed.", question: asked, entries: pinned, answer: claimResult, want: "rejected envelope.missing"},
		{name: "answer_revoked_at", summary: "iat is the time that is compared with revoked_at.", question: asked, entries: []string{entry(agentURL, edJWK("k1", "one", `"revoked_at": "2026-06-01T12:00:00Z"`))}, answer: good, want: "rejected pin.key_revoked"},
	}
	for i := range out {
		out[i].kind = kind
	}
	listed := []string{"issuer: " + issuer}
	keys := []string{edJWK("list", "lists")}
	return append(out,
		vector{name: "list", summary: "A key that is not on the list of revoked keys is accepted.", question: listed, entries: pinned, jwks: keys, list: revocations{}.compact(t), want: "accepted signature.accepted 0"},
		vector{name: "list_flattened", summary: "The list may be in the flattened form.", question: listed, entries: pinned, jwks: keys, list: revocations{}.flattened(t), want: "accepted signature.accepted 0"},
		vector{name: "list_general", summary: "And in the general form, with one signature.", question: listed, entries: pinned, jwks: keys, list: revocations{}.general(t, ""), want: "accepted signature.accepted 0"},
		vector{name: "list_two", summary: "A list with two signatures is not read, and a message is refused then.", question: listed, entries: pinned, jwks: keys, list: revocations{}.general(t, `, {"protected": "e30", "signature": "AA"}`), want: "rejected signature.revocation_stale"},
		vector{name: "list_revoked", summary: "The list voids everything that a key has signed.", question: listed, entries: pinned, jwks: keys, list: revocations{kids: `"k1"`}.compact(t), want: "rejected signature.key_revoked"},
		vector{name: "list_answer", summary: "That goes for signed responses as well.", question: slices.Concat(listed, asked), kind: kind, entries: pinned, jwks: keys, answer: good, list: revocations{kids: `"k1"`}.compact(t), want: "rejected signature.key_revoked"},
		vector{name: "list_late", summary: "A list is used until four of its intervals after the next was due.", question: listed, entries: pinned, jwks: keys, list: revocations{updated: "2026-06-01T10:45:01Z", next: "2026-06-01T11:00:01Z"}.compact(t), want: "accepted signature.accepted 0"},
		vector{name: "list_stale", summary: "After that it is not known whether the key was revoked.", question: listed, entries: pinned, jwks: keys, list: revocations{updated: "2026-06-01T10:45:00Z", next: "2026-06-01T11:00:00Z"}.compact(t), want: "rejected signature.revocation_stale"},
		vector{name: "list_issuer", summary: "The list of another issuer says nothing.", question: listed, entries: pinned, jwks: keys, list: revocations{issuer: "https://other.example"}.compact(t), want: "rejected signature.revocation_stale"},
		vector{name: "list_self_revoked", summary: "A list that revokes the key it is signed with is void.", question: listed, entries: pinned, jwks: keys, list: revocations{kids: `"list"`}.compact(t), want: "rejected signature.revocation_stale"},
		vector{name: "list_key_revoked", summary: "A key that is supplied as revoked signs no list.", question: listed, entries: pinned, jwks: []string{edJWK("list", "lists", `"revoked_at": "2026-06-02T00:00:00Z"`)}, list: revocations{}.compact(t), want: "rejected signature.revocation_stale"},
		vector{name: "list_foreign", summary: "The list of another site says nothing about the keys of the agent.", question: []string{"issuer: https://other.example"}, entries: pinned, jwks: keys, list: revocations{issuer: "https://other.example"}.compact(t), want: "rejected signature.revocation_stale"},
		vector{name: "list_unsigned", summary: "A list that is signed with another key says nothing.", question: listed, entries: pinned, jwks: keys, list: revocations{signer: "two"}.compact(t), want: "rejected signature.revocation_stale"},
	)
}
