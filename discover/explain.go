package discover

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/fetch"
)

// A cause is what a finding says, before it belongs to a hop.
type cause struct {
	code, message string
	hint          string // empty means the general one of the code
	detail        string
}

// explain says why a hop brought no file, in words for the server's operator.
func explain(h *Hop) cause {
	x := h.Result.Last()
	c := explainers[h.Result.Outcome](h, x)
	c.detail = x.Detail
	return c
}

// explainers has one row for each outcome that a Result can end with.
var explainers = [...]func(h *Hop, x *fetch.Exchange) cause{
	fetch.Unasked:                 explainOdd,
	fetch.Found:                   explainOdd,
	fetch.NotModified:             explainOdd,
	fetch.Redirected:              explainOdd,
	fetch.Absent:                  explainAbsent,
	fetch.AccessDeniedObjectStore: explainObjectStore,
	fetch.Forbidden:               explainForbidden,
	fetch.RateLimited:             explainRateLimited,
	fetch.ClientError:             explainClientError,
	fetch.ServerError:             explainServerError,
	fetch.UnexpectedStatus:        explainStatus,
	fetch.RedirectRefused:         explainRedirect,
	fetch.Timeout:                 explainTimeout,
	fetch.Unreachable:             explainUnreachable,
	fetch.NameNotFound:            explainName,
	fetch.TLSFailure:              explainTLS,
	fetch.TooLarge:                explainSize,
	fetch.BadContentType:          explainType,
	fetch.BadEncoding:             explainEncoding,
	fetch.Incomplete:              explainIncomplete,
	fetch.BadMessage:              explainMessage,
	fetch.GuardedAddress:          explainGuarded,
	fetch.BadURL:                  explainURL,
	fetch.NoTurn:                  explainNoTurn,
	fetch.Cancelled:               explainCancelled,
}

func explainOdd(h *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.status", message: hostOf(x.URL) + " gave no usable answer: " + h.Result.Outcome.String()}
}

func explainAbsent(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.not_found", message: "there is no file at " + shown(x.URL) + " (404)"}
}

func explainObjectStore(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.object_store_denied", message: "the object store behind " + hostOf(x.URL) +
		" answers 403 AccessDenied: there is no such object, or it is not public"}
}

func explainForbidden(_ *Hop, x *fetch.Exchange) cause {
	host := hostOf(x.URL)
	switch {
	case x.Status == http.StatusUnauthorized || x.Status == http.StatusProxyAuthRequired:
		return cause{code: "fetch.login_required", message: fmt.Sprintf("%s asks for credentials (%d)", host, x.Status)}
	case x.MediaType == "text/html":
		return cause{code: "fetch.bot_protection",
			message: host + " answers 403 with a web page, as protection against bots does"}
	}
	return cause{code: "fetch.forbidden", message: host + " refuses the request (403)"}
}

func explainRateLimited(_ *Hop, x *fetch.Exchange) cause {
	c := cause{code: "fetch.rate_limited", message: hostOf(x.URL) + " asks for fewer requests (429)"}
	if x.RetryAfter > 0 {
		c.message += ", and to try again in " + x.RetryAfter.String()
	}
	return c
}

func explainClientError(_ *Hop, x *fetch.Exchange) cause {
	if x.Status == http.StatusGone {
		return cause{code: "fetch.gone", message: hostOf(x.URL) + " says that the file is gone (410)"}
	}
	return cause{code: "fetch.client_error", message: fmt.Sprintf("%s answers %d", hostOf(x.URL), x.Status)}
}

func explainServerError(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.server_error", message: fmt.Sprintf("%s has a problem (%d)", hostOf(x.URL), x.Status)}
}

func explainStatus(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.status", message: fmt.Sprintf("%s answers %d where 200 is needed", hostOf(x.URL), x.Status)}
}

// explainRedirect tells apart why a redirect was not followed. The target is named
// in the hint where pointing there is the remedy.
func explainRedirect(h *Hop, x *fetch.Exchange) cause {
	from, to := hostOf(x.URL), shown(x.Location)
	switch x.Reason {
	case fetch.NoRedirects:
		c := cause{code: "fetch.redirect_authoritative",
			message: fmt.Sprintf("%s answers %d; a file that is named exactly must be there and not elsewhere", shown(x.URL),
				x.Status)}
		if strings.HasPrefix(x.Location, "https://") {
			c.message = fmt.Sprintf("%s redirects to %s (%d); a file that is named exactly must be there and not elsewhere",
				shown(x.URL), to, x.Status)
			c.hint = "put the URL where the redirects end, such as " + to + ", into authoritative_location"
		}
		return c
	case fetch.CrossSite:
		return crossSite(h, from, to)
	case fetch.SchemeDowngrade:
		return cause{code: "fetch.redirect_http", message: from + " redirects to " + to + ", which is not https"}
	case fetch.TooManyRedirects:
		return cause{code: "fetch.redirect_too_many", message: from + " redirects again, to " + to +
			", after the last redirect that is followed"}
	case fetch.NoSite:
		return cause{code: "fetch.redirect_no_site",
			message: from + " redirects to " + to + ", but it is a public suffix, below which anyone may own a name"}
	}
	return cause{code: "fetch.redirect_location",
		message: from + " redirects without a Location header that can be followed"}
}

// crossSite is the most common mistake of all: the file is redirected to where it
// is managed, instead of pointing there.
func crossSite(h *Hop, from, to string) cause {
	c := cause{code: "fetch.redirect_cross_site",
		message: from + " redirects to " + to + ", which belongs to another site"}
	if h.Step == WellKnown || h.Step == Manager {
		c.hint = `instead of the redirect, answer 200 with {"authoritative_location": "` + to + `", "last_updated": "…"}`
	}
	return c
}

