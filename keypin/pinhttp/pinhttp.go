// Package pinhttp checks signed messages of net/http against the keys that publishers
// pin: Handler for requests and webhooks that come in, Check for responses.
//
// A sender whose message is refused learns nothing but that: one status and one word,
// whatever was wrong. The reason goes to Options.Report.
package pinhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/keypin"
)

// maxBody is the largest body that is read when nothing else is said.
const maxBody = 5 << 20

// Options say whose messages are expected and what becomes of the others.
type Options struct {
	// Publisher is the domain whose file pins the keys, and Agent the URL of the agent
	// that signs.
	Publisher, Agent string
	// Identify names the two for each request, in place of Publisher and Agent. It must
	// go by what the receiver knows, such as the path that it gave to one agent; what an
	// unsigned part of the message claims is not vouched for. False refuses the request.
	Identify func(*http.Request) (publisher, agent string, ok bool)
	// Authority are the hosts that Handler serves, as senders write them, with the port if
	// it is not the usual one of the scheme: hooks.example.com, or hooks.example.com:8443.
	// A request for any other host is refused. Handler needs one at least: the Host field
	// is the sender's word, so that without a list a message that was signed for another
	// receiver could be passed on to this one. Check does not look at it.
	Authority []string
	// Profile says what signatures must look like; nil means keypin.Requests for Handler
	// and keypin.Responses for Check.
	Profile *keypin.Profile
	// Covers tells which entries of the agent count; see keypin.Question.
	Covers func(*adagents.Agent) bool
	// UnsafeUnpinned are keys that count where the publisher lists the agent and pins
	// none, and such messages are then passed on. The owner of the agent's domain
	// controls them.
	UnsafeUnpinned []*keypin.Key
	// UnsafeUnboundBody passes requests on whose signature does not cover the body, in a
	// profile that allows it. The handler must not act on such a body: see
	// keypin.Result.BodyBound.
	UnsafeUnboundBody bool
	// Scheme is the address's as the sender sees it; empty means https. A server behind
	// a proxy that ends TLS cannot tell.
	Scheme string
	// MaxBody limits the body; zero means five megabytes. A larger one is refused.
	MaxBody int64
	// Report, if set, is told about every message: the result, or the error when there
	// is none.
	Report func(*http.Request, *keypin.Result, error)
}

func (o *Options) limit() int64 {
	if o.MaxBody <= 0 {
		return maxBody
	}
	return o.MaxBody
}

func (o *Options) scheme() string {
	if o.Scheme == "" {
		return "https"
	}
	return o.Scheme
}

// otherScheme reports whether the target of a request is absolute and of another scheme.
// The same host is another receiver then, because its usual port is another one.
func (o *Options) otherScheme(r *http.Request) bool {
	scheme, _, ok := strings.Cut(r.RequestURI, "://")
	return ok && !strings.HasPrefix(r.RequestURI, "/") && !strings.EqualFold(scheme, o.scheme())
}

func (o *Options) question(r *http.Request, usual func() *keypin.Profile) (keypin.Question, bool) {
	q := keypin.Question{
		Publisher: o.Publisher, Agent: o.Agent, Profile: o.Profile, Covers: o.Covers, Authority: o.Authority,
		Unpinned: o.UnsafeUnpinned,
	}
	if q.Profile == nil {
		q.Profile = usual()
	}
	if o.Identify == nil {
		return q, true
	}
	var ok bool
	q.Publisher, q.Agent, ok = o.Identify(r)
	return q, ok
}

func (o *Options) report(r *http.Request, result *keypin.Result, err error) {
	if o.Report != nil {
		o.Report(r, result, err)
	}
}

// resultKey is where the context of a request has the result.
type resultKey struct{}

// From returns the result of the check that a request has passed, or nil.
func From(ctx context.Context) *keypin.Result {
	r, _ := ctx.Value(resultKey{}).(*keypin.Result)
	return r
}

// errTooLarge is reported for a body above the limit.
var errTooLarge = errors.New("pinhttp: the body is too large")

// errUnidentified is reported when Identify refuses a request.
var errUnidentified = errors.New("pinhttp: no agent is expected to send this request")

// errScheme is reported for an absolute target of another scheme.
var errScheme = errors.New("pinhttp: the request is for an address of another scheme than Options.Scheme")

