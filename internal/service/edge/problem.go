package edge

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// statuses is the one table from what is wrong to what HTTP calls it. What is not in it is a
// mistake in the program.
var statuses = map[registry.Kind]int{
	registry.Invalid:       http.StatusBadRequest,
	registry.Unauthorized:  http.StatusUnauthorized,
	registry.Forbidden:     http.StatusForbidden,
	registry.NotFound:      http.StatusNotFound,
	registry.NoMethod:      http.StatusMethodNotAllowed,
	registry.Conflict:      http.StatusConflict,
	registry.Expired:       http.StatusGone,
	registry.TooLarge:      http.StatusRequestEntityTooLarge,
	registry.Encoded:       http.StatusUnsupportedMediaType,
	registry.Limited:       http.StatusTooManyRequests,
	registry.Upstream:      http.StatusBadGateway,
	registry.NoAnswer:      http.StatusGatewayTimeout,
	registry.NotConfigured: http.StatusServiceUnavailable,
	registry.Unavailable:   http.StatusServiceUnavailable,
}

// What is wrong with a request whatever it asks for.
var (
	Busy = &registry.Error{
		Kind: registry.Unavailable, Code: "busy", Message: "Service is busy", RetryAfter: 2 * time.Second,
		Explanation: "There are more requests than can be answered now. Please try again shortly.",
	}
	NoMemory = &registry.Error{
		Kind: registry.Unavailable, Code: "busy", Message: "Service is busy", RetryAfter: 2 * time.Second,
		Explanation: "There is not enough memory for large files and answers at the moment. Please try again shortly.",
	}
	BodyTooLarge = &registry.Error{Kind: registry.TooLarge, Code: "body_too_large", Message: "Request body too large"}
	CrossOrigin  = &registry.Error{
		Kind: registry.Forbidden, Code: "cross_origin", Message: "Cross-origin request refused",
		Explanation: "A page of another origin must not change anything here.",
		Hint:        "call the API from a server, or from a page of this service",
	}
	NoPath = &registry.Error{Kind: registry.NotFound, Code: "path", Message: "Not found",
		Hint: "GET /api lists what there is"}
	EncodedBody = &registry.Error{Kind: registry.Encoded, Code: "request.encoding",
		Message: "Content-Encoding is not supported", Hint: "send the body as it is"}
	Internal = &registry.Error{Code: "internal", Message: "Internal server error"}
)

// OverRate is what is wrong with a request beyond the rate of its class.
func OverRate(c *Class, retry time.Duration) *registry.Error {
	return &registry.Error{
		Kind: registry.Limited, Code: "rate_limited", Message: "Too many requests", RetryAfter: max(retry, time.Second),
		Explanation: c.title + " rate limit exceeded. Please try again later.",
	}
}

// Problem returns what a caller is told about an error: Internal when it is none of the
// caller's business.
func Problem(err error) *registry.Error {
	var shown *registry.Error
	var input *discover.InputError
	var limit *resolve.LimitError
	switch {
	case errors.As(err, &shown):
		return shown
	case errors.As(err, &input):
		return &registry.Error{Kind: registry.Invalid, Code: "input", Message: input.Message, Hint: input.Hint}
	case errors.As(err, &limit):
		return &registry.Error{Kind: registry.Invalid, Code: "too_much", Message: limit.Problem, Hint: limit.Hint}
	case errors.Is(err, context.DeadlineExceeded):
		return registry.Soon("timeout", "The answer took too long")
	}
	return Internal
}

// Answer sets the headers of an answer that says what is wrong, and returns its status and
// its body.
func Answer(h http.Header, e *registry.Error) (int, wire.Error) {
	body := wire.Error{Error: e.Message, Message: e.Explanation, Code: e.Code, Hint: e.Hint, Details: e.Details}
	if e.RetryAfter > 0 {
		body.RetryAfter = Seconds(e.RetryAfter)
		body.RetryAfterToo = body.RetryAfter
		h.Set("Retry-After", strconv.Itoa(body.RetryAfter))
	}
	if e.Kind == registry.Unauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	status, ok := statuses[e.Kind]
	if !ok {
		status, body.RequestID = http.StatusInternalServerError, h.Get("X-Request-Id")
	}
	return status, body
}

// Seconds rounds up: who comes back a moment early is refused again.
func Seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
