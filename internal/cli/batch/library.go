package batch

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/resolve/index"
)

// A library reads documents when they are needed and keeps an index of them.
type library struct {
	source resolve.Source
	loads  int // documents read at the same time
	index  *index.Index

	// mu is held while documents are read: blocks that need none wait for those that
	// do, and in return nothing is read twice.
	mu    sync.Mutex
	known map[string]bool
}

func newLibrary(source resolve.Source, loads int) *library {
	return &library{source: source, loads: loads, index: index.New(), known: map[string]bool{}}
}

// need sees to it that the index has the publishers of all questions of a block.
func (l *library) need(ctx context.Context, b *block) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var missing []string
	for i := range b.asked {
		publisher := b.asked[i].Publisher
		if b.questions[i].err == nil && !l.known[publisher] {
			publisher = strings.Clone(publisher) // not the whole line
			l.known[publisher] = true
			missing = append(missing, publisher)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	docs, err := l.load(ctx, missing)
	if err != nil {
		return err
	}
	l.index.Put(docs...)
	return nil
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
		fmt.Fprintf(s.w, "avow: skipped %s of %s: %s [%s]\n", console.Safe(e.Pointer), url, console.Safe(redact.Credentials(e.Reason)), e.Code)
	}
	if more := len(doc.Skipped) - console.MostListed; more > 0 {
		fmt.Fprintf(s.w, "avow: skipped %s more of %s; avow validate lists them\n", words.Thousands(more), url)
	}
}
