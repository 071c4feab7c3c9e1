package server

import (
	"net/http"
	"strconv"

	"github.com/avow-project/avow/internal/service/edge"
)

const (
	// plainPolicy is the Content-Security-Policy of everything but pages. Pages set
	// their own.
	plainPolicy = "default-src 'none'; frame-ancestors 'none'"
	// httpsOnly is sent over encrypted connections only.
	httpsOnly = "max-age=31536000"
	// preflightAge is how long a browser may remember what it was allowed.
	preflightAge = "7200"
	// readableHeaders are those that scripts of other origins may read.
	readableHeaders = "ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, " +
		"Retry-After, X-Key-Ignored, X-Request-Id"
	// sendableHeaders are those that scripts of other origins may send. Clients of
	// another registry send a token against forged requests, which is ignored; clients of the
	// Model Context Protocol name its version and what they call.
	sendableHeaders = "Authorization, Content-Type, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, " +
		"Mcp-Protocol-Version, Mcp-Session-Id, X-CSRF-Token"
)

// A fixedHeader is a header that is the same in all answers. Its value is shared: Set
// replaces it, and Add copies it, since it has no room to grow.
type fixedHeader struct {
	name  string // in canonical form
	value []string
}

// fixedHeaders are those of every answer, publicHeaders those of public ones.
var (
	fixedHeaders = []fixedHeader{
		{"X-Content-Type-Options", []string{"nosniff"}},
		{"X-Frame-Options", []string{"DENY"}},
		{"Referrer-Policy", []string{"no-referrer"}},
		{"Content-Security-Policy", []string{plainPolicy}},
	}
	publicHeaders = []fixedHeader{
		{"Access-Control-Allow-Origin", []string{"*"}},
		{"Access-Control-Expose-Headers", []string{readableHeaders}},
	}
)

// protect sets the headers that keep browsers from doing more with an answer than
// showing it.
func protect(x *exchange) {
	h := x.Header()
	h.Set("X-Request-Id", x.id)
	for _, f := range fixedHeaders {
		h[f.name] = f.value
	}
	if x.secure {
		h.Set("Strict-Transport-Security", httpsOnly)
	}
}

// isPreflight reports whether a browser asks what a script may do.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" &&
		r.Header.Get("Access-Control-Request-Method") != ""
}

// isSafe reports whether a method changes nothing.
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// share lets scripts of every origin read what is public anyway. No credentials are
// involved: the service has no cookies, and a key is sent on purpose.
func share(x *exchange, r *http.Request) {
	if x.route.Program && (isSafe(r.Method) || x.route.Open) {
		h := x.Header()
		for _, f := range publicHeaders {
			h[f.name] = f.value
		}
	}
}

// preflight answers whether a script of another origin may send a request. For one that
// changes something the answer has no permission in it, which a browser takes as no.
func (s *server) preflight(x *exchange, r *http.Request) {
	asked := r.Clone(r.Context())
	asked.Method = r.Header.Get("Access-Control-Request-Method")
	h := x.Header()
	h.Add("Vary", "Access-Control-Request-Method")
	to := s.config.Route(asked)
	if to.Program && (isSafe(asked.Method) || to.Open) {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
		h.Set("Access-Control-Allow-Headers", sendableHeaders)
		h.Set("Access-Control-Max-Age", preflightAge)
	} else {
		h.Del("Access-Control-Allow-Origin")
	}
	x.WriteHeader(http.StatusNoContent)
}

// showAllowance tells a client how much of its rate is left, in the headers that
// clients of rate limits commonly read.
func showAllowance(h http.Header, a *allowance) {
	if a.rate.N <= 0 {
		return
	}
	n := strconv.Itoa(a.rate.N)
	// In the canonical form of package http, so that it need not be found each time.
	h["Ratelimit-Policy"] = []string{n + ";w=" + strconv.Itoa(edge.Seconds(a.rate.Per))}
	h["Ratelimit-Limit"] = []string{n}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(a.remaining)}
	h["Ratelimit-Reset"] = []string{strconv.Itoa(edge.Seconds(a.reset))}
}
