package registry

import "time"

// A Kind is what is wrong with a call, in one word.
type Kind uint8

// The kinds.
const (
	// Invalid: the call itself cannot be answered as it is put.
	Invalid Kind = iota + 1
	// NotFound: there is no such thing.
	NotFound
	// Unauthorized: the call needs a key, and has none that counts.
	Unauthorized
	// Forbidden: the key does not permit it.
	Forbidden
	// Conflict: what the call builds on has changed meanwhile, or its state forbids it.
	Conflict
	// TooLarge: the call carries more than is accepted.
	TooLarge
	// Limited: the caller, or the target it names, has had its share for now.
	Limited
	// NotConfigured: this service was set up without what the call needs.
	NotConfigured
	// Upstream: an upstream service failed or refused.
	Upstream
	// NoAnswer: an upstream service did not answer.
	NoAnswer
	// Unavailable: this service cannot do it now, for want of room or of its store.
	Unavailable
	// NoMethod: that exists and cannot be called this way.
	NoMethod
	// Encoded: the body comes in an encoding that is not read.
	Encoded
	// Expired: it was there once, or somewhere else.
	Expired
)

// An Error is one that the caller can do something about. All texts in it are safe to
// show.
type Error struct {
	Kind Kind
	// Message says what is wrong, and Hint what to do about it.
	Message, Hint string
	// Explanation is another sentence about what is wrong, or empty.
	Explanation string
	// Code is a stable word for programs, or empty.
	Code string
	// RetryAfter is how long to wait before trying again; zero when that is not known.
	RetryAfter time.Duration
	// Details are findings about what was sent, one line each; mostly empty.
	Details []string
}

// Codes of errors that only one caller has.
const (
	codeBusy       = "busy"               // for want of room
	codeShareSpent = "enrich_share_spent" // for want of calls of the provider
)

// Own reports whether the caller alone had too little of something, so that others may fare better.
func (e *Error) Own() bool { return e.Code == codeBusy || e.Code == codeShareSpent }

// Soon is the error of what cannot be done now and most likely in a few seconds.
func Soon(code, message string) *Error {
	return &Error{Kind: Unavailable, Code: code, Message: message, Hint: "try again in a few seconds",
		RetryAfter: 5 * time.Second}
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }
