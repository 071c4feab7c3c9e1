package fetch

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// jsonType is the media type of the files this package is mostly used for.
const jsonType = "application/json"

// maxExcerpt is how much of a body that was not adopted is kept.
const maxExcerpt = 512

// judge decides what an answer means.
func (a *attempt) judge(resp *http.Response) error {
	a.note(resp)
	switch {
	case resp.StatusCode == http.StatusOK:
		return a.adopt(resp)
	case isRedirect(resp.StatusCode):
		a.redirect(resp.Header["Location"])
		return nil
	case resp.StatusCode == http.StatusForbidden:
		a.forbidden(resp)
		return nil
	}
	a.Outcome = statusOutcome(resp.StatusCode, a.conditional())
	a.Detail = "the answer has the status " + resp.Status
	stop := a.within(a.client.limits.excerpt, errHintTime)
	defer stop()
	a.Excerpt = a.peek(resp, maxExcerpt)
	return nil
}

// conditional reports whether the answer may be 304.
func (a *attempt) conditional() bool {
	return a.want.IfNoneMatch != "" || a.want.IfModifiedSince != ""
}

// statusOutcome names the outcome of a status that needs no look at the body.
func statusOutcome(status int, conditional bool) Outcome {
	switch {
	case status == http.StatusNotModified && conditional:
		return NotModified
	case status == http.StatusNotFound:
		return Absent
	case status == http.StatusUnauthorized, status == http.StatusProxyAuthRequired:
		return Forbidden
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 400 && status < 500:
		return ClientError
	case status >= 500 && status < 600:
		return ServerError
	}
	return UnexpectedStatus
}

// note records what the header says.
func (a *attempt) note(resp *http.Response) {
	h := resp.Header
	a.Status, a.Protocol = resp.StatusCode, resp.Proto
	a.ContentType = strings.Join(h["Content-Type"], ", ")
	a.ETag, a.LastModified, a.Date = h.Get("ETag"), h.Get("Last-Modified"), h.Get("Date")
	a.Age, a.Expires, a.CacheControl = h.Get("Age"), h.Get("Expires"), slices.Clone(h["Cache-Control"])
	a.Challenge = strings.Join(h["Www-Authenticate"], ", ")
	if a.want.Post != nil {
		a.Session = h.Get("Mcp-Session-Id")
	}
	a.Encoding = strings.TrimPrefix(strings.ToLower(strings.Join(h["Content-Encoding"], ", ")), "identity")
	if resp.StatusCode != http.StatusOK {
		a.RetryAfter = parseRetryAfter(h.Get("Retry-After"), time.Now())
	}
	media, err := parseContentType(h["Content-Type"])
	if err == nil {
		a.MediaType, a.Charset = media.essence, media.charset
	}
}

// adopt reads the body of an answer with status 200, if it is of a kind that was
// asked for.
func (a *attempt) adopt(resp *http.Response) error {
	_, err := parseContentType(resp.Header["Content-Type"])
	if err != nil || !slices.Contains(a.want.MediaTypes, a.MediaType) {
		stop := a.within(a.client.limits.excerpt, errHintTime)
		defer stop()
		a.Outcome, a.Detail = BadContentType, "the content type is "+quoteOdd(a.ContentType)
		if err != nil {
			a.Detail = err.Error()
		}
		a.Excerpt = a.peek(resp, maxExcerpt)
		return nil
	}
	body, err := a.readBody(resp)
	if err != nil {
		a.Excerpt = clip(body)
		return err
	}
	a.Outcome, a.body = Found, body
	return nil
}

// clip copies the beginning of a body, so that the rest can be freed.
func clip(body []byte) []byte {
	return slices.Clone(body[:min(len(body), maxExcerpt)])
}

// forbidden tells the answer of an object store for an absent object from one
// that keeps a file from us.
func (a *attempt) forbidden(resp *http.Response) {
	a.Outcome, a.Detail = Forbidden, "the answer has the status "+resp.Status
	body := a.peek(resp, maxDenied)
	if isAccessDenied(body) {
		a.Outcome = AccessDeniedObjectStore
	}
	a.Excerpt = clip(body)
}

// redirect decides about a redirect. The target is not contacted here.
func (a *attempt) redirect(location []string) {
	next, err := parseLocation(a.target, location)
	a.Location = displayLocation(a.target, next, location)
	var refused *refusal
	switch {
	case a.chain.rule == None:
		refused = a.chain.follow(next)
	case err != nil:
		refused = &refusal{locationReason(err), err.Error()}
	default:
		refused = a.chain.follow(next)
	}
	if refused != nil {
		a.Outcome, a.Reason, a.Detail = RedirectRefused, refused.reason, refused.detail
		return
	}
	a.Outcome, a.next = Redirected, next
}

// displayLocation shows where a redirect leads, also one that cannot be
// followed, without what might be secret in it.
func displayLocation(base, next *target, location []string) string {
	if next != nil {
		return next.withoutQuery()
	}
	if len(location) == 0 || location[0] == "" {
		return ""
	}
	shown, _, _ := strings.Cut(resolve(base, location[0], schemeOf(location[0]) != ""), "?")
	return displayURL(shown)
}

// maxDenied is how much of an answer with status 403 is looked at. The XML error
// of an object store has a few hundred bytes.
const maxDenied = 64 << 10

// isAccessDenied reports whether a body is the XML error with which an object
// store answers for an object that is not there: an element Code with the text
// AccessDenied, whatever its case and prefix. The body may be cut off behind it.
// A web page is none, although <code> is an element of HTML.
func isAccessDenied(body []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	var text strings.Builder
	inCode, first := false, true
	for {
		token, err := d.RawToken()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.StartElement:
			if first && strings.EqualFold(token.Name.Local, "html") {
				return false
			}
			first = false
			inCode = strings.EqualFold(token.Name.Local, "Code")
			text.Reset()
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if inCode && strings.EqualFold(token.Name.Local, "Code") &&
				strings.EqualFold(strings.TrimSpace(text.String()), "AccessDenied") {
				return true
			}
			inCode = false
		case xml.Directive:
			if isHTMLDoctype(token) {
				return false
			}
		}
	}
}

// isHTMLDoctype recognises "<!DOCTYPE html".
func isHTMLDoctype(directive xml.Directive) bool {
	words := strings.Fields(string(directive))
	return len(words) > 1 && strings.EqualFold(words[0], "DOCTYPE") && strings.EqualFold(words[1], "html")
}
