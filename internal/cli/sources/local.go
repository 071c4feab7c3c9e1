package sources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// fileSource is one file that speaks for one publisher. The others are not looked up.
type fileSource struct {
	name string
	doc  *resolve.Document
}

// Document returns the file, or says that nothing is known about another publisher.
func (s *fileSource) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	if publisher == s.doc.Publisher {
		return s.doc, nil
	}
	return &resolve.Document{
		Publisher: publisher, State: resolve.Unreachable, FetchedAt: s.doc.FetchedAt,
		Detail: "only " + s.name + " was looked at, which speaks for " + s.doc.Publisher,
	}, nil
}

// folderSource is a folder with a file for each publisher, named after its domain.
type folderSource struct {
	dir string
	now time.Time

	once  sync.Once
	names map[string]string // by canonical domain: names in another spelling
}

// Document reads the file of a publisher.
func (s *folderSource) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	path, ok := s.path(publisher)
	if ok {
		return s.read(publisher, path), nil
	}
	return &resolve.Document{
		Publisher: publisher, State: resolve.Absent, FetchedAt: s.now,
		Detail: s.dir + " has no file " + publisher + ".json",
	}, nil
}

// read reads a file. That it cannot be read does not mean that there is none.
func (s *folderSource) read(publisher, path string) *resolve.Document {
	src, err := console.ReadFile(path, console.MaxFile)
	if err != nil {
		return &resolve.Document{Publisher: publisher, State: resolve.Unreachable, FetchedAt: s.now, Detail: err.Error()}
	}
	return documentAtHand(publisher, path, src, s.now)
}

// path is the file of a publisher. Its name may be the domain in another spelling: in
// upper case, or in its own alphabet.
func (s *folderSource) path(publisher string) (string, bool) {
	path := filepath.Join(s.dir, publisher+".json")
	_, err := os.Lstat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return path, true
	}
	s.once.Do(s.list)
	path, ok := s.names[publisher]
	return path, ok
}

// list takes note of the files whose names are not canonical.
func (s *folderSource) list() {
	s.names = map[string]string{}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), ".json")
		domain, _, err := hostname.Canonical(base)
		if ok && err == nil && domain != base {
			s.names[domain] = filepath.Join(s.dir, e.Name())
		}
	}
}

// documentAtHand is the document in a file, as if the publisher served it.
func documentAtHand(publisher, name string, src []byte, now time.Time) *resolve.Document {
	// Without a clock: whether an entry holds depends on the moment asked about.
	report := redact.Report(src, adagents.Check(src, adagents.Options{Domain: publisher}))
	sum := sha256.Sum256(src)
	doc := &resolve.Document{
		Publisher: publisher, State: resolve.Usable, File: report.File, URL: name,
		SHA256: hex.EncodeToString(sum[:]), FetchedAt: now, Skipped: report.Skipped,
	}
	switch {
	case report.Unusable != nil:
		doc.State, doc.File = resolve.Unusable, nil
		doc.Detail = FirstAbort(report)
	case report.Pointer != nil:
		doc.State, doc.File = resolve.Withheld, nil
		doc.Code, doc.Advice = resolve.CodePointerNotFollowed, "give the file that it points to, or leave --file out"
		doc.Detail = name + " is a pointer to " + redact.URL(report.Pointer.AuthoritativeLocation) +
			", which is not fetched when a file is given"
	}
	return doc
}

// FirstAbort says why a file is unusable. Findings of the report have their secrets
// hidden already.
func FirstAbort(report *adagents.Report) string {
	for i := range report.Findings {
		if report.Findings[i].Effect == adagents.AbortFile {
			return report.Findings[i].Message
		}
	}
	return "the file cannot be used"
}