// Handler passes requests on to next that were signed with a pinned key, with their bodies
// to be read again and the result in their context, and answers all others itself. It
// panics when Options.Authority is empty or has something else than hosts: a service that
// cannot tell whether a message is meant for it shall not start.
func Handler(v *keypin.Verifier, o Options, next http.Handler) http.Handler {
	o.Authority = slices.Clone(o.Authority)
	if len(o.Authority) == 0 {
		panic("pinhttp: Handler needs Options.Authority, the hosts that it serves")
	}
	for _, host := range o.Authority {
		if host == "" || strings.ContainsAny(host, "/?#@* ") {
			panic(fmt.Sprintf("pinhttp: Options.Authority has %q, which is not a host with or without a port", host))
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, ok := o.question(r, keypin.Requests)
		if !ok {
			o.report(r, nil, errUnidentified)
			refuse(w, http.StatusUnauthorized)
			return
		}
		if o.otherScheme(r) {
			o.report(r, nil, errScheme)
			refuse(w, http.StatusUnauthorized)
			return
		}
		body, err := readBody(r.Body, o.limit())
		if err != nil {
			o.report(r, nil, err)
			refuse(w, http.StatusRequestEntityTooLarge)
			return
		}
		result, err := v.Verify(r.Context(), messageOf(r, body, o.scheme()), q)
		o.report(r, result, err)
		switch {
		case err != nil:
			refuse(w, http.StatusServiceUnavailable)
		case !result.OK() && result.Verdict != keypin.VerifiedUnpinned, !result.BodyBound && !o.UnsafeUnboundBody:
			refuse(w, http.StatusUnauthorized)
		default:
			r = r.WithContext(context.WithValue(r.Context(), resultKey{}, result))
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		}
	})
}

// refuse answers with as little as possible.
func refuse(w http.ResponseWriter, status int) {
	word := map[int]string{
		http.StatusUnauthorized: "signature_rejected", http.StatusRequestEntityTooLarge: "body_rejected",
		http.StatusServiceUnavailable: "try_again",
	}[status]
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Signature error="`+word+`"`)
	}
	w.WriteHeader(status)
	// The sender may have gone; Ignored, because the sender may have gone.
	_, _ = io.WriteString(w, `{"error":"`+word+`"}`+"\n")
}

// readBody reads a body up to a limit and fails beyond it.
func readBody(body io.Reader, limit int64) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	b, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("pinhttp: the body could not be read: %w", err)
	}
	if int64(len(b)) > limit {
		return nil, errTooLarge
	}
	return b, nil
}

// messageOf returns a request as it was received.
func messageOf(r *http.Request, body []byte, scheme string) *keypin.Message {
	m := &keypin.Message{Method: r.Method, Authority: r.Host, Fields: fieldsOf(r.Header), Body: body}
	if r.Method == "" {
		m.Method = http.MethodGet
	}
	target := r.RequestURI
	if target == "" {
		// A request that was made here, and not received.
		m.Target = r.URL.String()
		return m
	}
	m.Target = target
	if strings.HasPrefix(target, "/") {
		m.Target = scheme + "://" + r.Host + target
	}
	return m
}

// fieldsOf returns the lines of a head. Go keeps the order of lines with one name, which
// is all that matters.
func fieldsOf(h http.Header) []keypin.Field {
	var out []keypin.Field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			out = append(out, keypin.Field{Name: name, Value: v})
		}
	}
	return out
}

// Check verifies a response and leaves its body to be read again. The transport must not
// have decompressed it: set http.Transport.DisableCompression. An error means that nothing
// is known; whatever is wrong with the message is part of the result, which the caller has
// to look at.
func Check(resp *http.Response, v *keypin.Verifier, o Options) (*keypin.Result, error) {
	if resp.Uncompressed {
		return nil, errors.New("pinhttp: the transport has decompressed the body: set DisableCompression")
	}
	if resp.Request == nil {
		resp.Request = new(http.Request)
	}
	body, err := readBody(resp.Body, o.limit())
	if err != nil {
		o.report(resp.Request, nil, err)
		return nil, err
	}
	if resp.Body != nil {
		// All of it was read.
		_ = resp.Body.Close()
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	m := &keypin.Message{Status: resp.StatusCode, Fields: fieldsOf(resp.Header), Body: body}
	if resp.Request.URL != nil {
		m.Request = messageOf(resp.Request, nil, o.scheme())
	}
	q, ok := o.question(resp.Request, keypin.Responses)
	if !ok {
		o.report(resp.Request, nil, errUnidentified)
		return nil, errUnidentified
	}
	result, err := v.Verify(resp.Request.Context(), m, q)
	o.report(resp.Request, result, err)
	return result, err
}
