package avow

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Limits of what a source from the web keeps. A run over the publishers of a network asks
// for each of them several times within a short while; anything longer belongs into a
// store that knows how long a file may be used.
const (
	// defaultKeep is how long a document is used again.
	defaultKeep = time.Minute
	// keptDocuments and keptBytes limit the documents that are kept, by number and by the
	// bytes of their files.
	keptDocuments = 10_000
	keptBytes     = 64_000_000
)

// A Finder finds the file that speaks for a domain. *discover.Finder is one.
type Finder interface {
	Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error)
}

// SourceConfig configures a source that finds files on the web.
type SourceConfig struct {
	// Discover are the options of every discovery. Conditional requests make no sense
	// here and are left out.
	Discover discover.Options
	// Keep is how long a document is used again. Zero means a minute; below zero, only
	// questions at the same time share one. What could not be reached is never kept.
	Keep time.Duration
	// Timeout limits the way to one document. Zero means no limit but the context's.
	Timeout time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// NewSource returns a Source that finds documents with f. Questions about the same
// publisher at the same time wait for one discovery, and publishers whose way ends at
// the same bytes share the memory of the parsed file. It is safe for concurrent use.
func NewSource(f Finder, c SourceConfig) Source {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Keep == 0 {
		c.Keep = defaultKeep
	}
	c.Discover.IfNoneMatch, c.Discover.IfModifiedSince = "", ""
	return &webSource{
		finder: f, config: c, kept: map[string]*list.Element{},
		order: list.New(), files: map[fileKey]*sharedFile{},
	}
}

// webSource is a Source over a Finder.
type webSource struct {
	finder  Finder
	config  SourceConfig
	flights flight.Group[string, *Document]

	mu    sync.Mutex
	kept  map[string]*list.Element // of *keptDocument, by publisher
	order *list.List               // the one put in last is in front
	files map[fileKey]*sharedFile
	bytes int
}

// fileKey tells files that are read alike: the same bytes, reached the same way. Where
// the content depends on whose file it is, publisher says whose.
type fileKey struct{ url, sha256, method, publisher string }

// A sharedFile is a parsed file that users kept documents refer to.
type sharedFile struct {
	file  *adagents.File
	skips []adagents.Skip
	size  int
	users int
}

type keptDocument struct {
	doc *Document
	key fileKey // of its file, if there is one
	at  time.Time
}

// found is a document on its way to the others.
type found struct {
	doc  *Document
	key  fileKey
	size int
}

// Document returns the document of a publisher. Those who ask at the same time share a
// discovery, which goes on for as long as one of them waits.
func (s *webSource) Document(ctx context.Context, publisher string) (*Document, error) {
	doc := s.lookup(publisher)
	if doc != nil {
		return doc, nil
	}
	return s.flights.Do(ctx, publisher, func(ctx context.Context) (*Document, error) {
		doc := s.lookup(publisher) // somebody else may have it by now
		if doc != nil {
			return doc, nil
		}
		f, err := s.find(ctx, publisher)
		if err != nil {
			return nil, err
		}
		return s.keep(f), nil
	})
}

// find asks the web. The error is that of the context: everything else is an answer.
func (s *webSource) find(ctx context.Context, publisher string) (*found, error) {
	limited := ctx
	if s.config.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.config.Timeout)
		defer cancel()
	}
	d, err := s.finder.Domain(limited, publisher, s.config.Discover)
	var input *discover.InputError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &input):
		// A name that is no publisher's has no file.
		return &found{doc: &Document{Publisher: publisher, State: resolve.Absent, FetchedAt: s.config.Now(), Detail: input.Message}}, nil
	case err != nil:
		return nil, err
	}
	return s.take(publisher, d), nil
}

// take makes a document of a discovery. When its file is known from another publisher,
// it is not read again.
func (s *webSource) take(publisher string, d *discover.Discovery) *found {
	f := &found{doc: describe(publisher, d), size: len(d.Body)}
	if f.doc.State != resolve.Usable {
		return f
	}
	f.key = keyOf(f.doc, d.Report)
	s.mu.Lock()
	known := s.files[f.key]
	s.mu.Unlock()
	if known != nil {
		f.doc.File, f.doc.Skipped = known.file, known.skips
		return f
	}
	fill(f.doc, d)
	return f
}

// lookup returns a kept document that is recent enough.
func (s *webSource) lookup(publisher string) *Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	e := s.kept[publisher]
	if e == nil {
		return nil
	}
	return e.Value.(*keptDocument).doc
}

