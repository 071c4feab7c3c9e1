package keypin

import "time"

// Limits of time and size that the profiles share.
const (
	// maxWindow is the longest time between created and expires, skew how far two clocks
	// may differ.
	maxWindow = 300 * time.Second
	skew      = 60 * time.Second
	// minNonce is the shortest nonce: 16 bytes in base64.
	minNonce = 22
	// maxText is the longest parameter that is read: key ids and nonces are short.
	maxText = 1024
	// maxHead is the longest Signature-Input or Signature field.
	maxHead = 16 << 10
)

// A Profile says what a signature must look like. Requests, Webhooks and Responses return
// those of the protocol; a copy can be changed, and UnsafeUnboundResponses shows the
// least that a Verifier asks for.
type Profile struct {
	// Name is for people and logs.
	Name string
	// Response tells whether the message is a response.
	Response bool
	// Label is the one signature that is looked at, whatever others there are. Empty means
	// that there must be one signature only.
	Label string
	// Tag must be that of the signature. Without it, a signature made for something else
	// could be passed off as this.
	Tag string
	// Params are the parameters that the signature must have besides created and keyid.
	Params []string
	// Components must be covered; WithBody as well when there is a body. Both are in the
	// form of RFC 9421, without the quotes around a plain name: content-type, or
	// "@method";req.
	Components, WithBody []string
	// Purpose is the adcp_use of a key for such messages. A key that has none is for all.
	Purpose string
	// URLBytes tells that the Signature field is written in base64url without padding.
	URLBytes bool
	// CanonicalTarget tells that the address of a request is signed in canonical form.
	CanonicalTarget bool
	// Window is the longest time that a signature holds; skew of clocks comes on top.
	Window time.Duration
	// Nonces is how many messages of one key are remembered at the most within the
	// window. Zero means that nonces, if there are any, are not looked at.
	Nonces int
}

// Requests returns the profile for requests of the protocol, adcp/request-signing/v1, with
// binary values as RFC 9651 writes them.
func Requests() *Profile {
	return &Profile{
		Name: "request", Label: "sig1", Tag: "adcp/request-signing/v1",
		Params:     []string{"expires", "nonce", "alg", "tag"},
		Components: []string{"@method", "@target-uri", "@authority"},
		WithBody:   []string{"content-type", "content-digest"},
		Purpose:    "request-signing", CanonicalTarget: true, Window: maxWindow, Nonces: 1_000_000,
	}
}

// Webhooks returns the profile for webhooks of the protocol, adcp/webhook-signing/v1. The
// body is the message there, so that its digest is always covered, and the signature is
// written in base64url.
func Webhooks() *Profile {
	return &Profile{
		Name: "webhook", Label: "sig1", Tag: "adcp/webhook-signing/v1",
		Params:     []string{"expires", "nonce", "alg", "tag"},
		Components: []string{"@method", "@target-uri", "@authority", "content-type", "content-digest"},
		Purpose:    "webhook-signing", URLBytes: true, CanonicalTarget: true, Window: maxWindow, Nonces: 100_000,
	}
}

// Responses returns a profile for plain responses that are bound to the request they
// answer. The protocol itself signs no responses; it is for agents that do.
func Responses() *Profile {
	p := UnsafeUnboundResponses()
	p.Name = "response"
	p.Components = append(p.Components, `"@method";req`, `"@target-uri";req`)
	return p
}

// UnsafeUnboundResponses returns a profile for responses that do not cover the request
// they answer, as the example in RFC 9421 appendix B.2.4. An answer to another question
// within the window of time passes for an answer to this one.
func UnsafeUnboundResponses() *Profile {
	return &Profile{
		Name: "unbound response", Response: true,
		Components: []string{"@status", "content-digest"},
		Purpose:    "response-signing", Window: maxWindow, Nonces: 100_000,
	}
}
