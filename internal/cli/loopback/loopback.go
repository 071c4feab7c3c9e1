// Package loopback asks a server on this machine for one file, so that it can be checked before
// it is public. It is for the command line alone: the guard in package netguard refuses these
// addresses everywhere else.
package loopback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
)

const (
	// timeout limits the whole exchange: a server on this machine is quick.
	timeout = 10 * time.Second
	// excerpt is how much is kept of an answer that is not a file.
	excerpt = 512

	maxHead   = 64 << 10
	httpPort  = 80
	mediaType = "application/json"
)

// addresses are the hosts that can be asked, with the addresses that they stand for. No name
// is looked up: one that leads to this machine today may lead elsewhere tomorrow.
var addresses = map[string][]netip.Addr{
	"localhost": {netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()},
	"127.0.0.1": {netip.AddrFrom4([4]byte{127, 0, 0, 1})},
	"::1":       {netip.IPv6Loopback()},
}

// A Target is a URL on this machine.
type Target struct {
	url   *url.URL
	hosts []netip.Addr
	port  uint16
}

// String returns the URL.
func (t *Target) String() string { return t.url.String() }

// The faults of a URL.
var (
	errNoURL  = errors.New("it is not a URL such as http://localhost:3000/.well-known/adagents.json")
	errScheme = errors.New("its scheme is not http")
	errUser   = errors.New("it has a user name or a password")
	errHost   = errors.New("its host is not localhost, 127.0.0.1 or [::1]")
)

// Parse reads the URL of a server on this machine.
func Parse(raw string) (*Target, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "":
		return nil, errNoURL
	case !strings.EqualFold(u.Scheme, "http"):
		return nil, errScheme
	case u.User != nil:
		return nil, errUser
	}
	hosts, ok := addresses[strings.ToLower(u.Hostname())]
	if !ok {
		return nil, errHost
	}
	port := uint64(httpPort)
	if u.Port() != "" {
		port, err = strconv.ParseUint(u.Port(), 10, 16)
		if err != nil {
			return nil, errNoURL
		}
	}
	err = netguard.CheckPort(uint16(port))
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return &Target{u, hosts, uint16(port)}, nil
}

// Get asks for the URL, once, and follows nothing.
func Get(ctx context.Context, t *Target, agent string) *fetch.Result {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	x := fetch.Exchange{URL: t.String(), Method: http.MethodGet, Attempt: 1, At: time.Now()}
	var body []byte
	resp, err := t.send(ctx, &x, agent)
	if err == nil {
		body, err = read(resp, &x)
		_ = resp.Body.Close()
	}
	x.Timings.Total = time.Since(x.At)
	switch {
	case err != nil && errors.Is(err, context.DeadlineExceeded):
		x.Outcome, x.Detail = fetch.Timeout, err.Error()
	case err != nil:
		x.Outcome, x.Detail = fetch.Unreachable, err.Error()
	}
	return &fetch.Result{Outcome: x.Outcome, URL: x.URL, Body: body, Exchanges: []fetch.Exchange{x}}
}

// send sends the request. The connection goes to one of the target's addresses, whatever the
// name is.
func (t *Target) send(ctx context.Context, x *fetch.Exchange, agent string) (*http.Response, error) {
	transport := &http.Transport{
		DisableKeepAlives: true, MaxResponseHeaderBytes: maxHead,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return t.dial(ctx, x) },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", agent)
	request.Header.Set("Accept", mediaType)
	// A transport, unlike a client, follows no redirect and keeps no cookie.
	return transport.RoundTrip(request)
}

// dial tries the addresses in turn.
func (t *Target) dial(ctx context.Context, x *fetch.Exchange) (net.Conn, error) {
	dialer := net.Dialer{Control: onlyLoopback}
	var failed error
	for _, addr := range t.hosts {
		x.Dialled = netip.AddrPortFrom(addr, t.port)
		conn, err := dialer.DialContext(ctx, "tcp", x.Dialled.String())
		if err == nil {
			return conn, nil
		}
		if failed != nil {
			err = fmt.Errorf("%w; %w", failed, err)
		}
		failed = err
	}
	return nil, failed
}

// onlyLoopback sees the address that the kernel is about to connect to, whatever came before.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	addr, err := netip.ParseAddrPort(address)
	if err != nil || !addr.Addr().IsLoopback() {
		return fmt.Errorf("refused: %s is not this machine", address)
	}
	return nil
}

// read takes the answer apart.
func read(resp *http.Response, x *fetch.Exchange) ([]byte, error) {
	note(resp, x)
	x.Outcome = outcomeOf(resp.StatusCode)
	limit := int64(fetch.MaxAuthoritative)
	if x.Outcome == fetch.Found && x.MediaType != mediaType {
		x.Outcome = fetch.BadContentType
	}
	if x.Outcome != fetch.Found {
		limit = excerpt
	}
	if x.Outcome == fetch.RedirectRefused {
		x.Reason, x.Location = fetch.NoRedirects, locationOf(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case x.Outcome != fetch.Found:
		x.Excerpt = body[:min(len(body), excerpt)]
		return nil, nil
	case int64(len(body)) > limit:
		x.Outcome = fetch.TooLarge
		return nil, nil
	}
	sum := sha256.Sum256(body)
	x.SHA256, x.Bytes, x.WireBytes = hex.EncodeToString(sum[:]), int64(len(body)), int64(len(body))
	return body, nil
}

// note records what the header says.
func note(resp *http.Response, x *fetch.Exchange) {
	h := resp.Header
	x.Status, x.Protocol, x.ContentType = resp.StatusCode, resp.Proto, strings.Join(h["Content-Type"], ", ")
	x.ETag, x.LastModified, x.Date = h.Get("ETag"), h.Get("Last-Modified"), h.Get("Date")
	x.Age, x.Expires, x.CacheControl = h.Get("Age"), h.Get("Expires"), h["Cache-Control"]
	kind, parameters, err := mime.ParseMediaType(x.ContentType)
	if err == nil {
		x.MediaType, x.Charset = kind, strings.ToLower(parameters["charset"])
	}
}

// locationOf is where a redirect leads.
func locationOf(resp *http.Response) string {
	to, err := resp.Location()
	if err != nil {
		return ""
	}
	to.RawQuery, to.Fragment, to.User = "", "", nil
	return to.String()
}

// outcomeOf names what a status means.
func outcomeOf(status int) fetch.Outcome {
	switch {
	case status == http.StatusOK:
		return fetch.Found
	case status == http.StatusNotFound:
		return fetch.Absent
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fetch.Forbidden
	case status == http.StatusTooManyRequests:
		return fetch.RateLimited
	case status > 300 && status < 400 && status != http.StatusNotModified:
		return fetch.RedirectRefused
	case status >= 400 && status < 500:
		return fetch.ClientError
	case status >= 500:
		return fetch.ServerError
	}
	return fetch.UnexpectedStatus
}
