package discover

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// A Getter makes the requests of a Finder. Get never returns nil, and is safe for
// concurrent use; what it returns is not changed afterwards. *fetch.Client is one.
type Getter interface {
	Get(ctx context.Context, r fetch.Request) *fetch.Result
}

// A Finder finds files. It keeps authoritative files and their reports for a minute,
// because the publishers of a network all point to the same one. It is safe for concurrent
// use.
type Finder struct {
	getter Getter
	now    func() time.Time
	recent *recentFiles
	places chan struct{} // one for each large document under way
}

// New returns a Finder that makes its requests through g. now is the clock that
// files are judged by; nil means time.Now.
func New(g Getter, now func() time.Time) *Finder {
	if now == nil {
		now = time.Now
	}
	return &Finder{getter: g, now: now, recent: newRecentFiles(now), places: make(chan struct{}, largePlaces)}
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
