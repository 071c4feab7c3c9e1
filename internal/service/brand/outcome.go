package brand

import (
	"net/http"
	"strconv"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// An outcome is what became of a request to the provider.
type outcome uint8

const (
	// answered: status 200 with a body.
	answered outcome = iota
	// absent: the provider has nothing.
	absent
	// refused: the provider does not take the request as it is; it is well otherwise.
	refused
	// limited: it has had enough of us.
	limited
	// failing: it says that it cannot answer.
	failing
	// unreached: no answer came.
	unreached
	// broken: an answer that is of no use, or a key that is not valid.
	broken
)

// outcomeOf returns what a status means.
func outcomeOf(status int) outcome {
	switch {
	case status == http.StatusOK:
		return answered
	case status == http.StatusNotFound, status == http.StatusGone, status == http.StatusNoContent:
		return absent
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity,
		status == http.StatusUnavailableForLegalReasons:
		return refused
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		return limited
	case status >= http.StatusInternalServerError:
		return failing
	}
	return broken
}

// repeatable reports whether the same request may well succeed a little later.
func (o outcome) repeatable() bool { return o == limited || o == failing || o == unreached }

// err returns the error of an attempt that brought nothing. It tells the status and no
// more of what was sent.
func (a *attempt) err(path string) error {
	rest := a.retryAfter
	if rest == 0 {
		rest = defaultRest
	}
	switch a.outcome {
	case absent:
		return notFound(path)
	case limited:
		return &registry.Error{
			Kind: registry.Unavailable, Code: "provider_limited", Message: "Brandfetch limits requests for now",
			RetryAfter: rest,
		}
	case unreached:
		return &registry.Error{
			Kind: registry.Upstream, Code: "provider_unreachable", Message: "Failed to fetch from Brandfetch: " + a.problem,
			RetryAfter: rest,
		}
	}
	if a.status == 0 || a.status == http.StatusOK {
		return badAnswer()
	}
	return &registry.Error{
		Kind: registry.Upstream, Code: "provider_failed", Message: "Brandfetch API error: " + strconv.Itoa(a.status),
		RetryAfter: rest,
	}
}

// notFound is the error for what the provider does not have.
func notFound(path string) error {
	what := "Brand"
	if path == contextPath {
		what = "Brand context"
	}
	return &registry.Error{Kind: registry.NotFound, Code: "brand_not_found", Message: what + " not found in Brandfetch"}
}

// resting is the error while the provider is left alone.
func resting(d time.Duration) error {
	return &registry.Error{
		Kind: registry.Unavailable, Code: "provider_resting",
		Message:    "Brandfetch does not answer at present and is left alone for a while",
		RetryAfter: d.Round(time.Second) + time.Second,
	}
}

// badAnswer is the error for an answer that cannot be read.
func badAnswer() error {
	return &registry.Error{
		Kind: registry.Upstream, Code: "provider_answer", Message: "Brandfetch returned an answer that cannot be used",
		RetryAfter: defaultRest,
	}
}