// keep remembers a document and returns it. What could not be reached is tried anew by
// the next question.
func (s *webSource) keep(f *found) *Document {
	doc := f.doc
	if s.config.Keep < 0 || doc.State == resolve.Unreachable {
		return doc
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	s.drop(s.kept[doc.Publisher])
	s.share(f)
	s.kept[doc.Publisher] = s.order.PushFront(&keptDocument{doc, f.key, s.config.Now()})
	for s.bytes > keptBytes || s.order.Len() > keptDocuments {
		s.drop(s.order.Back())
	}
	return doc
}

// share makes a document that nobody has yet use the file of an equal one. The caller
// holds mu.
func (s *webSource) share(f *found) {
	if f.doc.File == nil {
		return
	}
	known := s.files[f.key]
	if known == nil {
		known = &sharedFile{file: f.doc.File, skips: f.doc.Skipped, size: f.size}
		s.files[f.key] = known
		s.bytes += f.size
	}
	known.users++
	f.doc.File, f.doc.Skipped = known.file, known.skips
}

func keyOf(doc *Document, r *adagents.Report) fileKey {
	key := fileKey{url: doc.URL, sha256: doc.SHA256, method: doc.Method}
	if r.DependsOnDomain() {
		key.publisher = doc.Publisher
	}
	return key
}

// expire drops what is too old, or from a future that the clock has since gone back
// from. The caller holds mu.
func (s *webSource) expire() {
	now := s.config.Now()
	for e := s.order.Back(); e != nil; e = s.order.Back() {
		age := now.Sub(e.Value.(*keptDocument).at)
		if age >= 0 && age < s.config.Keep {
			return
		}
		s.drop(e)
	}
}

// drop forgets a document, and its file when it was the last to use it. The caller holds
// mu.
func (s *webSource) drop(e *list.Element) {
	if e == nil {
		return
	}
	k := s.order.Remove(e).(*keptDocument)
	delete(s.kept, k.doc.Publisher)
	if k.doc.File == nil {
		return
	}
	known := s.files[k.key]
	known.users--
	if known.users == 0 {
		delete(s.files, k.key)
		s.bytes -= known.size
	}
}

// DocumentOf turns what was found for a publisher into the document that questions are
// answered from. It is for a Source that stores discoveries.
func DocumentOf(publisher string, d *discover.Discovery) *Document {
	doc := describe(publisher, d)
	if doc.State == resolve.Usable {
		fill(doc, d)
	}
	return doc
}

// fill gives a document its content.
func fill(doc *Document, d *discover.Discovery) {
	report := timeless(doc.Publisher, d)
	doc.File, doc.Skipped = report.File, redact.Report(d.Body, report).Skipped
	doc.Prepared = resolve.Prepare(doc.File)
}

// describe returns the document of a discovery without its file.
func describe(publisher string, d *discover.Discovery) *Document {
	doc := &Document{Publisher: publisher, State: states[d.Answer], URL: d.ResolvedURL, FetchedAt: d.At, Replaced: d.Replaced}
	if d.Answer == discover.Usable && (d.Report == nil || d.Report.File == nil) {
		// A pointer without a file behind it never counts.
		doc.State = resolve.Unusable
	}
	if d.Report != nil {
		doc.Method = d.Method.String()
		doc.SHA256, doc.FetchedAt = evidenceOf(d)
	}
	if doc.State != resolve.Usable {
		doc.Detail = detailOf(d)
	}
	doc.Route = wayOf(doc, d)
	return doc
}

// wayOf returns the documents that led to the one of a discovery.
func wayOf(doc *Document, d *discover.Discovery) []resolve.Evidence {
	var out []resolve.Evidence
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Result == nil || hop.AdsTxt == nil && (hop.Report == nil || hop.Report == d.Report) {
			continue
		}
		last, state := hop.Result.Last(), resolve.Usable
		if hop.Step == discover.Superseding && hop.Report.File == nil {
			state = resolve.Unusable
		}
		out = append(out, resolve.Evidence{
			Publisher: doc.Publisher, URL: last.URL, SHA256: last.SHA256, Method: doc.Method, Role: roleOf(hop), FetchedAt: last.At, State: state,
		})
	}
	return out
}

// roleOf says what a document on the way is.
func roleOf(hop *discover.Hop) string {
	switch {
	case hop.AdsTxt != nil:
		return "ads_txt"
	case hop.Report.Pointer != nil:
		return "pointer"
	case hop.Step == discover.Superseding:
		return "successor"
	case hop.Step == discover.Manager || hop.Step == discover.ManagerAuthoritative:
		return "manager"
	}
	return "replaced"
}

// timeless returns the report of a file as it is at any time. Discovery judges files by
// its clock and leaves entries without effect whose time has passed, but a question may be
// about a moment at which they held.
func timeless(publisher string, d *discover.Discovery) *adagents.Report {
	expired := func(f adagents.Finding) bool { return f.Code == "agent.window_expired" }
	if !slices.ContainsFunc(d.Report.Findings, expired) {
		return d.Report
	}
	role := adagents.Direct
	switch d.Method {
	case discover.AuthoritativeLocation:
		role = adagents.Authoritative
	case discover.ManagerDomain:
		role = adagents.Manager
	}
	return adagents.Check(d.Body, adagents.Options{Domain: publisher, URL: d.ResolvedURL, Role: role})
}

// states are the states of documents by the answers of discovery. That a file is
// unchanged says nothing about it to somebody who does not have it.
var states = map[discover.Answer]resolve.State{
	discover.Usable: resolve.Usable, discover.Unusable: resolve.Unusable, discover.Absent: resolve.Absent,
	discover.Unreachable: resolve.Unreachable, discover.Unchanged: resolve.Unreachable,
}

// evidenceOf returns the checksum of the file and when it was obtained: that of the hop
// that brought it.
func evidenceOf(d *discover.Discovery) (string, time.Time) {
	for i := range d.Trail {
		hop := &d.Trail[i]
		if hop.Report == d.Report && hop.Result != nil {
			last := hop.Result.Last()
			return last.SHA256, last.At
		}
	}
	return "", d.At
}

// detailOf says why there is no usable file, as far as anybody may know.
func detailOf(d *discover.Discovery) string {
	for i := range d.Findings {
		if d.Findings[i].Severity == adagents.Error {
			return d.Findings[i].Message
		}
	}
	if d.Report != nil && d.Report.Unusable != nil {
		return d.Report.Unusable.Findings[0].Message
	}
	if len(d.Trail) > 0 {
		return d.Trail[len(d.Trail)-1].Meaning
	}
	return ""
}
