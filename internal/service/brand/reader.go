package brand

import (
	"context"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// maxHops is how often one document may name another in its place. The format
	// itself has this limit.
	maxHops = 3
	// maxRequests is how many requests reading the file of one domain may make,
	// redirects and repetitions included.
	maxRequests = 8
)

// A Reader reads the brand.json of domains. It is a registry.BrandFile.
type Reader struct {
	get registry.Getter
}

// NewReader returns a Reader that asks through a guarded client.
func NewReader(g registry.Getter) *Reader { return &Reader{get: g} }

// Manifest returns the brand data that a domain publishes itself.
func (r *Reader) Manifest(ctx context.Context, domain hostname.Domain) ([]byte, error) {
	f, err := r.Read(ctx, domain)
	if err != nil {
		return nil, err
	}
	return f.Manifest.JSON()
}

// SalesAgents returns the agents that a domain's brand.json lets sell, and when it says
// it was changed; false when it names none or cannot be had.
func (r *Reader) SalesAgents(ctx context.Context, domain hostname.Domain) ([]string, time.Time, bool) {
	f, err := r.Read(ctx, domain)
	if err != nil || len(f.SalesAgents) == 0 {
		return nil, time.Time{}, false
	}
	return f.SalesAgents, f.Updated, true
}

// Read returns what a domain publishes about its brand. The error is NotFound when it
// publishes nothing that can be used, and Upstream when that could not be determined.
func (r *Reader) Read(ctx context.Context, domain hostname.Domain) (*File, error) {
	if hostname.IsSpecialUse(string(domain)) {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "invalid_domain", Message: "Invalid domain format"}
	}
	doc, at, err := r.follow(fetch.WithBudget(ctx, maxRequests), target{wellKnown(domain), true}, r.document)
	if err != nil {
		return nil, err
	}
	return fileAt(doc, domain, at)
}

// A target is a URL that a document may have. At the well-known path of a host, redirects are followed
// between the host and its counterpart with or without www; a document that is named by its URL has
// to be there.
type target struct {
	url   string
	known bool
}

// follow gets a document, or the one that it names in its place, and returns where it
// was found in the end.
func (r *Reader) follow(ctx context.Context, at target,
	get func(context.Context, target) (*document, string, error)) (*document, string, error) {
	var seen []string
	for len(seen) <= maxHops {
		seen = append(seen, at.url)
		doc, url, err := get(ctx, at)
		if err != nil {
			return nil, "", err
		}
		next, toHouse, err := doc.next()
		if err != nil || next == "" {
			return doc, url, err
		}
		if slices.Contains(seen, next) {
			return nil, "", unusable("leads back to itself")
		}
		at = target{next, toHouse}
	}
	return nil, "", unusable("leads on from document to document too often")
}

func fileAt(doc *document, domain hostname.Domain, url string) (*File, error) {
	f, err := doc.file(domain)
	if err != nil {
		return nil, err
	}
	f.URL = url
	return f, nil
}

// document gets one document.
func (r *Reader) document(ctx context.Context, at target) (*document, string, error) {
	result := r.fetch(ctx, at)
	if result.Outcome != fetch.Found {
		return nil, "", absence(result)
	}
	doc, err := parse(result.Body)
	return doc, result.URL, err
}

// fetch makes the request. One exchange takes ten seconds at most, as the client sees to.
func (r *Reader) fetch(ctx context.Context, at target) *fetch.Result {
	q := fetch.Request{URL: at.url, MaxBytes: operator.MaxFile}
	if at.known {
		q.Redirects = fetch.Counterpart
	}
	return r.get.Get(ctx, q)
}

// Trust asks for the trust.json of a domain. No redirect is followed.
func (r *Reader) Trust(ctx context.Context, domain hostname.Domain) *fetch.Result {
	return r.get.Get(fetch.WithBudget(ctx, maxRequests),
		fetch.Request{URL: operator.TrustURL(string(domain)), MaxBytes: operator.MaxFile})
}

// absence is the error for a document that did not come. What may well come a little
// later is told from what is not there; where no answer came, nothing is told apart,
// since the difference would show strangers which addresses are guarded.
func absence(result *fetch.Result) error {
	kind := result.Outcome.Public()
	if result.Outcome.Transient() || kind == fetch.PublicTimeout || kind == fetch.PublicConnection {
		return &registry.Error{
			Kind: registry.Upstream, Code: "brand_json_unreachable", Message: "the brand.json could not be read: " +
				result.PublicError(),
		}
	}
	return &registry.Error{Kind: registry.NotFound, Code: "brand_json_absent",
		Message: "there is no brand.json: " + result.PublicError()}
}

// Document returns the brand.json of a domain as it is, after whatever it names in its place,
// and where it was found. The errors are those of Read.
func (r *Reader) Document(ctx context.Context, domain hostname.Domain) ([]byte, string, error) {
	if hostname.IsSpecialUse(string(domain)) {
		return nil, "", &registry.Error{Kind: registry.Invalid, Code: "invalid_domain", Message: "Invalid domain format"}
	}
	doc, at, err := r.follow(fetch.WithBudget(ctx, maxRequests), target{wellKnown(domain), true}, r.document)
	if err != nil {
		return nil, "", err
	}
	return doc.root.Source(), at, nil
}
