package cli

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

	"github.com/spf13/cobra"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// keepDocuments is how long a run uses a document of the web again: to its end.
const keepDocuments = 24 * time.Hour

// sourceFlags say where documents come from.
type sourceFlags struct {
	file string
	web  *webFlags
	// state is where files are kept over time, unless noState.
	state   *stateFlags
	noState bool
	asOf    string
	// mirrors are written as DOMAIN=URL.
	mirrors []string
}

func (f *sourceFlags) addSourceFlags(cmd *cobra.Command) {
	f.web = addWebFlags(cmd)
	f.web.addFollowFlag(cmd)
	flags := cmd.Flags()
	flags.Lookup("verbose").Usage += ", and the entries that were left out of files"
	flags.StringVar(&f.file, "file", "", "take the publisher's file from `PATH`, a file or a folder of files, instead of the web")
	flags.BoolVar(&f.noState, "no-state", false, "ask the web alone: nothing is kept, and what was kept does not count")
	flags.StringVar(&f.asOf, "as-of", "", "answer from what was adopted at `TIME`, for example 2026-01-02T00:00:00Z; nothing is asked")
	flags.StringArrayVar(&f.mirrors, "mirror", nil, "`DOMAIN=URL` of a community mirror: the formats of DOMAIN are taken from it where DOMAIN has no file, or one without formats; may be repeated, and AVOW_MIRRORS sets it as well, separated by commas")
	f.state = addStateFlags(cmd)
}

// checkSource finds flags that do not go together. The time of --as-of is zero without one.
func (f *sourceFlags) checkSource() (time.Time, error) {
	switch {
	case f.file != "" && len(f.mirrors) > 0:
		return time.Time{}, usageError("leave one of them out", "--file asks nobody, so no --mirror either")
	case f.asOf == "":
		return time.Time{}, nil
	case len(f.mirrors) > 0:
		return time.Time{}, usageError("leave one of them out", "--as-of asks nobody, so no --mirror either")
	case f.file != "":
		return time.Time{}, usageError("leave one of them out", "--as-of is about what was kept, and --file about a file at hand")
	case f.noState:
		return time.Time{}, usageError("leave one of them out", "--as-of is about what was kept, which --no-state leaves aside")
	case f.web.refresh:
		return time.Time{}, usageError("leave one of them out", "--as-of asks nobody, so there is nothing to --refresh")
	}
	at, err := parseInstant(f.asOf)
	if err != nil {
		return at, flagFault("as-of", err)
	}
	return at, nil
}

// A source is where the documents of one run come from. It has to be closed.
type source struct {
	resolve.Source
	// kept is nil unless documents are kept over time.
	kept *keptSource
}

// Last returns what is kept about a publisher without asking anybody.
func (s *source) Last(ctx context.Context, publisher string) (*resolve.Document, error) {
	if s.kept == nil || !s.kept.asOf.IsZero() {
		return nil, nil
	}
	doc, err := s.kept.keeper.Last(ctx, publisher)
	return doc, stateFault(err)
}

func (s *source) close() error {
	if s.kept == nil {
		return nil
	}
	return s.kept.store.Close()
}

// source returns where documents come from: what is kept and the web, or what --file
// names. publisher is the domain that a single file speaks for.
func (a *app) source(ctx context.Context, f *sourceFlags, publisher string) (*source, error) {
	switch {
	case f.file == "" && f.noState:
		web, err := a.webSource(f.web)
		if err != nil {
			return nil, err
		}
		return a.withMirrors(&source{Source: web}, f)
	case f.file == "":
		kept, err := a.keptSource(ctx, f)
		if err != nil {
			return nil, err
		}
		return a.withMirrors(&source{Source: kept, kept: kept}, f)
	}
	at, err := a.sourceAtHand(f, publisher)
	return &source{Source: at}, err
}

// sourceAtHand is what --file names.
func (a *app) sourceAtHand(f *sourceFlags, publisher string) (resolve.Source, error) {
	info, err := os.Stat(f.file)
	switch {
	case f.file == "-":
	case err != nil:
		return nil, failure("", "cannot read %s: %s", f.file, reason(err))
	case info.IsDir():
		return &folderSource{dir: f.file, now: a.env.Now()}, nil
	}
	if publisher == "" {
		return nil, usageError("name the publisher that the file speaks for, or a folder with a file for each", "--file %s: whose file is it?", f.file)
	}
	domain, _, err := hostname.Canonical(publisher)
	if err != nil {
		return nil, usageError("name the publisher's domain, for example example.com", "%s: the domain %v", redact.URL(publisher), err)
	}
	src, err := a.read(f.file)
	if err != nil {
		return nil, err
	}
	return &fileSource{name: f.file, doc: documentAtHand(domain, f.file, src, a.env.Now())}, nil
}

func (a *app) webSource(w *webFlags) (resolve.Source, error) {
	web, err := a.newAsker(w, adagents.Options{Now: a.env.Now()})
	if err != nil {
		return nil, err
	}
	return avow.NewSource(web.finder, avow.SourceConfig{
		Discover: web.opt, Keep: keepDocuments, Timeout: w.timeout, Now: a.env.Now,
	}), nil
}

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
	names map[string]string // by canonical domain: names that are written otherwise
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
	src, err := readFile(path, maxFile)
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
		doc.Detail = firstAbort(report)
	case report.Pointer != nil:
		doc.State, doc.File = resolve.Withheld, nil
		doc.Code, doc.Advice = resolve.CodePointerNotFollowed, "give the file that it points to, or leave --file out"
		doc.Detail = name + " is a pointer to " + redact.URL(report.Pointer.AuthoritativeLocation) + ", which is not fetched when a file is given"
	}
	return doc
}

// firstAbort says why a file is unusable. Findings of the report have their secrets
// hidden already.
func firstAbort(report *adagents.Report) string {
	for i := range report.Findings {
		if report.Findings[i].Effect == adagents.AbortFile {
			return report.Findings[i].Message
		}
	}
	return "the file cannot be used"
}
