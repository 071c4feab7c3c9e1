package fetch

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// PublicError says what went wrong in words that an untrusted caller may read,
// empty when nothing did. It is made of the public kind, the status and the host
// of the URL alone. When no answer came, the text is the same whatever the
// reason: anything else would show strangers which doors are closed, which are
// guarded, and which are not there.
func (r *Result) PublicError() string {
	host := hostOf(r.URL)
	status := r.Last().Status
	switch kind := r.Outcome.Public(); kind {
	case PublicOK:
		return ""
	case PublicURL:
		return "the url cannot be requested"
	case PublicTimeout, PublicConnection:
		if status == 0 {
			return "no answer from " + host
		}
		return "the answer of " + host + " did not come in time"
	case PublicRedirect:
		return host + " answered with a redirect that is not followed"
	case PublicSize:
		return "the file of " + host + " is too large"
	case PublicContentType:
		return host + " answered with another content type than was asked for"
	case PublicMessage:
		return "the answer of " + host + " cannot be used"
	}
	return host + " answered with status " + strconv.Itoa(status)
}

// hostOf returns the host of a URL that this package wrote.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	end := strings.IndexAny(rest, "/?#")
	if end >= 0 {
		rest = rest[:end]
	}
	return quoteOdd(rest)
}

// Explain says in one line for the operator what was asked and what became of it.
// Outside text in it is escaped.
func (e *Exchange) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", e.Method, quoteOdd(e.URL), e.Outcome)
	if e.Reason != "" {
		fmt.Fprintf(&b, " (%s)", e.Reason)
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, ", status %d", e.Status)
	}
	if e.Location != "" {
		fmt.Fprintf(&b, ", location %s", quoteOdd(e.Location))
	}
	if e.Bytes != 0 {
		fmt.Fprintf(&b, ", %d bytes", e.Bytes)
	}
	if e.Dialled != (netip.AddrPort{}) {
		fmt.Fprintf(&b, ", from %s", e.Dialled)
	}
	fmt.Fprintf(&b, ", %s", e.Timings.Total.Round(time.Millisecond))
	if e.Attempt > 1 {
		fmt.Fprintf(&b, ", attempt %d", e.Attempt)
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", quoteOdd(e.Detail))
	}
	return b.String()
}

// quoteOdd returns printable ASCII as it is, and anything else quoted.
func quoteOdd(s string) string {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	if strings.ContainsFunc(s, odd) {
		return strconv.QuoteToASCII(s)
	}
	return s
}
