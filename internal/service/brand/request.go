package brand

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

const (
	// maxAnswer is the size limit of an answer; real ones have some ten kilobytes.
	maxAnswer = 1_000_000
	// maxHeader is that of its headers.
	maxHeader = 64 << 10
)

// baseURL reads the address of the provider.
func baseURL(raw string) (*url.URL, error) {
	if raw == "" {
		raw = DefaultURL
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || u.Hostname() == "":
		return nil, errors.New("the address of the brand data provider is not a URL such as " + DefaultURL)
	case u.User != nil:
		return nil,
			errors.New("the address of the brand data provider has a user name or password; the key is configured on its own")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, errors.New("the address of the brand data provider has a query or a fragment; give it without")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, errors.New("the address of the brand data provider must be https, since a key is sent there")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v2")
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path + "/v2"}, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// newHTTPClient returns a client that knows one origin: it connects to no other, by no
// proxy, and follows no redirect, so that the key goes nowhere else.
func newHTTPClient(base *url.URL) *http.Client {
	port := base.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[base.Scheme]
	}
	only := net.JoinHostPort(base.Hostname(), port)
	dialer := &net.Dialer{Timeout: 3 * time.Second}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address != only {
				return nil, fmt.Errorf("%s is not the brand data provider", address)
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: 3 * time.Second,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4, MaxConnsPerHost: 16, IdleConnTimeout: 30 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// An attempt is one request and what became of it.
type attempt struct {
	outcome outcome
	// problem says what was wrong, in words of our own: errors of the connection may
	// quote what the other side sent.
	problem    string
	status     int
	value      jsontree.Value
	retryAfter time.Duration
	number     int
}

// attempt makes one request.
func (p *Provider) attempt(ctx context.Context, path string, domain hostname.Domain) *attempt {
	ctx, cancel := context.WithTimeout(ctx, p.config.Attempt)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base.JoinPath(path, string(domain)).String(), http.NoBody)
	if err != nil {
		return &attempt{outcome: refused, problem: "the request cannot be made"}
	}
	p.config.Key.authorize(r)
	r.Header.Set("Accept", "application/json")
	if p.config.UserAgent != "" {
		r.Header.Set("User-Agent", p.config.UserAgent)
	}
	response, err := p.client.Do(r)
	if err != nil {
		return &attempt{outcome: unreached, problem: connectionProblem(err)}
	}
	defer func() { _ = response.Body.Close() }()
	a := &attempt{status: response.StatusCode, retryAfter: retryAfter(response.Header.Get("Retry-After"), p.config.Now())}
	a.outcome = outcomeOf(a.status)
	if a.outcome != answered {
		a.problem = "status " + strconv.Itoa(a.status)
		return a
	}
	return a.read(response.Body)
}

// read reads the body of an answer.
func (a *attempt) read(r io.Reader) *attempt {
	body, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	switch {
	case err != nil:
		a.outcome, a.problem = unreached, connectionProblem(err)
	case len(body) > maxAnswer:
		a.outcome, a.problem = broken, "the answer is too large"
	default:
		a.value, err = readObject(body)
		if err != nil {
			a.outcome, a.problem = broken, "the answer is not a JSON object"
		}
	}
	return a
}

// connectionProblem names what is wrong with a connection without quoting anything.
func connectionProblem(err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	var operation *net.OpError
	switch {
	case errors.As(err, &name):
		return "the name was not found"
	case errors.As(err, &certificate):
		return "the certificate is not accepted"
	case errors.Is(err, context.Canceled):
		return "the caller gave up"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &operation):
		return "no connection"
	}
	return "the answer is not well-formed"
}

// retryAfter reads a Retry-After header, a number of seconds or a date; zero for what
// is neither.
func retryAfter(value string, now time.Time) time.Duration {
	seconds, err := strconv.Atoi(value)
	if err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 86_400)) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), 24*time.Hour)
}
