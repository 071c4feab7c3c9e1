package batch

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// keptBytes is how much of the texts of files is kept parsed for the questions that follow. Files
// beyond that are read again when they are asked about again.
const keptBytes = 64 << 20

// A library reads documents when they are needed. For whole answers it keeps some of them, for
// verdicts alone an index of all.
type library struct {
	source resolve.Source
	loads  int // documents read at the same time
	index  *index.Index
	docs   *flight.Cache[string, *resolve.Document]

	// mu is held while documents are read: blocks that need none wait for those that
	// do, and in return nothing is read twice.
	mu    sync.Mutex
	known map[string]bool
}

func newLibrary(source resolve.Source, loads int, whole bool) *library {
	l := &library{source: source, loads: loads}
	if whole {
		l.docs = flight.NewCache(flight.Limits[string, *resolve.Document]{Weight: keptBytes})
	} else {
		l.index, l.known = index.New(), map[string]bool{}
	}
	return l
}

// need sees to it that the publishers of all questions of a block are known.
func (l *library) need(ctx context.Context, b *block) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.docs = map[string]*resolve.Document{}
	var missing []string
	for i := range b.questions {
		publisher := b.questions[i].q.Publisher
		if b.questions[i].err != nil || l.has(b, publisher) {
			continue
		}
		missing = append(missing, strings.Clone(publisher)) // not the whole line
		b.docs[publisher] = nil
	}
	docs, err := l.load(ctx, missing)
	if err != nil {
		return err
	}
	for i, doc := range docs {
		l.keep(b, missing[i], doc)
	}
	return nil
}

// has reports whether a publisher is known, or about to be.
func (l *library) has(b *block, publisher string) bool {
	if l.docs == nil {
		_, asked := b.docs[publisher]
		return asked || l.known[publisher]
	}
	_, known := b.docs[publisher]
	if !known {
		var doc *resolve.Document
		doc, known = l.docs.Get(publisher)
		if known {
			b.docs[publisher] = doc
		}
	}
	return known
}

func (l *library) keep(b *block, publisher string, doc *resolve.Document) {
	if l.docs == nil {
		l.index.Put(doc)
		l.known[publisher] = true
		return
	}
	weight := 1 << 10
	if doc.File != nil {
		if doc.Prepared == nil {
			with := *doc
			with.Prepared = resolve.Prepare(doc.File)
			doc = &with
		}
		weight += len(doc.File.Raw.Tree().Source())
	}
	b.docs[publisher] = doc
	l.docs.Put(publisher, doc, weight)
}

// load reads documents side by side.
func (l *library) load(ctx context.Context, publishers []string) ([]*resolve.Document, error) {
	docs := make([]*resolve.Document, len(publishers))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(l.loads)
	for i, publisher := range publishers {
		group.Go(func() error {
			var err error
			docs[i], err = l.source.Document(ctx, publisher)
			return err
		})
	}
	return docs, group.Wait()
}

// A noticingSource says on standard error what is left out of the documents that it hands
// on, once for each file.
type noticingSource struct {
	resolve.Source
	w io.Writer

	mu      sync.Mutex
	noticed map[string]bool // by URL and hash
}

// Document returns the document of a publisher.
func (s *noticingSource) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc, err := s.Source.Document(ctx, publisher)
	if err == nil && len(doc.Skipped) > 0 {
		s.notice(doc)
	}
	return doc, err
}

func (s *noticingSource) notice(doc *resolve.Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := doc.URL + " " + doc.SHA256
	if s.noticed[key] {
		return
	}
	s.noticed[key] = true
	url := console.Safe(redact.URL(doc.URL))
	for _, e := range console.Capped(doc.Skipped) {
		fmt.Fprintf(s.w, "avow: skipped %s of %s: %s [%s]\n", console.Safe(e.Pointer), url,
			console.Safe(redact.Credentials(e.Reason)), e.Code)
	}
	if more := len(doc.Skipped) - console.MostListed; more > 0 {
		fmt.Fprintf(s.w, "avow: skipped %s more of %s; avow validate lists them\n", words.Thousands(more), url)
	}
}
