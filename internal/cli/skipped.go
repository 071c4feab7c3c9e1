package cli

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// jsonSkipped is an entry of a file that was left out.
type jsonSkipped struct {
	Publisher string `json:"publisher"`
	URL       string `json:"url"`
	Pointer   string `json:"pointer"`
	Code      string `json:"code"`
	Reason    string `json:"reason"`
}

func skippedForJSON(list []resolve.Skipped) []jsonSkipped {
	docs := []jsonSkipped{}
	for i := range list {
		for _, s := range list[i].Entries {
			docs = append(docs, jsonSkipped{list[i].Publisher, redact.URL(list[i].URL), s.Pointer, s.Code, redact.Credentials(s.Reason)})
		}
	}
	return docs
}

// skipped writes what was left out of files: with --verbose the entries, and otherwise
// how many there are, if that may be why the answer is not a yes.
func (t *answerText) skipped(list []resolve.Skipped, verdict resolve.Verdict, verbose bool) {
	const label = "skipped:"
	for i := range capped(list) {
		f := &list[i]
		switch {
		case verbose:
			for _, s := range capped(f.Entries) {
				t.line(label, safe(s.Pointer+" of "+redact.URL(f.URL)+": "+redact.Credentials(s.Reason))+" "+t.paint.dim("["+s.Code+"]"))
			}
			t.more(len(f.Entries))
		case verdict < resolve.Conditional:
			t.line(label, words.Plural(len(f.Entries), "entry", "entries")+" of "+safe(redact.URL(f.URL))+"; --verbose lists them")
		}
	}
	if verbose || verdict < resolve.Conditional {
		t.more(len(list))
	}
}

// A tellingSource says on standard error what is left out of the documents that it hands
// on, once for each file.
type tellingSource struct {
	resolve.Source
	w io.Writer

	mu   sync.Mutex
	told map[string]bool // by URL and hash
}

// Document returns the document of a publisher.
func (s *tellingSource) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc, err := s.Source.Document(ctx, publisher)
	if err == nil && len(doc.Skipped) > 0 {
		s.tell(doc)
	}
	return doc, err
}

func (s *tellingSource) tell(doc *resolve.Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := doc.URL + " " + doc.SHA256
	if s.told[key] {
		return
	}
	s.told[key] = true
	url := safe(redact.URL(doc.URL))
	for _, e := range capped(doc.Skipped) {
		fmt.Fprintf(s.w, "avow: skipped %s of %s: %s [%s]\n", safe(e.Pointer), url, safe(redact.Credentials(e.Reason)), e.Code)
	}
	if more := len(doc.Skipped) - mostShown; more > 0 {
		fmt.Fprintf(s.w, "avow: skipped %s more of %s; avow validate lists them\n", words.Thousands(more), url)
	}
}
