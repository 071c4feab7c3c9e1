// Package sources says where the documents of a run come from: files at hand, the web, mirrors,
// and the store in which files are kept over time.
package sources

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// keepDocuments is how long a run uses a document of the web again: to its end.
const keepDocuments = 24 * time.Hour

// Flags say where documents come from.
type Flags struct {
	File string
	Web  *request.Flags
	// state is where files are kept over time, unless noState.
	State   *StoreFlags
	NoState bool
	AsOf    string
	// mirrors are written as DOMAIN=URL.
	mirrors []string
}

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	f.Web = request.AddFlags(cmd)
	f.Web.AddFollowFlag(cmd)
	flags := cmd.Flags()
	flags.Lookup("verbose").Usage += ", and the entries that were left out of files"
	flags.StringVar(&f.File, "file", "", "take the publisher's file from `PATH`, a file or a folder of files, instead of the web")
	flags.BoolVar(&f.NoState, "no-state", false, "ask the web alone: nothing is kept, and what was kept does not count")
	flags.StringVar(&f.AsOf, "as-of", "", "answer from what was adopted at `TIME`, for example 2026-01-02T00:00:00Z; nothing is asked")
	flags.StringArrayVar(&f.mirrors, "mirror", nil, "`DOMAIN=URL` of a community mirror: the formats of DOMAIN are taken from it where DOMAIN has no file, or one without formats; may be repeated, and AVOW_MIRRORS sets it as well, separated by commas")
	f.State = AddStoreFlags(cmd)
}

// Check finds flags that do not go together. The time of --as-of is zero without one.
func (f *Flags) Check() (time.Time, error) {
	switch {
	case f.File != "" && len(f.mirrors) > 0:
		return time.Time{}, console.UsageError("leave one of them out", "--file asks nobody, so no --mirror either")
	case f.AsOf == "":
		return time.Time{}, nil
	case len(f.mirrors) > 0:
		return time.Time{}, console.UsageError("leave one of them out", "--as-of asks nobody, so no --mirror either")
	case f.File != "":
		return time.Time{}, console.UsageError("leave one of them out", "--as-of is about what was kept, and --file about a file at hand")
	case f.NoState:
		return time.Time{}, console.UsageError("leave one of them out", "--as-of is about what was kept, which --no-state leaves aside")
	case f.Web.Refresh:
		return time.Time{}, console.UsageError("leave one of them out", "--as-of asks nobody, so there is nothing to --refresh")
	}
	at, err := console.ParseInstant(f.AsOf)
	if err != nil {
		return at, console.FlagError("as-of", err)
	}
	return at, nil
}

// A Source is where the documents of one run come from. It has to be closed.
type Source struct {
	resolve.Source
	// kept is nil unless documents are kept over time.
	kept *Kept
}

// Last returns what is kept about a publisher without asking anybody.
func (s *Source) Last(ctx context.Context, publisher string) (*resolve.Document, error) {
	if s.kept == nil || !s.kept.asOf.IsZero() {
		return nil, nil
	}
	doc, err := s.kept.keeper.Last(ctx, publisher)
	return doc, StoreError(err)
}

// Close closes the store, if there is one.
func (s *Source) Close() error {
	if s.kept == nil {
		return nil
	}
	return s.kept.Close()
}

// Open returns where documents come from: what is kept and the web, or what --file
// names. publisher is the domain that a single file speaks for.
func Open(ctx context.Context, a *console.App, f *Flags, publisher string) (*Source, error) {
	switch {
	case f.File == "" && f.NoState:
		web, err := webSource(a, f.Web)
		if err != nil {
			return nil, err
		}
		return withMirrors(a, &Source{Source: web}, f)
	case f.File == "":
		kept, err := OpenKept(ctx, a, f)
		if err != nil {
			return nil, err
		}
		return withMirrors(a, &Source{Source: kept, kept: kept}, f)
	}
	at, err := sourceAtHand(a, f, publisher)
	return &Source{Source: at}, err
}

// sourceAtHand is what --file names.
func sourceAtHand(a *console.App, f *Flags, publisher string) (resolve.Source, error) {
	info, err := os.Stat(f.File)
	switch {
	case f.File == "-":
	case err != nil:
		return nil, console.Failure("", "cannot read %s: %s", f.File, console.Reason(err))
	case info.IsDir():
		return &folderSource{dir: f.File, now: a.Env.Now()}, nil
	}
	if publisher == "" {
		return nil, console.UsageError("name the publisher that the file speaks for, or a folder with a file for each", "--file %s: whose file is it?", f.File)
	}
	domain, _, err := hostname.Canonical(publisher)
	if err != nil {
		return nil, console.UsageError("name the publisher's domain, for example example.com", "%s: the domain %v", redact.URL(publisher), err)
	}
	src, err := a.Read(f.File)
	if err != nil {
		return nil, err
	}
	return &fileSource{name: f.File, doc: documentAtHand(domain, f.File, src, a.Env.Now())}, nil
}

func webSource(a *console.App, w *request.Flags) (resolve.Source, error) {
	web, err := request.NewAsker(a, w, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return nil, err
	}
	return avow.NewSource(web.Finder, avow.SourceConfig{
		Discover: web.Options, Keep: keepDocuments, Timeout: w.Timeout, Now: a.Env.Now,
	}), nil
}

// QuestionTime is the time that a question is about, unless it says another: now, or the
// time of --as-of.
func QuestionTime(a *console.App, f *Flags) (time.Time, error) {
	at, err := f.Check()
	if err != nil || !at.IsZero() {
		return at, err
	}
	return a.Env.Now(), nil
}
