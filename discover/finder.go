package discover

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// Config configures a Finder. The zero value is ready for use, but a program that sends many
// requests sets Contact.
type Config struct {
	// Contact is a URL or an e-mail address in the User-Agent, for the owner of a server who
	// wants to know who asks. Empty means the address of the project.
	Contact string
	// Timeout limits one request in all: lookups, redirects, repetitions and the pauses between
	// them. Zero means 30 seconds. HopTimeout limits one exchange of it; zero means 10 seconds.
	Timeout, HopTimeout time.Duration
	// Attempts is how often a request is made while the failure is one that may pass. Zero
	// means 3, 1 means no repetition.
	Attempts int
	// OptOut are domains in canonical form that do not want to be asked: nothing is looked up or
	// sent for them and the names below them.
	OptOut []string
	// Deny are addresses that are refused like reserved ones, such as public ones that this
	// process listens on.
	Deny []netip.Addr
	// Now is the clock that files are judged by; nil means time.Now.
	Now func() time.Time
	// Client makes the requests instead of one with the limits above. Its type is internal, so
	// that no program built on this package can widen what may be reached.
	Client fetch.Getter
}

// A Finder finds files. It keeps authoritative files and their reports for a minute,
// because the publishers of a network all point to the same one. It is safe for concurrent
// use.
type Finder struct {
	getter fetch.Getter
	now    func() time.Time
	recent *recentFiles
	slots  chan struct{} // one for each large document under way
}

// New returns a Finder. One is enough for a process: politeness towards servers works within one.
func New(c Config) *Finder {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Client == nil {
		c.Client = fetch.New(fetch.Config{
			Contact: c.Contact, Budget: c.Timeout, HopTimeout: c.HopTimeout, Attempts: c.Attempts, OptOut: c.OptOut,
			Deny: c.Deny,
		})
	}
	return &Finder{getter: c.Client, now: c.Now, recent: newRecentFiles(c.Now), slots: make(chan struct{}, largeSlots)}
}

// Domain answers which file speaks for a publisher. The domain may be written as
// people paste it: with white space around it, a scheme, a trailing slash or dot,
// in upper case or with letters outside ASCII. Anything else is an *InputError, the
// only error there is: whatever happens on the way is part of the answer.
func (f *Finder) Domain(ctx context.Context, domain string, o Options) (*Discovery, error) {
	name, err := domainInput(domain)
	if err != nil {
		return nil, err
	}
	return f.publisher(ctx, name, o), nil
}

// URL reads a file that is named by its URL. The well-known URL of a publisher
// is the same question as Domain. Any other URL is fetched like an authoritative
// file, without redirects, and nothing is claimed about a publisher: Domain of
// the answer is empty. The error is an *InputError.
func (f *Finder) URL(ctx context.Context, url string, o Options) (*Discovery, error) {
	t, err := urlInput(url)
	if err != nil {
		return nil, err
	}
	if t.domain != "" {
		return f.publisher(ctx, t.domain, o), nil
	}
	w := f.begin("", t.url, o)
	w.named(ctx, Authoritative, t.url, "")
	w.supersede(ctx)
	return w.finish(), nil
}

func (f *Finder) publisher(ctx context.Context, domain string, o Options) *Discovery {
	w := f.begin(domain, wellKnownURL(domain), o)
	w.direct(ctx)
	w.supersede(ctx)
	w.lookForPublisher()
	return w.finish()
}

// Read asks for a document of another kind, such as a list of revoked keys, past all caches and
// without following redirects. An answer of more bytes or of another media type is refused. The
// error says what went wrong, in words that may be shown to anybody.
func (f *Finder) Read(ctx context.Context, url string, maxBytes int64, mediaTypes ...string) ([]byte, error) {
	r := f.getter.Get(ctx, fetch.Request{URL: url, MaxBytes: maxBytes, MediaTypes: mediaTypes, NoCache: true})
	if r.Outcome != fetch.Found {
		return nil, errors.New(r.PublicError())
	}
	return r.Body, nil
}
