package websource

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

const (
	// mirrorStale is how long a mirror is used that cannot be obtained again.
	mirrorStale = 7 * 24 * time.Hour
	// defaultMirrorTimeout is how long the way to a mirror may take.
	defaultMirrorTimeout = 4 * time.Second
	// mirrorBytes limits the files of mirrors that are kept. When there are more, all are
	// dropped, and read again when they are asked for.
	mirrorBytes = 16_000_000
)

// A PlaceFinder reads the file at one place. *discover.Finder is one.
type PlaceFinder interface {
	Location(ctx context.Context, domain string, at discover.Place, o discover.Options) (*discover.Discovery, error)
}

// A LocalMirror is a mirror that the program has itself.
type LocalMirror struct {
	// URL is where it is published, SHA256 that of its bytes in hexadecimal, and At when
	// it was changed last.
	URL, SHA256 string
	At          time.Time
	// Body returns its bytes. It is called when they are not known already.
	Body func(context.Context) ([]byte, error)
}

// MirrorConfig says where community mirrors are. That is never taken from a file.
type MirrorConfig struct {
	// URLs are the https URLs of mirrors, by the domain of the publisher that each is for.
	URLs map[string]string
	// Local returns the mirror of a publisher that the program has itself, or nil; it may
	// be nil. A publisher in URLs is not asked for.
	Local func(ctx context.Context, publisher string) (*LocalMirror, error)
	// Discover are the options of requests. With IgnoreSuperseded a mirror is used
	// although it names its replacement.
	Discover discover.Options
	// Keep is how long a mirror is used before it is asked for again. Zero means a minute.
	Keep time.Duration
	// Timeout limits the way to one mirror. Zero means four seconds: less than what a
	// listing waits for a publisher, whose own file must not be lost by a mirror that hangs.
	Timeout time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// WithMirrors returns a resolve.Source that gives the documents of s the mirrors of publishers
// that have no file, or one without formats. A publisher that could not be reached, or whose
// file must not be used, gets none. A mirror answers questions about formats and authorizes no
// agent.
//
// A mirror that names its replacement is left for it, once. The replacement stays a
// catalog like the mirror, unless it is what the publisher itself leads to: then there is
// no mirror any more. One that cannot be obtained again is used for a week. The error is
// a *discover.InputError for a domain or a URL that cannot be used.
func WithMirrors(s resolve.Source, f PlaceFinder, c MirrorConfig) (resolve.Source, error) {
	urls := make(map[string]string, len(c.URLs))
	for domain, url := range c.URLs {
		name, err := discover.CanonicalDomain(domain)
		if err != nil {
			return nil, err
		}
		urls[name], err = discover.CanonicalURL(url)
		if err != nil {
			return nil, err
		}
	}
	c.URLs = urls
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Keep <= 0 {
		c.Keep = defaultKeep
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultMirrorTimeout
	}
	return &mirrorSource{Source: s, finder: f, config: c, kept: map[string]*keptMirror{},
		turns: map[string]chan struct{}{}}, nil
}

// mirrorSource is a resolve.Source that knows mirrors.
type mirrorSource struct {
	resolve.Source
	finder PlaceFinder
	config MirrorConfig

	mu    sync.Mutex
	kept  map[string]*keptMirror // by publisher
	bytes int
	// turns let one question at a time ask for the mirror of a publisher.
	turns map[string]chan struct{}
}

// A keptMirror is what a mirror has led to. It is immutable.
type keptMirror struct {
	doc *resolve.Document
	// hash is the mirror's own, and next its replacement, or "".
	hash, next string
	size       int
	at         time.Time
}

// Document returns the document of a publisher with its mirror, if it may have one.
func (s *mirrorSource) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc, err := s.Source.Document(ctx, publisher)
	if err != nil || doc == nil || !doc.WantsMirror() {
		return doc, err
	}
	m, err := s.mirror(ctx, publisher)
	if err != nil || m == nil || doc.State == resolve.Usable && m.replacedBy(doc) {
		return doc, err
	}
	with := *doc
	with.Mirror = m.doc
	return &with, nil
}

// Last returns what is known about a publisher without asking anybody, and no mirror. It
// implements resolve.Rememberer; a resolve.Source that does not remember knows nothing.
func (s *mirrorSource) Last(ctx context.Context, publisher string) (*resolve.Document, error) {
	kept, ok := s.Source.(resolve.Rememberer)
	if !ok {
		return &resolve.Document{Publisher: publisher, State: resolve.Unreachable}, nil
	}
	return kept.Last(ctx, publisher)
}

// replacedBy reports whether the mirror names what the publisher itself leads to.
func (m *keptMirror) replacedBy(own *resolve.Document) bool {
	return m.next != "" &&
		(hostname.SameResource(m.next, own.URL) || hostname.SameResource(m.next, discover.WellKnownURL(own.Publisher)))
}

// mirror returns the mirror of a publisher, nil for none. The error is the context's or
// Local's.
func (s *mirrorSource) mirror(ctx context.Context, publisher string) (*keptMirror, error) {
	url := s.config.URLs[publisher]
	var local *LocalMirror
	switch {
	case url == "" && s.config.Local == nil:
		return nil, nil
	case url == "":
		var err error
		local, err = s.config.Local(ctx, publisher)
		if err != nil || local == nil {
			return nil, err
		}
	}
	turn := s.turn(publisher)
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.current(ctx, publisher, url, local)
}

