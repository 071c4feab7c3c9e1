package fetch

import (
	"context"
	"net/netip"
	"time"

	"github.com/avow-project/avow/internal/std/freshness"
)

// A Redirects says how far redirects are followed.
type Redirects uint8

// The redirect rules.
const (
	// None follows no redirect: for an authoritative location, an agent's
	// endpoint and anything else that was named exactly.
	None Redirects = iota
	// SameSite follows at most MaxSameSite redirects, each to https on the
	// registrable domain of the host that was asked first.
	SameSite
	// AdsTxt follows at most MaxAdsTxt redirects over https, of which one may
	// lead to another registrable domain than the one before it.
	AdsTxt
	// Counterpart follows at most MaxSameSite redirects, each to the host that was asked first or
	// to the one that differs from it in www. at the beginning.
	Counterpart
)

// A Request is one thing to fetch. URL is required; the zero value of the rest
// asks for JSON of at most MaxWellKnown bytes without following redirects.
type Request struct {
	// URL must be https with a host name; a fragment is dropped.
	URL string
	// Redirects says how far redirects are followed.
	Redirects Redirects
	// MaxBytes limits the decompressed body; zero means MaxWellKnown.
	MaxBytes int64
	// MediaTypes are the accepted media types of a body with status 200; empty
	// means application/json alone. Others are BadContentType, and their body is
	// read only as far as Excerpt needs it.
	MediaTypes []string
	// IfNoneMatch and IfModifiedSince make the request conditional.
	IfNoneMatch, IfModifiedSince string
	// NoCache asks caches on the way for a fresh answer.
	NoCache bool
	// Post is sent as a JSON body with the method POST; nil means GET. Such a
	// request is made once: it is neither repeated nor shared.
	Post []byte
	// Session goes with Post as the header Mcp-Session-Id: it is that of an earlier answer.
	Session string
	// Once turns off repetition after a transient failure.
	Once bool
	// Large is called before more than a megabyte of the body is kept, and may
	// wait until there is memory; once it returned nil it is not called again. Only
	// the context of the caller limits the wait, neither the exchange nor the
	// Budget. It returns an error only when its context ends, which may also mean
	// that the memory is not needed any more. Callers who share a request are all
	// asked; the first who has memory decides. Nil means there is always memory.
	Large func(ctx context.Context) error
}

// Limits. Each can be reached by real files only at the size it is meant for.
const (
	// MaxWellKnown is the size limit of what is served at the well-known path.
	MaxWellKnown = 5_000_000
	// MaxAuthoritative is the size limit of an authoritative file.
	MaxAuthoritative = 20_000_000
	// MaxAdsTxtBytes is the size limit of an ads.txt file.
	MaxAdsTxtBytes = 1_000_000
	// MaxSameSite is the number of redirects followed under SameSite and Counterpart.
	MaxSameSite = 3
	// MaxAdsTxt is the number of redirects followed under AdsTxt.
	MaxAdsTxt = 5
)

// Timings are how long the parts of an exchange took; zero for a part that did
// not happen.
type Timings struct {
	Wait      time.Duration // for politeness towards the host, and for Request.Large with the slot after it
	DNS       time.Duration
	Connect   time.Duration
	TLS       time.Duration
	FirstByte time.Duration // from the request sent to the first byte of the answer
	Total     time.Duration // without Wait
}

// An Exchange is the evidence of one request, whatever became of it.
type Exchange struct {
	// URL is what was asked for, without credentials and fragment.
	URL    string
	Method string
	// Attempt is 1 for the first try, and counts repetitions.
	Attempt int
	// At is when it began.
	At time.Time
	// Resolved are the addresses of the host, at most MaxAddresses, also when the
	// guard refused them; Dialled is the one that a connection was made to, or
	// tried last.
	Resolved []netip.Addr
	Dialled  netip.AddrPort
	// TLSLeaf is the SHA-256 of the server's certificate in hexadecimal, and
	// Protocol what was spoken: "HTTP/1.1" or "HTTP/2.0".
	TLSLeaf, Protocol string
	// Status is the HTTP status, zero when no answer came.
	Status int
	// MediaType is the type without parameters in lower case, Charset that
	// parameter in lower case, ContentType the header as it came.
	MediaType, Charset, ContentType string
	// Encoding is the content encoding, empty for none. WireBytes were received,
	// Bytes is the size after decompression.
	Encoding         string
	WireBytes, Bytes int64
	// SHA256 is the checksum of the body after decompression, in hexadecimal; empty
	// when the body was not read completely.
	SHA256 string
	// Location is the target of a redirect, resolved, without credentials, query
	// and fragment.
	Location string
	// Headers that decide how long the answer may be used.
	ETag, LastModified, Date, Age, Expires string
	CacheControl                           []string
	// Challenge is the WWW-Authenticate header of an answer that asks for
	// credentials.
	Challenge string
	// Session is the Mcp-Session-Id that an answer to a Post came with.
	Session string
	// RetryAfter is how long the server asked to be left alone; zero for not.
	RetryAfter time.Duration
	Timings    Timings
	Outcome    Outcome
	// Reason says why a redirect was refused, or that the budget was spent; empty
	// otherwise.
	Reason Reason
	// Detail says what happened in words, for the operator: it may name addresses
	// and errors of the connection. Outside text in it is not escaped.
	Detail string
	// Excerpt is the beginning of a body that was not adopted, for hints: at most
	// a few hundred bytes, as they came.
	Excerpt []byte
}

// A Result is the outcome of a Request with the evidence of everything that was
// sent for it. It is shared between callers and must not be changed.
type Result struct {
	// Outcome is the last exchange's.
	Outcome Outcome
	// URL is the last exchange's, after redirects.
	URL string
	// Body is the complete, decompressed body of a Found result; nil otherwise.
	Body []byte
	// Exchanges are the requests in the order they were made: repetitions and
	// redirects included. It has at least one; with NoTurn the last stands for
	// the request that was not sent.
	Exchanges []Exchange
}

// Last returns the exchange that decided the outcome.
func (r *Result) Last() *Exchange { return &r.Exchanges[len(r.Exchanges)-1] }

// Caching returns the headers that decide how long the answer may be used.
func (e *Exchange) Caching() freshness.Headers {
	return freshness.Headers{
		CacheControl: e.CacheControl, Age: e.Age, Date: e.Date, Expires: e.Expires, ETag: e.ETag,
		LastModified: e.LastModified,
	}
}
