package fetch

// An Outcome says how a request ended. The text of each is stable and used in
// JSON, logs and metrics.
type Outcome uint8

// The outcomes.
const (
	// Unasked is the zero value: no request was made.
	Unasked Outcome = iota
	// Found: status 200 with a complete body of an accepted media type.
	Found
	// NotModified: status 304 in answer to a conditional request.
	NotModified
	// Absent: status 404.
	Absent
	// AccessDeniedObjectStore: status 403 with the XML error AccessDenied, which
	// object stores send for an object that is not there.
	AccessDeniedObjectStore
	// Forbidden: status 401, 403 or 407 otherwise.
	Forbidden
	// RateLimited: status 429.
	RateLimited
	// ClientError: another status 4xx, such as 410.
	ClientError
	// ServerError: status 5xx.
	ServerError
	// UnexpectedStatus: a status that is none of the above, such as 204, 300, or
	// 304 without a condition.
	UnexpectedStatus
	// Redirected: a redirect that was followed; the next exchange is its target.
	// A Result never ends with it.
	Redirected
	// RedirectRefused: a redirect that may not be followed; its target was not
	// contacted. Exchange.Reason says why.
	RedirectRefused
	// Timeout: name lookup, connection, handshake or answer took too long.
	Timeout
	// Unreachable: no connection, or it broke.
	Unreachable
	// NameNotFound: the host name does not exist or has no address.
	NameNotFound
	// TLSFailure: the certificate or the handshake is not acceptable.
	TLSFailure
	// TooLarge: the body exceeds the limit, or is compressed beyond reason.
	TooLarge
	// BadContentType: status 200 with another media type than asked for.
	BadContentType
	// BadEncoding: a content encoding that was not offered, or broken.
	BadEncoding
	// Incomplete: the message ended early, or does not say where it ends.
	Incomplete
	// BadMessage: not a well-formed HTTP message, or an ambiguous one.
	BadMessage
	// GuardedAddress: the guard refused the host or its address.
	GuardedAddress
	// BadURL: the URL cannot be requested, for example because it is not https.
	BadURL
	// NoTurn: the time ran out while waiting for politeness towards the host, or the
	// budget of the context was spent; nothing was sent.
	NoTurn
	// Cancelled: the caller gave up.
	Cancelled
)

var outcomeNames = [...]string{
	Unasked: "unasked", Found: "found", NotModified: "not_modified", Absent: "absent",
	AccessDeniedObjectStore: "access_denied_object_store", Forbidden: "forbidden", RateLimited: "rate_limited",
	ClientError: "client_error", ServerError: "server_error", UnexpectedStatus: "unexpected_status",
	Redirected: "redirected", RedirectRefused: "redirect_refused", Timeout: "timeout", Unreachable: "unreachable",
	NameNotFound: "name_not_found", TLSFailure: "tls_failure", TooLarge: "too_large", BadContentType: "bad_content_type",
	BadEncoding: "bad_encoding", Incomplete: "incomplete", BadMessage: "bad_message", GuardedAddress: "guarded_address",
	BadURL: "bad_url", NoTurn: "no_turn", Cancelled: "cancelled",
}

// String returns the stable name.
func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText returns the stable name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Transient reports whether the same request may well succeed a little later.
func (o Outcome) Transient() bool {
	switch o {
	case RateLimited, ServerError, Timeout, Unreachable, Incomplete:
		return true
	}
	return false
}

// A PublicKind is what an untrusted caller may learn about a failure. It does not
// tell a closed port from a guarded address: the difference would let anyone
// explore the network behind avow.
type PublicKind string

// The public kinds.
const (
	PublicOK          PublicKind = ""
	PublicTimeout     PublicKind = "timeout"
	PublicConnection  PublicKind = "connection"
	PublicStatus      PublicKind = "http_status"
	PublicRedirect    PublicKind = "redirect"
	PublicSize        PublicKind = "size"
	PublicContentType PublicKind = "content_type"
	PublicMessage     PublicKind = "message"
	PublicURL         PublicKind = "url"
)

// Public returns the public kind of an outcome.
func (o Outcome) Public() PublicKind {
	switch o {
	case Unasked, Found, NotModified, Redirected:
		return PublicOK
	case Timeout, NoTurn, Cancelled:
		return PublicTimeout
	case Unreachable, NameNotFound, TLSFailure, GuardedAddress:
		return PublicConnection
	case RedirectRefused:
		return PublicRedirect
	case TooLarge:
		return PublicSize
	case BadContentType:
		return PublicContentType
	case BadEncoding, Incomplete, BadMessage:
		return PublicMessage
	case BadURL:
		return PublicURL
	}
	return PublicStatus
}

// A Reason is the code of why a redirect was refused, or a turn did not come.
type Reason string

// The reasons for refusing a redirect.
const (
	CrossSite        Reason = "cross_registrable_domain"
	SchemeDowngrade  Reason = "scheme_downgrade"
	TooManyRedirects Reason = "too_many_redirects"
	NoRedirects      Reason = "redirect_on_authoritative_location" // none are followed for this kind of file
	// missing, repeated, too long, not a URL, with credentials or another port
	BadLocation Reason = "bad_location"
	NoSite      Reason = "no_registrable_domain" // the original host is a public suffix
)

// BudgetSpent is the reason of NoTurn when the budget of the context was spent; see
// WithBudget.
const BudgetSpent Reason = "request_budget_spent"