func (s *mirrorSource) turn(publisher string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns[publisher] == nil {
		s.turns[publisher] = make(chan struct{}, 1)
	}
	return s.turns[publisher]
}

// current returns the mirror that is kept if it is recent enough, or asks for it.
func (s *mirrorSource) current(ctx context.Context, publisher, url string, local *LocalMirror) (*keptMirror, error) {
	s.mu.Lock()
	last := s.kept[publisher]
	s.mu.Unlock()
	now := s.config.Now()
	if last != nil && (local == nil || last.hash == local.SHA256) && within(now, last.at, s.config.Keep) {
		return last, nil
	}
	limited, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	m := s.obtain(limited, publisher, url, local)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	// no question asks again at once
	case m.doc.State == resolve.Usable || last == nil || last.doc.State != resolve.Usable:
		s.keep(publisher, m)
	case m.doc.State == resolve.Unreachable && within(now, last.at, mirrorStale):
		return last, nil
	}
	return m, nil
}

// within reports whether something of a time is not older than a while, nor from a future
// that the clock has since gone back from.
func within(now, at time.Time, while time.Duration) bool {
	age := now.Sub(at)
	return age >= 0 && age < while
}

// keep remembers a mirror.
func (s *mirrorSource) keep(publisher string, m *keptMirror) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := s.kept[publisher]; last != nil {
		s.bytes -= last.size
	}
	s.kept[publisher] = m
	s.bytes += m.size
	if s.bytes > mirrorBytes {
		s.kept, s.bytes = map[string]*keptMirror{}, 0
	}
}

// obtain reads a mirror and follows its superseded_by.
func (s *mirrorSource) obtain(ctx context.Context, publisher, url string, local *LocalMirror) *keptMirror {
	m := &keptMirror{at: s.config.Now()}
	if local != nil {
		m.doc, m.size = readLocal(ctx, publisher, local)
	} else {
		m.doc, m.size = s.read(ctx, publisher, url)
	}
	if m.doc.State != resolve.Usable {
		return m
	}
	m.hash = m.doc.SHA256
	next, ok := m.doc.File.Successor()
	if !ok || hostname.SameResource(next, m.doc.URL) || s.config.Discover.IgnoreSuperseded {
		return m
	}
	m.next = next
	if hostname.SameResource(next, discover.WellKnownURL(publisher)) {
		// It was looked for there already.
		m.doc = noted(m.doc, "the publisher's own file, which there is not")
		return m
	}
	s.succeed(ctx, publisher, m)
	return m
}

// succeed replaces a mirror by the file that it names.
func (s *mirrorSource) succeed(ctx context.Context, publisher string, m *keptMirror) {
	first := m.doc
	doc, size := s.read(ctx, publisher, m.next)
	way := resolve.Evidence{Publisher: publisher, URL: first.URL, SHA256: first.SHA256, Method: resolve.MirrorMethod,
		FetchedAt: first.FetchedAt, State: first.State}
	if doc.State != resolve.Usable {
		m.doc = noted(first, "it cannot be used: "+doc.Detail)
		return
	}
	again, ok := doc.File.Successor()
	if ok && hostname.SameResource(again, first.URL) {
		m.doc = noted(first, "the two name each other, so the first one is used")
		return
	}
	doc.Route = []resolve.Evidence{way}
	if ok && !hostname.SameResource(again, doc.URL) {
		doc.Detail = "this one is itself the replacement of a mirror, and what it names is not asked for"
	}
	m.doc, m.size = doc, m.size+size
}

// noted returns a mirror with a remark about its replacement.
func noted(doc *resolve.Document, remark string) *resolve.Document {
	with := *doc
	with.Detail, with.Replaced = remark, true
	return &with
}

// read asks for the file of a mirror, and returns its size as well.
func (s *mirrorSource) read(ctx context.Context, publisher, url string) (*resolve.Document, int) {
	o := s.config.Discover
	o.IfNoneMatch, o.IfModifiedSince, o.Known = "", "", nil
	d, err := s.finder.Location(ctx, publisher,
		discover.Place{Method: discover.AuthoritativeLocation, Superseding: true, URL: url}, o)
	if err != nil {
		return &resolve.Document{Publisher: publisher, URL: url, Method: resolve.MirrorMethod, State: resolve.Unreachable,
			FetchedAt: s.config.Now(), Detail: err.Error()}, 0
	}
	doc := DocumentOf(publisher, d)
	doc.Method, doc.Route = resolve.MirrorMethod, nil
	if doc.URL == "" {
		doc.URL = url
	}
	return doc, len(d.Body)
}

// readLocal reads a mirror that the program has itself.
func readLocal(ctx context.Context, publisher string, local *LocalMirror) (*resolve.Document, int) {
	body, err := local.Body(ctx)
	if err != nil {
		return &resolve.Document{
			Publisher: publisher, URL: local.URL, Method: resolve.MirrorMethod, State: resolve.Unreachable, FetchedAt: local.At,
			Detail: "it could not be read",
		}, 0
	}
	report := redact.Report(body,
		adagents.Check(body, adagents.Options{Domain: publisher, URL: local.URL, Role: adagents.Authoritative}))
	doc := &resolve.Document{
		Publisher: publisher, State: resolve.Usable, File: report.File, Skipped: report.Skipped, Method: resolve.MirrorMethod,
		URL: local.URL, SHA256: local.SHA256, FetchedAt: local.At,
	}
	if report.File == nil {
		doc.State, doc.Detail = resolve.Unusable, "it has no content that can be used"
	}
	return doc, len(body)
}
