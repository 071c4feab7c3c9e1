// Package websource supplies documents, pinned keys and lists of revoked keys from the web to those who
// answer questions, and keeps them for a while.
package websource

import (
	"context"
	"errors"
	"slices"
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

// NewSource returns a resolve.Source that finds documents with f. Questions about the same
// publisher at the same time wait for one discovery, and publishers whose way ends at
// the same bytes share the memory of the parsed file. It is safe for concurrent use.
func NewSource(f Finder, c SourceConfig) resolve.Source {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Keep == 0 {
		c.Keep = defaultKeep
	}
	c.Discover.IfNoneMatch, c.Discover.IfModifiedSince = "", ""
	return &webSource{
		finder: f, config: c,
		kept:  flight.NewCache(flight.Limits[string, found]{Count: keptDocuments, Life: c.Keep, Now: c.Now}),
		files: flight.NewCache(flight.Limits[fileKey, content]{Weight: keptBytes, Life: c.Keep, Now: c.Now}),
	}
}

// webSource is a resolve.Source over a Finder.
type webSource struct {
	finder  Finder
	config  SourceConfig
	flights flight.Group[string, *resolve.Document]

	kept  *flight.Cache[string, found] // by publisher
	files *flight.Cache[fileKey, content]
}

// fileKey tells files that are read alike: the same bytes, reached the same way. Where
// the content depends on whose file it is, publisher says whose.
type fileKey struct{ url, sha256, method, publisher string }

// content is a parsed file, which documents share.
type content struct {
	file     *adagents.File
	prepared *resolve.Prepared
	skips    []adagents.Skip
}

// found is what a publisher is known to have. What is kept of a usable document has no
// content: that is in files, once for all that share it.
type found struct {
	doc resolve.Document
	key fileKey
}

// Document returns the document of a publisher. Those who ask at the same time share a
// discovery, which goes on for as long as one of them waits.
func (s *webSource) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc := s.lookup(publisher)
	if doc != nil {
		return doc, nil
	}
	return s.flights.Do(ctx, publisher, func(ctx context.Context) (*resolve.Document, error) {
		doc := s.lookup(publisher) // another call may have it by now
		if doc != nil {
			return doc, nil
		}
		return s.find(ctx, publisher)
	})
}

// find asks the web. The error is the context's: everything else is an answer.
func (s *webSource) find(ctx context.Context, publisher string) (*resolve.Document, error) {
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
		// An invalid name has no file.
		f := found{doc: resolve.Document{Publisher: publisher, State: resolve.Absent, FetchedAt: s.config.Now(),
			Detail: input.Message}}
		s.keep(f)
		return &f.doc, nil
	case err != nil:
		return nil, err
	}
	return s.take(publisher, d), nil
}

// take makes a document of a discovery, and keeps it. When its file is known from another
// publisher, it is not read again.
func (s *webSource) take(publisher string, d *discover.Discovery) *resolve.Document {
	doc := Describe(publisher, d)
	f := found{doc: *doc}
	if doc.State == resolve.Usable {
		f.key = keyOf(doc, d.Report)
		known, ok := s.files.Get(f.key)
		if ok {
			known.fill(doc)
		} else {
			fill(doc, d)
		}
		if s.config.Keep > 0 {
			s.files.Put(f.key, content{doc.File, doc.Prepared, doc.Skipped}, len(d.Body))
		}
	}
	s.keep(f)
	return doc
}

// fill gives a document its content.
func (c content) fill(doc *resolve.Document) {
	doc.File, doc.Prepared, doc.Skipped = c.file, c.prepared, c.skips
}

// lookup returns a kept document that is recent enough, if its content is kept, too.
func (s *webSource) lookup(publisher string) *resolve.Document {
	f, ok := s.kept.Get(publisher)
	if !ok {
		return nil
	}
	if f.doc.State == resolve.Usable {
		known, ok := s.files.Get(f.key)
		if !ok {
			return nil
		}
		known.fill(&f.doc)
	}
	return &f.doc
}

// keep remembers a document. What could not be reached is tried anew by the next
// question.
func (s *webSource) keep(f found) {
	if s.config.Keep > 0 && f.doc.State != resolve.Unreachable {
		s.kept.Put(f.doc.Publisher, f, 1)
	}
}

func keyOf(doc *resolve.Document, r *adagents.Report) fileKey {
	key := fileKey{url: doc.URL, sha256: doc.SHA256, method: doc.Method}
	if r.DependsOnDomain() {
		key.publisher = doc.Publisher
	}
	return key
}

// DocumentOf turns what was found for a publisher into the document that questions are
// answered from. It is for a resolve.Source that stores discoveries.
func DocumentOf(publisher string, d *discover.Discovery) *resolve.Document {
	doc := Describe(publisher, d)
	if doc.State == resolve.Usable {
		fill(doc, d)
	}
	return doc
}

// fill gives a document its content.
func fill(doc *resolve.Document, d *discover.Discovery) {
	report := timeless(doc.Publisher, d)
	doc.File, doc.Skipped = report.File, redact.Report(d.Body, report).Skipped
	doc.Prepared = resolve.Prepare(doc.File)
}

// Describe returns the document of a discovery without its file.
func Describe(publisher string, d *discover.Discovery) *resolve.Document {
	doc := &resolve.Document{Publisher: publisher, State: states[d.Answer], URL: d.ResolvedURL, FetchedAt: d.At,
		Replaced: d.Replaced}
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
func wayOf(doc *resolve.Document, d *discover.Discovery) []resolve.Evidence {
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
			Publisher: doc.Publisher, URL: last.URL, SHA256: last.SHA256, Method: doc.Method, Role: roleOf(hop),
			FetchedAt: last.At, State: state,
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
// unchanged says nothing to a caller without a copy.
var states = map[discover.Answer]resolve.State{
	discover.Usable: resolve.Usable, discover.Unusable: resolve.Unusable, discover.Absent: resolve.Absent,
	discover.Unreachable: resolve.Unreachable, discover.Unchanged: resolve.Unreachable,
}

// evidenceOf returns the checksum of the file and when it was obtained: the time of the
// hop that brought it.
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
