package brand

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// DefaultURL is where the public API of the provider is.
const DefaultURL = "https://api.brandfetch.io"

const (
	// attemptTimeout limits one request. The provider may have to look at a domain
	// itself first, which takes seconds.
	attemptTimeout = 5 * time.Second
	// callTimeout limits a call with its repetitions. Clients of the service wait for
	// ten seconds in all.
	callTimeout = 8 * time.Second
	// maxAttempts is the number of requests of a call.
	maxAttempts = 3
	// defaultRest is how long a caller shall wait when the provider did not say.
	defaultRest = 30 * time.Second
	// absentFor is how long it is remembered that the provider has nothing.
	absentFor = 5 * time.Minute
	// maxAbsent bounds what is remembered. Beyond it the oldest goes.
	maxAbsent = 10_000
)

// ProviderConfig configures a Provider. Key is required.
type ProviderConfig struct {
	// URL is where the API is, without the version; empty means DefaultURL. It must be
	// https, unless the host is this machine.
	URL string
	// Key is the secret of the operator.
	Key Key
	// UserAgent is sent with every request.
	UserAgent string
	// Attempt and Call limit a request and a call; zero means 5 and 8 seconds.
	Attempt, Call time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
}

// A Provider asks a third party that speaks the API of Brandfetch. It is a
// registry.Provider, and safe for concurrent use.
type Provider struct {
	config  ProviderConfig
	base    *url.URL
	client  *http.Client
	circuit circuit
	// absent is what the provider did not have, so that asking for it again costs nothing.
	absent *flight.Cache[string, struct{}]
}

// NewProvider returns a Provider.
func NewProvider(c ProviderConfig) (*Provider, error) {
	if c.Key.IsZero() {
		return nil, errors.New("the brand data provider needs a key")
	}
	base, err := baseURL(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Attempt <= 0 {
		c.Attempt = attemptTimeout
	}
	if c.Call <= 0 {
		c.Call = callTimeout
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Provider{
		config: c, base: base, client: newHTTPClient(base),
		absent: flight.NewCache(flight.Limits[string, struct{}]{Name: "unknown-brand", Count: maxAbsent, Life: absentFor,
			Now: c.Now}),
	}, nil
}

// Name returns the name of the provider on the wire.
func (*Provider) Name() string { return "brandfetch" }

// Close ends idle connections.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

// The two things that can be asked for, as parts of the path.
const (
	brandPath   = "brands/domain"
	contextPath = "context"
)

// Brand returns what the provider knows about a domain.
func (p *Provider) Brand(ctx context.Context, domain hostname.Domain) (*registry.ProviderBrand, error) {
	answer, err := p.call(ctx, brandPath, domain)
	if err != nil {
		return nil, err
	}
	brand, err := readBrand(answer, domain)
	if err != nil {
		return nil, err
	}
	err = p.withoutKey(brand.Manifest)
	if err != nil {
		return nil, err
	}
	return brand, nil
}

// Context returns identity, positioning and voice of a brand as a JSON object.
func (p *Provider) Context(ctx context.Context, domain hostname.Domain) ([]byte, error) {
	answer, err := p.call(ctx, contextPath, domain)
	if err != nil {
		return nil, err
	}
	object, err := readContext(answer)
	if err != nil {
		return nil, err
	}
	err = p.withoutKey(object)
	if err != nil {
		return nil, err
	}
	return object, nil
}

// shortestSecret is the length from which a key cannot be an ordinary word.
const shortestSecret = 16

// withoutKey refuses an answer that gives the key back, so that it is neither stored
// nor passed on.
func (p *Provider) withoutKey(answer []byte) error {
	if len(p.config.Key.secret) >= shortestSecret && bytes.Contains(answer, []byte(p.config.Key.secret)) {
		return badAnswer()
	}
	return nil
}

// BrandRefusal returns the error that Brand would give without asking the provider, and
// nil when it would ask.
func (p *Provider) BrandRefusal(domain hostname.Domain) error { return p.refusal(brandPath, domain) }

// ContextRefusal is BrandRefusal for Context.
func (p *Provider) ContextRefusal(domain hostname.Domain) error {
	return p.refusal(contextPath, domain)
}

func (p *Provider) refusal(path string, domain hostname.Domain) error {
	_, missing := p.absent.Get(path + "/" + string(domain))
	if missing {
		return notFound(path)
	}
	rest := p.circuit.wait(p.config.Now())
	if rest > 0 {
		return resting(rest)
	}
	return nil
}

// call asks for one thing until there is an answer, no hope, or no time.
func (p *Provider) call(ctx context.Context, path string, domain hostname.Domain) (jsontree.Value, error) {
	var none jsontree.Value
	// The name becomes part of a URL that is sent with the key.
	if !hostname.IsCanonical(string(domain)) {
		return none, &registry.Error{Kind: registry.Invalid, Code: "invalid_domain", Message: "Invalid domain format"}
	}
	err := p.refusal(path, domain)
	if err != nil {
		return none, err
	}
	rest := p.circuit.enter(p.config.Now())
	if rest > 0 {
		return none, resting(rest)
	}
	limited, cancel := context.WithTimeout(ctx, p.config.Call)
	defer cancel()
	a := p.attempts(limited, path, domain)
	switch {
	case a.outcome == answered:
		p.circuit.succeed()
		return a.value, nil
	case a.outcome == absent:
		p.circuit.succeed()
		p.absent.Put(path+"/"+string(domain), struct{}{}, 1)
	case a.outcome == refused || ctx.Err() != nil:
		p.circuit.release(p.config.Now())
	default:
		p.circuit.fail(p.config.Now(), a.retryAfter)
	}
	if a.outcome != absent {
		p.config.Log.Warn("the brand data provider did not answer", "domain", domain, "status", a.status, "problem",
			a.problem, "attempts", a.number)
	}
	return none, a.err(path)
}

// attempts makes requests until one is not worth repeating.
func (p *Provider) attempts(ctx context.Context, path string, domain hostname.Domain) *attempt {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = 300 * time.Millisecond
	for number := 1; ; number++ {
		a := p.attempt(ctx, path, domain)
		a.number = number
		if !a.outcome.repeatable() || number == maxAttempts || !clock.Pause(ctx, max(pauses.NextBackOff(), a.retryAfter)) {
			return a
		}
	}
}