func explainTimeout(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.timeout", message: hostOf(x.URL) + " does not answer in time"}
}

func explainUnreachable(_ *Hop, x *fetch.Exchange) cause {
	if strings.Contains(x.Detail, "network is unreachable") && !strings.Contains(x.Detail, "refused") {
		return cause{
			code: "fetch.unreachable", message: "this machine cannot reach " + hostOf(x.URL) + ": its network is unreachable",
			hint: "check the connection of this machine; the publisher may be fine",
		}
	}
	if strings.HasPrefix(x.Detail, "the proxy") {
		return cause{
			code: "fetch.unreachable", message: "no connection to " + hostOf(x.URL) + ": " + x.Detail,
			hint: "ask the proxy's administrator to allow connections to port 443 of any host; the publisher may be fine",
		}
	}
	return cause{code: "fetch.unreachable", message: "cannot connect to " + hostOf(x.URL) + " over https"}
}

func explainName(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.name_not_found", message: "the name " + hostOf(x.URL) + " has no address in the DNS"}
}

// explainTLS looks for the fault in words of the library, since only they tell; an
// unknown one gets the general code.
func explainTLS(_ *Hop, x *fetch.Exchange) cause {
	host := hostOf(x.URL)
	has := func(words ...string) bool {
		for _, s := range words {
			if strings.Contains(x.Detail, s) {
				return true
			}
		}
		return false
	}
	switch {
	case has("certificate is valid for", "not valid for any names", "certificate is not valid for"):
		return cause{code: "fetch.tls_name", message: "the certificate of " + host + " is for other names"}
	case has("relies on legacy Common Name field"):
		return cause{
			code:    "fetch.tls_name",
			message: "the certificate of " + host + " names it in the Common Name field alone, which is no longer accepted",
			hint:    "get a certificate that has the name as a subject alternative name",
		}
	case has("does not look like a TLS handshake", "HTTP response to HTTPS"):
		return cause{code: "fetch.http_only", message: host + " does not speak https on that port"}
	case has("expired or is not yet valid"):
		return cause{code: "fetch.tls_expired", message: "the certificate of " + host + " has expired or is not valid yet"}
	}
	return cause{code: "fetch.tls", message: "the certificate or the TLS handshake of " + host + " is not acceptable"}
}

func explainSize(h *Hop, x *fetch.Exchange) cause {
	limit := map[Step]int64{
		Authoritative: fetch.MaxAuthoritative, ManagerAuthoritative: fetch.MaxAuthoritative, AdsTxt: fetch.MaxAdsTxtBytes,
	}[h.Step]
	if limit == 0 {
		limit = fetch.MaxWellKnown
	}
	c := cause{code: "fetch.too_large",
		message: fmt.Sprintf("the answer of %s is larger than %d MB, or compressed beyond reason", hostOf(x.URL),
			limit/1_000_000)}
	if h.Step == WellKnown || h.Step == Manager {
		c.hint = fmt.Sprintf(
			"serve a pointer here and the file elsewhere; what authoritative_location leads to may have %d MB",
			fetch.MaxAuthoritative/1_000_000)
	}
	return c
}

// explainType tells a file with a wrong header from a page.
func explainType(h *Hop, x *fetch.Exchange) cause {
	host, served := hostOf(x.URL), servedAs(x)
	if h.Step == AdsTxt {
		return cause{code: "fetch.content_type", message: "ads.txt is served " + served + " and not as text/plain"}
	}
	if x.MediaType == "text/html" && !looksLikeJSON(x.Excerpt) {
		return cause{code: "fetch.html_page", message: host + " answers 200 with a web page instead of the file"}
	}
	c := cause{code: "fetch.content_type", message: host + " serves the file " + served + " and not as application/json"}
	if x.MediaType == "application/json" {
		c.message = host + " sends a Content-Type header that cannot be relied on, " + served
	}
	return c
}

func servedAs(x *fetch.Exchange) string {
	switch {
	case x.MediaType != "":
		return "as " + shown(x.MediaType)
	case x.ContentType != "":
		return "as " + shown(x.ContentType)
	}
	return "without a Content-Type header"
}

func explainEncoding(_ *Hop, x *fetch.Exchange) cause {
	host := hostOf(x.URL)
	if x.Encoding == "" || x.Encoding == "gzip" {
		return cause{code: "fetch.encoding", message: "the compression of the answer of " + host + " is broken"}
	}
	return cause{code: "fetch.encoding", message: host + " compresses the answer as " + shown(x.Encoding) +
		", which was not offered"}
}

func explainIncomplete(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.incomplete", message: "the answer of " + hostOf(x.URL) +
		" ends early, or does not say where it ends"}
}

func explainMessage(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.message",
		message: "the answer of " + hostOf(x.URL) + " is not well-formed HTTP, or can be read in two ways"}
}

func explainGuarded(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.guarded", message: hostOf(x.URL) + " does not lead to the public internet"}
}

func explainURL(h *Hop, _ *fetch.Exchange) cause {
	return cause{code: "fetch.url", message: "the URL " + shown(h.URL) + " cannot be requested"}
}

func explainNoTurn(_ *Hop, x *fetch.Exchange) cause {
	if x.Reason == fetch.BudgetSpent {
		return cause{
			code: "fetch.no_turn", message: hostOf(x.URL) + " was not contacted: this question has used all its requests",
			hint: "shorten the path to the file: fewer redirects, and servers that answer the first time",
		}
	}
	return cause{code: "fetch.no_turn",
		message: hostOf(x.URL) + " was not contacted: too many requests to the same site were waiting"}
}

func explainCancelled(_ *Hop, x *fetch.Exchange) cause {
	return cause{code: "fetch.cancelled", message: "the request to " + hostOf(x.URL) +
		" was cancelled before it was answered"}
}
