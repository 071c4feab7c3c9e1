package translog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// MaxLeaf is how many bytes a leaf has at most: more than any that can be written, because
// names and numbers are bounded.
const MaxLeaf = 4096

// formatLine is the first line of every leaf.
const formatLine = "avow-leaf/1"

// None is the word for something that there is not: a place, a version, a date.
const None = "none"

// What a leaf can be about.
const (
	// SubjectPublisher is a publisher, by its domain: where its authority comes from.
	SubjectPublisher = "publisher"
	// SubjectFile is a file, by the hash of its URL: which version of it counts.
	SubjectFile = "file"
	// SubjectLog is the log itself.
	SubjectLog = "log"
)

// A Subject is what a leaf is about.
type Subject struct {
	// Kind is one of the constants.
	Kind string
	// Name is the canonical domain of a publisher, or the hash of a file's canonical URL in
	// hexadecimal. The log has none.
	Name string
}

// String returns the subject as it stands in a leaf.
func (s Subject) String() string {
	if s.Kind == SubjectLog {
		return s.Kind
	}
	return s.Kind + " " + s.Name
}

// Publisher returns the subject for a canonical domain.
func Publisher(domain string) Subject { return Subject{SubjectPublisher, domain} }

// File returns the subject for the file at a canonical URL.
func File(url string) Subject { return Subject{SubjectFile, HashOf([]byte(url))} }

// About reports whether it is a publisher, given by its canonical domain, or the file at its well-known path.
func (s Subject) About(domain string) bool {
	return s == Publisher(domain) || s == File("https://"+domain+"/.well-known/adagents.json")
}

// A Place is where a publisher's authority comes from: how it was reached, and the hash of
// the file's canonical URL. The Method of no place is None.
type Place struct{ Method, File string }

// A Document is a version that was seen.
type Document struct {
	// Hash is the SHA-256 of its bytes in hexadecimal.
	Hash  string
	Bytes int64
	// Dated is its last_updated; zero for none.
	Dated time.Time
	// Agents is the digest of the text that Agents.Text returns, and Revokes that of
	// RevokedText.
	Agents, Revokes Digest
}

// A Digest is a list by the number of its items and the hash of its text.
type Digest struct {
	Count int64
	Hash  string
}

// A Head is the checkpoint of another log, without its signatures.
type Head struct {
	Origin string
	Size   int64
	Root   string
}

// A Link leads to the subject's leaf before: its index, and its hash as a leaf.
type Link struct {
	Index int64
	Hash  string
}

// A Leaf is one entry of a log. Members that do not apply are empty.
type Leaf struct {
	// Kind is the code of what happened: file.adopted is one.
	Kind    string
	Subject Subject
	// Number is the event's in the history of the registry. Numbers rise along a log.
	Number int64
	// At is when it was decided, and Seen when something was asked for.
	At, Seen time.Time
	// Place is where the authority of a publisher comes from after the event.
	Place Place
	// Pointer is the hash of the pointer or the ads.txt that led there.
	Pointer string
	// To is where a move leads, and Signs are what speaks against it, sorted.
	To    Place
	Signs []string
	// Document is the version that the event is about; nil for none.
	Document *Document
	// From is the hash of the URL that answered in the end, after redirects.
	From string
	// Revokes has the publishers that an answer revokes which was not adopted.
	Revokes *Digest
	// Confirms is the version that an operator confirmed.
	Confirms string
	// Counts is the version of the file that counts after the event, or None.
	Counts string
	// Keys are those of the log after the event.
	Keys []string
	// Old is the last head of the log that this one follows; nil for none.
	Old *Head
	// Previous leads to the subject's leaf before this one; nil for its first.
	Previous *Link
}

// Text returns the leaf as it stands in a log. What cannot stand there is an error.
func (l *Leaf) Text() ([]byte, error) {
	body, err := l.Body()
	if err != nil {
		return nil, err
	}
	return Complete(body, l.Previous)
}

// Body returns the leaf without its last line, which only the log itself can write.
func (l *Leaf) Body() ([]byte, error) {
	err := l.check()
	if err != nil {
		return nil, err
	}
	w := &writer{}
	w.line(formatLine)
	w.line("kind", l.Kind)
	w.line("subject", l.Subject.String())
	w.line("number", decimal(l.Number))
	w.line("at", stamp(l.At))
	if !l.Seen.IsZero() {
		w.line("seen", stamp(l.Seen))
	}
	w.place("place", l.Place)
	w.optional("pointer", l.Pointer)
	w.place("to", l.To)
	w.list("signs", l.Signs)
	w.document(l.Document, l.From)
	if l.Revokes != nil {
		w.line("revokes", decimal(l.Revokes.Count), l.Revokes.Hash)
	}
	w.optional("confirms", l.Confirms)
	w.optional("counts", l.Counts)
	for _, k := range l.Keys {
		w.line("key", k)
	}
	if l.Old != nil {
		w.line("old", l.Old.Origin, decimal(l.Old.Size), l.Old.Root)
	}
	return w.Bytes(), nil
}

// Complete adds the last line to the body of a leaf.
func Complete(body []byte, previous *Link) ([]byte, error) {
	w := &writer{}
	w.Write(body)
	if previous == nil {
		w.line("previous", None)
	} else {
		err := checkLink(previous)
		if err != nil {
			return nil, err
		}
		w.line("previous", decimal(previous.Index), previous.Hash)
	}
	if w.Len() > MaxLeaf {
		return nil, fmt.Errorf("translog: a leaf has %d bytes, at most %d are allowed", w.Len(), MaxLeaf)
	}
	return w.Bytes(), nil
}

// errLeaf is about bytes that are no leaf.
var errLeaf = errors.New("translog: not a leaf")

// ParseLeaf reads a leaf. A text that is not exactly what Text would return is an error.
func ParseLeaf(text []byte) (*Leaf, error) {
	if len(text) > MaxLeaf {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errLeaf, len(text), MaxLeaf)
	}
	r, err := newReader(text)
	if err != nil {
		return nil, err
	}
	l := r.leaf()
	if r.err != nil {
		return nil, r.err
	}
	again, err := l.Text()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLeaf, err)
	}
	if !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%w: a line is written in another way, or stands in another order", errLeaf)
	}
	return l, nil
}

// LeafHash returns the hash of a leaf in the tree, in hexadecimal.
func LeafHash(leaf []byte) string { return hexOf(tlog.RecordHash(leaf)) }

// timeForm has six digits, as many as a registry keeps.
const timeForm = "2006-01-02T15:04:05.000000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeForm) }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
