package fetch

import (
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/netguard"
)

// A Client makes guarded requests. It is safe for concurrent use, and one is
// enough for a process: politeness and sharing work within one Client. It needs no
// closing, as nothing goes on between calls.
type Client struct {
	limits  limits
	guard   *netguard.Guard
	tls     handshakes
	http2   *http.Transport
	hosts   *hostLimiter
	sharing flight.Group[question, *Result]
	agent   string
	observe func(*Exchange)
}

// New returns a Client.
func New(config Config) *Client { return newClient(&config, defaultLimits(&config)) }

// newClient is New with limits of the caller's choice.
func newClient(config *Config, l limits) *Client {
	guard := netguard.New(config.Network, config.Deny, config.OptOut...)
	c := &Client{
		limits: l, guard: guard, tls: newHandshakes(guard.Roots()), http2: newHTTP2(),
		agent: userAgent(config.Contact), observe: config.Observe,
	}
	c.hosts = newHostLimiter(&c.limits)
	if c.observe == nil {
		c.observe = func(*Exchange) {}
	}
	return c
}

// UserAgent returns the User-Agent that is sent with every request.
func (c *Client) UserAgent() string { return c.agent }

// userAgent names the program and whom to ask about it: the home of the project, unless
// the operator set a contact that fits into the header.
func userAgent(contact string) string {
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '(' || r == ')' || r == '\\' }
	if contact == "" || strings.ContainsFunc(contact, odd) {
		contact = buildinfo.Home()
	}
	return "avow/" + buildinfo.Get().Version + " (+" + contact + ")"
}

// A question is what makes two requests the same.
type question struct {
	url                          string
	redirects                    Redirects
	maxBytes                     int64
	accept                       string
	ifNoneMatch, ifModifiedSince string
	noCache, once                bool
}

// question returns what the request shares with others.
func (r *Request) question(t *target) question {
	return question{
		url: t.String(), redirects: r.Redirects, maxBytes: r.MaxBytes, accept: strings.Join(r.MediaTypes, ", "),
		ifNoneMatch: r.IfNoneMatch, ifModifiedSince: r.IfModifiedSince, noCache: r.NoCache, once: r.Once,
	}
}

// method returns the method of the request.
func (r *Request) method() string {
	if r.Post != nil {
		return http.MethodPost
	}
	return http.MethodGet
}
