package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/avow-project/avow/internal/netguard"
)

// A failure is an error with the outcome it leads to.
type failure struct {
	outcome Outcome
	err     error
}

// Error returns the text of the error within.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns the error within.
func (f *failure) Unwrap() error { return f.err }

func fail(outcome Outcome, err error) *failure { return &failure{outcome, err} }

// ended returns the failure of an exchange whose context has ended, nil when it
// has not. Whatever error surfaced then is a mere consequence.
func ended(ctx context.Context) *failure {
	if ctx.Err() == nil {
		return nil
	}
	cause := context.Cause(ctx)
	var limit timeError
	if errors.As(cause, &limit) || errors.Is(ctx.Err(), context.DeadlineExceeded) ||
		errors.Is(cause, context.DeadlineExceeded) {
		return fail(Timeout, cause)
	}
	return fail(Cancelled, cause)
}

// isTimeout reports whether an error says of itself that time ran out.
func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// guardFailure names the outcome of an error of the guard: a refusal, a lookup or
// a connection that failed.
func guardFailure(err error) *failure {
	var refused *netguard.Refusal
	var lookup *net.DNSError
	switch {
	case errors.As(err, &refused):
		return fail(GuardedAddress, err)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return fail(NameNotFound, err)
	case isTimeout(err):
		return fail(Timeout, err)
	}
	return fail(Unreachable, err)
}

// isAlert reports whether an error is a TLS alert, received or sent.
func isAlert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error")
}

// isBroken reports whether an error means that the connection ended, as opposed
// to something wrong with what came over it. net/http has an error of its own for
// an end within the trailer, which shows only in its text.
func isBroken(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.ErrClosedPipe) || strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error())
}

// handshakeFailure names the outcome of a failed handshake.
func handshakeFailure(err error) *failure {
	if isBroken(err) && !isAlert(err) {
		return fail(Unreachable, err)
	}
	return fail(TLSFailure, err)
}

// answerFailure names the outcome of an HTTP/1 exchange that failed before its
// header was complete.
func answerFailure(err error) *failure {
	var malformed messageError
	switch {
	case errors.As(err, &malformed):
		return fail(BadMessage, err)
	case isAlert(err):
		// With TLS 1.3, a server that wants a certificate says so this late.
		return fail(TLSFailure, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fail(Incomplete, err)
	}
	return fail(Unreachable, err)
}

// http2Failure is answerFailure for HTTP/2.
func http2Failure(err error) *failure {
	if isProtocolError(err) {
		return fail(BadMessage, err)
	}
	return fail(Unreachable, err)
}

// bodyFailure names the outcome of a body that broke off. What is neither an end
// of the connection nor of the stream is a fault in the chunks.
func bodyFailure(err error, http2 bool) *failure {
	if isBroken(err) || http2 && !isProtocolError(err) {
		return fail(Incomplete, err)
	}
	return fail(BadMessage, err)
}

// isProtocolError reports whether HTTP/2 was spoken wrongly. net/http keeps its
// error types to itself, so that only their text is left: the names that RFC 9113
// gives to the codes, and three sentences. The tests notice when they change.
func isProtocolError(err error) bool {
	text := err.Error()
	for _, sign := range []string{"PROTOCOL_ERROR", "malformed", "too large", "more than declared"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
