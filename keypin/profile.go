package keypin

import (
	"time"

	"github.com/avow-project/avow/internal/std/sfv"
)

// Limits of time and size that the profiles share.
const (
	// maxWindow is the longest time between created and expires, skew how far two clocks
	// may differ.
	maxWindow = 300 * time.Second
	skew      = 60 * time.Second
	// minNonce is the shortest nonce, in bytes.
	minNonce = 16
	// maxText is the longest parameter that is read: key ids and nonces are short.
	maxText = 1024
	// maxHead is the longest Signature-Input or Signature field.
	maxHead = 16 << 10
)

// Purposes of keys, as their adcp_use names them.
const (
	useRequest  = "request-signing"
	useWebhook  = "webhook-signing"
	useResponse = "response-signing"
)

// An encoding says how bytes are written in a field. It follows from the profile, and what
// is written in another way is refused.
type encoding uint8

// The encodings.
const (
	// standardBytes is that of structured fields: the standard alphabet, with padding.
	standardBytes encoding = iota
	// urlBytes is base64url without padding.
	urlBytes
	// pureBytes is either alphabet, never both in one text. Padding belongs to the standard
	// alphabet and may be missing.
	pureBytes
	// looseBytes is either alphabet, never both in one text, with or without padding.
	looseBytes
)

func (e encoding) decode(text string) ([]byte, bool) {
	if e == pureBytes || e == looseBytes {
		return sfv.DecodeEither(text, e == looseBytes)
	}
	return sfv.DecodeBytes(text, e == urlBytes)
}

// A DigestPolicy says whether the signature of a request with a body covers the digest of
// the body.
type DigestPolicy uint8

// The policies.
const (
	// DigestRequired: it must.
	DigestRequired DigestPolicy = iota
	// DigestEither: it may. Without it the body is not bound, which the Result says.
	DigestEither
	// DigestForbidden: it must not, so that no body is ever bound.
	DigestForbidden
)

var digestPolicyNames = [...]string{"required", "either", "forbidden"}

// String returns the word of the protocol.
func (p DigestPolicy) String() string {
	if int(p) >= len(digestPolicyNames) {
		return "unknown"
	}
	return digestPolicyNames[p]
}

// A Profile says what a signature must look like. Requests, Requests31, Webhooks, Responses and
// UnsafeUnboundResponses return them.
type Profile struct {
	// Name is for people and logs.
	Name string
	// response tells whether the message is a response.
	response bool
	// label is the signature that is looked at, whatever others there are; one that is
	// alone may have another label. Empty means that there must be one signature only.
	label string
	// tag must be the signature's. Without it, a signature made for something else could
	// be passed off as this.
	tag string
	// params are the parameters that the signature must have besides created and keyid.
	params []string
	// components must be covered; withBody as well when there is a body. Both are in the
	// form of RFC 9421, without the quotes around a plain name: content-type, or
	// "@method";req.
	components, withBody []string
	// closed tells that no other derived components may be covered, and fields in their
	// plain form only.
	closed bool
	// digest says whether the digest of a body is covered. Unless it is DigestRequired, a
	// body may come without one.
	digest DigestPolicy
	// purposes are the values of adcp_use of a key for such messages. A key that has none is
	// for all.
	purposes []string
	// signatureBytes and digestBytes are how the fields Signature and Content-Digest are
	// written.
	signatureBytes, digestBytes encoding
	// canonicalTarget tells that the address of a request is signed in canonical form.
	canonicalTarget bool
	// lowS refuses ECDSA signatures whose second number is above half the order of the
	// curve. Half of those that most libraries make are, and a nonce is spent whichever of
	// the two forms came first, so that the profiles here do not ask for it.
	lowS bool
	// window is the longest time that a signature holds; skew of clocks comes on top.
	window time.Duration
	// nonces is how many messages of one key are remembered at the most within the
	// window. Zero means that nonces, if there are any, are not looked at.
	nonces int
	// published tells that the agent has to publish a key as well, for which see
	// Question.Published.
	published bool
}

// Requests returns the profile for requests of the protocol since 3.2,
// adcp/request-signing/v1, with binary values as RFC 9651 writes them.
func Requests() *Profile {
	return &Profile{
		Name: "request", label: "sig1", tag: "adcp/request-signing/v1",
		params:     []string{"expires", "nonce", "alg", "tag"},
		components: []string{"@method", "@target-uri", "@authority"},
		withBody:   []string{"content-type", "content-digest"}, closed: true,
		purposes: []string{useRequest}, canonicalTarget: true, window: maxWindow, nonces: 1_000_000,
	}
}

// Requests31 returns the profile for requests of the protocol in its versions 3.0 and 3.1.
// The tag is that of Requests, and nothing in a message tells the two apart: the receiver
// knows which version it speaks with whom, and what it announced as covers_content_digest.
// Binary values are in base64url, or in base64.
func Requests31(digest DigestPolicy) *Profile {
	p := Requests()
	p.Name, p.digest = "request-3.1", digest
	p.signatureBytes, p.digestBytes = pureBytes, pureBytes
	if digest != DigestRequired {
		p.withBody = []string{"content-type"}
	}
	return p
}

// Webhooks returns the profile for webhooks of the protocol, adcp/webhook-signing/v1. The
// body is the message there, so that its digest is always covered, and the signature is
// written in base64url. The digest is written in either alphabet, since signers differ.
// Keys are those for requests; keys for webhooks alone are deprecated and accepted.
func Webhooks() *Profile {
	return &Profile{
		Name: "webhook", label: "sig1", tag: "adcp/webhook-signing/v1",
		params:     []string{"expires", "nonce", "alg", "tag"},
		components: []string{"@method", "@target-uri", "@authority", "content-type", "content-digest"}, closed: true,
		purposes: []string{useRequest, useWebhook}, signatureBytes: urlBytes, digestBytes: looseBytes,
		canonicalTarget: true, window: maxWindow, nonces: 100_000,
	}
}

// Requests33 returns the profile for requests to a receiver that follows AdCP 3.3: that of Requests, but
// a pin only narrows what the agent publishes. Question.Published are the keys that it publishes.
// A pin is matched by the key itself, whatever it is called, and without a pin those keys decide.
func Requests33() *Profile {
	p := Requests()
	p.Name, p.published = "request-3.3", true
	return p
}

// Webhooks33 returns the profile for webhooks to a receiver that follows AdCP 3.3; see Requests33.
func Webhooks33() *Profile {
	p := Webhooks()
	p.Name, p.published = "webhook-3.3", true
	return p
}

// Responses returns a profile for plain responses that are bound to the request they
// answer. The protocol itself forbids such signatures and has a Verifier's SignedResponse
// instead; it is for agents that make them all the same.
func Responses() *Profile {
	p := UnsafeUnboundResponses()
	p.Name = "response"
	p.components = append(p.components, `"@method";req`, `"@target-uri";req`)
	return p
}

// UnsafeUnboundResponses returns a profile for responses that do not cover the request
// they answer, as the example in RFC 9421 appendix B.2.4. An answer to another question
// within the window of time passes for an answer to this one.
func UnsafeUnboundResponses() *Profile {
	return &Profile{
		Name: "unbound response", response: true,
		components: []string{"@status", "content-digest"},
		withBody:   []string{"content-type"},
		purposes:   []string{useResponse}, window: maxWindow, nonces: 100_000,
	}
}
